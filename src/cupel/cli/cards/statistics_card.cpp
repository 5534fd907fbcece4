#include "cupel/cli/cards/statistics_card.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "cupel/cli/text.h"

namespace cupel::cli {
namespace {

constexpr std::size_t kMostClassesShown = 20;
constexpr std::size_t kBarWidth = 24;

// A label number, if there are labels and it is defined.
template <class Field>
std::optional<double> label_number(const Statistics& s, Field field) {
  return s.labels ? (*s.labels).*field : std::nullopt;
}

std::string number(double value) { return fmt::format("{:.4f}", value); }
std::string number(const std::optional<double>& value) {
  return value ? number(*value) : "undefined";
}

// A degree or a mean of degrees: no more digits than it has.
std::string short_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "";
}

std::string graph_text(const Statistics& s) {
  Columns columns("lrw");
  columns.row({"nodes", grouped(s.nodes), ""});
  columns.row({"edges", grouped(s.edges), "pairs of nodes joined in either direction"});
  columns.row({"average degree", number(s.degree.mean), "2 edges / nodes"});
  if (s.self_loops > 0)
    columns.row({"with self-loops", number(s.mean_degree_with_loops),
                 "the same, a self-loop being an edge that counts twice"});
  columns.row({"isolated nodes", grouped(s.isolated_nodes), "without an edge"});
  columns.row({"components", grouped(s.components), ""});
  columns.row({"largest component", grouped(s.largest_component),
               percent(s.largest_component, s.nodes) + " of the nodes"});
  columns.row({"triangles", grouped(static_cast<std::int64_t>(s.triangles)), ""});
  columns.row({"global clustering", number(s.global_clustering),
               "3 triangles / pairs of edges that share a node"});
  columns.row({"local clustering", number(s.local_clustering),
               "mean over nodes of joined / all pairs of neighbours, 0 below degree 2"});
  return "Graph\n" + columns.text();
}

std::string stored_text(const Statistics& s) {
  Columns columns("lrw");
  columns.row({"arcs", grouped(s.arcs), "entries, repeated ones merged"});
  columns.row({"self-loops", grouped(s.self_loops), ""});
  columns.row({"reciprocal pairs", grouped(s.reciprocal), "stored in both directions"});
  columns.row({"features", grouped(s.features), ""});
  columns.row({"feature density", number(s.feature_density), "share of values that are not 0"});
  return "\nAs stored\n" + columns.text();
}

std::string degree_text(const DegreeStatistics& d) {
  Columns columns("rrrrrrrr");
  columns.row({"MIN", "5 %", "25 %", "MEDIAN", "75 %", "95 %", "99 %", "MAX"});
  columns.row({grouped(d.min), short_number(d.p5), short_number(d.p25), short_number(d.median),
               short_number(d.p75), short_number(d.p95), short_number(d.p99), grouped(d.max)});
  return "\nDegrees\n" + columns.text();
}

std::string distances_text(const Statistics& s) {
  Columns columns("lrw");
  if (s.diameter && s.diameter->exact()) {
    columns.row({"diameter", grouped(s.diameter->lower), "exact: the longest shortest path"});
  } else if (s.diameter) {
    columns.row({"diameter",
                 fmt::format("{} to {}", grouped(s.diameter->lower), grouped(s.diameter->upper)),
                 "bounds: not settled in time (--seconds)"});
  } else {
    columns.row({"diameter", "undefined", ""});
  }
  const auto path = [&](Columns& to, const std::optional<AveragePath>& mean, const char* pairs) {
    if (!mean) {
      to.row({"average path", "undefined",
              s.largest_component > 1 ? "too little time (--seconds)" : "there is no pair"});
    } else if (mean->exact) {
      to.row({"average path", number(mean->value), std::string("exact: over all pairs ") + pairs});
    } else {
      to.row({"average path", number(mean->value),
              fmt::format("estimate from {} sources, 95 % interval {} to {}",
                          grouped(mean->sources), number(mean->low), number(mean->high))});
    }
  };
  path(columns, s.average_path, "of nodes");
  if (s.components <= 1) return "\nDistances\n" + columns.text();
  Columns everywhere("lrw");
  path(everywhere, s.average_path_reachable, "that a path joins, in any component");
  everywhere.row({"such pairs", grouped(static_cast<std::int64_t>(s.reachable_pairs)),
                  percent(static_cast<double>(s.reachable_pairs), s.nodes * (s.nodes - 1.0)) +
                      " of the ordered pairs of different nodes"});
  return "\nDistances, within the largest component\n" + columns.text() +
         "\nDistances, within all components\n" + everywhere.text();
}

std::string homophily_text(const Statistics& s) {
  Columns columns("lrw");
  columns.row({"edge homophily", number(label_number(s, &LabelStatistics::edge_homophily)),
               "share of edges within a class"});
  columns.row({"node homophily", number(label_number(s, &LabelStatistics::node_homophily)),
               "mean over nodes of the share of same-class neighbours"});
  columns.row({"class homophily", number(label_number(s, &LabelStatistics::class_homophily)),
               "mean over classes of that share above the class's share of nodes"});
  columns.row({"adjusted homophily", number(label_number(s, &LabelStatistics::adjusted_homophily)),
               "edge homophily, 0 for wiring that ignores classes"});
  columns.row({"label informativeness",
               number(label_number(s, &LabelStatistics::label_informativeness)),
               "what a neighbour's class tells of one's own, 0 to 1 (edge form)"});
  return "\nLabels and edges\n" + columns.text();
}

// With self-loops, the nodes and shares that count them stand beside those that do not.
std::string shares_text(const LabelStatistics& labels, bool loops) {
  const SameClassShares& shares = labels.shares;
  const SameClassShares& looped = labels.shares_with_loops;
  if (shares.nodes == 0 && looped.nodes == 0) return "";
  const auto& drawn = (loops ? looped : shares).bins;
  const std::int64_t most = std::max<std::int64_t>(1, *std::ranges::max_element(drawn));
  const auto share = [](std::int64_t count, const SameClassShares& of) {
    return percent(static_cast<double>(count), static_cast<double>(of.nodes));
  };
  Columns columns(loops ? "lrrrrl" : "lrrl");
  if (loops) {
    columns.row({"SHARE", "NODES", "", "WITH LOOPS", "", ""});
  } else {
    columns.row({"SHARE", "NODES", "", ""});
  }
  const std::size_t bins = drawn.size();
  for (std::size_t b = 0; b < bins; ++b) {
    const auto width = static_cast<std::size_t>(
        (drawn[b] * static_cast<std::int64_t>(kBarWidth) + most - 1) / most);
    std::vector<std::string> row = {
        fmt::format("{:.2f} to {:.2f}", static_cast<double>(b) / static_cast<double>(bins),
                    static_cast<double>(b + 1) / static_cast<double>(bins)),
        grouped(shares.bins[b]), share(shares.bins[b], shares)};
    if (loops) row.insert(row.end(), {grouped(looped.bins[b]), share(looped.bins[b], looped)});
    row.push_back(std::string(width, '#'));
    columns.row(row);
  }
  std::string out = fmt::format(
      "\nNodes by their share of same-class neighbours (0: {}, 1: {})\n{}",
      grouped(labels.none_of_same_class), grouped(labels.all_of_same_class), columns.text());
  if (loops)
    out += fmt::format(
        "  With loops, a node that has a self-loop is a same-class neighbour of itself;\n"
        "  the mean share is then {}.\n",
        number(looped.mean));
  if (shares.left_out > 0)
    out +=
        fmt::format("  {} no neighbour and so no share; {} left out.\n",
                    shares.left_out == 1 ? "1 node has" : grouped(shares.left_out) + " nodes have",
                    shares.left_out == 1 ? "it is" : "they are");
  return out;
}

std::string classes_text(const Dataset& dataset, const LabelStatistics& labels, Index nodes) {
  nodes -= labels.unlabelled;
  Columns columns("lrr");
  columns.row({"CLASS", "NODES", "SHARE"});
  const std::size_t shown = std::min(labels.class_sizes.size(), kMostClassesShown);
  for (std::size_t k = 0; k < shown; ++k)
    columns.row({dataset.class_names()[k], grouped(labels.class_sizes[k]),
                 percent(labels.class_sizes[k], nodes)});
  std::string out = fmt::format("\nClasses: {}\n{}", labels.class_sizes.size(), columns.text());
  if (shown < labels.class_sizes.size())
    out += fmt::format("  and {} more (--json lists all)\n", labels.class_sizes.size() - shown);
  if (labels.unlabelled > 0)
    out += fmt::format(
        "  {} without a label; what is said of labels is of the others.\n",
        labels.unlabelled == 1 ? "1 node is" : grouped(labels.unlabelled) + " nodes are");
  return out;
}

}  // namespace

std::string statistics_text(const Dataset& dataset, const Statistics& s) {
  std::string out = labelled("Data set", dataset.name);
  out += labelled("Statistics",
                  "of the data as stored. The graph is the simple undirected one: direction, "
                  "repeats, weights and self-loops do not count.");
  out += "\n" + graph_text(s) + degree_text(s.degree) + distances_text(s) + stored_text(s);
  if (!s.labels) return out + "\nNodes have no labels.\n";
  return out + homophily_text(s) + shares_text(*s.labels, s.self_loops > 0) +
         classes_text(dataset, *s.labels, s.nodes);
}

}  // namespace cupel::cli
