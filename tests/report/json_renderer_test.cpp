// What programs read: golden files, the schema, and the shape that does not depend on what was found.

// GCC 12 sees overlapping copies in the string concatenations of valijson (GCC bug 105651).
#pragma GCC diagnostic ignored "-Wrestrict"

#include "checker/report/json_renderer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "tests/report/golden.h"
#include "tests/report/reports.h"

namespace oncecheck {
namespace {

using nlohmann::json;

class ReportSchema : public testing::Test {
  protected:
    ReportSchema() {
        const json text = json::parse(file_text(ONCECHECK_SOURCE_SPECS "/schema/report.schema.json"));
        valijson::SchemaParser(valijson::SchemaParser::kDraft7)
            .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema_);
    }

    [[nodiscard]] bool accepts(const json& document) const {
        valijson::Validator validator;
        return validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
    }

  private:
    valijson::Schema schema_;
};

json parsed(const std::vector<Report>& reports, const RenderOptions& options = {}) {
    return json::parse(render_json(reports, options));
}

TEST(JsonRenderer, RendersAViolation) { expect_golden("violated.json", render_json({violated_report()}, {})); }

TEST(JsonRenderer, RendersSeveralReports) {
    expect_golden("several.json", render_json({bounded_report(), variant_report()}, {}));
}

TEST(JsonRenderer, ListsReportsWhereSeveralWereAskedFor) {
    EXPECT_FALSE(parsed({bounded_report()}).contains("reports"));
    EXPECT_EQ(parsed({bounded_report()}, {.several = true})["reports"].size(), 1U);
    EXPECT_EQ(parsed({bounded_report(), stuck_report()})["reports"].size(), 2U);
    EXPECT_EQ(parsed({})["reports"].size(), 0U);
}

TEST(JsonRenderer, SaysWhatIsAsExpectedUnderStrict) {
    EXPECT_EQ(parsed({bounded_report()})["as_expected"], true);
    EXPECT_EQ(parsed({bounded_report()}, {.strict = true})["as_expected"], false);
}

TEST(JsonRenderer, KeepsMeasurementsUnderOneKey) {
    Report slow = violated_report();
    slow.statistics.seconds = 77;
    slow.statistics.bytes = 1;
    json left = parsed({violated_report()});
    json right = parsed({slow});
    EXPECT_NE(left, right);
    left["statistics"].erase("measured");
    right["statistics"].erase("measured");
    EXPECT_EQ(left, right);
}

TEST(JsonRenderer, RendersAFileNameThatIsNotUtf8) {
    Report report = bounded_report();
    report.file = "a\xff.json";
    EXPECT_EQ(parsed({report})["file"], "a\xef\xbf\xbd.json");
}

TEST_F(ReportSchema, AcceptsEveryReport) {
    for (const Report& report :
         {violated_report(), bounded_report(), stuck_report(), undecided_report(), variant_report(), Report{}}) {
        EXPECT_TRUE(accepts(parsed({report})));
        EXPECT_TRUE(accepts(parsed({report, report})));
    }
    EXPECT_TRUE(accepts(parsed({})));
}

TEST_F(ReportSchema, RequiresEveryKeyAndKnowsNoOther) {
    const json report = parsed({stuck_report()});
    const json flat = report.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        for (json::json_pointer at(pointer); !at.empty(); at.pop_back()) {
            json changed = report;
            json& holder = changed[at.parent_pointer()];
            if (!holder.is_object()) {
                continue;
            }
            holder.erase(at.back());
            EXPECT_FALSE(accepts(changed)) << "without " << at.to_string();
            holder = report[at.parent_pointer()];
            holder["else"] = 1;
            EXPECT_FALSE(accepts(changed)) << "beside " << at.to_string();
        }
    }
}

TEST_F(ReportSchema, RejectsAnUnknownVerdict) {
    json report = parsed({stuck_report()});
    report["verdict"] = "fine";
    EXPECT_FALSE(accepts(report));
}

}  // namespace
}  // namespace oncecheck
