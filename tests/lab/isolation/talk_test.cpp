// Programs that are spoken with while they run.
#include <gtest/gtest.h>

#include <thread>

#include "cupel/base/error.h"
#include "cupel/lab/isolation/process.h"

namespace cupel {
namespace {

using namespace std::chrono_literals;
using End = ProcessResult::End;

// Says the next of `says` whenever something is heard.
class Script final : public Talk {
 public:
  explicit Script(std::vector<std::string> says) : says_(std::move(says)) {}
  Reply begin() override { return next(); }
  Reply hear(const std::string& line) override {
    heard.push_back(line);
    if (line == "throw") fail("enough");
    return next();
  }
  std::vector<std::string> heard;

 private:
  Reply next() {
    if (at_ == says_.size()) return {"", true};
    return {says_[at_++] + "\n", false};
  }
  std::vector<std::string> says_;
  std::size_t at_ = 0;
};

ProcessResult run(const std::string& shell, Talk& talk, std::chrono::milliseconds time = 20s) {
  ProcessRequest request;
  request.command = {"/bin/sh", "-c", shell};
  request.environment = {"PATH=/usr/bin:/bin"};
  request.deadline = std::chrono::steady_clock::now() + time;
  request.talk = &talk;
  return run_process(request);
}

TEST(Talk, LineByLine) {
  Script talk({"one", "two", "three"});
  const ProcessResult result =
      run("echo aside >&2; while read -r x; do echo \"heard $x\"; done; echo end", talk);
  EXPECT_EQ(result.end, End::kExit);
  EXPECT_EQ(result.code, 0);
  // Its input ended, as nothing was left to say; what it said then is heard, too.
  EXPECT_EQ(talk.heard, (std::vector<std::string>{"heard one", "heard two", "heard three", "end"}));
  // What a record shows of it has both outputs.
  EXPECT_NE(result.output.find("aside"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("heard three"), std::string::npos) << result.output;
}

TEST(Talk, LinesComeInPieces) {
  Script talk({});
  const ProcessResult result = run("printf 'a'; sleep 0.1; printf 'b\\nc\\n\\nd'", talk);
  EXPECT_EQ(result.end, End::kExit);
  EXPECT_EQ(talk.heard, (std::vector<std::string>{"ab", "c", ""}));
}

TEST(Talk, OfALongLineTheBeginning) {
  Script talk({});
  (void)run("printf y; head -c 1000000 /dev/zero | tr '\\0' x; echo y; echo z", talk);
  ASSERT_EQ(talk.heard.size(), 2u);
  EXPECT_GT(talk.heard[0].size(), kLineBytes);
  EXPECT_LE(talk.heard[0].size(), kLineBytes + 1);
  EXPECT_EQ(talk.heard[0].substr(0, 3), "yxx");
  EXPECT_EQ(talk.heard[1], "z");
}

TEST(Talk, WhatItThrowsEndsTheProgram) {
  Script talk({"go"});
  const auto begin = std::chrono::steady_clock::now();
  const ProcessResult result = run("echo throw; sleep 30; echo late", talk, 25s);
  EXPECT_EQ(result.end, End::kTalk);
  ASSERT_TRUE(result.thrown);
  EXPECT_THROW(std::rethrow_exception(result.thrown), Error);
  EXPECT_EQ(talk.heard, (std::vector<std::string>{"throw"}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
}

// More than a pipe holds: neither side waits for the other for ever.
TEST(Talk, NobodyReads) {
  std::vector<std::string> says(200, std::string(2000, 'z'));
  Script talk(says);
  EXPECT_EQ(run("for i in $(seq 1 200); do echo $i; done; sleep 0.1", talk).end, End::kExit);
  EXPECT_EQ(talk.heard.size(), 200u);
  Script unheard(says);
  EXPECT_EQ(run("sleep 30", unheard, 300ms).end, End::kTimeout);
  // It has ended, and is spoken to.
  Script dead({"one", "two"});
  EXPECT_EQ(run("echo 1; exec 0<&-; echo 2; exit 3", dead).code, 3);
}

// The time that we take is not the program's.
TEST(Talk, TimeStandsStill) {
  class Slow final : public Talk {
    Reply begin() override { return {"go\n", false}; }
    Reply hear(const std::string&) override {
      std::this_thread::sleep_for(1500ms);
      return {"", true};
    }
  } slow;
  EXPECT_EQ(run("echo a; cat > /dev/null; exit 4", slow, 1000ms).code, 4);
}

}  // namespace
}  // namespace cupel
