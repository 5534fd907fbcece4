// A protocol about links: from its text to results, its identities, and what is refused before
// anything runs.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "cupel/data/graph/graph.h"
#include "cupel/data/graph/pairs.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/results/load.h"
#include "cupel/lab/run/executor.h"
#include "cupel/lab/run/scheduler.h"
#include "error_of.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using made::rows_of;
using made::TempFolder;

// The registry of models on made graphs: "made" has links without direction, "arrows" arcs of one
// direction, "bare" none, "few" three links, "set" is a set of graphs.
Csr graph_of(Index nodes, const std::vector<Edge>& arcs) { return from_edges(nodes, arcs); }

Csr drawn_arcs() {
  Stream random(stream_key("made links"), 0);
  std::vector<Edge> arcs;
  for (Index i = 0; i < 90; ++i)
    for (int k = 0; k < 4; ++k) {
      const auto j = static_cast<Index>(random.next_below(90));
      if (i != j) arcs.push_back({i, j});
    }
  return graph_of(90, arcs);
}

PlanSources sources() {
  PlanSources out = plan_sources("");
  out.absent = {};
  out.load = [](const std::string& name) {
    Dataset data = made::ring(name, name == "few" ? 6 : 90);
    if (name == "few")
      data.adjacency = graph_of(6, {{0, 1}, {1, 0}, {2, 3}, {3, 2}, {4, 5}, {5, 4}});
    if (name == "bare") data.adjacency = graph_of(90, {});
    if (name == "arrows") data.adjacency = drawn_arcs();
    if (name == "made") data.adjacency = symmetrise(drawn_arcs());
    if (name == "set") {
      data.adjacency = graph_of(90, {{0, 1}, {1, 0}, {50, 51}, {51, 50}});
      data.graphs.emplace();
      data.graphs->start = {0, 45, 90};
      data.graphs->node_attributes = Matrix(90, 0);
      data.graphs->arc_attributes = Matrix(4, 0);
      data.labels() = {0, 1};
      data.class_names() = {"a", "b"};
    }
    return data;
  };
  out.prepare = made::fake_sources().prepare;
  return out;
}

const std::string kLinks = R"(
title = "Links"
task = "links"
metric = "roc-auc"
[data]
datasets = ["made"]
[split]
scheme = "links"
train = 70
valid = 10
test = 20
count = 2
[links]
negatives = "uniform"
[train]
max_epochs = 4
patience = 0
keep = "last"
inits = 2
[models.common-neighbours]
[models.katz]
[models.gae]
hidden = 8
dimension = 4
pair_loss = "all-pairs"
[models.gcn]
hidden = 8
dimension = 4
decoder = "distmult"
[[table]]
id = "easy"
also = ["average-precision"]
[[table]]
id = "hard"
metric = "mrr"
links = { negatives = "heart:count=20" }
[[table]]
id = "places"
metric = "mean-rank"
links = { negatives = "all" }
)";

std::string replaced(std::string text, const std::string& was, const std::string& is) {
  const std::size_t at = text.find(was);
  if (at == std::string::npos) throw std::logic_error("no '" + was + "' in the protocol");
  return text.replace(at, was.size(), is);
}

Plan plan_of(const std::string& text) {
  return make_plan(parse_protocol("links", "links.toml", text), {}, sources());
}

std::string id_of(const Plan& plan, const std::string& table, const std::string& model) {
  for (const PlannedCell& cell : plan.cells)
    if (cell.table == table && cell.model == model) return cell.family->id;
  throw std::logic_error("no such cell");
}

TEST(LinkRuns, GoFromAProtocolToResultsTheSameWithAnyNumberOfJobs) {
  const TempFolder folder;
  const Plan plan = plan_of(kLinks);
  ASSERT_EQ(plan.cells.size(), 12u);
  std::vector<std::string> rows;
  for (const int jobs : {1, 3}) {
    Store store(folder / fmt::format("s{}.sqlite", jobs));
    ExecuteOptions options;
    options.jobs = jobs;
    const ExecuteSummary summary = execute(plan, store, *make_executor({}), options);
    // Two splits; what is trained twice on each.
    EXPECT_EQ(summary.ok, 3 * (2 * 2 + 2 * 4))
        << fmt::format("{}", fmt::join(summary.failures, "\n"));
    EXPECT_EQ(summary.failed + summary.diverged + summary.timed_out, 0);
    // Nothing is left to do.
    EXPECT_EQ(execute(plan, store, *make_executor({}), options).done, 0);
    const std::vector<std::string> now = rows_of(plan, store);
    if (rows.empty()) rows = now;
    EXPECT_EQ(now, rows);

    const Results results = load_results(store);
    ASSERT_EQ(results.tables.size(), 3u);
    std::set<std::string> metrics;
    for (const TableResults& table : results.tables) {
      // By two metrics, of the same runs.
      ASSERT_EQ(table.cells.size(), table.id == "easy" ? 8u : 4u);
      for (const CellResults& cell : table.cells) {
        metrics.insert(table.id + " " + cell.measure.word());
        EXPECT_EQ(std::ssize(cell.runs), cell.expected_n);
        for (const PlacedRun& run : cell.runs) {
          const double score = run.record.test_score.value();
          EXPECT_GT(score, table.id == "places" ? 1 : 0);
          EXPECT_LE(score, table.id == "places" ? 90 : 1);
        }
      }
    }
    EXPECT_EQ(metrics, (std::set<std::string>{"easy roc-auc", "easy average-precision", "hard mrr",
                                              "places mean-rank"}));
  }
}

TEST(LinkRuns, HaveAnotherIdentityWithEverySetting) {
  const TempFolder folder;
  const Plan plain = plan_of(kLinks);
  std::set<std::string> seen = {id_of(plain, "easy", "gae")};
  const auto differs = [&](const std::string& was, const std::string& is) {
    EXPECT_TRUE(seen.insert(id_of(plan_of(replaced(kLinks, was, is)), "easy", "gae")).second)
        << is << " is not told";
  };
  differs("negatives = \"uniform\"", "negatives = \"uniform:ratio=2\"");
  differs("negatives = \"uniform\"",
          "negatives = \"uniform\"\nvalid_negatives = \"uniform:ratio=3\"");
  differs("train = 70\nvalid = 10", "train = 65\nvalid = 15");
  differs("count = 2", "count = 2\nmessage = \"train+valid\"");
  differs("count = 2", "count = 2\nseed = 7");
  differs("dimension = 4\npair_loss", "dimension = 5\npair_loss");
  differs("\"all-pairs\"", "\"sampled\"");
  differs("\"all-pairs\"", "\"sampled-means\"");
  differs("\"all-pairs\"", "\"sampled\"\ndecoder = \"distmult\"");
  differs("\"all-pairs\"", "\"sampled\"\ndecoder = \"mlp:hidden=8\"");
  differs("\"all-pairs\"", "\"sampled\"\ndecoder = \"mlp:hidden=9\"");
  differs("metric = \"roc-auc\"", "metric = \"average-precision\"");
  differs("max_epochs = 4", "max_epochs = 5");
  // What says nothing new is the same run; so is a table by another name.
  EXPECT_EQ(id_of(plan_of(replaced(kLinks, "negatives = \"uniform\"",
                                   "negatives = \"uniform\"\nvalid_negatives = \"uniform\"")),
                  "easy", "gae"),
            id_of(plain, "easy", "gae"));
  EXPECT_EQ(id_of(plan_of(replaced(kLinks, "id = \"easy\"", "id = \"light\"")), "light", "gae"),
            id_of(plain, "easy", "gae"));
}

// A pair of nodes that none joins, as a line of a file of negatives.
std::string non_links(int from, int count) {
  const Dataset data = sources().load("made");
  std::string out = "source,target\n";
  for (Index i = from; i < 80 && count > 0; ++i)
    if (const Pair pair{i, i + 9}; !has_arc(data.adjacency, pair)) {
      out += fmt::format("{},{}\n", pair.source, pair.target);
      --count;
    }
  return out;
}

std::string with_file(const std::filesystem::path& path) {
  return replaced(kLinks, "negatives = \"uniform\"",
                  fmt::format("negatives = 'file:valid={0};test={0}'", path.string()));
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(LinkRuns, GoByTheContentOfFilesOfNegatives) {
  const TempFolder folder;
  write(folder / "a.csv", non_links(0, 8));
  write(folder / "b.csv", non_links(0, 8));
  write(folder / "c.csv", non_links(20, 8));
  const auto id = [&](const char* name) {
    return id_of(plan_of(with_file(folder / name)), "easy", "gae");
  };
  const std::string before = id("a.csv");
  EXPECT_EQ(id("b.csv"), before);
  EXPECT_NE(id("c.csv"), before);
  write(folder / "a.csv", non_links(0, 9));
  EXPECT_NE(id("a.csv"), before);
}

const std::string kNodes = R"(
title = "Nodes"
[data]
datasets = ["made"]
[split]
scheme = "random"
train = 50
valid = 25
count = 1
[models.gcn]
)";

TEST(LinkRuns, LeaveThoseOfNodesAsTheyWere) {
  const Plan plan = plan_of(kNodes);
  const std::string& identity = plan.cells[0].family->identity;
  for (const char* word : {"task", "negatives", "decoder", "dimension", "pair_loss"})
    EXPECT_EQ(identity.find(word), std::string::npos) << identity;
}

// One sentence, before anything runs.
TEST(LinkRuns, AreRefusedWithOneSentenceByThePlan) {
  const TempFolder folder;
  write(folder / "far.csv", "source,target\n3,500\n");
  write(
      folder / "link.csv", non_links(0, 3) + [] {
        const Dataset data = sources().load("made");
        return fmt::format("0,{}\n", data.adjacency.row_columns(0).back());
      }());
  write(
      folder / "split.json",
      R"({"unit": "pair", "splits": [{"train": [[2, 900]], "valid": [[1, 2]], "test": [[0, 1]]}]})");
  write(folder / "empty.json",
        R"({"unit": "pair", "splits": [{"train": [], "valid": [[1, 2]], "test": [[2, 3]]}]})");
  const auto split_file = [&](const char* name) {
    const std::size_t from = kLinks.find("scheme"), to = kLinks.find("[links]");
    return kLinks.substr(0, from) +
           fmt::format("scheme = \"file\"\nfile = '{}'\n", (folder / name).string()) +
           kLinks.substr(to);
  };
  const auto on = [](const char* dataset) {
    return replaced(kLinks, "\"made\"", fmt::format("\"{}\"", dataset));
  };
  const std::string arrows = replaced(on("arrows"), "count = 2", "count = 2\ndirected = true");
  const struct {
    std::string text;
    std::vector<std::string> says;
  } cases[] = {
      {with_file(folder / "far.csv"), {"far.csv: line 2", "500"}},
      {with_file(folder / "link.csv"), {"link.csv: line 5", "is a link of the"}},
      {with_file(folder / "none.csv"), {"none.csv", "no such file"}},
      {split_file("split.json"), {"split.json", "900", "90 nodes"}},
      {split_file("empty.json"), {"empty.json", "empty"}},
      {on("few"), {"few: 10 percent of 3 links", "empty"}},
      {replaced(kLinks, "train = 70", "train = 75"), {"105 together"}},
      {replaced(replaced(kLinks, "heart:count=20", "corrupt:count=5"), "\"mrr\"", "\"hits@10\""),
       {"hits@10 needs 10 candidates", "have 5"}},
      {replaced(kLinks, "metric = \"mrr\"", "metric = \"mrr\"\nalso = [\"hits@20\", \"hits@50\"]"),
       {"hits@50 needs 50 candidates", "have 20"}},
      {on("arrows"), {"arrows", "without a way back", "directed = true"}},
      {replaced(kLinks, "count = 2", "count = 2\ndirected = true"), {"every arc has its way back"}},
      {on("bare"), {"bare: has no link between two nodes"}},
      {replaced(kLinks, "metric = \"roc-auc\"", "metric = \"accuracy\""),
       {"'accuracy'", "roc-auc"}},
      {replaced(kLinks, "metric = \"mrr\"", "metric = \"roc-auc\""), {"'roc-auc'", "mrr"}},
      {replaced(kNodes, "[data]", "metric = \"mrr\"\n[data]"), {"'mrr'", "accuracy"}},
      {replaced(kNodes, "[models.gcn]", "[models.gae]"), {"'gae' scores pairs of nodes"}},
      {replaced(arrows, "all-pairs", "sampled"), {"'heart' are defined for undirected links"}},
      {replaced(arrows, "\"heart:count=20\"", "\"corrupt\""),
       {"models.gae", "\"all-pairs\" is of undirected links"}},
      {replaced(kLinks, "\"all-pairs\"", "\"all-pairs\"\ndecoder = \"distmult\""),
       {"models.gae", "\"all-pairs\" goes with decoder = \"dot\", not \"distmult\""}},
      {replaced(kLinks, "\"distmult\"", "\"distmul\""), {"models.gcn", "'distmul'", "distmult"}},
      {replaced(kLinks, "\"distmult\"", "\"mlp:hiden=3\""), {"models.gcn", "hiden"}},
      {replaced(kLinks, "dimension = 4\ndecoder = \"distmult\"",
                "dimension = 15\ndecoder = \"mlp:input=halves\""),
       {"models.gcn", "an even dimension", "15"}},
      {replaced(kLinks, "keep = \"last\"", "keep = \"best\""),
       {"models.gae", "ranked among all nodes", "stop_on = \"valid-score\""}},
      {replaced(kLinks, "[models.katz]", "[models.fsgnn]\nranking = \"column\""),
       {"models.fsgnn", "ranking = \"column\"", "leave ranking out"}},
      {replaced(kLinks, "[models.katz]", "[models.gbk-gnn]"),
       {"models.gbk-gnn", "reads labels", "take another encoder"}},
      {replaced(kLinks, "[models.katz]", "[models.graph-star]\nhidden = 0\ndimension = 15"),
       {"models.graph-star", "15", "heads = 8"}},
      {replaced(kLinks, "\"uniform\"", "\"unifrom\""), {"'unifrom'", "'uniform'"}},
      {replaced(kLinks, "id = \"easy\"", "id = \"easy\"\nstrata = \"hubs\"") +
           "[strata.hubs]\nrule = \"degree-at-least\"\nvalue = 5\n",
       {"'strata' are groups of nodes"}},
      {replaced(kNodes, "title = \"Nodes\"", "task = \"links\""),
       {"split scheme 'random' parts nodes", "about pairs"}},
      {replaced(kNodes, "scheme = \"random\"", "scheme = \"links\""),
       {"split scheme 'links' parts pairs", "about nodes"}},
      {on("set"), {"set: is a set of graphs", "links"}},
      {replaced(kLinks, "[models.katz]", "[models.gin]"), {"'gin' classifies graphs"}},
      {replaced(kLinks, "[models.katz]", "[models.labelprop]"), {"'labelprop' gives classes"}},
      {replaced(kLinks, "[models.katz]", "[models.cpgnn]"),
       {"models.cpgnn", "in 2 phases", "take another model"}},
  };
  for (const auto& [text, says] : cases) {
    const std::string got = error_of([&, &text = text] { (void)plan_of(text); });
    EXPECT_EQ(std::ranges::count(got, '\n'), 0) << got;
    for (const std::string& part : says)
      EXPECT_NE(got.find(part), std::string::npos) << "'" << part << "' is not in: " << got;
  }
}

}  // namespace
}  // namespace cupel
