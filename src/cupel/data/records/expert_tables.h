// The nodes and links of a context graph, but for titles and abstracts. See expert_json_lines.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cupel/data/records/author_lists.h"
#include "cupel/data/records/expert_json_lines.h"
#include "cupel/data/records/json_objects.h"

namespace cupel {

struct ExpertReader::Tables {
  struct Link {
    std::int32_t from, to;
    int year;  // 0: none
  };
  struct Node {
    std::string_view id;    // as the map has it
    std::string name = {};  // `displayName`
    bool listed = false;    // has a node, not links only
    bool paper = false;     // is of type Paper
    int year = 0;           // of a paper; 0: none
  };
  // Links of one `from`, in the order of the files.
  struct Groups {
    std::vector<Link> links;           // sorted by `from`
    std::vector<std::int64_t> begins;  // of every node, and the end
    void group(std::size_t nodes);
  };

  CountWords count;
  std::unordered_map<std::string, std::int32_t> ids;
  std::vector<Node> nodes;
  Groups authors, keywords, affiliations;             // from paper, paper, scientist
  std::vector<std::int32_t> unlisted;                 // papers that links alone name
  std::unordered_set<std::string_view> institutions;  // names of them
  std::vector<std::filesystem::path> paper_files;
  std::vector<ReadFile> files;

  std::int32_t node(std::string id, const JsonObjects& where);
  // Throws Error where more than `most_bytes` would be held; 0: any size will do.
  void read_file(const std::filesystem::path& path, const ReadProgress& progress,
                 std::size_t most_bytes);
  // Bytes that are held, or will be once links are grouped.
  [[nodiscard]] std::size_t memory() const;
  void finish();

 private:
  bool read_node(const nlohmann::json& object, const JsonObjects& where);  // whether of a paper
  void read_link(const nlohmann::json& object, const JsonObjects& where);
  int year(const nlohmann::json& object, const char* key, const JsonObjects& where) const;

  std::vector<std::int32_t> institution_nodes_;
  std::size_t text_bytes_ = 0;  // of ids and names
};

}  // namespace cupel
