#include "cupel/data/split/numpy_legacy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>

namespace cupel {
namespace {

std::string output_of(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> buffer;
  while (pipe && fgets(buffer.data(), buffer.size(), pipe.get())) text += buffer.data();
  return text;
}

// Figures of the MT19937 reference: the 10000th output of the default seed 5489.
TEST(NumpyLegacy, Is32BitMersenneTwister) {
  NumpyLegacy random(5489);
  std::int64_t last = 0;
  // A range of 2^31 values masks with 31 bits and never rejects.
  for (int i = 0; i < 10000; ++i) last = random.randint(0, std::int64_t{1} << 31);
  EXPECT_EQ(last, 4123659995ll & 0x7FFFFFFF);
}

TEST(NumpyLegacy, RangeOfOneConsumesNothing) {
  NumpyLegacy a(7), b(7);
  EXPECT_EQ(a.randint(5, 6), 5);
  EXPECT_EQ(a.randint(0, 1000), b.randint(0, 1000));
}

TEST(NumpyLegacy, ChoiceOfEverythingIsAPermutationOfThePool) {
  const std::vector<Index> pool = {3, 1, 4, 15, 9, 2, 6};
  std::vector<Index> chosen = NumpyLegacy(1).choice(pool, 7);
  std::vector<Index> sorted_pool = pool;
  std::sort(sorted_pool.begin(), sorted_pool.end());
  std::sort(chosen.begin(), chosen.end());
  EXPECT_EQ(chosen, sorted_pool);
}

// The same draws by NumPy itself.
TEST(NumpyLegacy, AgreesWithNumPy) {
  const std::string python = "/usr/bin/python3";
  if (output_of(python + " -c 'import numpy; print(1)' 2>/dev/null") != "1\n") {
    GTEST_SKIP() << python << " with numpy is not installed, so the legacy generator is not "
                 << "compared with it (Debian package: python3-numpy)";
  }
  std::string expected;
  for (const std::uint32_t seed : {0u, 1u, 2018u, 829363484u, 4294967295u}) {
    NumpyLegacy random(seed);
    for (const std::int64_t high : {1, 2, 3, 1000, 65536, 65537, 1'000'000, 1'000'000'000}) {
      for (int i = 0; i < 5; ++i) expected += fmt::format("{} ", random.randint(-1, high));
    }
    for (const Index size : {0, 1, 2, 17, 300}) {
      expected += fmt::format("{} ", fmt::join(random.permutation(size), " "));
    }
    std::vector<Index> pool(257);
    std::iota(pool.begin(), pool.end(), 1000);
    expected += fmt::format("{} ", fmt::join(random.choice(pool, 20), " "));
    expected += fmt::format("{}\n", fmt::join(random.choice(pool, 257), " "));
  }
  const std::string script = R"(
import numpy as np
for seed in [0, 1, 2018, 829363484, 4294967295]:
    r = np.random.RandomState(seed)
    out = []
    for high in [1, 2, 3, 1000, 65536, 65537, 1000000, 1000000000]:
        for _ in range(5): out.append(int(r.randint(-1, high)))
    lines = ["".join(f"{x} " for x in out)]
    for size in [0, 1, 2, 17, 300]:
        lines.append(" ".join(map(str, r.permutation(size))) + " ")
    pool = np.arange(1000, 1257)
    a = r.choice(pool, 20, replace=False)
    b = r.choice(pool, 257, replace=False)
    print("".join(lines) + " ".join(map(str, a)) + " " + " ".join(map(str, b)))
)";
  const auto path = std::filesystem::temp_directory_path() /
                    fmt::format("cupel_numpy_legacy_{}.py", static_cast<long>(getpid()));
  std::ofstream(path) << script;
  const std::string actual = output_of(python + " '" + path.string() + "'");
  std::filesystem::remove(path);
  EXPECT_EQ(expected, actual);
}

}  // namespace
}  // namespace cupel
