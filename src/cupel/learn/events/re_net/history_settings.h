// What the settings of RE-Net's forms have in common, by the names of ReNetSettings.
#pragma once

#include "cupel/base/options.h"
#include "cupel/learn/events/re_net/history_model.h"
#include "cupel/learn/events/setting_range.h"

namespace cupel {

template <class Settings>
Settings history_settings(const Options& options) {
  const auto number = [&](const char* name) { return static_cast<Index>(options.integer(name)); };
  Settings out;
  out.width = number("width");
  out.history = number("history");
  out.batch = number("batch");
  out.dropout = options.real("dropout");
  out.lr = options.real("lr");
  out.decay = options.real("decay");
  out.epochs = number("epochs");
  out.shared_masks = options.text("masks") == "shared";
  out.drawn_order = options.text("order") == "drawn";
  return out;
}

// Throws Error if one is out of range.
template <class Settings>
void check_history_settings(const char* model, const Settings& s, Index least_width) {
  require_range(model, "width", s.width, least_width, 1024);
  require_range(model, "history", s.history, 1, 1000);
  require_range(model, "batch", s.batch, 1, 1e6);
  require_range(model, "dropout", s.dropout, 0, 0.99);
  require_range(model, "lr", s.lr, 1e-12, 1e3);
  require_range(model, "decay", s.decay, 0, 1e3);
  require_range(model, "epochs", s.epochs, 0, 1e6);
}

template <class Settings>
ReNetShape history_shape(const EventWorld& world, const Settings& s) {
  return {world.entities, world.relations, s.width, s.dropout, s.shared_masks, s.decay};
}

// clip: of the gradient's norm; 0: never.
template <class Settings>
HistoryTraining history_training(const char* model, const Settings& s, double clip) {
  return {model, s.batch, s.lr, clip, s.epochs, s.drawn_order, s.valid_facts, s.logits};
}

}  // namespace cupel
