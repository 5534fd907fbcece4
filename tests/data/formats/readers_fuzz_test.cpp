// Deterministic mutation of valid files: every mutant is either a valid data set or an Error in one
// sentence that names the file, and no mutant makes the reader use much memory.
#include <gtest/gtest.h>

#include <cstring>

#include "cupel/data/formats/format.h"
#include "cupel/data/formats/zip_writer.h"
#include "data/formats/made_files.h"
#include "data/formats/mutation.h"

namespace cupel {
namespace {

using made::Judge;
using made::Mutator;

struct Seed {
  const char* name;
  made::Members members;
  bool deflate;
};

std::vector<Seed> npz_seeds() {
  made::Members split = made::gnn_benchmark_members();
  split.emplace_back("idx_train", made::array<std::int64_t>({3, 0}));
  split.emplace_back("idx_val", made::array<std::int64_t>({2}));
  split.emplace_back("idx_test", made::array<std::int64_t>({1, 4}));
  made::Members one_hot = made::gnn_benchmark_members();
  made::erase(one_hot, "labels");
  one_hot.emplace_back("labels_data", made::array<float>({1, 1, 1, 1, 1}));
  one_hot.emplace_back("labels_indices", made::array<std::int32_t>({0, 1, 2, 1, 0}));
  one_hot.emplace_back("labels_indptr", made::array<std::int32_t>({0, 1, 2, 3, 4, 5}));
  one_hot.emplace_back("labels_shape", made::array<std::int64_t>({5, 3}));
  const std::vector<std::string> names = {"tea", "Caf\xc3\xa9", ""};
  one_hot.emplace_back("class_names", make_npy(std::span<const std::string>(names)));
  return {{"stored", split, false},
          {"deflated", split, true},
          {"one-hot", one_hot, true},
          {"heterophilous stored", made::heterophilous_members(), false},
          {"heterophilous deflated", made::heterophilous_members(), true}};
}

const std::vector<std::string> kNpyTokens = {"<f8",
                                             "<i8",
                                             ">i4",
                                             "|b1",
                                             "|O",
                                             "<U9",
                                             "True",
                                             "False",
                                             "()",
                                             "(0,)",
                                             "(5,)",
                                             "(-1,",
                                             "(9999999999, 9999999999)",
                                             "'shape'",
                                             "'descr'",
                                             "{",
                                             "}",
                                             "'",
                                             std::string(8, '\xff'),
                                             "PK\3\4",
                                             "PK\1\2",
                                             "PK\5\6"};

// The archive as a whole: headers, directory, packed bytes. Most mutants fail on structure or CRC.
TEST(Fuzz, MutatedArchives) {
  const made::Folder folder;
  const auto path = folder / "mutant.npz";
  Judge judge;
  std::uint32_t seed_number = 0;
  for (const Seed& seed : npz_seeds()) {
    write_npz(path, seed.members, seed.deflate);
    const std::string whole = made::file_content(path);
    Mutator mutator(++seed_number);
    for (int k = 0; k < 1500; ++k) {
      std::filesystem::remove(path);
      made::write_file(path, mutator.mutate(whole, kNpyTokens));
      judge.read(path, fmt::format("{} mutant {}", seed.name, k));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  judge.finish();
}

// One member changed in a valid archive: what stands behind the CRC.
TEST(Fuzz, MutatedMembers) {
  const made::Folder folder;
  const auto path = folder / "mutant.npz";
  Judge judge;
  std::uint32_t seed_number = 100;
  for (const Seed& seed : npz_seeds()) {
    Mutator mutator(++seed_number);
    for (int k = 0; k < 2000; ++k) {
      const std::size_t victim = mutator.below(seed.members.size());
      ZipWriter writer(path);
      for (std::size_t m = 0; m < seed.members.size(); ++m) {
        std::vector<std::byte> bytes = npy_bytes(seed.members[m].second);
        if (m == victim) {
          std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
          text = mutator.mutate(text, kNpyTokens);
          bytes.resize(text.size());
          if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
        }
        writer.add(seed.members[m].first + ".npy", bytes, false);
      }
      writer.finish();
      judge.read(path, fmt::format("{} mutant {}", seed.name, k));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  judge.finish();
}

// The values of an array changed under a valid header.
TEST(Fuzz, MutatedValues) {
  const made::Folder folder;
  const auto path = folder / "mutant.npz";
  Judge judge;
  std::uint32_t seed_number = 200;
  for (const Seed& seed : npz_seeds()) {
    Mutator mutator(++seed_number);
    for (int k = 0; k < 2000; ++k) {
      made::Members members = seed.members;
      for (std::uint32_t change = 1 + mutator.below(2); change > 0; --change) {
        NpyArray& a = members[mutator.below(members.size())].second;
        if (a.bytes.empty()) continue;
        const std::size_t at = mutator.below(a.bytes.size() / a.type.bytes) * a.type.bytes;
        switch (mutator.below(4)) {
          case 0:
            a.bytes[at] = static_cast<std::byte>(mutator.below(8));
            break;
          case 1:
            a.bytes[at + mutator.below(a.type.bytes)] ^= std::byte{0x80};
            break;
          case 2:
            std::fill_n(a.bytes.begin() + at, a.type.bytes, std::byte{0xff});
            break;
          default:
            a.fortran_order = !a.fortran_order;
            break;
        }
      }
      write_npz(path, members, false);
      judge.read(path, fmt::format("{} mutant {}", seed.name, k));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  judge.finish();
}

TEST(Fuzz, MutatedTextGraphs) {
  const made::Folder folder;
  const std::vector<std::pair<std::string, std::string>> files = {
      {"labels.csv", "node,label\nann,tea\n\"b,ob\",coffee\ncy,tea\n7,\"a \"\"b\"\"\"\n"},
      {"edges.csv", "source,target,weight\nann,\"b,ob\",1\n\"b,ob\",cy,0.5\ncy,7,2e-1\n"},
      {"features.csv", "node,x,y\nann,1,2\n7,0,-1.5\ncy,1e3,4\n\"b,ob\",1,1\n"},
      {"splits.json", R"({"splits": [{"train": ["ann", 7], "valid": ["b,ob"], "test": ["cy"]}]})"}};
  const std::vector<std::string> tokens = {",",
                                           "\"",
                                           "\n",
                                           "\r\n",
                                           "\"\"",
                                           "ann",
                                           "cy",
                                           "7",
                                           "nan",
                                           "inf",
                                           "-1e999",
                                           "1e-999",
                                           "[",
                                           "]",
                                           "{",
                                           "}",
                                           ":",
                                           "null",
                                           "1.5",
                                           "-0",
                                           "\\u0000",
                                           "\xff",
                                           "\xef\xbb\xbf",
                                           "node",
                                           "9999999999999999999999",
                                           std::string(1, '\0')};
  Judge judge;
  Mutator mutator(300);
  for (int k = 0; k < 6000; ++k) {
    const std::size_t victim = mutator.below(files.size());
    for (std::size_t f = 0; f < files.size(); ++f) {
      const auto& [name, text] = files[f];
      std::filesystem::remove(folder / name);
      made::write_file(folder / name, f == victim ? mutator.mutate(text, tokens) : text);
    }
    judge.read(folder.path(), fmt::format("{} mutant {}", files[victim].first, k));
    if (testing::Test::HasFatalFailure()) return;
  }
  judge.finish();
}

}  // namespace
}  // namespace cupel
