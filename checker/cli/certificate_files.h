// The certificates of one run of `oncecheck verify --certificate PATH`: collected document by document, written
// together at the end.
//
// One certificate goes into the file PATH. Several, or one where PATH is a directory, go into the directory, which is
// made if it is not there: "pipeline.by-attempt.1-exactly-once.certificate.json". Naming a place is asking for files of
// these names to be overwritten, unless they are inputs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checker/certificate/certificate.h"
#include "checker/cli/new_files.h"
#include "checker/compose/verify.h"
#include "checker/report/report.h"
#include "model/pipeline/pipeline.h"

namespace oncecheck {

class CertificateFiles {
  public:
    // `catalogue`: its digest.
    CertificateFiles(std::string path, std::string catalogue)
        : path_(std::move(path)), catalogue_(std::move(catalogue)) {}

    // Texts of the files that a document names, by path, and the values of --set that it was read with.
    struct Sources {
        std::map<std::string, std::string> files;
        std::map<std::string, std::string> set;
    };

    // Makes a certificate for every requirement that the report decides. Returns why some have none, in sentences.
    // Throws InternalError if a certificate shows another verdict than the report.
    [[nodiscard]] std::vector<std::string> add(const Pipeline& pipeline, const Report& report, const Sources& sources,
                                               const VerifyOptions& options);

    // Throws UsageError.
    void write(const std::vector<std::string>& inputs) const;

  private:
    [[nodiscard]] std::string unused(const std::string& name) const;

    std::string path_;
    std::string catalogue_;
    std::vector<NewFile> made_;  // by name in the directory
};

}  // namespace oncecheck
