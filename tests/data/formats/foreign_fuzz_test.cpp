// Mutants of the files of other programs: pickles, torch files, MAT-files, GraphML, tables.
#include <gtest/gtest.h>

#include <cstring>

#include "build_paths.h"
#include "cupel/data/formats/zip_writer.h"
#include "data/formats/mutation.h"

namespace cupel {
namespace {

using made::Judge;
using made::Mutator;

const std::filesystem::path kFixtures = CUPEL_SOURCE_DIR "/tests/data/formats/fixtures";

const std::vector<std::string> kPickleTokens = {"cposix\nsystem\n",
                                                "(",
                                                ")",
                                                "R",
                                                "b",
                                                "t",
                                                "d",
                                                "l",
                                                "e",
                                                "u",
                                                "0",
                                                "1",
                                                "2",
                                                "N",
                                                "I1\n",
                                                "I-1\n",
                                                "I99999999999\n",
                                                "L5L\n",
                                                "K\x07",
                                                "J\xff\xff\xff\x7f",
                                                "h\x01",
                                                "q\x01",
                                                "\x85",
                                                "\x86",
                                                "\x87",
                                                "]",
                                                "}",
                                                "U\xff",
                                                "T\xff\xff\xff\x7f",
                                                "\x8a\x08",
                                                "S'x'\n",
                                                "(lp1\n",
                                                "Q",
                                                "I2147483647\n",
                                                "c__builtin__\nobject\n",
                                                std::string(8, '\xff')};

TEST(ForeignFuzz, PlanetoidPickles) {
  const made::Folder folder;
  std::vector<std::pair<std::string, std::string>> files;
  for (const char* name : {"tiny0", "tiny2"}) {
    for (const char* kind : {"x", "tx", "allx", "y", "ty", "ally", "graph", "test.index"}) {
      const std::string file = fmt::format("ind.{}.{}", name, kind);
      files.emplace_back(file, made::file_content(kFixtures / file));
      made::write_file(folder / file, files.back().second);
    }
  }
  Judge judge;
  Mutator mutator(1);
  for (int k = 0; k < 6000; ++k) {
    const auto& [name, text] = files[mutator.below(files.size())];
    made::write_file(folder / name, mutator.mutate(text, kPickleTokens));
    const std::string stem = name.substr(0, 9);  // ind.tinyN
    judge.read_as(folder / (stem + ".graph"), folder / stem, fmt::format("{} mutant {}", name, k));
    if (testing::Test::HasFailure()) return;
    made::write_file(folder / name, text);
  }
  judge.finish();
}

// Members of the archive changed: what stands behind its checksums.
TEST(ForeignFuzz, TorchFiles) {
  const made::Folder folder;
  const auto path = folder / "mutant.pt";
  Judge judge;
  Mutator mutator(2);
  for (const char* name : {"pyg1.pt", "pyg2.pt", "processed.pt"}) {
    const ZipArchive archive(kFixtures / name);
    std::vector<std::pair<std::string, std::string>> members;
    for (const ZipMember& member : archive.members()) {
      std::string bytes(member.size, '\0');
      ZipStream stream = archive.open(member);
      if (!bytes.empty()) stream.read(bytes.data(), bytes.size());
      members.emplace_back(member.name, bytes);
    }
    for (int k = 0; k < 2500; ++k) {
      // The pickle is where the faults are.
      const std::size_t victim = mutator.below(4) > 0 ? 0 : mutator.below(members.size());
      ZipWriter writer(path);
      for (std::size_t m = 0; m < members.size(); ++m) {
        const std::string bytes =
            m == victim ? mutator.mutate(members[m].second, kPickleTokens) : members[m].second;
        writer.add(members[m].first, std::as_bytes(std::span(bytes)), false);
      }
      writer.finish();
      judge.read(path, fmt::format("{} mutant {}", name, k));
      if (testing::Test::HasFailure()) return;
    }
  }
  judge.finish();
}

TEST(ForeignFuzz, MatFiles) {
  const made::Folder folder;
  const auto path = folder / "mutant.mat";
  const std::vector<std::string> tokens = {std::string("\x0e\0\0\0", 4),
                                           std::string("\x0f\0\0\0", 4),
                                           std::string("\x09\0\0\0", 4),
                                           std::string("\x05\0\0\0", 4),
                                           std::string("\x06\0\0\0\x08\0\0\0", 8),
                                           std::string("\x01\0\x04\0", 4),
                                           std::string(8, '\xff'),
                                           std::string(8, '\0'),
                                           "Label",
                                           "A"};
  Judge judge;
  Mutator mutator(3);
  // Compressed files fail on their checksums mostly.
  for (const auto& [name, count] : {std::pair("dense.mat", 5000), std::pair("sparse.mat", 1000),
                                    std::pair("facebook.mat", 1000)}) {
    const std::string whole = made::file_content(kFixtures / name);
    for (int k = 0; k < count; ++k) {
      made::write_file(path, mutator.mutate(whole, tokens));
      judge.read(path, fmt::format("{} mutant {}", name, k));
      if (testing::Test::HasFailure()) return;
    }
  }
  judge.finish();
}

TEST(ForeignFuzz, GraphMl) {
  const made::Folder folder;
  const auto path = folder / "mutant.graphml";
  const std::string whole = made::file_content(kFixtures / "networkx.graphml");
  const std::vector<std::string> tokens = {"<",
                                           ">",
                                           "/>",
                                           "&",
                                           "&lt;",
                                           "&#0;",
                                           "<!DOCTYPE x [<!ENTITY a 'b'>]>",
                                           "&a;",
                                           "<graph>",
                                           "</graph>",
                                           "<node id=\"n9\"/>",
                                           "<edge source=\"n0\" target=\"n1\"/>",
                                           "<hyperedge/>",
                                           "<data key=\"d0\">",
                                           "</data>",
                                           "<default>1</default>",
                                           "nan",
                                           "1e99",
                                           "]]>",
                                           "<![CDATA[",
                                           "<!--",
                                           "-->",
                                           "<?x?>",
                                           "\xff",
                                           std::string(1, '\0'),
                                           "d0",
                                           "d4",
                                           "n0"};
  Judge judge;
  Mutator mutator(4);
  for (int k = 0; k < 8000; ++k) {
    made::write_file(path, mutator.mutate(whole, tokens));
    judge.read(path, fmt::format("mutant {}", k));
    if (testing::Test::HasFailure()) return;
  }
  judge.finish();
}

TEST(ForeignFuzz, TablesAndNodesOfOgb) {
  const made::Folder folder;
  const std::vector<std::pair<std::string, std::string>> files = {
      {"tables/nodes.csv", "id,x,label\nann,1,tea\n\"b,ob\",-2.5,\ncy,1e3,ale\n"},
      {"tables/edges.csv", "src,dst,weight\nann,\"b,ob\",1\ncy,ann,0.5\n"},
      {"ogb/raw/num-node-list.csv", "4\n"},
      {"ogb/raw/edge.csv", "0,1\n1,2\n3,0\n"},
      {"ogb/raw/node-feat.csv", "0.5,1\n1,2\n-1,0\n3,3\n"},
      {"ogb/raw/node-label.csv", "0\n1\nnan\n1\n"},
      {"ogb/split/time/train.csv", "0\n"},
      {"ogb/split/time/valid.csv", "1\n"},
      {"ogb/split/time/test.csv", "3\n"}};
  for (const auto& [name, text] : files) {
    std::filesystem::create_directories((folder / name).parent_path());
    made::write_file(folder / name, text);
  }
  const std::vector<std::string> tokens = {",",     "\"",      "\n",          "ann",  "cy",  "nan",
                                           "-1",    "4",       "99999999999", "1e99", "1.5", "id",
                                           "label", "src,dst", "\xff",        "",     "3"};
  Judge judge;
  Mutator mutator(5);
  for (int k = 0; k < 6000; ++k) {
    const auto& [name, text] = files[mutator.below(files.size())];
    made::write_file(folder / name, mutator.mutate(text, tokens));
    judge.read(folder / name.substr(0, name.find('/')), fmt::format("{} mutant {}", name, k));
    if (testing::Test::HasFailure()) return;
    made::write_file(folder / name, text);
  }
  judge.finish();
}

}  // namespace
}  // namespace cupel
