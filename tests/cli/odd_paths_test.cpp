// Paths that are no files: each command says so in one sentence, at once, with exit code 2.
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "cli/program.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Like place.run(), but what hangs is ended after ten seconds.
Outcome run_or_end(const Workplace& place, const std::vector<std::string>& arguments) {
  const pid_t process = place.start(arguments);
  std::jthread watch([process](const std::stop_token& stop) {
    for (int i = 0; i < 1000 && !stop.stop_requested(); ++i) std::this_thread::sleep_for(10ms);
    if (!stop.stop_requested()) ::kill(process, SIGKILL);
  });
  return place.finish(process);
}

std::string joined(const std::vector<std::string>& arguments) {
  std::string out;
  for (const std::string& argument : arguments) out += argument + " ";
  return out;
}

// The places of a command line at which a path is read; PATH stands for it.
const std::vector<std::vector<std::string>> kReads = {
    {"show", "PATH"},
    {"show", "0123456789ab", "--store", "PATH"},
    {"run", "PATH", "--dry-run"},
    {"run", "small.toml", "--datasets", "PATH", "--dry-run"},
    {"run", "small.toml", "--store", "PATH", "--dry-run"},
    {"run", "small.toml", "--data", "PATH", "--dry-run"},
    {"run", "published.toml", "--dry-run"},
    {"run", "splits.toml", "--dry-run"},
    {"run", "nodes.toml", "--dry-run"},
    {"tune", "PATH"},
    {"report", "PATH"},
    {"report", "small.toml", "--store", "PATH"},
    {"compare", "PATH", "mlp", "majority"},
    {"effectiveness", "PATH"},
    {"predict", "PATH"},
    {"merge", "out.sqlite", "PATH"},
    {"stats", "PATH"},
    {"audit", "PATH"},
    {"audit", "csbm:nodes=100", "--directed", "PATH"},
    {"audit", "csbm:nodes=100", "--store", "PATH"},
    {"convert", "PATH", "out.npz"},
    {"build", "minesweeper", "--from", "PATH", "--out", "out.npz"},
    {"fetch", "cora", "--offline", "--data", "PATH"},
};

bool reads_a_store(const std::vector<std::string>& arguments) {
  static const std::vector<std::string> kCommands = {"report", "compare", "effectiveness",
                                                     "predict", "merge"};
  return std::count(kCommands.begin(), kCommands.end(), arguments[0]) +
             std::count(arguments.begin(), arguments.end(), "--store") >
         0;
}

struct Odd {
  std::string label, path;
  friend void PrintTo(const Odd& odd, std::ostream* out) { *out << odd.label; }
};

// What is no mistake: a store that is not there yet, or is empty, which SQLite takes for a new one;
// a folder of data. SQLite makes files beside a store, so that none is looked for in /dev.
bool is_refused(const std::vector<std::string>& arguments, const Odd& odd) {
  static const std::vector<std::string> kForeign = {"Pipe", "PipeSqlite", "Zeros", "NotUtf8"};
  if (reads_a_store(arguments)) return std::count(kForeign.begin(), kForeign.end(), odd.label) > 0;
  return odd.label != "FolderToml" || !std::count(arguments.begin(), arguments.end(), "--data");
}

class OddPaths : public testing::TestWithParam<Odd> {};

void make_odd_files(const Workplace& place) {
  ASSERT_EQ(::mkfifo(place.path("pipe").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(place.path("pipe.toml").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(place.path("pipe.sqlite").c_str(), 0600), 0);
  fs::create_symlink("loop", place.path("loop"));
  fs::create_directory(place.path("folder.toml"));
  place.write("file", "not much");
  place.write("empty", "");
  place.write("empty.toml", "");
  place.write("caf\xe9.npz", "not much");
  place.write("caf\xe9.toml", "titel = 1\n");
  place.write("zeros.sqlite", std::string(4096, '\0'));
  place.write("hole.toml", "");
  fs::resize_file(place.path("hole.toml"), std::uintmax_t{1} << 40);
}

TEST_P(OddPaths, AreRefusedByEveryCommand) {
  const Workplace place;
  place.write("small.toml", kSmallProtocol);
  make_odd_files(place);
  const std::string path = GetParam().path;
  place.write("published.toml",
              std::string(kSmallProtocol) + "[published]\nfile = '" + "pipe" + "'\n");
  std::string split = kSmallProtocol;
  split.replace(split.find("scheme = \"per-class\"\ntrain = 5\nvalid = 5\ncount = 2"), 51,
                "scheme = \"file\"\nfile = \"pipe\"");
  place.write("splits.toml", split);
  place.write("nodes.toml", std::string(kSmallProtocol) +
                                "[strata.s]\nrule = \"file\"\nnodes = \"pipe\"\n[[table]]\nid = "
                                "\"1\"\nstrata = \"s\"\n");
  const auto before = place.files();
  for (std::vector<std::string> arguments : kReads) {
    if (!is_refused(arguments, GetParam())) continue;
    std::replace(arguments.begin(), arguments.end(), std::string("PATH"), path);
    const Outcome outcome = run_or_end(place, arguments);
    EXPECT_EQ(outcome.code, 2) << joined(arguments) << ": " << outcome.err << outcome.out;
    EXPECT_EQ(outcome.err.substr(0, 7), "cupel: ") << joined(arguments);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1)
        << joined(arguments) << ": " << outcome.err;
    EXPECT_FALSE(contains(outcome.err, "bug")) << joined(arguments) << ": " << outcome.err;
    for (const unsigned char c : outcome.err)
      EXPECT_TRUE((c >= 0x20 && c < 0x7F) || c == '\n' || c >= 0xC0 || (c & 0xC0) == 0x80);
    EXPECT_EQ(place.files(), before) << joined(arguments);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, OddPaths,
    testing::Values(Odd{"Pipe", "./pipe"}, Odd{"PipeToml", "./pipe.toml"},
                    Odd{"PipeSqlite", "./pipe.sqlite"}, Odd{"Zero", "/dev/zero"},
                    Odd{"Stdin", "/dev/stdin"}, Odd{"Loop", "./loop"}, Odd{"Empty", "./empty"},
                    Odd{"EmptyToml", "./empty.toml"}, Odd{"FolderToml", "./folder.toml"},
                    Odd{"BelowAFile", "./file/below.toml"},
                    Odd{"TooLong", "./" + std::string(300, 'x') + ".toml"},
                    Odd{"TooLongPath", "./" + std::string(5000, '/') + "x"},
                    Odd{"NotUtf8", "./caf\xe9.npz"}, Odd{"NotUtf8Toml", "./caf\xe9.toml"},
                    Odd{"Absent", "./caf\xe9/none"}, Odd{"Zeros", "./zeros.sqlite"},
                    Odd{"Hole", "./hole.toml"}, Odd{"LineEnd", "./a\nb.toml"},
                    Odd{"Escape", "./a\x1b[31m.npz"}),
    [](const testing::TestParamInfo<Odd>& info) { return info.param.label; });

}  // namespace
}  // namespace cupel::test
