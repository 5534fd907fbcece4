// What `stats` prints of a set of graphs.
#include <algorithm>

#include <fmt/format.h>

#include "cupel/cli/cards/statistics_card.h"
#include "cupel/cli/text.h"

namespace cupel::cli {
namespace {

constexpr std::size_t kMostClassesShown = 20;

std::string signed_number(const std::optional<double>& value) {
  return value ? fmt::format("{:+.3f}", *value) : "undefined";
}

// What a property of kGraphProperties is, in a few words.
std::string property_text(const std::string& name) {
  if (name == "degree") return "average degree";
  if (name == "clustering") return "average clustering";
  if (name.starts_with("cycles_")) return "cycles of length " + name.substr(7);
  return name;
}

std::string counts_text(const GraphSetStatistics& s) {
  Columns columns("lrw");
  columns.row({"graphs", grouped(s.graphs), ""});
  columns.row({"average nodes", fmt::format("{:.2f}", s.average_nodes),
               fmt::format("from {} to {}", grouped(s.fewest_nodes), grouped(s.most_nodes))});
  columns.row({"average edges", fmt::format("{:.2f}", s.average_edges), "undirected"});
  columns.row({"without edges", grouped(s.without_edges), "graphs"});
  columns.row({"isolated nodes", grouped(s.isolated_nodes), "in all graphs"});
  columns.row({"node labels", grouped(s.node_labels), "different ones, or columns of features"});
  columns.row({"node attributes", grouped(s.node_attributes), "numbers for each node"});
  columns.row({"edge attributes", grouped(s.edge_attributes), "labels and numbers of each edge"});
  return "Graphs\n" + columns.text();
}

std::string properties_text(const GraphSetStatistics& s) {
  Columns columns("lrrrr");
  columns.row({"PROPERTY", "MEAN", "SD", "PEARSON", "SPEARMAN"});
  for (const PropertyStatistics& p : s.properties)
    columns.row({property_text(p.name), fmt::format("{:.4g}", p.mean), fmt::format("{:.4g}", p.sd),
                 signed_number(p.pearson), signed_number(p.spearman)});
  std::string note = "Correlations are with the label";
  note += s.tasks > 1 ? fmt::format(", the mean over {} tasks. ", s.tasks) : ", its number. ";
  note += "Cycles are those of a cycle basis.";
  if (s.dropped > 0) {
    note += fmt::format(" {} left out: more than 3 deviations off in a property or in the label.",
                        counted(s.dropped, "graph"));
  }
  return "\nProperties of graphs\n" + columns.text() + "\n" + wrap(note, 2);
}

std::string classes_text(const Dataset& dataset, const GraphSetStatistics& s) {
  if (s.tasks > 1) {
    Columns columns("lrrr");
    columns.row({"TASK", "0", "1", "UNKNOWN"});
    for (Index t = 0; t < s.tasks; ++t) {
      std::int64_t ones = 0, zeros = 0;
      for (Index g = 0; g < s.graphs; ++g) {
        ones += dataset.task_answers()(g, t) == 1;
        zeros += dataset.task_answers()(g, t) == 0;
      }
      columns.row(
          {std::to_string(t + 1), grouped(zeros), grouped(ones), grouped(s.graphs - zeros - ones)});
    }
    return fmt::format("\nTasks: {}\n{}", s.tasks, columns.text());
  }
  Columns columns("lrr");
  columns.row({"CLASS", "GRAPHS", "SHARE"});
  const std::size_t shown = std::min(s.class_sizes.size(), kMostClassesShown);
  for (std::size_t c = 0; c < shown; ++c)
    columns.row({dataset.class_names()[c], grouped(s.class_sizes[c]),
                 fmt::format("{:.1f} %", 100.0 * s.class_sizes[c] / std::max(1, s.graphs))});
  std::string out = fmt::format("\nClasses: {}\n{}", s.classes, columns.text());
  if (shown < s.class_sizes.size())
    out += fmt::format("  and {} more (--json lists all)\n", s.class_sizes.size() - shown);
  return out;
}

}  // namespace

std::string graph_set_text(const Dataset& dataset, const GraphSetStatistics& s) {
  std::string out = labelled("Data set", dataset.name);
  out += labelled("Statistics",
                  "of a set of graphs, simple and undirected: direction, repeats and self-loops do "
                  "not count.");
  return out + "\n" + counts_text(s) + properties_text(s) + classes_text(dataset, s);
}

}  // namespace cupel::cli
