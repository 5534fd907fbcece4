// One training step (forward with dropout, loss, backward, Adam) and the evaluation after it, of a
// model on a data set, as the trainer does them: how long, how many FLOP, what share of the peak.
//
//   bench_step residual-sage tolokers --data DIR --layers 3 --threads 2 [--ops] [--json]
//   bench_step residual-sage tolokers --data DIR --dropout 0 --dump start.npz
//   bench_step gcn cora --data DIR --protocol pitfalls --steps 1000 --ops
//
// The second form writes parameters, logits, loss and gradients at the start, for comparison with
// another program. Of a protocol, settings, preparation and splits are its own, and so is what an
// epoch does; else they are the recipe's preparation and the splits stored with the data.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/formats/npz.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/data/split/split.h"
#include "cupel/engine/nn/adam.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/engine/program/passes.h"
#include "cupel/engine/program/product_order.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/run/group_task.h"
#include "cupel/learn/class_tasks.h"
#include "cupel/learn/model.h"
#include "cupel/learn/train/replays.h"
#include "cupel/learn/train/targets.h"
#include "end_to_end/op_costs.h"
#include "end_to_end/yardstick.h"

namespace cupel::bench {

namespace {

struct Arguments {
  std::string model, dataset, data, protocol, dump, clock = "wall";
  int layers = 1, hidden = 512, threads = 1, steps = 10, split = 0;
  double dropout = 0.2;
  bool ops = false, json = false;
};

struct Rows {
  std::vector<Index> nodes;  // ascending
  Targets targets;

  Rows(const std::vector<Index>& part, const std::vector<Index>& part_labels) {
    std::vector<std::size_t> order(part.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return part[i]; });
    for (const std::size_t i : order) {
      nodes.push_back(part[i]);
      targets.labels.push_back(part_labels[i]);
    }
  }
};

// What is trained: a row of a protocol on one split, or a model with settings of its own.
struct Case {
  std::shared_ptr<const View> task;
  const ModelEntry* model;
  Options settings;
  TrainRule rule;

  const TaskView& view() const { return class_view(*task); }
};

// What the trainer holds for one phase.
class Session {
 public:
  Session(const Case& from, Threads threads)
      : view_(from.view()),
        model_(from.model->trainable(from.settings)),
        inputs_(builder_, view_),
        program_(builder_.finish(model_->schedule().phases.front().logits(builder_, inputs_))),
        train_rows_(view_.train, view_.train_labels),
        valid_rows_(view_.valid, view_.valid_labels),
        threads_(threads),
        values_(program_.parameters),
        gradients_(program_.parameters),
        best_(program_.parameters),
        adam_(program_.parameters, from.settings.real("lr"),
              {from.rule.epsilon, from.rule.optimizer == "adam-torch"}),
        key_(stream_key("bench_step")),
        train_(bind(true, train_rows_, from.rule)),
        valid_(bind(false, valid_rows_, from.rule)) {
    initialise(program_.parameters, key_, values_);
  }

  double forward_backward() {
    train_.forward(key_, step_++);
    if (table != nullptr) table->start();
    const auto loss = loss_of(train_rows_.targets, train_.output(), train_.output_gradient());
    if (table != nullptr) table->add("loss", 0);
    train_.backward();
    return loss.mean_loss;
  }
  double train_step() {
    if (table != nullptr) table->start();
    const double loss = forward_backward();
    if (table != nullptr) table->start();
    adam_.step(values_, gradients_, threads_);
    if (table != nullptr) table->add("Adam", 7.0 * 4 * values_.block().size());
    return loss;
  }
  // As the trainer's: loss and metric on the validation nodes.
  double evaluate() {
    if (table != nullptr) table->start();
    valid_.forward({}, 0);
    if (table != nullptr) table->start();
    const ConstDenseView out = valid_.output();
    const double score =
        cupel::evaluate(out.cols == 1 ? "roc-auc" : "accuracy", valid_rows_.targets, out).score;
    if (table != nullptr) table->add("loss and metric", 0);
    return score;
  }
  // As the trainer's, where the parameters are the best so far.
  void keep() {
    if (table != nullptr) table->start();
    best_.block() = values_.block();
    if (table != nullptr) table->add("keeping the parameters", 2.0 * 4 * values_.block().size());
  }

  // One more round of `to`; null: of nothing.
  void watch(OpTable* to) {
    table = to;
    if (to != nullptr) to->begin_round();
    BoundProgram::Watcher watcher;
    if (to != nullptr)
      watcher = [to](const Op& op, const OpRun& run, bool back) { to->add(op, run, back); };
    train_.watch(watcher);
    valid_.watch(watcher);
  }

  std::size_t memory_bytes() const {
    return train_.memory_bytes() + valid_.memory_bytes() + 5 * 4 * values_.block().size();
  }
  std::size_t train_memory_bytes() const { return train_.memory_bytes(); }
  double parameters() const {
    double count = 0;
    for (const Parameter& p : program_.parameters) count += static_cast<double>(p.rows) * p.cols;
    return count;
  }

  // Parameters at the start, what they give without a step, and the losses of `steps` steps.
  void dump(const std::string& path, int steps) {
    std::vector<std::pair<std::string, NpyArray>> members;
    const auto add = [&](const std::string& name, ConstDenseView v) {
      std::vector<float> numbers;
      for (Index r = 0; r < v.rows; ++r) numbers.insert(numbers.end(), v.row(r), v.row(r) + v.cols);
      members.emplace_back(name, make_npy(std::span<const float>(numbers), {v.rows, v.cols}));
    };
    const auto add_all = [&](const std::string& prefix, ParameterSet& set) {
      for (std::size_t slot = 0; slot < program_.parameters.size(); ++slot)
        add(prefix + program_.parameters[slot].name, set.view(static_cast<int>(slot)));
    };
    add_all("value ", values_);
    std::vector<float> losses = {static_cast<float>(forward_backward())};
    add("train logits", train_.output());
    add_all("gradient ", gradients_);
    const std::vector<float> score = {static_cast<float>(evaluate())};
    add("valid logits", valid_.output());
    members.emplace_back("valid score", make_npy(std::span<const float>(score)));
    adam_.step(values_, gradients_, threads_);
    while (static_cast<int>(losses.size()) < steps)
      losses.push_back(static_cast<float>(train_step()));
    members.emplace_back("losses", make_npy(std::span<const float>(losses)));
    write_npz(path, members, false);
  }

 private:
  BoundProgram bind(bool train, const Rows& rows, const TrainRule& rule) {
    Binding binding{inputs_.constants(), rows.nodes, true, &values_, train ? &gradients_ : nullptr};
    Program ordered = order_products(compile(program_, train), binding, expected_epochs(rule));
    return {std::move(ordered), std::move(binding), threads_};
  }

  const TaskView& view_;
  std::unique_ptr<TrainableModel> model_;
  Builder builder_;
  GraphInputs inputs_;
  Program program_;
  Rows train_rows_, valid_rows_;
  Threads threads_;
  ParameterSet values_, gradients_, best_;
  Adam adam_;
  StreamKey key_;
  std::uint32_t step_ = 0;
  BoundProgram train_, valid_;
  OpTable* table = nullptr;
};

double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

nlohmann::json part(const std::vector<double>& times, const OpTable& table, const Yardstick& peak) {
  const OpCost cost = table.cost();
  const Floor floor = floor_of(table, peak);
  const double rate = 1e-9 * cost.dense / median(times), best = 1e-9 * cost.dense / least(times);
  return {{"ms", 1e3 * median(times)},
          {"ms_min", 1e3 * least(times)},
          {"dense_gflop", 1e-9 * cost.dense},
          {"sparse_gflop", 1e-9 * cost.sparse},
          {"megabytes", 1e-6 * cost.bytes},
          {"dense_gflops", rate},
          {"dense_gflops_best", best},
          {"share_of_product_peak", rate / peak.product()},
          {"share_of_product_peak_best", best / peak.product()},
          {"share_of_multiply_adds", rate / peak.multiply_adds()},
          {"floor_ms",
           {{"products", 1e3 * floor.products},
            {"neighbours", 1e3 * floor.gathered},
            {"other_walks", 1e3 * floor.walked}}},
          {"times_floor", median(times) / floor.seconds()}};
}

void print(const char* name, const nlohmann::json& p) {
  const auto number = [&](const char* key) { return p[key].get<double>(); };
  fmt::print(
      "{:<11} {:9.3f} ms (min {:.3f})  dense {:.2f} GFLOP, sparse {:.2f} GFLOP, {:.0f} MB  "
      "{:.1f} GFLOP/s (best {:.1f})  {:.1f} % of the product peak (best {:.1f} %), {:.1f} % of "
      "multiply-adds\n",
      name, number("ms"), number("ms_min"), number("dense_gflop"), number("sparse_gflop"),
      number("megabytes"), number("dense_gflops"), number("dense_gflops_best"),
      100 * number("share_of_product_peak"), 100 * number("share_of_product_peak_best"),
      100 * number("share_of_multiply_adds"));
  const auto floor = [&](const char* key) { return p["floor_ms"][key].get<double>(); };
  fmt::print(
      "{:<11} {:.2f} times a floor of products {:.3f}, neighbours {:.3f}, other walks {:.3f} ms\n",
      "", number("times_floor"), floor("products"), floor("neighbours"), floor("other_walks"));
}

void measure(const Arguments& arguments, Session& session) {
  const Threads threads{arguments.threads};
  const Clock clock = arguments.clock == "wall" ? Clock::kWall : Clock::kProcessor;
  Yardstick peak(threads, clock);
  session.train_step();
  session.evaluate();
  OpTable step(clock, threads), evaluation(clock, threads);
  for (int i = 0; i < arguments.steps; ++i) {
    session.watch(&step);
    session.train_step();
    session.watch(&evaluation);
    session.evaluate();
    session.keep();
  }
  session.watch(nullptr);

  std::vector<double> step_times, evaluation_times;
  peak.measure();
  for (int i = 0; i < arguments.steps; ++i) {
    if (i == arguments.steps / 2) peak.measure();
    const double start = seconds(clock, threads);
    session.train_step();
    const double middle = seconds(clock, threads);
    session.evaluate();
    step_times.push_back(middle - start);
    evaluation_times.push_back(seconds(clock, threads) - middle);
  }
  peak.measure();

  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  nlohmann::json result = {{"model", arguments.model},
                           {"dataset", arguments.dataset},
                           {"layers", arguments.layers},
                           {"threads", arguments.threads},
                           {"clock", arguments.clock},
                           {"steps", arguments.steps},
                           {"parameters", session.parameters()},
                           {"step", part(step_times, step, peak)},
                           {"evaluation", part(evaluation_times, evaluation, peak)},
                           {"peak",
                            {{"multiply_adds", peak.multiply_adds()},
                             {"own_product", peak.own_product()},
                             {"onednn_product", peak.other_product()}}},
                           {"session_mib", static_cast<double>(session.memory_bytes()) / (1 << 20)},
                           {"peak_rss_mib", static_cast<double>(usage.ru_maxrss) / 1024}};
  if (arguments.json) {
    fmt::print("{}\n", result.dump());
    return;
  }
  const std::string form = arguments.protocol.empty()
                               ? fmt::format("{} layers of {}", arguments.layers, arguments.hidden)
                               : "as in " + arguments.protocol;
  fmt::print("{} on {}: {}, {} parameters, {} threads, {} time, {} steps\n", arguments.model,
             arguments.dataset, form, session.parameters(), arguments.threads, arguments.clock,
             arguments.steps);
  fmt::print("peak, GFLOP/s: multiply-adds {:.1f}, our product {:.1f}, oneDNN's {:.1f}\n",
             peak.multiply_adds(), peak.own_product(), peak.other_product());
  print("step", result["step"]);
  print("evaluation", result["evaluation"]);
  fmt::print(
      "memory: {:.1f} MiB for training and evaluation, {:.1f} MiB the most this process had\n",
      result["session_mib"].get<double>(), result["peak_rss_mib"].get<double>());
  if (arguments.ops) fmt::print("\na step\n{}\nan evaluation\n{}", step.text(), evaluation.text());
}

Case case_of_protocol(const Arguments& arguments, const std::filesystem::path& data) {
  Selection selection;
  selection.datasets = {arguments.dataset};
  selection.models = {arguments.model};
  selection.splits = arguments.split + 1;
  selection.inits = 1;
  const Plan plan = make_plan(load_protocol(arguments.protocol), selection, plan_sources(data));
  const std::shared_ptr<const Family> family = plan.cells.front().family;
  if (family->model.entry == nullptr || family->model.entry->trainable == nullptr)
    fail("row '{}' of protocol '{}' is not trained", arguments.model, arguments.protocol);
  return {task_of({family, arguments.split, {0}, {}}, {arguments.threads}).view,
          family->model.entry, family->model.settings, family->rule};
}

Case case_of_settings(const Arguments& arguments, const std::filesystem::path& folder) {
  const ModelEntry* entry = find_model(arguments.model);
  if (entry == nullptr || entry->trainable == nullptr)
    fail("model = \"{}\" is not one that is trained; `cupel list models` names all",
         arguments.model);
  auto data = std::make_shared<Dataset>(
      prepare(load_dataset(arguments.dataset, folder), default_preparation(arguments.dataset)));
  const Split split = make_split(*data, {.kind = "stored"}, arguments.split);
  ClassTask task = make_task(std::make_shared<TaskData>(data), split);
  std::map<std::string, OptionValue> given = {{"layers", std::int64_t{arguments.layers}},
                                              {"hidden", std::int64_t{arguments.hidden}},
                                              {"dropout", arguments.dropout}};
  TrainRule rule;
  rule.optimizer = "adam-torch";
  return {std::make_shared<const TaskView>(std::move(task.view)), entry,
          Options("bench_step", entry->options, given), rule};
}

void run(const Arguments& arguments) {
  const std::filesystem::path data =
      data_folder(arguments.data.empty() ? std::nullopt : std::optional(arguments.data));
  const Case from = arguments.protocol.empty() ? case_of_settings(arguments, data)
                                               : case_of_protocol(arguments, data);
  Session session(from, {arguments.threads});
  if (arguments.dump.empty())
    measure(arguments, session);
  else
    session.dump(arguments.dump, arguments.steps);
}

}  // namespace

}  // namespace cupel::bench

int main(int argc, char** argv) {
#ifndef __OPTIMIZE__
  std::fprintf(stderr, "WARNING: built without optimisation; the times below mean nothing.\n");
#endif
  cupel::bench::Arguments arguments;
  CLI::App app{
      "A training step and the evaluation after it: time, FLOP, share of the peak, memory"};
  app.add_option("model", arguments.model, "e.g. residual-sage")->required();
  app.add_option("dataset", arguments.dataset, "e.g. tolokers")->required();
  app.add_option("--data", arguments.data, "folder of data sets (else $CUPEL_DATA)");
  app.add_option("--protocol", arguments.protocol,
                 "the model is a row of this, and --layers, --hidden and --dropout are its own");
  app.add_option("--layers", arguments.layers);
  app.add_option("--hidden", arguments.hidden);
  app.add_option("--dropout", arguments.dropout);
  app.add_option("--threads", arguments.threads)->check(CLI::Range(1, 1024));
  app.add_option("--steps", arguments.steps, "timed steps")->check(CLI::Range(1, 100000));
  app.add_option("--split", arguments.split, "of the protocol, or of those stored with the data");
  app.add_option("--clock", arguments.clock, "processor: of all threads, over their number")
      ->check(CLI::IsMember({"wall", "processor"}));
  app.add_flag("--ops", arguments.ops, "where the time goes");
  app.add_flag("--json", arguments.json, "one line");
  app.add_option("--dump", arguments.dump,
                 "instead: write parameters, logits, gradients and the losses of --steps steps");
  CLI11_PARSE(app, argc, argv);
  try {
    cupel::bench::run(arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
