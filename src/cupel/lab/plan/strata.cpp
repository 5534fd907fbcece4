#include "cupel/lab/plan/strata.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "cupel/base/error.h"
#include "cupel/base/regular_file.h"
#include "cupel/data/audit/groups.h"
#include "cupel/data/graph/graph.h"
#include "cupel/lab/record/identity.h"

namespace cupel {
namespace {

std::string with_dataset(std::string text, const std::string& dataset) {
  const std::string mark = "{dataset}";
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
    text.replace(at, mark.size(), dataset), at += dataset.size();
  return text;
}

std::vector<Index> read_nodes(const std::filesystem::path& path, Index nodes) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // every node of a graph has a line
  std::istringstream in(read_small_file(path, kMostBytes));
  std::vector<Index> out;
  std::string line;
  for (int at = 1; std::getline(in, line); ++at) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    Index id = -1;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), id);
    if (error != std::errc() || end != line.data() + line.size() || id < 0 || id >= nodes)
      fail("{}:{}: '{}' is not a node id from 0 to {}", path.string(), at, line, nodes - 1);
    out.push_back(id);
  }
  return out;
}

std::vector<Index> duplicates(const StrataSpec& spec, const std::string& dataset,
                              const Dataset& stored,
                              const std::function<Dataset(const std::string&)>& load) {
  const std::optional<std::string> name = stratum_graph(spec, dataset);
  if (!name) return wikipedia_duplicates(stored.adjacency, stored.labels());
  const Dataset directed = load(*name);
  if (directed.labels() != stored.labels())
    fail(
        "{}: the nodes of '{}' are not those of '{}': {} and {} nodes, or other labels; 'graph' "
        "must "
        "name the same nodes in the same order",
        spec.where, *name, dataset, directed.nodes(), stored.nodes());
  return wikipedia_duplicates(directed.adjacency, directed.labels());
}

std::vector<Index> by_degree(const StrataSpec& spec, const Dataset& prepared) {
  const Csr simple = drop_self_loops(symmetrise(prepared.adjacency));
  std::vector<Index> out;
  for (Index v = 0; v < simple.rows; ++v) {
    const auto at = static_cast<std::size_t>(v);
    const Offset degree = simple.row_ptr[at + 1] - simple.row_ptr[at];
    if ((degree < spec.value) == (spec.rule == "degree-below")) out.push_back(v);
  }
  return out;
}

}  // namespace

std::optional<std::string> stratum_graph(const StrataSpec& spec, const std::string& dataset) {
  if (spec.graph.empty()) return {};
  const std::string name = with_dataset(spec.graph, dataset);
  return same_name(name, dataset) ? std::nullopt : std::optional(name);
}

std::optional<std::string> stratum_graph(const Protocol& protocol, const TableSpec& table,
                                         const std::string& dataset) {
  if (table.strata.empty()) return {};
  return stratum_graph(*protocol.find_strata(table.strata), dataset);
}

std::shared_ptr<const Stratum> make_stratum(
    const StrataSpec& spec, const std::string& dataset, const Dataset& stored,
    const Dataset& prepared, const std::function<Dataset(const std::string&)>& load) {
  std::vector<Index> nodes;
  if (spec.rule == "degree-below" || spec.rule == "degree-at-least") {
    nodes = by_degree(spec, prepared);
  } else {
    if (prepared.nodes() != stored.nodes())
      fail(
          "{}: the preparation of '{}' keeps {} of its {} nodes, and a group of nodes needs all of "
          "them; leave out the steps that drop nodes",
          spec.where, dataset, prepared.nodes(), stored.nodes());
    nodes = spec.rule == "file"
                ? read_nodes(with_dataset(spec.nodes.string(), dataset), stored.nodes())
                : duplicates(spec, dataset, stored, load);
  }
  auto out = std::make_shared<Stratum>();
  out->name = spec.name;
  out->inside.assign(static_cast<std::size_t>(prepared.nodes()), false);
  for (const Index node : nodes) out->inside[static_cast<std::size_t>(node)] = true;
  const auto count = std::count(out->inside.begin(), out->inside.end(), true);
  if (count == 0 || count == prepared.nodes())
    fail("{}: {} nodes of '{}' are in the group, so there is nothing to tell apart", spec.where,
         count == 0 ? "no" : "all", dataset);
  std::string members = "nodes";
  for (std::size_t v = 0; v < out->inside.size(); ++v) {
    if (out->inside[v]) members += fmt::format(",{}", v);
  }
  out->id = identity_hash(members);
  return out;
}

std::vector<StratumScore> score_strata(const std::vector<std::shared_ptr<const Stratum>>& strata,
                                       const Marking& marking, const std::string& metric,
                                       const std::vector<Index>& test) {
  std::vector<StratumScore> out;
  for (const auto& stratum : strata) {
    std::vector<Index> inside, outside;
    for (std::size_t i = 0; i < test.size(); ++i) {
      const bool in = stratum->inside[static_cast<std::size_t>(test[i])];
      (in ? inside : outside).push_back(static_cast<Index>(i));
    }
    StratumScore one;
    one.stratum = stratum->id;
    one.inside = marking.score_on(metric, inside);
    one.outside = marking.score_on(metric, outside);
    one.inside_nodes = static_cast<int>(inside.size());
    one.outside_nodes = static_cast<int>(outside.size());
    out.push_back(std::move(one));
  }
  return out;
}

void mark(const Marking& marking, const std::string& metric,
          const std::vector<std::shared_ptr<const Stratum>>& strata, const View& view,
          RunRecord& record) {
  record.test_score = marking.score(metric);
  record.other_scores = marking.other_scores(metric);
  if (const auto* classes = dynamic_cast<const TaskView*>(&view))
    record.strata = score_strata(strata, marking, metric, classes->test);
}

}  // namespace cupel
