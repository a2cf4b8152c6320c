#include "checker/cli/certificate_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "checker/certificate/certificate_json.h"
#include "checker/certificate/maker.h"
#include "model/document/source_text.h"
#include "model/errors.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

std::string plain(std::string text) {
    std::replace_if(
        text.begin(), text.end(),
        [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '-'; }, '_');
    return text;
}

std::string file_name(const Document& document, std::size_t requirement, const std::string& kind) {
    const std::string stem = document.file == "-" ? "stdin" : fs::path(document.file).stem().string();
    return plain(stem) + (document.variant.empty() ? "" : '.' + plain(document.variant)) + '.' +
           std::to_string(requirement + 1) + '-' + kind + ".certificate.json";
}

CertifiedSource source_of(const Document& document, const CertificateFiles::Sources& sources,
                          const std::string& catalogue) {
    CertifiedSource source{{document.file, document.text}, {}, document.variant, sources.set, catalogue};
    for (const auto& [path, text] : sources.files) {
        source.files.push_back({path, text});
    }
    return source;
}

}  // namespace

std::vector<std::string> CertificateFiles::add(const Pipeline& pipeline, const Report& report, const Sources& sources,
                                               const VerifyOptions& options) {
    const CertifiedSource source = source_of(pipeline.document, sources, catalogue_);
    CertificateMaker maker(pipeline, source, options);
    std::vector<std::string> missing;
    for (std::size_t index = 0; index < report.requirements.size(); ++index) {
        const RequirementReport& requirement = report.requirements[index];
        const std::string name = requirement.kind + " of " + requirement.target;
        if (requirement.verdict == Verdict::kUndecided) {
            missing.push_back(name + ": it is undecided");
            continue;
        }
        const std::variant<Certificate, std::string> made = maker.make(index);
        if (const auto* reason = std::get_if<std::string>(&made)) {
            missing.push_back(name + ": " + *reason);
            continue;
        }
        const auto& certificate = std::get<Certificate>(made);
        if (certificate.verdict != requirement.verdict || certificate.provided.size() != requirement.provided.size()) {
            throw InternalError("the certificate of " + name + " shows another verdict than the report");
        }
        std::string text = write_certificate(certificate);
        if (text.size() > kMaxFileBytes) {
            missing.push_back(name + ": it would be larger than 16 MB");
            continue;
        }
        made_.push_back({unused(file_name(pipeline.document, index, requirement.kind)), std::move(text)});
    }
    return missing;
}

// Documents of one name in several folders.
std::string CertificateFiles::unused(const std::string& name) const {
    std::string candidate = name;
    const auto taken = [&](const NewFile& file) { return file.path == candidate; };
    for (int number = 2; std::any_of(made_.begin(), made_.end(), taken); ++number) {
        candidate = std::to_string(number) + '.' + name;
    }
    return candidate;
}

void CertificateFiles::write(const std::vector<std::string>& inputs) const {
    std::error_code error;
    if (made_.size() == 1 && !fs::is_directory(path_, error) && !path_.ends_with('/')) {
        write_new_files({{path_, made_.front().text}}, true, inputs);
        return;
    }
    make_directory(path_);
    std::vector<NewFile> files;
    for (const NewFile& file : made_) {
        files.push_back({(fs::path(path_) / file.path).string(), file.text});
    }
    write_new_files(files, true, inputs);
}

}  // namespace oncecheck
