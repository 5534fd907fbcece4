// The whole sampler against the same written in NumPy, on made labels.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cupel/data/split/split.h"

namespace cupel {
namespace {

std::string output_of(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> buffer;
  while (pipe && fgets(buffer.data(), buffer.size(), pipe.get())) text += buffer.data();
  return text;
}

constexpr const char* kScript = R"(
import numpy as np
labels = np.array([(7 * i * i + 3 * i) % 11 % 4 for i in range(900)])
seeds = np.random.RandomState(2018).randint(0, 1000000, 120)

def effective(seed):
    outer = np.random.RandomState(seed)
    drawn = [outer.randint(1, 10**9) for _ in range(7)]
    return np.random.RandomState(drawn[6]).randint(1, 10**9)

def per_class(r, count, forbidden):
    free = np.setdiff1d(np.arange(len(labels)), forbidden)
    return np.concatenate([r.choice(free[labels[free] == c], count, replace=False) for c in range(4)])

for index in [0, 1, 119]:
    r = np.random.RandomState(effective(seeds[index]))
    train = per_class(r, 20, [])
    valid = per_class(r, 30, train)
    test = np.setdiff1d(np.arange(len(labels)), np.concatenate([train, valid]))
    print(*train, "|", *valid, "|", *test)
    r = np.random.RandomState(effective(seeds[index]))
    train = per_class(r, 15, [])
    rest = np.setdiff1d(np.arange(len(labels)), train)
    valid = r.choice(rest, 100, replace=False)
    rest = np.setdiff1d(rest, valid)
    test = np.sort(r.choice(rest, 200, replace=False))
    print(*train, "|", *valid, "|", *test)
)";

TEST(PerClassAndPlanetoid, AgreeWithNumPy) {
  const std::string python = "/usr/bin/python3";
  if (output_of(python + " -c 'import numpy; print(1)' 2>/dev/null") != "1\n") {
    GTEST_SKIP() << python
                 << " with numpy is not installed, so split schemes are not compared with "
                 << "it (Debian package: python3-numpy)";
  }
  Dataset data;
  data.name = "made";
  data.class_names() = {"0", "1", "2", "3"};
  for (Index i = 0; i < 900; ++i) data.labels().push_back((7 * i * i + 3 * i) % 11 % 4);
  data.adjacency.rows = data.adjacency.cols = 900;
  data.adjacency.row_ptr.assign(901, 0);
  const auto line = [](const Split& split) {
    return fmt::format("{} | {} | {}\n", fmt::join(split.train, " "), fmt::join(split.valid, " "),
                       fmt::join(split.test, " "));
  };
  SplitScheme per_class, planetoid{"planetoid", {{"train", 15}, {"valid", 100}, {"test", 200}}};
  per_class.count = planetoid.count = 120;
  std::string ours;
  for (const int index : {0, 1, 119}) {
    ours += line(make_split(data, per_class, index)) + line(make_split(data, planetoid, index));
  }
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("cupel_numpy_sampler_{}.py", getpid());
  std::ofstream(path) << kScript;
  EXPECT_EQ(ours, output_of(python + " '" + path.string() + "'"));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace cupel
