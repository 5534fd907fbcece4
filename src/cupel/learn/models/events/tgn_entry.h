// What the two forms of TGN share as entries of the registry.
#pragma once

#include <memory>
#include <vector>

#include "cupel/learn/events/tgn.h"
#include "cupel/learn/model.h"

namespace cupel {

// An entry whose settings are those of tgn_options().
template <TgnForm form>
struct TgnEntry {
  static TgnSettings settings(const Options& options) {
    return {.width = static_cast<Index>(options.integer("width")),
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
  static std::size_t bytes(const EventWorld& world, const Options& options, Offset) {
    return tgn_bytes(world, settings(options));
  }
};

inline std::vector<OptionSpec> tgn_options(bool trained_times) {
  return {{.name = "width",
           .fallback = std::int64_t{100},
           .doc = "Width of states, of the encoding of times and of embeddings.",
           .min = 1,
           .max = 1024},
          {.name = "neighbours",
           .fallback = std::int64_t{10},
           .doc = "How many of the last neighbours are attended to.",
           .min = 1,
           .max = 1000},
          {.name = "batch",
           .fallback = std::int64_t{200},
           .doc = "Facts that are scored and learnt together.",
           .min = 1,
           .max = 1e6},
          {.name = "dropout",
           .fallback = 0.1,
           .doc = "Share of weights of attention that are left out in training.",
           .min = 0,
           .max = 0.99},
          {.name = "trained_times",
           .fallback = trained_times,
           .doc = "Whether the frequencies by which times are encoded are trained."},
          {.name = "lr", .fallback = 1e-4, .doc = "Adam's step.", .min = 1e-12, .max = 1e3},
          {.name = "epochs",
           .fallback = std::int64_t{50},
           .doc = "Passes over training at most.",
           .min = 0,
           .max = 1e6},
          {.name = "patience",
           .fallback = std::int64_t{5},
           .doc = "Epochs without a better validation score after which training ends.",
           .min = 1,
           .max = 1e6}};
}

}  // namespace cupel
