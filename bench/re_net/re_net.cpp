// RE-Net: what training costs, as one JSON line each.
//
//   bench_re_net FACTS [--width 200] [--batches 8] [--global-epochs 1] [--own-masks]
//       [--drawn-order] [--pyg [--agree FILE]]
//
// FACTS is any form that `cupel stats` reads. Times are processor time of one thread. "epoch" takes
// so many batches of 1024 facts, spread evenly over training, after the last one, which does not
// count, and says what all would take. With --drawn-order each batch is spread over all of
// training, and the first does not count. --pyg takes the form of PyTorch Geometric; --agree then
// takes the batch that does not count, without dropout, prints its loss, and writes each parameter,
// and its gradient behind it, as 32-bit floats. bench/peers/re_net.py does the same with PyTorch.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/data/facts/chosen_facts.h"
#include "cupel/data/facts/columns_of.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/engine/nn/adam.h"
#include "cupel/learn/events/re_net/re_net.h"
#include "cupel/learn/events/re_net/re_net_pyg.h"
#include "measuring.h"

namespace cupel::bench {
namespace {

struct Plan {
  Offset batches = 8;
  bool drawn_order = false;
  std::string agree;
};

struct Training {
  explicit Training(const std::string& path) : facts(read_facts(path)), all(columns_of(facts)) {
    const TimeCuts cuts = facts.parts.size() == 3 ? cuts_of_parts(facts)
                                                  : quantile_cuts(all.time, 0.7, 0.85, facts.name);
    train = parts_at(all, cuts, facts.name).train(all);
    undirected = undirected_of(facts);
  }
  EventWorld world() const { return {all.nodes, all.relations, undirected, {}}; }

  TemporalFacts facts;
  FactColumns all, train;
  std::vector<std::uint8_t> undirected;
};

// Batch i of so many; -1: the one that warms up. In a drawn order that is the first of the epoch,
// and the others follow it; else the last, and the others are spread evenly.
class Batches {
 public:
  // Throws Error if there is not one batch.
  Batches(const FactColumns& train, Offset batch, const Plan& plan)
      : train_(train),
        batch_(batch),
        full_(train.size() / batch),
        of_(std::min(plan.batches, plan.drawn_order ? full_ - 1 : full_)),
        drawn_(plan.drawn_order) {
    if (full_ == 0)
      fail("training has {} facts, less than a batch of {}; take more facts", train.size(), batch);
  }

  Offset count() const { return of_; }
  Offset full() const { return full_; }
  // The number of its first fact, where all of it follow each other.
  std::optional<Offset> first(Offset i) const {
    if (drawn_) return {};
    return (i < 0 ? full_ - 1 : (2 * i + 1) * full_ / (2 * of_)) * batch_;
  }
  FactColumns facts(Offset i) {
    if (const auto begin = first(i)) return train_.part(*begin, *begin + batch_);
    numbers_.clear();
    for (Offset k = 0; k < batch_; ++k) numbers_.push_back(i + 1 + k * full_);
    return chosen_.choose(train_, numbers_);
  }

 private:
  FactColumns train_;
  Offset batch_, full_, of_;
  bool drawn_;
  ChosenFacts chosen_;
  std::vector<Offset> numbers_;
};

void measure_epoch(HistoryModel& model, const HistoryForm& form, double lr, Batches batches) {
  if (batches.count() == 0)
    fail("training has one batch, which warms up; take more facts, or leave out --drawn-order");
  Adam adam(model.program().parameters, lr, {1e-8, true});
  adam.clip(form.clip);
  // In the order of time the last one warms up: histories are longest there, so that memory need
  // not grow any more.
  double seconds = 0;
  for (Offset i = -1; i < batches.count(); ++i) {
    const double before = processor_seconds();
    const double loss = model.loss(batches.facts(i), static_cast<std::uint32_t>(i + 1));
    const double half = processor_seconds();
    (void)adam.step(model.values(), model.gradients(), {});
    const double after = processor_seconds();
    if (i >= 0) seconds += after - before;
    const auto first = batches.first(i);
    fmt::print(
        "{{\"what\":\"batch\",{}\"loss\":{:.4f},\"cpu_seconds\":{:.3f},\"of_adam\":{:.3f}}}\n",
        first ? fmt::format("\"first\":{},", *first) : "", loss, after - before, after - half);
    std::fflush(stdout);
  }
  fmt::print("{{\"what\":\"epoch\",\"batches\":{},\"of\":{},\"cpu_seconds\":{:.1f}}}\n",
             batches.count(), batches.full(),
             seconds / static_cast<double>(batches.count()) * static_cast<double>(batches.full()));
}

void measure(const std::string& path, const ReNetSettings& settings, const Plan& plan) {
  const Training training(path);
  ReNet model(training.world(), settings, stream_key("bench re-net"), {});
  model.learn(training.train);
  const double before = processor_seconds();
  model.global().fit(model.past(), {});
  (void)model.global().states(model.past(), model.past().steps());
  fmt::print("{{\"what\":\"global model\",\"epochs\":{},\"cpu_seconds\":{:.2f}}}\n",
             settings.global_epochs, processor_seconds() - before);
  std::fflush(stdout);
  measure_epoch(model, kReNetForm, settings.lr, Batches(training.train, settings.batch, plan));
}

void agree(ReNetPyg& model, Batches batches, const std::string& path) {
  const double loss = model.loss(batches.facts(-1), 0);
  std::ofstream out(path, std::ios::binary);
  std::string names;
  for (std::size_t slot = 0; slot < model.program().parameters.size(); ++slot) {
    const Parameter& p = model.program().parameters[slot];
    names += fmt::format("{}[\"{}\",{},{}]", slot == 0 ? "" : ",", p.name, p.rows, p.cols);
    for (ParameterSet* set : {&model.values(), &model.gradients()})
      out.write(
          reinterpret_cast<const char*>(set->view(static_cast<int>(slot)).data),
          static_cast<std::streamsize>(sizeof(float) * set->slice_size(static_cast<int>(slot))));
  }
  if (!out.flush()) fail("{}: cannot be written; take another file for --agree", path);
  fmt::print("{{\"what\":\"agreement\",\"loss\":{:.9g},\"parameters\":[{}]}}\n", loss, names);
}

void measure_pyg(const std::string& path, HistorySettings settings, const Plan& plan) {
  const Training training(path);
  if (!plan.agree.empty()) settings.dropout = 0;
  ReNetPyg model(training.world(), settings, stream_key("bench re-net"), {});
  model.learn(training.train);
  const Batches batches(training.train, settings.batch, plan);
  if (!plan.agree.empty()) return agree(model, batches, plan.agree);
  measure_epoch(model, kReNetPygForm, settings.lr, batches);
}

}  // namespace
}  // namespace cupel::bench

int main(int argc, char** argv) {
  CLI::App app("RE-Net");
  std::string path;
  cupel::ReNetSettings settings;
  settings.global_epochs = 1;
  cupel::bench::Plan plan;
  bool pyg = false;
  app.add_option("FACTS", path)->required();
  app.add_option("--width", settings.width);
  app.add_option("--batches", plan.batches)->check(CLI::Range(1, 1'000'000));
  app.add_option("--global-epochs", settings.global_epochs);
  app.add_flag("!--own-masks", settings.shared_masks);
  app.add_flag("--drawn-order", plan.drawn_order);
  auto* form = app.add_flag("--pyg", pyg);
  app.add_option("--agree", plan.agree)->needs(form);
  CLI11_PARSE(app, argc, argv);
  return cupel::bench::exit_code_of([&] {
    if (!pyg) return cupel::bench::measure(path, settings, plan);
    cupel::bench::measure_pyg(path, settings, plan);
  });
}
