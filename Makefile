# The short way to everything: `make demo` and `make test` install what is missing, build, and run.
# CMakePresets.json holds the kinds of build; choose one with PRESET=debug or PRESET=sanitize.
PRESET ?= release
JOBS ?= $(shell nproc)
BUILD := $(if $(filter release,$(PRESET)),build,build-$(PRESET))
SOURCES = $(shell find model checker tests -name '*.h' -o -name '*.cpp')
SCRIPTS := scripts/install-packages scripts/tidy .ci/run tests/layers/check_layers tests/readme/run_commands \
            tests/agreement/run_agreement tests/certificate/check_obligations tests/runtime/with_postgres \
            tests/runtime/kill_and_resume

.PHONY: help packages configure build demo test ci format check-format tidy check-scripts layers readme agreement campaign truth-table certificates benchmark clean

help:  ## This list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 16

packages:  ## Install the Debian packages that the build needs
	@scripts/install-packages $(WITH)

# Ninja and ccache where they are; an existing build directory keeps its generator.
configure: packages
	@cmake --preset $(PRESET) $(CMAKE_FLAGS) \
	    $$([ -f $(BUILD)/CMakeCache.txt ] || ! command -v ninja >/dev/null || echo -G Ninja) \
	    $$(! command -v ccache >/dev/null || echo -D CMAKE_CXX_COMPILER_LAUNCHER=ccache)

build: configure  ## Build oncecheck and its tests into build/
	@cmake --build --preset $(PRESET) --parallel $(JOBS)

demo: build  ## Build, and check the card-payments example
	$(BUILD)/oncecheck verify examples/card-payments/pipeline.json

test: WITH := --with test
test: build  ## Build, and run all tests
	ctest --preset $(PRESET)

ci:  ## Everything that must pass before a merge, within an hour
	.ci/run

format:  ## Lay out all sources
	@clang-format -i $(SOURCES)

check-format:  ## Fail if `make format` would change something
	@clang-format --dry-run -Werror $(SOURCES)

tidy: configure  ## Lint all sources with clang-tidy (SINCE=REVISION: those changed since)
	@scripts/tidy $(BUILD) $(SINCE)

check-scripts:  ## Lint all scripts with shellcheck
	@shellcheck $(SCRIPTS)

layers:  ## Check which folder includes what, and that the check would notice
	@tests/layers/check_layers --self-test
	@tests/layers/check_layers

readme: build  ## Run the commands of README.md
	@tests/readme/run_commands --self-test
	@tests/readme/run_commands --build $(BUILD)

agreement: WITH := --with test
agreement: build  ## Compare all engines with SPIN, on every document and on generated systems
	@tests/agreement/run_agreement --self-test --build $(BUILD)
	@tests/agreement/run_agreement --build $(BUILD)

campaign: build  ## Hold the model against the reference runtime, over random pipelines
	@$(BUILD)/oncecheck crossvalidate --pipelines 40 --schedules 100 --seed 1

truth-table: WITH := --with test
truth-table: build  ## Run each cell of the truth table of staging designs 200 times on PostgreSQL
	@tests/runtime/with_postgres sh -c '$(BUILD)/oncecheck crossvalidate --schedules 200 --store "$$ONCECHECK_POSTGRES" tests/cases/staging/*.json'

certificates: WITH := --with test
certificates: build  ## Check the certificates of every example and case, and their obligations with cvc5
	@tests/certificate/check_obligations --build $(BUILD)

benchmark: WITH := --with test
benchmark: CMAKE_FLAGS += -D ONCECHECK_BENCHMARKS=ON
benchmark: build  ## Build and run tests/benchmark
	@set -e; for program in $(BUILD)/tests/benchmark/*_benchmark; do echo "== $$program"; $$program; done

clean:  ## Remove all build directories
	rm -rf build build-debug build-sanitize
