#include "epochs.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "cupel/learn/events/tgat.h"
#include "cupel/learn/events/tgn.h"
#include "measuring.h"

namespace cupel::bench {
namespace {

std::unique_ptr<TemporalNet> net_of(const Epochs& what, const EventWorld& world) {
  const StreamKey key = stream_key("bench epochs");
  if (what.net == "tgat") {
    TgatSettings settings;
    settings.trained_times = what.trained_times, settings.residual = what.residual;
    return std::make_unique<Tgat>(world, settings, key, Threads{1});
  }
  TgnSettings settings;
  settings.trained_times = what.trained_times;
  settings.form = what.pyg ? TgnForm::kPyg : TgnForm::kReleased;
  return std::make_unique<Tgn>(world, settings, key, Threads{1});
}

}  // namespace

void measure_epochs(const Epochs& what, const FactColumns& all, const TimeParts& parts,
                    Undirected undirected) {
  const EventWorld world{all.nodes, all.relations, undirected};
  const std::unique_ptr<TemporalNet> net = net_of(what, world);
  net->follow({true, what.by_step ? 0 : 200});
  for (int epoch = 0; epoch < what.epochs; ++epoch) {
    const double before = processor_seconds();
    const double loss = net->train_epoch(parts.train(all), epoch, {});
    const double seconds = processor_seconds() - before;
    const double valid = net->validate(parts.valid(all), {});
    const double test = net->validate(all.part(parts.valid_end, parts.test_end), {});
    fmt::print(
        "{{\"model\":\"{}\",\"epoch\":{},\"cpu_seconds\":{:.3f},\"loss\":{:.4f},\"valid\":{:.4f},"
        "\"test\":{:.4f}}}\n",
        what.net, epoch, seconds, loss, valid, test);
    std::fflush(stdout);
  }
}

}  // namespace cupel::bench
