#include "checker/export/identifiers.h"

#include <gtest/gtest.h>

namespace oncecheck {

namespace {

TEST(Identifiers, StayCloseToTheName) {
    EXPECT_EQ(identifier_of("payments[0] rows in db.stg"), "payments_0_rows_in_db_stg");
    EXPECT_EQ(identifier_of("0:loss:db.rows"), "x0_loss_db_rows");
    EXPECT_EQ(identifier_of("_[]"), "x");
    EXPECT_EQ(identifier_of(""), "x");
    EXPECT_EQ(identifier_of("caf\xc3\xa9 bar"), "caf_bar");
    EXPECT_EQ(identifier_of(std::string(300, 'a')).size(), 80U);
}

TEST(Identifiers, AreDifferentForDifferentNames) {
    Identifiers identifiers({"skip"});
    EXPECT_EQ(identifiers.add("a.b"), "a_b");
    EXPECT_EQ(identifiers.add("a_b"), "a_b_2");
    EXPECT_EQ(identifiers.add("a_b_2"), "a_b_2_2");
    EXPECT_EQ(identifiers.add("skip"), "skip_2");
}

TEST(CommentText, CannotEndTheCommentOrTheLine) {
    EXPECT_EQ(comment_text("a*/b\nc", "*/"), "a* /b c");
    EXPECT_EQ(comment_text("**//", "*/"), "** //");
}

}  // namespace

}  // namespace oncecheck
