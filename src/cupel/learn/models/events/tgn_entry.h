// What the two forms of TGN share as entries of the registry.
#pragma once

#include <memory>
#include <vector>

#include "cupel/learn/events/tgn.h"
#include "cupel/learn/model.h"
#include "cupel/learn/models/events/temporal_options.h"

namespace cupel {

// An entry whose settings are those of tgn_options().
template <TgnForm form>
struct TgnEntry {
  static TgnSettings settings(const Options& options) {
    return {
        .width = static_cast<Index>(options.integer("width")),
        .layers = form == TgnForm::kReleased ? static_cast<Index>(options.integer("layers")) : 1,
        .neighbours = static_cast<Index>(options.integer("neighbours")),
        .batch = static_cast<Index>(options.integer("batch")),
        .dropout = options.real("dropout"),
        .lr = options.real("lr"),
        .trained_times = options.flag("trained_times"),
        .form = form,
        .epochs = static_cast<Index>(options.integer("epochs")),
        .patience = static_cast<Index>(options.integer("patience"))};
  }
  static std::unique_ptr<EventModel> make(const EventWorld& world, const Options& options,
                                          StreamKey key, Threads threads) {
    return std::make_unique<Tgn>(world, settings(options), key, threads);
  }
  static std::size_t bytes(const EventWorld& world, const Options& options, Offset facts) {
    return tgn_bytes(world, settings(options), facts);
  }
};

template <TgnForm form>
std::vector<OptionSpec> tgn_options() {
  auto out = with_training_options(
      {count_option("width", 100, 1, 1024,
                    "Width of states, of the encoding of times and of embeddings."),
       count_option("neighbours", 10, 1, 1000, "How many of the last neighbours are attended to.")},
      form == TgnForm::kPyg);
  if (form == TgnForm::kPyg) return out;
  OptionSpec layers =
      count_option("layers", 1, 1, 3,
                   "Layers of attention; further ones reach the neighbours of neighbours, each "
                   "before the asked time.");
  layers.later = true;
  out.push_back(std::move(layers));
  return out;
}

}  // namespace cupel
