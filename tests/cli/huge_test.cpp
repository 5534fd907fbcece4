// Numbers that no machine can follow: a sentence at once, and no memory taken.
#include <chrono>

#include "cli/program.h"

namespace cupel::test {
namespace {

std::string with(std::string text, const std::string& old, const std::string& now) {
  return text.replace(text.find(old), old.size(), now);
}

Outcome run_in_shell(const Workplace& place, const std::string& limits,
                     const std::string& arguments) {
  const std::string command = "cd '" + place.path("").string() + "' && " + limits + " && exec '" +
                              CUPEL_PROGRAM + "' " + arguments + " > ../out 2> ../err";
  const int status = std::system(("bash -c \"" + command + "\"").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          read_file(place.path("../out")), read_file(place.path("../err"))};
}

void expect_one_sentence(const Outcome& outcome, const std::vector<std::string>& says) {
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "bug")) << outcome.err;
  for (const std::string& part : says)
    EXPECT_TRUE(contains(outcome.err, part)) << "'" << part << "' is not in: " << outcome.err;
}

TEST(Huge, MoreRunsThanCanBePlannedAreRefusedAtOnce) {
  const Workplace place;
  const std::string huge = with(kSmallProtocol, "count = 2", "count = 1000000");
  place.write("huge.toml", with(huge, "inits = 3", "inits = 1000000"));
  place.write("splits.toml", with(kSmallProtocol, "count = 2", "count = 1000000000"));
  const auto before = place.files();
  const auto start = std::chrono::steady_clock::now();
  for (const std::string arguments :
       {"run huge.toml --dry-run", "run huge.toml", "run splits.toml --dry-run",
        "run huge.toml --dry-run --shard 3/1000", "run huge.toml --dry-run --json"}) {
    // Two gigabytes of addresses: lists of runs would not fit.
    expect_one_sentence(run_in_shell(place, "ulimit -v 2000000", arguments),
                        {"10,000,000 runs", "--splits N", "--inits N"});
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(place.files(), before);
  // A part of it is as any other.
  const Outcome part =
      place.run({"run", "huge.toml", "--dry-run", "--splits", "2", "--inits", "3"});
  EXPECT_EQ(part.code, 0) << part.err;
  EXPECT_TRUE(contains(part.out, "10 runs planned")) << part.out;
}

TEST(Huge, MoreThreadsThanTheSystemGives) {
  const Workplace place;
  place.write("many.toml", with(kSmallProtocol, "count = 2", "count = 3000"));
  // A thread gets a gigabyte of addresses for its stack, so that some dozen fit.
  expect_one_sentence(run_in_shell(place, "ulimit -s 1000000 && ulimit -v 20000000",
                                   "run many.toml --models mlp --jobs 100000"),
                      {"--jobs 100000", "ask for fewer"});
}

TEST(Huge, ValuesOfOptions) {
  const Workplace place;
  place.write("small.toml", std::string(kSmallProtocol) +
                                "[tune]\ndatasets = [\"csbm:nodes=100\"]\n"
                                "[tune.grid.mlp]\nhidden = [2, 4]\n");
  for (const std::string arguments :
       {"run small.toml --dry-run --shard 1/2147483647", "tune small.toml --budget 2147483647",
        "convert csbm:nodes=100 out.npz --scheme per-class --set train=1,count=1000000000",
        "run small.toml --splits 2147483648", "run small.toml --jobs 99999999999"})
    expect_one_sentence(run_in_shell(place, "ulimit -v 4000000", arguments), {});
  const Outcome slow = place.run({"run", "small.toml", "--timeout", "1e300", "--models", "mlp"});
  EXPECT_EQ(slow.code, 0) << slow.err;
  EXPECT_EQ(place.run({"stats", "csbm:nodes=100", "--threads", "1000000000"}).code, 0);
}

// Files may have any name; JSON may not.
TEST(Huge, NamesThatAreNotUtf8) {
  const Workplace place;
  const std::string graph = "caf\xe9.npz", protocol = "caf\xe9.toml";
  ASSERT_EQ(place.run({"generate", "csbm:nodes=100", "--out", graph, "--json"}).code, 0);
  place.write(protocol, kSmallProtocol);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"show", "./" + graph, "--json"},
        {"stats", "./" + graph, "--json"},
        {"audit", "./" + graph, "--json"},
        {"show", protocol, "--json"},
        {"run", protocol, "--json"},
        {"show", "caf\xe9.sqlite", "--json"},
        {"report", protocol, "--json"},
        {"report", protocol},
        {"run", protocol, "--dry-run", "--json", "--datasets", "./" + graph}}) {
    const Outcome outcome = place.run(arguments);
    EXPECT_EQ(outcome.code, 0) << arguments[0] << ": " << outcome.err;
    EXPECT_EQ(outcome.out.find('\xe9'), std::string::npos) << arguments[0];
    EXPECT_EQ(outcome.err.find('\xe9'), std::string::npos) << arguments[0];
  }
}

}  // namespace
}  // namespace cupel::test
