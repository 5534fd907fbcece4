// The protocols that are shipped, against the real registry of models and, where there are data,
// against the paper.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "build_paths.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/generate/generator.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/lab/results/load.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/scheduler.h"
#include "cupel/lab/run/tune.h"
#include "cupel/learn/model.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using made::TempFolder;

std::vector<std::string> shipped() {
  std::vector<std::string> out = protocol_names();
  const std::filesystem::path root(CUPEL_SOURCE_DIR);
  for (const auto& entry : std::filesystem::directory_iterator(root / "examples")) {
    if (entry.path().extension() == ".toml") out.push_back(entry.path().string());
  }
  return out;
}

// Graphs of two nodes and an edge, of two classes in turn.
Dataset pairs(const std::string& name, Index count) {
  Dataset data;
  data.name = name;
  data.class_names() = {"0", "1"};
  data.graphs.emplace();
  data.graphs->start = {0};
  std::vector<Edge> arcs;
  Csr kinds;
  for (Index g = 0; g < count; ++g) {
    arcs.push_back({2 * g, 2 * g + 1});
    arcs.push_back({2 * g + 1, 2 * g});
    data.graphs->start.push_back(2 * g + 2);
    data.labels().push_back(g % 2);
    for (const Offset end : {2 * g + 1, 2 * g + 2}) {
      kinds.columns.push_back(0);
      kinds.row_ptr.push_back(end);
    }
  }
  kinds.rows = 2 * count;
  kinds.cols = 1;
  data.adjacency = from_edges(2 * count, arcs);
  data.features = std::move(kinds);
  data.graphs->node_attributes = Matrix(2 * count, 9);
  return data;
}

// What was run is said by the report, from the runs: a title that counts them is wrong of a part.
TEST(Shipped, TitlesDoNotCountRuns) {
  const std::regex counts("[0-9]+ (random )?(splits|inits|initialisations|runs|folds)");
  for (const std::string& name : shipped()) {
    for (const TableSpec& table : load_protocol(name).tables)
      EXPECT_FALSE(std::regex_search(table.title, counts)) << name << ": " << table.title;
  }
}

// Every name of a model and of a setting, in rows and in searches, means something.
TEST(Shipped, ProtocolsFitTheModels) {
  PlanSources sources = plan_sources({});
  sources.absent = {};
  bool of_graphs = false;
  sources.load = [&](const std::string& name) {
    if (of_graphs) {
      Dataset data = pairs(name, 400);
      data.stored_splits = {{{0}, {1}, {2}}};
      if (name == "TOX21") data.target = BinaryTasks{Matrix(400, 12)};
      return data;
    }
    Dataset data = made::ring(name, 2000);
    data.stored_splits.assign(20, {{0}, {1}, {2}});
    if (name.ends_with("-directed")) {
      // No arc enters node 3, which has the label and the out-neighbours of node 0: a duplicate.
      std::vector<Edge> arcs;
      for (Index u = 0; u < data.nodes(); ++u) {
        for (const Index v : {(u + 1) % data.nodes(), (u + data.nodes() - 1) % data.nodes()}) {
          if (u == 0) arcs.push_back({3, v});
          if (u != 3 && v != 3) arcs.push_back({u, v});
        }
      }
      data.adjacency = from_edges(data.nodes(), arcs);
    }
    return data;
  };
  sources.load_facts = [&](const std::string& name) {
    auto facts = std::make_shared<TemporalFacts>();
    facts->name = name;
    facts->types = {"entity"};
    facts->entity_types.assign(30, 0);
    facts->relations = {{"collaboration"}};
    for (Index t = 1990; t < 2022; ++t)
      for (Index i = 0; i < 20; ++i) facts->push((t + i) % 30, 0, (t * i) % 30, t);
    Dataset data = dataset_of(std::move(facts));
    data.name = name;
    return data;
  };
  sources.prepare = [](const std::string&, Dataset data, const std::vector<std::string>& steps) {
    return prepare(std::move(data), steps);  // every step exists
  };
  for (const std::string& name : shipped()) {
    const Protocol protocol = load_protocol(name);
    of_graphs = protocol.task == "graph-classification";
    EXPECT_FALSE(make_plan(protocol, {}, sources).cells.empty()) << name;
    if (!protocol.tune) continue;
    for (const char* method : {"grid", "random"}) {
      TuneOptions options;
      const auto& spaces =
          method == std::string("grid") ? protocol.tune->grid : protocol.tune->random;
      if (spaces.empty()) continue;
      options.method = method;
      options.budget = 3;
      EXPECT_FALSE(make_tune_plan(protocol, options, sources).plan.cells.empty()) << name;
    }
  }
}

// Every cell that Table 2 of the paper prints is there, and what is not what its place says is
// noted.
TEST(Shipped, EffectivenessHasTheWholeTable2) {
  const Protocol protocol = load_protocol("effectiveness");
  int printed = 0, noted = 0;
  for (const PublishedValue& value : protocol.published) {
    const bool of_paper =
        value.measure == Measure{"accuracy"} && value.model != "sp-s" && value.model != "sm-s";
    printed += of_paper;
    noted += of_paper && !value.note.empty();
    const bool swapped = value.dataset == "PPA"
                             ? !value.model.starts_with("baseline")
                             : value.dataset == "BACE" && value.model.starts_with("gcn");
    if (!of_paper || swapped || value.model == "kernel-s") {
      EXPECT_NE(value.note, "") << value.dataset << ", " << value.model;
    }
  }
  // 16 data sets x 7 columns, less 4 without attributes (3 columns each) and 4 without a kernel.
  EXPECT_EQ(printed, 16 * 7 - 4 * 3 - 4);
  EXPECT_EQ(noted, 12 + 2 + 4);
}

// 2 sizes of batches x 4 widths x eps x pooling x dropout x what stops; each of ten folds chooses.
TEST(Shipped, ErricaHasItsGrids) {
  const Protocol protocol = load_protocol("errica");
  const auto size = [&](const char* row, const char* dataset) {
    return grid_of(row_on(protocol, *protocol.find_model(row), dataset)).size();
  };
  EXPECT_EQ(size("gin", "NCI1"), 128u);
  EXPECT_EQ(size("fingerprint", "DD"), 108u);
  EXPECT_EQ(size("multisets", "IMDB-MULTI"), 108u);
  EXPECT_EQ(size("multisets", "ENZYMES"), 4u * 3 * 3 * 2);
  EXPECT_EQ(size("multisets", "COLLAB"), 2u * 2 * 3 * 2);
  for (const ModelRow& row : protocol.models) {
    EXPECT_EQ(row.choose_by, "valid-score-by-split") << row.name;
    EXPECT_EQ(row.select_inits, 1) << row.name;
  }
  EXPECT_EQ(protocol.published.size(), 6u + 8);
}

// Beside TGN and TGAT the same with what was released, and nothing else; a table says which was
// printed.
TEST(Shipped, ExpertHasTemporalNetworksAsReleased) {
  const Protocol protocol = load_protocol("expert");
  const std::map<std::string, std::vector<std::string>> switches = {
      {"tgn", {"trained_times"}}, {"tgat", {"trained_times", "residual"}}};
  for (const auto& [name, switched] : switches) {
    const ModelRow &designed = *protocol.find_model(name),
                   &released = *protocol.find_model(name + "-released");
    EXPECT_EQ(released.model, name);
    EXPECT_EQ(released.reading_of, name);
    Settings expected = designed.settings;
    for (const std::string& setting : switched) expected[setting] = true;
    EXPECT_EQ(released.settings, expected) << name;
  }
  for (const char* source : {"uci-random-step", "uci-random-step-held-out"}) {
    const auto readings = std::ranges::find_if(protocol.tables, [&](const TableSpec& table) {
      return table.kind == "readings" && table.source == source;
    });
    ASSERT_NE(readings, protocol.tables.end()) << source;
    EXPECT_EQ(readings->models, (std::vector<std::string>{"tgn", "tgat"}));
  }
}

// Runs of tables that were there keep their ids: the split enters them. What DyGLib holds out has a
// table of its own.
TEST(Shipped, ExpertHoldsOutBesideAndNotInPlace) {
  const Protocol protocol = load_protocol("expert");
  const TableSpec &all = *protocol.find_table("uci-random-step"),
                  &held = *protocol.find_table("uci-random-step-held-out");
  EXPECT_EQ(all.split.identity(), "time cuts= quantiles=0.7,0.85");
  EXPECT_EQ(held.split.identity(), protocol.find_table("uci-random")->split.identity());
  EXPECT_EQ(held.models, all.models);
  EXPECT_EQ(held.task_settings, all.task_settings);
  EXPECT_EQ(held.metric, all.metric);
}

// The paper's recommendations: which and whether, by every model that is there, on graphs by year;
// what takes hours is not run unless somebody asks for it.
TEST(Shipped, ExpertAsksAcademicGraphsBothQuestions) {
  const Protocol protocol = load_protocol("expert");
  std::set<std::string> asked_which, asked_whether;
  for (const TableSpec& table : protocol.tables) {
    if (!table.id.starts_with("acl") || table.kind != "scores") continue;
    const bool whether = table.task_settings.at("question") == OptionValue("whether");
    for (const std::string& row : table.models) {
      (whether ? asked_whether : asked_which).insert(protocol.find_model(row)->model);
      const ModelEntry* entry = find_model(protocol.find_model(row)->model);
      ASSERT_NE(entry, nullptr) << row;
      const bool trained = std::ranges::any_of(
          entry->options, [](const OptionSpec& option) { return option.name == "epochs"; });
      EXPECT_EQ(table.on_request, trained) << table.id << " " << row;
    }
    if (whether) {
      EXPECT_EQ(table.task_settings.at("known"), OptionValue("step")) << table.id;
      EXPECT_NE(std::get<std::string>(table.task_settings.at("negatives")).find("among=type"),
                std::string::npos);
    } else {
      EXPECT_EQ(table.task_settings.at("candidates"), OptionValue("type")) << table.id;
    }
  }
  std::set<std::string> counting = {"recurrency",
                                    "edge-bank",
                                    "popularity",
                                    "past-degree-product",
                                    "past-common-neighbours",
                                    "past-jaccard",
                                    "past-adamic-adar",
                                    "past-resource-allocation"};
  std::set<std::string> which = counting, whether = counting;
  for (const char* name : {"transe", "distmult", "complex"})
    which.insert(name), whether.insert(name);
  which.insert("re-net"), whether.insert("tgn"), whether.insert("tgat");
  EXPECT_EQ(asked_which, which);
  EXPECT_EQ(asked_whether, whether);
}

// The first of each family, small enough to be looked at; names are calls of generators.
TEST(Shipped, SyntheticSetsAreGenerated) {
  const Protocol protocol = load_protocol("synthetic");
  EXPECT_EQ(protocol.published.size(), 36u);
  for (const TableSpec& table : protocol.tables) {
    ASSERT_EQ(table.datasets.size(), 9u);
    for (std::size_t i = 0; i < 9; ++i) {
      const GeneratorCall call = parse_generator_call(table.datasets[i]);
      ASSERT_NE(call.generator, nullptr) << table.datasets[i];
      EXPECT_DOUBLE_EQ(call.settings.real("r"), 0.1 * static_cast<double>(i + 1));
      EXPECT_EQ(call.settings.integer("classes"), table.id == "6-cc" ? 5 : 2);
      EXPECT_EQ(call.settings.integer("graphs"), table.id == "6-cc" ? 2048 : 4096);
    }
  }
}

// The groups of Table 1: as many nodes as its authors count.
TEST(Shipped, HeterophilySplitsScoresByTheDuplicatesOfThePaper) {
  const char* data = std::getenv("CUPEL_DATA");
  if (data == nullptr) GTEST_SKIP() << "needs CUPEL_DATA";
  for (const char* name : {"squirrel", "squirrel-directed", "chameleon", "chameleon-directed"}) {
    if (!std::filesystem::exists(std::filesystem::path(data) / name))
      GTEST_SKIP() << "CUPEL_DATA has no " << name;
  }
  Selection selection;
  selection.tables = {"1"};
  const Plan plan = make_plan(load_protocol("heterophily"), selection, plan_sources(data));
  std::map<std::string, std::int64_t> sizes;
  for (const PlannedCell& cell : plan.cells) {
    ASSERT_TRUE(cell.stratum);
    sizes[cell.dataset] =
        std::count(cell.stratum->inside.begin(), cell.stratum->inside.end(), true);
  }
  EXPECT_EQ(sizes, (std::map<std::string, std::int64_t>{{"squirrel", 2978}, {"chameleon", 1387}}));
}

// Identities of rows as they are shipped: what a store of an earlier version has is found again.
TEST(Shipped, RulesKeepTheirIdentities) {
  PlanSources sources = plan_sources({});
  sources.absent = {};
  bool of_graphs = false;
  sources.load = [&](const std::string& name) {
    return of_graphs ? pairs(name, 400) : made::ring(name, 2000);
  };
  sources.prepare = [](const std::string&, Dataset data, const std::vector<std::string>&) {
    return data;
  };
  const auto identity = [&](const std::string& protocol, const std::string& dataset,
                            const std::string& model) {
    of_graphs = protocol == "effectiveness";
    Selection selection;
    selection.datasets = {dataset};
    selection.models = {model};
    return make_plan(load_protocol(protocol), selection, sources).cells.at(0).family->identity;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  // These stop on the loss with its penalty, as they always did, or have no penalty.
  for (const auto& [protocol, dataset, model] :
       {std::tuple("pitfalls", "cora", "gcn"), std::tuple("quickstart", "cora", "mlp"),
        std::tuple("effectiveness", "MUTAG", "baseline-s"),
        std::tuple("effectiveness", "MUTAG", "baseline-s-released")}) {
    EXPECT_TRUE(has(identity(protocol, dataset, model), R"("stop_on":"valid-loss")")) << model;
    EXPECT_FALSE(has(identity(protocol, dataset, model), "revision")) << model;
  }
  // Adam's weight decay is no part of what these stop on.
  for (const char* model : {"baseline-a", "baseline-a-released"})
    EXPECT_TRUE(
        has(identity("effectiveness", "MUTAG", model), R"("stop_on":"valid-cross-entropy")"));
  for (const char* model : {"majority", "labelprop", "labelprop-nl"})
    EXPECT_TRUE(has(identity("pitfalls", "cora", model), R"("revision":2)")) << model;
  // Settings that came later are not said where they are as before.
  Protocol protocol = parse_protocol("p", "p.toml", R"(
[data]
datasets = ["d"]
[models.gbk-gnn]
[models.sender]
model = "gbk-gnn"
negative_kernel = "sender"
[models.jacobiconv]
recurrence = "released"
)");
  of_graphs = false;
  const Plan plan = make_plan(protocol, {}, sources);
  for (const std::size_t cell : {std::size_t{0}, std::size_t{2}})
    for (const char* setting : {"negative_kernel", "gate_target", "recurrence"})
      EXPECT_FALSE(has(plan.cells[cell].family->identity, setting)) << setting;
  EXPECT_TRUE(has(plan.cells[1].family->identity, R"("negative_kernel":"sender")"));
  EXPECT_FALSE(has(plan.cells[1].family->identity, "gate_target"));
}

// A search on real models: two trials each, resumed.
TEST(Shipped, ASearchRunsAndResumes) {
  TempFolder folder;
  Store store(folder / "s");
  const TunePlan plan =
      make_tune_plan(load_protocol("pitfalls"),
                     {{"mlp", "sgc", "labelprop-nl"}, {"csbm:nodes=400"}, "random", 2, 1, 1},
                     plan_sources(folder / "none"));
  const auto executor = make_executor();
  const ExecuteSummary summary = execute(pending_runs(plan.plan, store), store, *executor, {});
  EXPECT_EQ(summary.ok, 6) << (summary.failures.empty() ? "" : summary.failures[0]);
  const TuneResult result = tune_result(plan, store);
  for (const TuneModel& model : result.models) {
    ASSERT_GE(model.best, 0) << model.model;
    EXPECT_GT(*model.trials[static_cast<std::size_t>(model.best)].score, 0.3) << model.model;
  }
  for (const PlannedCell& cell : plan.plan.cells) {
    for (const StoredRun& run : store.runs(cell.family->id)) EXPECT_FALSE(run.record.test_score);
  }
  EXPECT_TRUE(pending_runs(plan.plan, store).groups.empty());
}

}  // namespace
}  // namespace cupel
