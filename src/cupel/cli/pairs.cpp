#include "cupel/cli/pairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "cupel/cli/options.h"
#include "cupel/cli/stored_results.h"

namespace cupel::cli {

void add_pairs(Syntax& syntax, PairsRequest& arguments) {
  add_stored_results(syntax, arguments.read);
  syntax.text(
      "--structure", "GNN,BASELINE", arguments.structure,
      "Rows that read only the structure; A+B,C is the best\nof A and B over C, with a backslash "
      "before a comma or\nplus of a name; none leaves them out (default:\ngin-s,baseline-s, where "
      "they are there)");
  syntax.text(
      "--attributes", "GNN,BASELINE", arguments.attributes,
      "The same for rows that read attributes (default:\ngin-a,baseline-a, where they are there)");
  syntax.text("--metric", "METRIC", arguments.metric,
              effectiveness_metrics("or") +
                  ": the table's\nmetric or one of its `also` (default: what the protocol\n"
                  "goes by)");
  syntax.text("--table", "ID", arguments.table,
              "Which table of the protocol (default: the first with\nruns of a data set)");
  add_list(syntax, "--datasets", arguments.datasets, "Only these data sets");
}

std::string rows_text(const EffectivenessRows& rows) {
  const auto side = [](const std::vector<std::string>& names) {
    return names.size() == 1 ? names[0] : fmt::format("the best of {}", fmt::join(names, ", "));
  };
  return fmt::format("{} over {}", side(rows.gnn), side(rows.baseline));
}

}  // namespace cupel::cli
