// EdgeBank: what was, will be.
#include "cupel/learn/events/edge_bank.h"

#include "cupel/learn/model.h"

namespace cupel {
namespace {

EdgeMemory memory_of(const std::string& text) {
  return text == "unlimited"           ? EdgeMemory::unlimited
         : text == "quantile-window"   ? EdgeMemory::quantile_window
         : text == "span-window"       ? EdgeMemory::span_window
         : text == "recurrence-window" ? EdgeMemory::recurrence_window
                                       : EdgeMemory::repeated;
}

std::unique_ptr<EventModel> make(const EventWorld& world, const Options& settings, StreamKey,
                                 Threads) {
  return make_edge_bank(world, {.memory = memory_of(settings.text("memory")),
                                .relations = settings.flag("relations"),
                                .share = settings.real("share")});
}

std::size_t bytes(const EventWorld& world, const Options&, Offset facts) {
  return 200 * static_cast<std::size_t>(facts) + 48 * static_cast<std::size_t>(world.entities);
}

}  // namespace

extern const ModelEntry model_edge_bank;
const ModelEntry model_edge_bank = {
    .name = "edge-bank",
    .title = "EdgeBank",
    .citation =
        "Poursafaei, Huang, Pelrine, Rabbany: Towards better evaluation for dynamic link "
        "prediction. NeurIPS 2022.",
    .equations = {"score(s, r, o, t) = 1 if (s, r, o) is remembered at t, else 0"},
    .disagreements =
        {{"memory",
          "the window: in the paper's code from the 0.85 quantile of the times learnt, in that of "
          "the Temporal Graph Benchmark the last 15 % of the span of time; both are choices"}},
    .options =
        {{.name = "memory",
          .fallback = std::string("unlimited"),
          .doc = "What is remembered: all, what is in a window of time, or what was repeated at "
                 "least as often as the mean fact.",
          .choices = {"unlimited", "quantile-window", "span-window", "recurrence-window",
                      "repeated"}},
         {.name = "relations",
          .fallback = true,
          .doc = "Whether facts are remembered with their relation, or as pairs."},
         {.name = "share",
          .fallback = 0.15,
          .doc = "The share of facts, or of time, in the first two windows.",
          .min = 1e-9,
          .max = 1}},
    .unit = Unit::kFact,
    .events = make,
    .event_bytes = bytes};

}  // namespace cupel
