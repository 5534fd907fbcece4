// Where an epoch of training on a set of graphs goes: batches of the training graphs, then the
// validation graphs, as the trainer does them.
//
//   bench_graph_epoch NCI1 --data DIR [--hidden 64,64,64,64] [--batch 128] [--ops]
//
// Processor time, or with --clock wall time on the clock; the median of --epochs epochs by the
// trainer's own feed, and with --ops a table of one epoch by op, with what is no op: taking a
// batch, binding it, loss, Adam.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>

#include "cupel/base/error.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/data/split/split.h"
#include "cupel/engine/nn/adam.h"
#include "cupel/engine/program/passes.h"
#include "cupel/learn/model.h"
#include "cupel/learn/train/feed.h"
#include "cupel/learn/train/graph_batch.h"
#include "cupel/learn/train/targets.h"
#include "end_to_end/op_costs.h"
#include "end_to_end/yardstick.h"
#include "measuring.h"

namespace cupel::bench {
namespace {

struct Arguments {
  std::string dataset, data, model = "gin", hidden = "64,64,64,64", features = "labels",
                             pooling = "mean", clock = "processor";
  int batch = 128, epochs = 21, threads = 1, split = 0;
  bool ops = false;
};

// One watched epoch: every batch trained on, then the validation graphs.
class Watched {
 public:
  Watched(const ClassTask& task, const TrainableModel& model, double learning_rate, int batch,
          Threads threads)
      : task_(task.view),
        threads_(threads),
        batch_(static_cast<std::size_t>(batch)),
        traced_(task_, [&](Builder& b, GraphInputs& in) { return model.logits(b, in); }),
        values_(traced_.program.parameters),
        gradients_(traced_.program.parameters),
        adam_(traced_.program.parameters, learning_rate, {1e-8, true}) {
    initialise(traced_.program.parameters, key_, values_);
  }

  void epoch(bool training, OpTable& table) {
    const auto program = std::make_shared<const Program>(compile(traced_.program, training));
    const EqualRows equal = traced_.inputs.equal_rows(*program);
    GraphBatch batch(*program, traced_.inputs, equal, task_.graphs()->start);
    const std::vector<Index>& part = training ? task_.train : task_.valid;
    const Targets all = make_targets(training ? task_.train_labels : task_.valid_labels,
                                     training ? task_.train_tasks : task_.valid_tasks,
                                     task_.classes(), "cross-entropy");
    table.begin_round();
    Targets targets;
    AlignedVector<float> memory;
    for (const std::vector<Index>& own : drawn_batches(part, batch_, {key_, 0, step_})) {
      std::vector<Index> rows(own.size()), graphs;
      std::iota(rows.begin(), rows.end(), 0);
      for (const Index i : own) graphs.push_back(part[i]);
      targets.take(all, own);
      table.start();
      batch.take(graphs);
      table.add("graphs taken", 0);
      Binding binding{batch.constants(), rows, false, &values_, training ? &gradients_ : nullptr};
      binding.memory = &memory;
      binding.equal = batch.equal();
      BoundProgram bound(program, std::move(binding), threads_);
      bound.watch([&](const Op& op, const OpRun& run, bool back) { table.add(op, run, back); });
      table.add("bound", 0);
      bound.forward(key_, step_++);
      (void)loss_of(targets, bound.output(), training ? bound.output_gradient() : DenseView{});
      table.add("loss", 0);
      if (!training) continue;
      bound.backward();
      (void)adam_.step(values_, gradients_, threads_);
      table.add("Adam", 7.0 * 4 * values_.block().size());
    }
  }

 private:
  const TaskView& task_;
  Threads threads_;
  std::size_t batch_;
  Traced traced_;
  ParameterSet values_, gradients_;
  Adam adam_;
  StreamKey key_ = stream_key("bench_graph_epoch");
  std::uint32_t step_ = 0;
};

void run(const Arguments& arguments) {
  const ModelEntry* entry = find_model(arguments.model);
  if (entry == nullptr || entry->trainable == nullptr || entry->unit != Unit::kGraph)
    fail("model = \"{}\" is not one of graphs that is trained", arguments.model);
  auto data = std::make_shared<Dataset>(prepare(
      load_dataset(
          arguments.dataset,
          data_folder(arguments.data.empty() ? std::nullopt : std::optional(arguments.data))),
      {"drop-edgeless-graphs"}));
  const Split split =
      make_split(*data,
                 {.kind = "stratified-kfold",
                  .settings = {{"folds", std::int64_t{10}}, {"valid", std::int64_t{10}}},
                  .count = 10},
                 arguments.split);
  const ClassTask task = make_task(std::make_shared<TaskData>(data), split);
  const Options options("bench_graph_epoch", entry->options,
                        {{"hidden", arguments.hidden},
                         {"features", arguments.features},
                         {"pooling", arguments.pooling}});
  const auto model = entry->trainable(options);
  TrainRule rule;
  rule.optimizer = "adam-torch";
  rule.batch_size = arguments.batch;
  const Threads threads{arguments.threads};
  const Clock clock = arguments.clock == "wall" ? Clock::kWall : Clock::kProcessor;
  const double rate = options.real("lr");

  const auto feed = make_graph_feed(task.view, model->schedule(), rule, "accuracy", threads);
  Adam adam(feed->parameters(), rate, {1e-8, true});
  const StreamKey key = stream_key("bench_graph_epoch");
  feed->restart(key);
  std::vector<double> train, valid;
  for (int e = 0; e < arguments.epochs; ++e) {
    const double start = seconds(clock, threads);
    (void)feed->train(key, e, adam);
    const double middle = seconds(clock, threads);
    (void)feed->validate(key, e);
    train.push_back(1e3 * (middle - start));
    valid.push_back(1e3 * (seconds(clock, threads) - middle));
  }
  const auto middle = [](std::vector<double> times) {
    std::ranges::nth_element(times, times.begin() + std::ssize(times) / 2);
    return times[times.size() / 2];
  };
  fmt::print("{} on {}, widths {}: {} training graphs, {} validation graphs, batches of {}\n",
             arguments.model, arguments.dataset, arguments.hidden, task.view.train.size(),
             task.view.valid.size(), arguments.batch);
  fmt::print("an epoch, ms of {}: training {:.2f} (least {:.2f}), validation {:.2f}\n",
             clock == Clock::kWall ? "the clock" : "processor time by thread", middle(train),
             std::ranges::min(train), middle(valid));
  if (!arguments.ops) return;

  Yardstick peak(threads, clock);
  peak.measure();
  Watched watched(task, *model, rate, arguments.batch, threads);
  for (const bool training : {true, false}) {
    OpTable warm(clock, threads), table(clock, threads);
    watched.epoch(training, warm);
    watched.epoch(training, table);
    const OpCost sum = table.cost();
    const Floor floor = floor_of(table, peak);
    fmt::print(
        "\n{}: products {:.3f} GFLOP, sums over neighbours {:.3f} GFLOP, {:.0f} MB\n"
        "floor {:.2f} ms: products {:.2f} at {:.0f} GFLOP/s, neighbours {:.2f}, other walks "
        "{:.2f}\n{}\n{}",
        training ? "training" : "validation, bound anew", 1e-9 * sum.dense, 1e-9 * sum.sparse,
        1e-6 * sum.bytes, 1e3 * floor.seconds(), 1e3 * floor.products, peak.product(),
        1e3 * floor.gathered, 1e3 * floor.walked, table.text_by_name(), table.text());
  }
}

}  // namespace
}  // namespace cupel::bench

int main(int argc, char** argv) {
  CLI::App app("Where an epoch of training on a set of graphs goes");
  cupel::bench::Arguments arguments;
  app.add_option("dataset", arguments.dataset, "e.g. NCI1")->required();
  app.add_option("--data", arguments.data, "folder of data sets (else $CUPEL_DATA)");
  app.add_option("--model", arguments.model);
  app.add_option("--hidden", arguments.hidden);
  app.add_option("--features", arguments.features);
  app.add_option("--pooling", arguments.pooling);
  app.add_option("--batch", arguments.batch, "graphs")->check(CLI::Range(1, 1 << 20));
  app.add_option("--epochs", arguments.epochs, "timed")->check(CLI::Range(1, 100000));
  app.add_option("--threads", arguments.threads)->check(CLI::Range(1, 1024));
  app.add_option("--clock", arguments.clock)->check(CLI::IsMember({"processor", "wall"}));
  app.add_option("--split", arguments.split);
  app.add_flag("--ops", arguments.ops, "where one epoch goes");
  CLI11_PARSE(app, argc, argv);
  return cupel::bench::exit_code_of([&] { cupel::bench::run(arguments); });
}
