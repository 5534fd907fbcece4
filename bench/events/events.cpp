// Cheap models of facts over time: what choosing, learning and scoring cost, as one JSON line each.
//
//   bench_events FACTS [--scores 10000000]
//   bench_events FACTS --net tgn|tgat [--epochs 5] [--known batch|step] [--trained-times]
//     [--residual] [--pyg]
//
// FACTS is any form that `cupel stats` reads. They are cut where the source cuts them, or else at
// 70 and 85 %. Times are processor time of one thread. "choose" is fit() of the recurrency
// baseline: 27 settings, each on all validation questions. "score" asks EdgeBank about facts drawn
// at random. With --net epochs of a temporal graph network are measured instead, on one thread;
// bench/peers/tgn.py is the peer.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <numeric>
#include <optional>

#include "cupel/base/random.h"
#include "cupel/data/facts/columns_of.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/learn/events/edge_bank.h"
#include "cupel/learn/events/recurrency.h"
#include "epochs.h"
#include "measuring.h"

namespace cupel::bench {
namespace {

// `mean` is that of the scores, where there are some.
void line(const char* model, const char* what, double seconds, Offset count,
          std::optional<double> mean = {}) {
  fmt::print(
      "{{\"model\":\"{}\",\"what\":\"{}\",\"cpu_seconds\":{:.3f},\"count\":{},"
      "\"per_second\":{:.0f}{}}}\n",
      model, what, seconds, count, static_cast<double>(count) / seconds,
      mean ? fmt::format(",\"mean\":{:.6f}", *mean) : "");
}

template <class Work>
double seconds_of(const Work& work) {
  const double before = processor_seconds();
  work();
  return processor_seconds() - before;
}

void measure(const std::string& path, std::size_t scores, const Epochs& epochs) {
  const TemporalFacts facts = read_facts(path);
  const FactColumns all = columns_of(facts);
  const TimeCuts cuts = facts.parts.size() == 3 ? cuts_of_parts(facts)
                                                : quantile_cuts(all.time, 0.7, 0.85, facts.name);
  const TimeParts parts = parts_at(all, cuts, facts.name);
  const std::vector<std::uint8_t> undirected = undirected_of(facts);
  if (!epochs.net.empty()) return measure_epochs(epochs, all, parts, undirected);
  const EventWorld world{all.nodes, all.relations, undirected};

  const auto recurrency = make_recurrency(world, {});
  line("recurrency", "choose",
       seconds_of([&] { recurrency->fit(parts.train(all), parts.valid(all), {}, {}); }),
       27 * 2 * parts.valid(all).size());
  line("recurrency", "learn", seconds_of([&] { recurrency->learn(parts.train(all)); }),
       parts.train_end);

  const auto bank = make_edge_bank(world, {});
  line("edge-bank", "learn", seconds_of([&] { bank->learn(parts.train(all)); }), parts.train_end);
  std::vector<Index> source(scores), relation(scores), target(scores);
  const std::vector<std::int64_t> time(scores, cuts.valid);
  Stream stream(stream_key("bench events"), 0);
  for (std::size_t i = 0; i < scores; ++i) {
    source[i] = static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(all.nodes)));
    relation[i] = static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(all.relations)));
    target[i] = static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(all.nodes)));
  }
  const FactColumns asked = {source, relation, target, time, all.nodes, all.relations};
  std::vector<float> out(scores);
  const double seconds = seconds_of([&] { bank->score(asked, out, {}); });
  line("edge-bank", "score", seconds, static_cast<Offset>(scores),
       std::accumulate(out.begin(), out.end(), 0.0) / static_cast<double>(scores));
}

}  // namespace
}  // namespace cupel::bench

int main(int argc, char** argv) {
  CLI::App app("Cheap models of facts over time");
  std::string path;
  std::size_t scores = 10'000'000;
  app.add_option("FACTS", path)->required();
  app.add_option("--scores", scores);
  cupel::bench::Epochs epochs;
  std::string known = "batch";
  app.add_option("--net", epochs.net)->check(CLI::IsMember({"tgn", "tgat"}));
  app.add_option("--epochs", epochs.epochs);
  app.add_option("--known", known)->check(CLI::IsMember({"batch", "step"}));
  app.add_flag("--trained-times", epochs.trained_times);
  app.add_flag("--residual", epochs.residual);
  app.add_flag("--pyg", epochs.pyg);
  CLI11_PARSE(app, argc, argv);
  epochs.by_step = known == "step";
  return cupel::bench::exit_code_of([&] { cupel::bench::measure(path, scores, epochs); });
}
