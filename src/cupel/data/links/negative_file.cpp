#include "cupel/data/links/negative_file.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "cupel/base/error.h"
#include "cupel/data/formats/csv.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

const std::vector<std::string> kPool = {"source", "target"};
const std::vector<std::string> kLists = {"question_source", "question_target", "source", "target"};

// Where each of the names stands in the header; nothing unless these are all of its columns.
std::vector<std::size_t> columns_of(const std::vector<std::string>& header,
                                    const std::vector<std::string>& names) {
  std::vector<std::size_t> out;
  for (const std::string& name : names) {
    const auto at = std::find(header.begin(), header.end(), name);
    if (at == header.end() || header.size() != names.size()) return {};
    out.push_back(static_cast<std::size_t>(at - header.begin()));
  }
  return out;
}

class Reader {
 public:
  Reader(const std::filesystem::path& path, Index nodes, bool directed)
      : csv_(path), nodes_(nodes), directed_(directed) {
    columns_ = columns_of(csv_.header(), kLists);
    lists_ = !columns_.empty();
    if (!lists_) columns_ = columns_of(csv_.header(), kPool);
    if (columns_.empty())
      fail("{}: the columns are {}; a file of negatives has {} for one pool, or {} for lists",
           path.string(), fmt::join(csv_.header(), ","), fmt::join(kPool, ","),
           fmt::join(kLists, ","));
  }

  std::vector<NegativeRow> rows() {
    std::vector<NegativeRow> out;
    while (csv_.next()) {
      NegativeRow row;
      if (lists_) row.question = pair(0);
      row.pair = pair(lists_ ? 2 : 0);
      row.line = csv_.line();
      out.push_back(row);
    }
    return out;
  }
  bool lists() const { return lists_; }

 private:
  Index node(std::size_t column) const {
    const std::string_view text = csv_.fields()[columns_[column]];
    Index value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size() || value < 0 || value >= nodes_)
      csv_.fail_here(fmt::format("column '{}': {} is no node of the graph, which has {} (0 to {})",
                                 csv_.header()[columns_[column]], in_quotes(text), nodes_,
                                 nodes_ - 1));
    return value;
  }

  Pair pair(std::size_t column) const {
    const Pair out{node(column), node(column + 1)};
    if (out.source == out.target)
      csv_.fail_here(fmt::format("pairs node {} with itself; loops are no links, take the line out",
                                 out.source));
    return directed_ || out.source < out.target ? out : Pair{out.target, out.source};
  }

  CsvReader csv_;
  Index nodes_;
  bool directed_, lists_ = false;
  std::vector<std::size_t> columns_;
};

}  // namespace

NegativeFile read_negatives(const std::filesystem::path& path, Index nodes, bool directed) {
  Reader reader(path, nodes, directed);
  NegativeFile out{path.string(), reader.lists(), reader.rows()};
  if (out.rows.empty()) fail("{}: holds no negative", out.path);
  const auto key = [](const NegativeRow& row) { return std::tie(row.question, row.pair); };
  std::sort(out.rows.begin(), out.rows.end(), [&](const NegativeRow& a, const NegativeRow& b) {
    return std::tie(a.question, a.pair, a.line) < std::tie(b.question, b.pair, b.line);
  });
  const auto again =
      std::adjacent_find(out.rows.begin(), out.rows.end(),
                         [&](const auto& a, const auto& b) { return key(a) == key(b); });
  if (again != out.rows.end())
    fail("{}: line {}: the pair ({}, {}) stands in line {} already; give each negative once{}",
         out.path, again[1].line, again->pair.source, again->pair.target, again->line,
         out.lists ? " for a question" : "");
  return out;
}

}  // namespace cupel
