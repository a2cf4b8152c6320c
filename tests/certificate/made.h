// Certificates of documents, made in memory, and what becomes of them when they are checked.
#pragma once

#include <map>
#include <string>

#include "checker/certificate/certificate_json.h"
#include "checker/certificate/digest.h"
#include "checker/certificate/maker.h"
#include "checker/certificate/recheck.h"
#include "tests/cases/support/verified.h"

namespace oncecheck {

inline const InstalledCatalogue& installed() {
    static const InstalledCatalogue kInstalled{catalogue(), catalogue_digest(ONCECHECK_SOURCE_SPECS)};
    return kInstalled;
}

// The document of that variant in a text, with the files that it names, and what it was read from.
struct ReadSource {
    Document document;
    CertifiedSource source;
};

inline std::vector<ReadSource> read_sources(const std::string& text, const std::string& file,
                                            const FileReading& named_files = read_file,
                                            const std::map<std::string, std::string>& set = {}) {
    std::map<std::string, std::string> files;
    ReadOptions options;
    options.set = set;
    options.named_files = [&](const std::string& path, const SourcePosition& where, std::vector<Problem>& problems) {
        std::optional<std::string> content = named_files(path, where, problems);
        if (content) {
            files[path] = *content;
        }
        return content;
    };
    std::vector<ReadSource> sources;
    for (const Document& document : parse_documents(text, file, options)) {
        ReadSource one{document, {{file, text}, {}, document.variant, set, installed().digest}};
        for (const auto& [path, content] : files) {
            one.source.files.push_back({path, content});
        }
        sources.push_back(std::move(one));
    }
    return sources;
}

// Throws std::bad_variant_access if there is none.
inline Certificate made(const ReadSource& read, std::size_t requirement) {
    const Pipeline pipeline = resolve(read.document, catalogue());
    return std::get<Certificate>(CertificateMaker(pipeline, read.source, {}).make(requirement));
}

// "valid", "refused: WHERE", "not re-checked: WHERE" or "unreadable: CODE".
inline std::string outcome_of(const std::string& text, const CheckMethod& method = {}) {
    try {
        const RecheckResult result = recheck(read_certificate(text, "test.certificate.json"), installed(), method);
        switch (result.outcome) {
            case Recheck::kValid:
                return "valid";
            case Recheck::kNotRechecked:
                return "not re-checked: " + result.where;
            case Recheck::kRefused:
                return "refused: " + result.where;
        }
    } catch (const InputError& error) {
        return "unreadable: " + error.problems().front().code;
    }
    return "";
}

}  // namespace oncecheck
