// Writing the released form of Wiki-CS. What is written is read by another parser of JSON, and
// counted again from the definitions.
#include "cupel/data/formats/wiki_cs_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cupel/base/random.h"
#include "cupel/data/export/graph_formats.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/text/token_list.h"
#include "data/formats/made_wiki_cs.h"

namespace cupel {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using Lists = std::vector<std::vector<Index>>;

template <class Put>
std::string text_of(const Put& put) {
  std::string out;
  put(PutText([&](std::string_view piece) { out += piece; }));
  return out;
}

WikiLinks links_of(const Lists& lists) {
  return [&lists](std::size_t node) { return std::span<const Index>(lists[node]); };
}

struct WrittenStatistics {
  std::vector<std::string> names;
  std::vector<Index> labels;
  Lists links;
  std::string text() const {
    return text_of(
        [&](const PutText& put) { put_wiki_cs_statistics(names, labels, links_of(links), put); });
  }
};

TEST(WikiCsWriter, DataHasTheReleasedKeysAndLists) {
  Dataset data;
  data.adjacency.rows = data.adjacency.cols = 4;
  data.adjacency.row_ptr = {0, 0, 0, 0, 0};  // what is written is `links`
  Matrix features(4, 2);
  features(0, 0) = 0.1f;
  features(1, 1) = -2;
  data.features = std::move(features);
  data.labels() = {0, 1, 1, -1};
  data.class_names() = {"a", "b"};
  data.stored_splits = {{{0}, {1}, {2}, {}}, {{1}, {0}, {2}, {3}}};
  const Lists links = {{3, 1, 3}, {}, {2}, {0}};
  const auto write = [&] {
    return text_of([&](const PutText& put) { put_wiki_cs_data(data, links_of(links), put); });
  };
  EXPECT_EQ(write(),
            "{\"features\": [[0.1, 0.0], [0.0, -2.0], [0.0, 0.0], [0.0, 0.0]], "
            "\"labels\": [0, 1, 1, -1], \"links\": [[3, 1, 3], [], [2], [0]], "
            "\"train_masks\": [[true, false, false, false], [false, true, false, false]], "
            "\"stopping_masks\": [[false, false, false, false], [false, false, false, true]], "
            "\"val_masks\": [[false, true, false, false], [true, false, false, false]], "
            "\"test_mask\": [false, false, true, false]}");
  data.stored_splits[1].stopping.clear();
  data.stored_splits[1].test = {3};
  const ordered_json other = ordered_json::parse(write());
  EXPECT_EQ(other["stopping_masks"][1], json::parse("[false, false, false, false]"));
  EXPECT_EQ(other["test_masks"].dump(), "[[false,false,true,false],[false,false,false,true]]");
  data.stored_splits.clear();
  EXPECT_EQ(ordered_json::parse(write()).size(), 3u);
}

TEST(WikiCsWriter, MetadataIsReadByOthers) {
  const std::vector<std::string> names = {"Databases", "\"Cafés\""};
  TokenList tokens;
  for (const char* token : {"a", "\"", "naïve", "\\", "\u200b", "😀"}) tokens.push_back(token);
  const std::vector<std::int64_t> ids = {12, 7'000'000'000, 31};
  const std::vector<std::vector<std::int64_t>> outlinks = {{31, 12, 31}, {}, {7'000'000'000}};
  const auto node = [&](std::size_t k) -> WikiNode {
    return {ids[k], k == 0 ? "Caf\xc3\xa9_\"x\"" : "T", static_cast<Index>(k % 2), outlinks[k],
            k == 1 ? std::string_view() : tokens.joined()};
  };
  const std::string text =
      text_of([&](const PutText& put) { put_wiki_cs_metadata(names, 3, node, put); });
  const ordered_json read = ordered_json::parse(text);
  EXPECT_EQ(read["labels"].dump(), "{\"0\":\"Databases\",\"1\":\"\\\"Cafés\\\"\"}");
  ASSERT_EQ(read["nodes"].size(), 3u);
  const ordered_json& first = read["nodes"][0];
  std::vector<std::string> keys;
  for (const auto& [key, unused] : first.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"id", "title", "label", "outlinks", "tokens"}));
  EXPECT_EQ(first["title"], "Café_\"x\"");
  EXPECT_EQ(first["outlinks"], json({31, 12, 31}));
  EXPECT_EQ(first["tokens"], json({"a", "\"", "naïve", "\\", "\u200b", "😀"}));
  EXPECT_EQ(read["nodes"][1]["tokens"], json::array());
  EXPECT_EQ(read["nodes"][2]["label"], "Databases");
  EXPECT_EQ(read["nodes"][1]["id"], 7'000'000'000);
}

TEST(WikiCsWriter, StatisticsAreLaidOutAsReleased) {
  const WrittenStatistics made = {{"a", "b"}, {0, 1, 0}, {{2, 0, 1}, {0, 0}, {}}};
  EXPECT_EQ(made.text(), R"({
    "labels": [
        "a",
        "b"
    ],
    "sizes": {
        "total": 3,
        "label_sizes": {
            "a": 2,
            "b": 1
        }
    },
    "connectivity": {
        "inside_connectivity": 0.4,
        "inter_connectivity": 0.75,
        "connectivity_matrix": [
            [
                0.5,
                0.5
            ],
            [
                1.0,
                0.0
            ]
        ]
    }
})") << "inside (2 + 0) of 4 + 1 pairs, between (1 + 2) of 4";
}

TEST(WikiCsWriter, StatisticsOfWhatIsEmpty) {
  const WrittenStatistics one = {{"a", "none"}, {0, -1, 0}, {{1, 2}, {0, 0}, {1}}};
  const json read = json::parse(one.text());
  EXPECT_EQ(read["sizes"]["total"], 3);
  EXPECT_EQ(read["sizes"]["label_sizes"]["none"], 0);
  EXPECT_EQ(read["connectivity"]["inside_connectivity"], 0.25) << "one link among labelled nodes";
  EXPECT_TRUE(read["connectivity"]["inter_connectivity"].is_null());
  EXPECT_TRUE(read["connectivity"]["connectivity_matrix"][0][1].is_null());
}

// The numbers of links come back from the shares, pair by pair of nodes.
TEST(WikiCsWriter, StatisticsCountEveryEntry) {
  Stream random({5, 0x57a7}, 1);
  WrittenStatistics made;
  constexpr Index kNodes = 90, kClasses = 4;
  made.names = {"w", "x", "y", "z"};
  for (Index i = 0; i < kNodes; ++i)
    made.labels.push_back(i < kClasses ? i : static_cast<Index>(random.next_below(kClasses)));
  made.links.resize(kNodes);
  double counted[kClasses][kClasses] = {}, total = 0;
  for (auto& list : made.links) {
    for (std::uint32_t k = random.next_below(12); k > 0; --k)
      list.push_back(static_cast<Index>(random.next_below(20)));
  }
  for (Index i = 0; i < kNodes; ++i) {
    for (const Index j : made.links[i]) counted[made.labels[i]][made.labels[j]] += 1, total += 1;
  }
  const json read = json::parse(made.text());
  double inside = 0, inside_pairs = 0;
  for (Index a = 0; a < kClasses; ++a) {
    const double size_a = std::count(made.labels.begin(), made.labels.end(), a);
    EXPECT_EQ(read["sizes"]["label_sizes"][made.names[a]], size_a);
    inside += counted[a][a];
    inside_pairs += size_a * size_a;
    for (Index b = 0; b < kClasses; ++b) {
      const double size_b = std::count(made.labels.begin(), made.labels.end(), b);
      EXPECT_EQ(read["connectivity"]["connectivity_matrix"][a][b],
                counted[a][b] / (size_a * size_b));
    }
  }
  EXPECT_EQ(read["connectivity"]["inside_connectivity"], inside / inside_pairs);
  EXPECT_EQ(read["connectivity"]["inter_connectivity"],
            (total - inside) / (kNodes * kNodes - inside_pairs));
}

// A graph with the published numbers of links has the published file, to the byte.
TEST(WikiCsWriter, StatisticsOfThePublishedNumbersAreThePublishedFile) {
  const char* root = std::getenv("CUPEL_DATA");
  if (root == nullptr) GTEST_SKIP() << "CUPEL_DATA is not set";
  const std::filesystem::path path =
      std::filesystem::path(root) / "wikipedia" / "published" / "statistics.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const std::string published = made::file_content(path);
  const ordered_json read = ordered_json::parse(published);
  WrittenStatistics made;
  made.names = read["labels"].get<std::vector<std::string>>();
  std::vector<double> sizes;
  std::vector<Index> first;
  for (const std::string& name : made.names) {
    sizes.push_back(read["sizes"]["label_sizes"][name]);
    first.push_back(static_cast<Index>(made.labels.size()));
    made.labels.insert(made.labels.end(), static_cast<std::size_t>(sizes.back()),
                       static_cast<Index>(sizes.size() - 1));
  }
  made.links.resize(made.labels.size());
  std::int64_t total = 0, inside = 0;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      const double share = read["connectivity"]["connectivity_matrix"][a][b];
      const double links = share * sizes[a] * sizes[b];
      EXPECT_NEAR(links, std::round(links), 1e-8);
      total += std::llround(links);
      inside += a == b ? std::llround(links) : 0;
      std::vector<Index>& list = made.links[static_cast<std::size_t>(first[a])];
      list.insert(list.end(), static_cast<std::size_t>(std::llround(links)), first[b]);
    }
  }
  EXPECT_EQ(total, 297'110);
  EXPECT_EQ(inside, 205'491);
  EXPECT_EQ(made.text(), published);
}

TEST(WikiCsWriter, AFolderIsReadBackAsItWas) {
  const made::Folder folder;
  std::filesystem::create_directory(folder / "in");
  made::write_file(folder / "in" / "data.json", made::json_of(made::wiki_cs_data()));
  made::write_file(folder / "in" / "metadata.json", made::json_of(made::wiki_cs_metadata()));
  const Dataset data = read_dataset(folder / "in");
  const GraphFormat& format = graph_format("wiki-cs", data, folder / "out");
  EXPECT_EQ(write_dataset(data, format, folder / "out"), std::vector<std::string>());
  const Dataset back = read_dataset(folder / "out");
  EXPECT_EQ(content_hash(back), content_hash(data));
  EXPECT_EQ(back.class_names(), data.class_names());
  for (std::size_t s = 0; s < 2; ++s)
    EXPECT_EQ(back.stored_splits[s].stopping, data.stored_splits[s].stopping);
  EXPECT_EQ(back.repeated_arcs, 1);
  Dataset weighted = data;
  weighted.adjacency.values[0] = 0.5f;
  made::expect_error([&] { (void)write_dataset(weighted, format, folder / "other"); },
                     {"that of 0 -> 1 is 0.5"});
  EXPECT_FALSE(std::filesystem::exists(folder / "other"));
}

}  // namespace
}  // namespace cupel
