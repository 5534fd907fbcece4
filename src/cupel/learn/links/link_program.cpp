#include "cupel/learn/links/link_program.h"

#include <algorithm>
#include <span>

#include "cupel/base/sort_unique.h"
#include "cupel/data/formats/gnn_benchmark.h"

namespace cupel {
namespace {

void add_pairs(NpyMembers& members, const std::string& name, const std::vector<Pair>& pairs) {
  std::vector<std::int64_t> values;
  values.reserve(2 * pairs.size());
  for (const Pair& pair : pairs) values.insert(values.end(), {pair.source, pair.target});
  members.emplace_back(
      name, make_npy(std::span<const std::int64_t>(values), {std::ssize(pairs), std::int64_t{2}}));
}

void add_asked(NpyMembers& members, const std::string& part, const Asked& asked) {
  if (!asked.all_targets()) return add_pairs(members, "pairs_" + part, asked.pairs);
  add_ids(members, "sources_" + part, asked.sources);
  add_ids(members, "targets_" + part, {asked.begin, asked.end});
}

// The links of a part whose answers may be seen. An undirected one is asked from both ends.
std::vector<Pair> links_among(const Asked& asked, const Questions& questions, bool directed) {
  std::vector<Pair> out;
  for (const Offset row : questions.positive) {
    Pair pair = asked.pair(row);
    if (!directed && pair.source > pair.target) std::swap(pair.source, pair.target);
    out.push_back(pair);
  }
  sort_unique(out);
  return out;
}

void add_valid_answers(NpyMembers& members, const LinkView& view) {
  const Asked& asked = view.asked(LinkPart::kValid);
  const Questions& questions = view.valid_questions();
  if (asked.all_targets())
    return add_pairs(members, "links_valid", links_among(asked, questions, view.directed()));
  std::vector<Index> is_link(static_cast<std::size_t>(asked.rows()), 0);
  for (const Offset row : questions.positive) is_link[static_cast<std::size_t>(row)] = 1;
  add_ids(members, "y_valid", is_link);
}

}  // namespace

ProgramTask link_program(const LinkView& view) {
  ProgramTask out;
  const auto& of_test = view.graph_of(LinkPart::kTest);
  if (of_test != view.shared_graph()) add_csr_members(out.arrays, "message", of_test->arcs());
  add_pairs(out.arrays, "pairs_train", view.train());
  add_asked(out.arrays, "valid", view.asked(LinkPart::kValid));
  add_valid_answers(out.arrays, view);
  add_asked(out.arrays, "test", view.asked(LinkPart::kTest));
  out.facts = {{"task", view.kind().name},
               {"directed", view.directed()},
               {"rows_valid", view.valid_rows()},
               {"rows_test", view.test_rows()}};
  return out;
}

}  // namespace cupel
