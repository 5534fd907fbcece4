// RE-Net: what training costs, as one JSON line each.
//
//   bench_re_net FACTS [--width 200] [--batches 8] [--global-epochs 1] [--own-masks]
//       [--drawn-order]
//
// FACTS is any form that `cupel stats` reads. Times are processor time of one thread. "epoch" takes
// so many batches of 1024 facts, spread evenly over training, after the last one, which does not
// count, and says what all would take. With --drawn-order each batch is spread over all of
// training. bench/peers/re_net.py does the same with PyTorch.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cupel/data/facts/chosen_facts.h"
#include "cupel/data/facts/columns_of.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/engine/nn/adam.h"
#include "cupel/learn/events/re_net/re_net.h"
#include "measuring.h"

namespace cupel::bench {
namespace {

void measure(const std::string& path, const ReNetSettings& settings, Offset batches) {
  const TemporalFacts facts = read_facts(path);
  const FactColumns all = columns_of(facts);
  const TimeCuts cuts = facts.parts.size() == 3 ? cuts_of_parts(facts)
                                                : quantile_cuts(all.time, 0.7, 0.85, facts.name);
  const TimeParts parts = parts_at(all, cuts, facts.name);
  const FactColumns train = parts.train(all);
  const std::vector<std::uint8_t> undirected = undirected_of(facts);
  ReNet model({all.nodes, all.relations, undirected, {}}, settings, stream_key("bench re-net"), {});
  model.learn(train);
  double before = processor_seconds();
  model.global().fit(model.past(), {});
  (void)model.global().states(model.past());
  fmt::print("{{\"what\":\"global model\",\"epochs\":{},\"cpu_seconds\":{:.2f}}}\n",
             settings.global_epochs, processor_seconds() - before);
  std::fflush(stdout);

  Adam adam(model.program().parameters, settings.lr, {1e-8, true});
  adam.clip(1);
  const Offset full = train.size() / settings.batch;
  batches = std::min(batches, full);
  // The last one warms up: histories are longest there, so that memory need not grow any more.
  double seconds = 0;
  ChosenFacts chosen;
  std::vector<Offset> numbers(static_cast<std::size_t>(settings.batch));
  for (Offset i = -1; i < batches; ++i) {
    const Offset begin = (i < 0 ? full - 1 : (2 * i + 1) * full / (2 * batches)) * settings.batch;
    before = processor_seconds();
    FactColumns facts = train.part(begin, begin + settings.batch);
    if (settings.drawn_order) {
      for (Offset k = 0; k < settings.batch; ++k)
        numbers[static_cast<std::size_t>(k)] = i + 1 + k * full;
      facts = chosen.choose(train, numbers);
    }
    const double loss = model.loss(facts, static_cast<std::uint32_t>(i + 1));
    const double half = processor_seconds();
    (void)adam.step(model.values(), model.gradients(), {});
    if (i >= 0) seconds += processor_seconds() - before;
    fmt::print(
        "{{\"what\":\"batch\",\"first\":{},\"loss\":{:.4f},\"cpu_seconds\":{:.3f},"
        "\"of_adam\":{:.3f}}}\n",
        begin, loss, processor_seconds() - before, processor_seconds() - half);
    std::fflush(stdout);
  }
  fmt::print("{{\"what\":\"epoch\",\"batches\":{},\"of\":{},\"cpu_seconds\":{:.1f}}}\n", batches,
             full, seconds / static_cast<double>(batches) * static_cast<double>(full));
}

}  // namespace
}  // namespace cupel::bench

int main(int argc, char** argv) {
  CLI::App app("RE-Net");
  std::string path;
  cupel::ReNetSettings settings;
  settings.global_epochs = 1;
  cupel::Offset batches = 8;
  app.add_option("FACTS", path)->required();
  app.add_option("--width", settings.width);
  app.add_option("--batches", batches);
  app.add_option("--global-epochs", settings.global_epochs);
  app.add_flag("!--own-masks", settings.shared_masks);
  app.add_flag("--drawn-order", settings.drawn_order);
  CLI11_PARSE(app, argc, argv);
  return cupel::bench::exit_code_of([&] { cupel::bench::measure(path, settings, batches); });
}
