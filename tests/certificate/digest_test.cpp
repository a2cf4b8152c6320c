#include "checker/certificate/digest.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "model/errors.h"

namespace oncecheck {
namespace {

namespace fs = std::filesystem;

// FIPS 180-4, examples of NIST; a million times "a" from RFC 6234.
TEST(Digest, IsSha256) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

class CatalogueDigest : public testing::Test {
  protected:
    void SetUp() override {
        fs::remove_all(root_);
        write("one/a.json", "{}");
        write("two/b.json", "[]");
    }
    void TearDown() override { fs::remove_all(root_); }

    void write(const std::string& file, const std::string& text) const {
        const fs::path path = root_ / "components" / file;
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
    }
    [[nodiscard]] std::string digest() const { return catalogue_digest(root_.string()); }

    fs::path root_ = fs::temp_directory_path() / "oncecheck_catalogue_digest";
};

TEST_F(CatalogueDigest, DependsOnNamesAndBytesOfTheFilesAndOnNothingElse) {
    const std::string before = digest();
    write("two/README.md", "prose");
    EXPECT_EQ(digest(), before);
    write("two/b.json", "[ ]");
    EXPECT_NE(digest(), before);
    write("two/b.json", "[]");
    EXPECT_EQ(digest(), before);
    fs::rename(root_ / "components/two/b.json", root_ / "components/two/c.json");
    EXPECT_NE(digest(), before);
}

}  // namespace
}  // namespace oncecheck
