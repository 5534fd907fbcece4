// Deterministic mutation of valid files, and what every reader promises of the mutants: each is a
// valid data set or an Error in one sentence that names the file, and none makes it use much
// memory.
#pragma once

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/data/formats/format.h"
#include "data/formats/made_files.h"

namespace cupel::made {

// A lie of gigabytes must not be believed. Sanitizers keep freed memory for a while.
#ifdef __SANITIZE_ADDRESS__
constexpr long kMostKilobytes = 512 * 1024;
#else
constexpr long kMostKilobytes = 64 * 1024;
#endif

// The peak of resident memory since the last call of reset_peak(), where the system tells it.
inline void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }
inline long peak_kilobytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  long value = 0;
  while (status >> word) {
    if (word == "VmHWM:") status >> value;
  }
  return value;
}

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_({seed, 0xf022}, 1) {}

  std::uint32_t below(std::size_t bound) {
    return random_.next_below(static_cast<std::uint32_t>(bound));
  }

  // One to four of the things that happen to files, or are done to them.
  std::string mutate(std::string text, const std::vector<std::string>& tokens) {
    for (std::uint32_t round = 1 + below(4); round > 0 && !text.empty(); --round) {
      const std::size_t at = below(text.size());
      switch (below(8)) {
        case 0:
          text[at] ^= static_cast<char>(1u << below(8));
          break;
        case 1:
          text[at] = static_cast<char>(below(256));
          break;
        case 2:
          text.resize(at);
          break;
        case 3:
          text.erase(at, 1 + below(16));
          break;
        case 4:
          text.insert(at, text.substr(below(text.size()), 1 + below(64)));
          break;
        case 5: {  // a piece of the file somewhere else in it
          const std::string piece = text.substr(below(text.size()), 1 + below(64));
          text.replace(at, piece.size(), piece);
          break;
        }
        case 6:
          overwrite_number(text, at);
          break;
        default:
          text.replace(at, below(8), tokens[below(tokens.size())]);
          break;
      }
    }
    return text;
  }

 private:
  // Lengths and offsets: a small little-endian number becomes one that lies.
  void overwrite_number(std::string& text, std::size_t at) {
    constexpr std::uint64_t kLies[] = {0,          1,          0x7f,       0xff,       0x7fff,
                                       0xffff,     0x7fffffff, 0x80000000, 0xffffffff, 0x280000000,
                                       ~0ull >> 1, ~0ull,      ~0ull - 7};
    const std::size_t size = std::size_t{1} << (1 + below(3));
    const std::uint64_t value = kLies[below(std::size(kLies))];
    for (std::size_t i = 0; i < size && at + i < text.size(); ++i) {
      text[at + i] = static_cast<char>(value >> (8 * i));
    }
  }

  Stream random_;
};

// Counts what became of the mutants; fails on anything but the two allowed outcomes.
class Judge {
 public:
  Judge() { reset_peak(), before_ = peak_kilobytes(); }

  void read(const std::filesystem::path& path, const std::string& what) {
    read_as(path, path, what);
  }
  // Of several files: messages name one of them, which begin alike.
  void read_as(const std::filesystem::path& path, const std::filesystem::path& named,
               const std::string& what) {
    try {
      check_dataset(read_dataset(path));
      ++valid_;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(named.string()), std::string::npos) << what << ": " << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << what << ": " << message;
      EXPECT_LT(message.size(), 2000u) << what << ": " << message;
      ++refused_;
    } catch (const std::exception& other) {
      ADD_FAILURE() << what << ": not an Error: " << other.what();
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << what;
  }
  // Both outcomes must occur, or the mutants test nothing.
  void finish() {
    EXPECT_GT(valid_, 0);
    EXPECT_GT(refused_, 100);
    EXPECT_LT(peak_kilobytes() - before_, kMostKilobytes);
  }

 private:
  long before_ = 0;
  int valid_ = 0, refused_ = 0;
};

}  // namespace cupel::made
