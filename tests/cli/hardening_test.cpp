// What the program's file says of itself: how the loader is to protect it.
#include <gtest/gtest.h>

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "build_paths.h"

namespace cupel {
namespace {

class Elf {
 public:
  explicit Elf(const char* path) {
    std::ifstream in(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
  }

  template <class T>
  T at(std::size_t offset) const {
    T out{};
    if (offset + sizeof out <= bytes_.size()) std::memcpy(&out, bytes_.data() + offset, sizeof out);
    return out;
  }
  Elf64_Ehdr header() const { return at<Elf64_Ehdr>(0); }
  std::vector<Elf64_Phdr> segments(Elf64_Word type) const {
    std::vector<Elf64_Phdr> out;
    for (std::size_t i = 0; i < header().e_phnum; ++i) {
      const auto segment = at<Elf64_Phdr>(header().e_phoff + i * sizeof(Elf64_Phdr));
      if (segment.p_type == type) out.push_back(segment);
    }
    return out;
  }
  // The value of an entry of the dynamic section; 0 if it is not there.
  std::uint64_t dynamic(Elf64_Sxword tag) const {
    for (const Elf64_Phdr& segment : segments(PT_DYNAMIC)) {
      for (std::size_t at_ = 0; at_ < segment.p_filesz; at_ += sizeof(Elf64_Dyn)) {
        const auto entry = at<Elf64_Dyn>(segment.p_offset + at_);
        if (entry.d_tag == tag) return entry.d_un.d_val;
      }
    }
    return 0;
  }
  bool names(const std::string& symbol) const {
    const std::string whole = '\0' + symbol + '\0';
    return bytes_.find(whole) != std::string::npos;
  }

 private:
  std::string bytes_;
};

TEST(Hardening, TheProgramIsPlacedAnywhereAndItsTablesAreReadOnly) {
  const Elf program(CUPEL_PROGRAM);
  ASSERT_EQ(std::memcmp(program.header().e_ident, ELFMAG, SELFMAG), 0);
  EXPECT_EQ(program.header().e_type, ET_DYN);
  EXPECT_TRUE(program.dynamic(DT_FLAGS_1) & DF_1_PIE);
  EXPECT_EQ(program.segments(PT_GNU_RELRO).size(), 1u);
  EXPECT_TRUE(program.dynamic(DT_FLAGS_1) & DF_1_NOW) << "relocations stay writable";
}

TEST(Hardening, NoStackIsExecutable) {
  const Elf program(CUPEL_PROGRAM);
  const auto stacks = program.segments(PT_GNU_STACK);
  ASSERT_EQ(stacks.size(), 1u);
  EXPECT_FALSE(stacks[0].p_flags & PF_X);
}

TEST(Hardening, OverrunsOfBuffersAndBoundsEndTheProgram) {
#ifndef __OPTIMIZE__
  GTEST_SKIP() << "not of a build without optimisation";
#endif
  const Elf program(CUPEL_PROGRAM);
  EXPECT_TRUE(program.names("__stack_chk_fail"));
  EXPECT_TRUE(program.names("__read_chk") || program.names("__memcpy_chk") ||
              program.names("__snprintf_chk"))
      << "no function is fortified";
  EXPECT_TRUE(program.names("_ZSt21__glibcxx_assert_failPKciS0_S0_"));
}

}  // namespace
}  // namespace cupel
