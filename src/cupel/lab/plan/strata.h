// Groups of nodes by which the test score of a run is split.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/record/record.h"
#include "cupel/learn/task.h"

namespace cupel {

// A group of nodes of one prepared data set. Immutable, shared by runs.
struct Stratum {
  std::string name;          // as the protocol calls it
  std::string id;            // hash of the node ids: groups of the same nodes are the same
  std::vector<bool> inside;  // by node of the prepared data set
};

// The other data set in which `spec` looks for the group of `dataset`; none where it needs none.
[[nodiscard]] std::optional<std::string> stratum_graph(const StrataSpec& spec,
                                                       const std::string& dataset);
// The same of the groups that `table` of `protocol` asks for, if it asks for any.
[[nodiscard]] std::optional<std::string> stratum_graph(const Protocol& protocol,
                                                       const TableSpec& table,
                                                       const std::string& dataset);

// The group that `spec` means on `dataset`, whose data were `stored` and are `prepared`; `load`
// reads other data sets by name. Throws Error: the group is empty or everything, the graph that it
// is found on has other nodes, a bad file, or a preparation that drops nodes (the ids of a group
// are those of the stored data; degrees are those of the prepared graph, taken as undirected and
// without loops, and need no ids).
[[nodiscard]] std::shared_ptr<const Stratum> make_stratum(
    const StrataSpec& spec, const std::string& dataset, const Dataset& stored,
    const Dataset& prepared, const std::function<Dataset(const std::string&)>& load);

// The score of the test nodes, `test` in the order in which they were scored, split by each group.
[[nodiscard]] std::vector<StratumScore> score_strata(
    const std::vector<std::shared_ptr<const Stratum>>& strata, const Marking& marking,
    const std::string& metric, const std::vector<Index>& test);
// All that the record keeps of what the test part got.
void mark(const Marking& marking, const std::string& metric,
          const std::vector<std::shared_ptr<const Stratum>>& strata, const View& view,
          RunRecord& record);

}  // namespace cupel
