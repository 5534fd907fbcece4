#include "cupel/lab/plan/plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "cupel/data/graph/graph.h"
#include "cupel/lab/plan/model_function.h"
#include "cupel/lab/record/identity.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/scheduler.h"
#include "error_of.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::FakeExecutor;
using made::TempFolder;

Protocol small(const std::string& more = "") {
  return parse_protocol("small", "small.toml", made::kSmallProtocol + more);
}

std::string error_of(const Protocol& protocol, const Selection& selection) {
  return cupel::error_of([&] { (void)make_plan(protocol, selection, fake_sources()); });
}

std::vector<std::string> names(const Plan& plan) {
  std::vector<std::string> out;
  for (const PlannedCell& cell : plan.cells)
    out.push_back(fmt::format("{}/{}/{} {}x{}", cell.table, cell.dataset, cell.model, cell.splits,
                              cell.inits));
  return out;
}

TEST(Plan, IsEveryCell) {
  const Plan plan = make_plan(small(), {}, fake_sources());
  EXPECT_EQ(names(plan),
            (std::vector<std::string>{"1/one/gcn 4x3", "1/one/mlp 4x3", "1/one/fixed 4x3",
                                      "1/three/gcn 4x3", "1/three/mlp 4x3", "1/three/fixed 4x3"}));
  TempFolder folder;
  const Store store(folder / "s.sqlite");
  const Pending pending = pending_runs(plan, store);
  // A model without randomness is run once a split.
  EXPECT_EQ(pending.planned, 2 * 4 * (3 + 3 + 1));
  EXPECT_EQ(pending.stored, 0);
  EXPECT_EQ(pending.groups.size(), 2u * 4 * 3);
  for (std::size_t i = 1; i < pending.groups.size(); ++i)
    EXPECT_LE(pending.groups[i - 1].split, pending.groups[i].split);
}

// How many graphs are in a step, and what stops, are of the rule, and of the identity through it.
TEST(Plan, ChoicesMayBeOfTheRule) {
  const std::string text = R"(
[data]
datasets = ["one"]
[split]
count = 1
[models.gcn]
lr = 0.1
choices = { batch_size = [0, 64], stop_on = ["valid-loss", "valid-score"] }
)";
  const Plan plan = make_plan(parse_protocol("p", "p.toml", text), {}, fake_sources());
  ASSERT_EQ(plan.cells.size(), 4u);
  EXPECT_EQ(plan.cells[1].configuration, "batch_size=0, stop_on=valid-score");
  EXPECT_EQ(plan.cells[1].family->rule.stop_on, "valid-score");
  EXPECT_EQ(plan.cells[2].family->rule.batch_size, 64);
  // The same run as that of a row whose own rule says so.
  std::string plain = text;
  plain.replace(plain.find("choices"), std::string::npos,
                "train = { batch_size = 64, stop_on = \"valid-loss\" }\n");
  EXPECT_EQ(
      plan.cells[2].family->id,
      make_plan(parse_protocol("p", "p.toml", plain), {}, fake_sources()).cells[0].family->id);
  for (const auto& [was, is] :
       {std::pair{"64", "1"}, {"64", "\"many\""}, {"\"valid-score\"", "\"never\""}}) {
    std::string wrong = text;
    wrong.replace(wrong.find(was), std::string(was).size(), is);
    EXPECT_NE(error_of(parse_protocol("p", "p.toml", wrong), {}).find("cannot be"),
              std::string::npos)
        << wrong;
  }
}

// Rows that share runs and say different things of how these are done.
const Family& shared_family(const Plan& plan) {
  EXPECT_EQ(plan.cells.at(0).family, plan.cells.at(1).family);
  return *plan.cells.at(0).family;
}

TEST(Plan, SharedRunsHaveTheLongestTime) {
  const auto seconds = [](const std::string& a, const std::string& b) {
    const std::string text = "[data]\ndatasets = ['one']\n[split]\ncount = 1\n";
    const auto row = [](const std::string& name, const std::string& limit) {
      return fmt::format("[models.{}]\nmodel = 'gcn'\n{}", name,
                         limit.empty() ? "" : "train = { timeout_seconds = " + limit + " }\n");
    };
    return shared_family(make_plan(parse_protocol("p", "p.toml", text + row("a", a) + row("b", b)),
                                   {}, fake_sources()))
        .timeout_seconds;
  };
  EXPECT_EQ(seconds("0.0001", ""), 0) << "the other has no limit";
  EXPECT_EQ(seconds("", "5"), 0);
  EXPECT_EQ(seconds("5", "7"), 7);
  EXPECT_EQ(seconds("7", "5"), 7);
}

TEST(Plan, SharedRunsOfAProgramAreAsStrictAsAnyRowAsks) {
  const auto program = [](const std::string& a, const std::string& b) {
    const std::string text = fmt::format(
        "[data]\ndatasets = ['one']\n[split]\ncount = 1\n"
        "[models.a]\ncommand = ['true']\n{}\n[models.b]\ncommand = ['true']\n{}\n",
        a, b);
    return *shared_family(make_plan(parse_protocol("p", "p.toml", text), {}, fake_sources()))
                .external;
  };
  const std::vector<std::string> words = {"none", "auto", "required"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t j = 0; j < words.size(); ++j)
      EXPECT_EQ(program(fmt::format("isolation = '{}'", words[i]),
                        fmt::format("isolation = '{}'", words[j]))
                    .isolation,
                words[std::max(i, j)]);
  }
  using Paths = std::vector<std::filesystem::path>;
  EXPECT_EQ(program("", "readable = ['venv']").readable, Paths{"venv"});
  EXPECT_EQ(program("readable = ['venv', 'weights']", "readable = ['more', 'venv']").readable,
            (Paths{"venv", "weights", "more"}));
}

TEST(Plan, SharedRunsOfAFunctionHaveTheLargestMemory) {
  PlanSources sources = fake_sources();
  sources.function = [](const std::string& name) {
    return std::make_shared<const ModelFunction>(
        ModelFunction{name, {}, {{"source", "1"}}, false, {}});
  };
  const Plan plan =
      make_plan(parse_protocol("p", "p.toml",
                               "[data]\ndatasets = ['one']\n[split]\ncount = 1\n[models.a]\n"
                               "function = 'f'\nmemory_mb = 100\n[models.b]\nfunction = 'f'\n"
                               "memory_mb = 900\n"),
                {}, sources);
  EXPECT_EQ(shared_family(plan).external->memory_mb, 900);
}

TEST(Plan, DataThatCannotBeSplitShowBeforeAnythingRuns) {
  PlanSources sources = fake_sources();
  sources.load = [](const std::string& name) { return made::ring(name, 60); };
  try {
    (void)make_plan(small(), {}, sources);
    FAIL() << "20 + 30 nodes of a class of 20";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("class 0 ('a') has 20 nodes"), std::string::npos);
  }
}

TEST(Plan, SelectionsNarrowAndAdd) {
  EXPECT_EQ(names(make_plan(small(), {{"ONE"}, {"MLP"}, {}, 2, 1}, fake_sources())),
            (std::vector<std::string>{"1/one/mlp 2x1"}));
  EXPECT_EQ(
      names(make_plan(small(), {{"./data/mine.npz", "one"}, {"gcn"}, {}, 4, 3}, fake_sources())),
      (std::vector<std::string>{"1/one/gcn 4x3", "1/mine/gcn 4x3"}));
  EXPECT_NE(error_of(small(), {{}, {}, {}, 99, 0}).find("--splits: 99 is more than the 4"),
            std::string::npos);
  EXPECT_NE(error_of(small(), {{}, {}, {}, 0, 99}).find("--inits: 99 is more than the 3"),
            std::string::npos);
  // A file that is called like a data set of the protocol does not stand under its name.
  EXPECT_EQ(names(make_plan(small(), {{"./data/one.npz"}, {"gcn"}, {}, 1, 1}, fake_sources())),
            (std::vector<std::string>{"1/one.npz/gcn 1x1"}));
  // Nor do two files that are called alike share a column, whichever is named first.
  EXPECT_EQ(names(make_plan(small(), {{"./a/mine.npz", "/b/mine.npz"}, {"gcn"}, {}, 1, 1},
                            fake_sources())),
            (std::vector<std::string>{"1/a/mine.npz/gcn 1x1", "1/b/mine.npz/gcn 1x1"}));
  EXPECT_EQ(names(make_plan(small(), {{"/b/mine.npz", "./a/mine.npz"}, {"gcn"}, {}, 1, 1},
                            fake_sources())),
            (std::vector<std::string>{"1/b/mine.npz/gcn 1x1", "1/a/mine.npz/gcn 1x1"}));
  EXPECT_EQ(
      names(make_plan(small(), {{"./mine.npz", "mine.npz"}, {"gcn"}, {}, 1, 1}, fake_sources())),
      (std::vector<std::string>{"1/./mine.npz/gcn 1x1", "1/mine.npz/gcn 1x1"}));
  EXPECT_NE(error_of(small(), {{"absent"}, {}, {}, 0, 0}).find("'absent'"), std::string::npos);
  EXPECT_NE(error_of(small(), {{}, {"gnc"}, {}, 0, 0}).find("did you mean 'gcn'"),
            std::string::npos);
  EXPECT_NE(error_of(small(), {{}, {}, {"2"}, 0, 0}).find("no table '2'; there are: 1"),
            std::string::npos);
  // Everything that is missing, at once.
  const std::string both = error_of(small(), {{"absent", "absent/too"}, {}, {}, 0, 0});
  EXPECT_NE(both.find("'absent'"), std::string::npos) << both;
  EXPECT_NE(both.find("'absent/too'"), std::string::npos) << both;
  const Protocol closed = small(
      "[[table]]\nid = 'a'\ndatasets = ['one']\n[[table]]\nid = 'b'\nkind = 'relative'\n"
      "source = 'a'");
  EXPECT_EQ(make_plan(closed, {}, fake_sources()).cells.size(), 3u);
  EXPECT_NE(error_of(closed, {{"three-x"}, {}, {}, 0, 0}).find("its tables take no others"),
            std::string::npos);
  EXPECT_EQ(names(make_plan(closed, {{"/b/mine.npz"}, {"gcn"}, {"a"}, 1, 1}, fake_sources())),
            std::vector<std::string>{"a/mine/gcn 1x1"});
}

TEST(Plan, APathHasTheNameThatTheProtocolGivesIt) {
  const std::string rest =
      "[split]\ncount = 4\n[models.gcn]\n[data.Mine]\npath = 'files/x.npz'\n[data.other]\n"
      "path = '/y/z.npz'\nprepare = ['unweight']\n[data]\ndatasets = ['one', 'mine']\n";
  const Protocol protocol = parse_protocol("p", "p.toml", rest, {}, "/base");
  std::vector<std::string> loaded;
  PlanSources sources = fake_sources();
  sources.load = [&, load = sources.load](const std::string& name) {
    loaded.push_back(name);
    return load(name);
  };
  const Plan plan = make_plan(protocol, {}, sources);
  EXPECT_EQ(names(plan), (std::vector<std::string>{"1/one/gcn 4x1", "1/mine/gcn 4x1"}));
  EXPECT_EQ(loaded, (std::vector<std::string>{"one", "/base/files/x.npz"}));
  EXPECT_EQ(plan.cells[1].family->dataset->name, "Mine");
  // By its name, in any spelling, whether a table lists it or not.
  const Plan chosen = make_plan(protocol, {{"OTHER", "mine"}, {}, {}, 1, 0}, sources);
  EXPECT_EQ(names(chosen), (std::vector<std::string>{"1/mine/gcn 1x1", "1/other/gcn 1x1"}));
  EXPECT_EQ(chosen.cells[1].family->dataset->steps, (std::vector<std::string>{"unweight"}));
  // The name is in no identity: by its path the file has the same runs.
  const Plan by_path = make_plan(protocol, {{"/base/files/x.npz"}, {}, {}, 1, 0}, sources);
  EXPECT_EQ(names(by_path), (std::vector<std::string>{"1/x/gcn 1x1"}));
  EXPECT_EQ(by_path.cells[0].family->id, chosen.cells[0].family->id);
}

TEST(Plan, AModelThatIsNoRowIsToldFromASlip) {
  const std::string known = error_of(small(), {{}, {"GAT"}, {}, 0, 0});
  for (const char* part : {"no row 'GAT'", "[models.gat]", "cupel show gat", "gcn, mlp, fixed"})
    EXPECT_NE(known.find(part), std::string::npos) << known;
  EXPECT_EQ(known.find("did you mean"), std::string::npos) << known;
  const std::string other = error_of(small(), {{}, {"xyz"}, {}, 0, 0});
  EXPECT_NE(other.find("no model 'xyz'; there are: gcn, mlp, fixed"), std::string::npos) << other;
}

TEST(Plan, BadSettingsShowBeforeAnythingRuns) {
  const Protocol p =
      parse_protocol("p", "p.toml", "[data]\ndatasets=['one']\n[models.gcn]\nhiden = 3\n");
  EXPECT_NE(error_of(p, {}).find("p.toml:3: [models.gcn]: no setting is called 'hiden'; did you "
                                 "mean 'hidden'?"),
            std::string::npos);
}

// A set of 20 pairs of nodes with two tasks, answers to some of which are not known.
Dataset pairs_with_tasks(const std::string& name) {
  Dataset data = made::ring(name, 40);
  data.name = name;
  GraphSet set;
  std::vector<Edge> edges;
  for (Index g = 0; g <= 20; ++g) set.start.push_back(2 * g);
  for (Index g = 0; g < 20; ++g) {
    edges.push_back({2 * g, 2 * g + 1});
    edges.push_back({2 * g + 1, 2 * g});
  }
  data.adjacency = from_edges(40, edges);
  set.node_attributes = Matrix(40, 1);
  set.arc_attributes = Matrix(40, 0);
  data.graphs = std::move(set);
  data.target = BinaryTasks{Matrix(20, 2)};
  for (Index g = 0; g < 20; ++g) {
    data.task_answers()(g, 0) = static_cast<float>(g % 2);
    data.task_answers()(g, 1) = g % 3 == 0 ? std::nanf("") : static_cast<float>(g % 2);
  }
  return data;
}

TEST(Plan, SeveralTasksAreForMetricsModelsAndSplitsThatKnowThem) {
  PlanSources sources = fake_sources();
  sources.load = pairs_with_tasks;
  sources.model = plan_sources({}).model;
  const auto plan_of = [&](const std::string& metric, const std::string& scheme,
                           const std::string& model) -> std::string {
    const Protocol p = parse_protocol(
        "p", "p.toml",
        fmt::format("task = 'graph-classification'\nmetric = '{}'\n[data]\ndatasets = ['pairs']\n"
                    "[split]\nscheme = '{}'\n[models.{}]\n",
                    metric, scheme, model));
    try {
      return fmt::format("{} cells", make_plan(p, {}, sources).cells.size());
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(plan_of("roc-auc", "random", "gin"), "1 cells");
  EXPECT_EQ(plan_of("accuracy", "random", "graph-mlp"), "1 cells");
  EXPECT_NE(
      plan_of("roc-auc-column", "random", "gin").find("'roc-auc-column' is not one of several"),
      std::string::npos);
  EXPECT_NE(plan_of("roc-auc", "random", "wl-svm").find("'wl-svm' learns one label"),
            std::string::npos);
  EXPECT_NE(
      plan_of("roc-auc", "stratified-kfold", "gin").find("goes by class, and there are 2 tasks"),
      std::string::npos);
}

TEST(Plan, BinaryCrossEntropyIsForSetsOfGraphs) {
  const Protocol p = parse_protocol(
      "p", "p.toml",
      "[data]\ndatasets=['one']\n[models.gcn]\ntrain = { loss = 'binary-cross-entropy' }\n");
  EXPECT_NE(error_of(p, {}).find("is for sets of graphs"), std::string::npos) << error_of(p, {});
}

TEST(Plan, TablesOnRequestAreRunWhereTheyAreNamed) {
  const Protocol p = small(
      "[[table]]\nid = 'a'\ndatasets = ['one']\nmodels = ['mlp']\n"
      "[[table]]\nid = 'slow'\non_request = true\ndatasets = ['three']\nmodels = ['gcn', 'mlp']\n"
      "[[table]]\nid = 'ranks'\nkind = 'ranks'\nsource = 'slow'\n");
  const auto names_of = [&](std::vector<std::string> tables) {
    Selection selection;
    selection.tables = std::move(tables);
    return names(make_plan(p, selection, fake_sources()));
  };
  using Names = std::vector<std::string>;
  const Names slow = {"slow/three/gcn 4x3", "slow/three/mlp 4x3"};
  EXPECT_EQ(names_of({}), (Names{"a/one/mlp 4x3"}));
  EXPECT_EQ(names_of({"slow"}), slow);
  EXPECT_EQ(names_of({"ranks"}), slow) << "what is derived from it names it";
  Selection gcn;
  gcn.models = {"gcn"};
  EXPECT_NE(error_of(p, gcn).find("no cell in common; --tables slow names what is run on request"),
            std::string::npos)
      << error_of(p, gcn);
}

TEST(Plan, TablesShareTheRunsTheyHaveInCommon) {
  const Protocol p = small(
      "[[table]]\nid = 'a'\n[[table]]\nid = 'b'\ndatasets = ['one']\nsplit = { count = 6 }\n"
      "[[table]]\nid = 'c'\ndatasets = ['one']\nsplit = { count = 2, first = 5 }\ninits = 1\n");
  const Plan plan = make_plan(p, {{}, {"gcn"}, {}, 0, 0}, fake_sources());
  TempFolder folder;
  Store store(folder / "s.sqlite");
  FakeExecutor executor;
  // a: one and three, splits 0-3; b: one, splits 0-5; c: one, splits 5-6, one init.
  const ExecuteSummary summary = execute(plan, store, executor, {});
  EXPECT_EQ(summary.done, 4 * 3 + 6 * 3 + 1);
  EXPECT_EQ(store.run_count(), summary.done);
}

TEST(Plan, NeitherTableNorProtocolNorRowNamesEnterIdentities) {
  const auto ids = [](const Protocol& protocol) {
    std::set<std::string> out;
    for (const PlannedCell& cell : make_plan(protocol, {}, fake_sources()).cells)
      out.insert(cell.family->id);
    return out;
  };
  const std::string rest = "[split]\ncount=4\n[train]\ninits=3\n";
  const auto a = ids(parse_protocol(
      "a", "a.toml", "[data]\ndatasets=['one']\n[models.gcn]\nlr=0.1\nhidden=16\n" + rest));
  const auto b = ids(parse_protocol("b", "b.toml",
                                    "title='t'\n[models.mine]\nmodel='gcn'\nlr=0.1\n" + rest +
                                        "[[table]]\nid='x'\ndatasets=['ONE']"));
  EXPECT_EQ(a.size(), 1u);
  EXPECT_EQ(a, b);  // defaults are part of the identity, whether given or not
}

TEST(Plan, ShardsPartTheWork) {
  const Plan plan = make_plan(small(), {}, fake_sources());
  TempFolder folder;
  const Store store(folder / "s.sqlite");
  std::multiset<std::string> whole, parts;
  const auto add = [](const Pending& pending, std::multiset<std::string>& out) {
    for (const RunGroup& group : pending.groups) {
      for (int init : group.inits)
        out.insert(run_identity(group.family->identity, group.split, init));
    }
  };
  add(pending_runs(plan, store), whole);
  for (int i = 0; i < 3; ++i) {
    const Pending part = pending_runs(plan, store, false, {i, 3});
    EXPECT_GT(part.planned, 0);
    add(part, parts);
  }
  EXPECT_EQ(whole, parts);
}

}  // namespace
}  // namespace cupel
