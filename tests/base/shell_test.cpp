#include "cupel/base/shell.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace cupel {
namespace {

// What a shell makes of the words of a line, one a line.
std::string read_by_shell(const std::string& words) {
  FILE* const out = ::popen(("printf '%s\\n' " + words).c_str(), "r");
  if (out == nullptr) return "no shell";
  std::string text;
  for (int c = std::fgetc(out); c != EOF; c = std::fgetc(out)) text += static_cast<char>(c);
  ::pclose(out);
  return text;
}

TEST(Shell, AWordIsReadAsItWasGiven) {
  for (const char* text : {"plain-1.2_x/y:z=a,b@c%d", "", "two words", "it's", "''",
                           "$HOME `ls` \\", "a\"b", "*?[x]", "~", "#x", "a\nb", "ü", "x;y&z|w<v>u"})
    EXPECT_EQ(read_by_shell(shell_quoted(text)), std::string(text) + "\n");
}

TEST(Shell, PlainWordsStayPlain) {
  EXPECT_EQ(shell_quoted("--sets=a,b@1%"), "--sets=a,b@1%");
  EXPECT_EQ(shell_quoted("~x"), "'~x'");
}

TEST(Shell, APathIsNoOption) {
  EXPECT_EQ(shell_word("-x.plan"), "./-x.plan");
  EXPECT_EQ(shell_word("-x y.plan"), "'./-x y.plan'");
  EXPECT_EQ(shell_word("a/-x"), "a/-x");
}

}  // namespace
}  // namespace cupel
