#include "cupel/learn/events/re_net/history_settings.h"

namespace cupel {
namespace {

using S = HistorySettings;

SettingRange widths(const HistoryForm& form) {
  return {static_cast<double>(form.least_width), S::kMostWidth};
}

}  // namespace

void check_history_settings(const HistoryForm& form, const HistorySettings& s) {
  const auto require = [&](const char* what, double value, SettingRange range) {
    require_range(form.name, what, value, range);
  };
  require("width", s.width, widths(form));
  require("history", s.history, S::kHistory);
  require("batch", s.batch, S::kBatch);
  require("dropout", s.dropout, S::kDropout);
  require("lr", s.lr, S::kLr);
  require("decay", s.decay, S::kDecay);
  require("epochs", s.epochs, S::kEpochs);
}

std::vector<OptionSpec> history_options(const HistoryForm& form, const HistoryDocs& docs) {
  const HistorySettings s;
  const auto words = [&](const char* name, const char* fallback, const char* doc,
                         std::vector<std::string> choices) {
    return OptionSpec{.name = name,
                      .fallback = std::string(fallback),
                      .doc = doc,
                      .choices = std::move(choices),
                      .later = docs.later};
  };
  return {number_option("width", s.width, widths(form), docs.width),
          number_option("history", s.history, S::kHistory, docs.history),
          number_option("batch", s.batch, S::kBatch, "Facts of a step of Adam."),
          number_option("dropout", s.dropout, S::kDropout, docs.dropout),
          number_option("lr", s.lr, S::kLr, "Adam's step."),
          number_option("decay", s.decay, S::kDecay,
                        "Weight of the squares of all parameters in the loss, halved."),
          number_option("epochs", s.epochs, S::kEpochs, "Passes over training."),
          words("masks", "shared", docs.masks, {"shared", "own"}),
          words("order", form.drawn_order ? "drawn" : "time", docs.order, {"time", "drawn"})};
}

HistorySettings history_settings(const Options& options) {
  const auto number = [&](const char* name) { return static_cast<Index>(options.integer(name)); };
  return {.width = number("width"),
          .history = number("history"),
          .batch = number("batch"),
          .dropout = options.real("dropout"),
          .lr = options.real("lr"),
          .decay = options.real("decay"),
          .epochs = number("epochs"),
          .shared_masks = options.text("masks") == "shared",
          .drawn_order = options.text("order") == "drawn"};
}

ReNetShape history_shape(const EventWorld& world, const HistorySettings& s) {
  return {world.entities, world.relations, s.width, s.dropout, s.shared_masks, s.decay};
}

}  // namespace cupel
