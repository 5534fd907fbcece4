// The settings that RE-Net's forms have in common.
#pragma once

#include <string>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/learn/events/event_model.h"
#include "cupel/learn/events/re_net/history_shape.h"
#include "cupel/learn/events/setting_range.h"

namespace cupel {

struct HistorySettings {
  Index width = 200;   // of embeddings and states
  Index history = 10;  // the last steps that are gone through
  Index batch = 1024;  // facts of a step of Adam
  double dropout = 0.5;
  double lr = 1e-3;  // Adam's
  double decay = 1e-5;
  Index epochs = 20;
  bool shared_masks = true;   // of dropout: see ReNetShape
  bool drawn_order = false;   // of the facts of an epoch, anew for each; else that of time
  Offset valid_facts = 4000;  // of validation, drawn, that choose the epoch
  Offset logits = 1 << 24;    // that are held at a time: 200 MB with their parts

  static constexpr double kMostWidth = 1024;  // the least is a form's
  static constexpr SettingRange kHistory = {1, 1000}, kBatch = {1, 1e6}, kDropout = {0, 0.99},
                                kLr = {1e-12, 1e3}, kDecay = {0, 1e3}, kEpochs = {0, 1e6};
};

// What a form fixes.
struct HistoryForm {
  const char* name;  // of the model: errors begin with it
  Index least_width;
  double clip;       // of the gradient's norm; 0: never
  bool drawn_order;  // where options do not say
};

// Throws Error if one is out of range.
void check_history_settings(const HistoryForm& form, const HistorySettings& settings);

// What a form says of its options, a sentence of each.
struct HistoryDocs {
  const char *width, *history, *dropout, *masks, *order;
  bool later = false;  // masks and order are: see OptionSpec
};
// By which a model declares them: width, history, batch, dropout, lr, decay, epochs, masks, order.
[[nodiscard]] std::vector<OptionSpec> history_options(const HistoryForm& form,
                                                      const HistoryDocs& docs);
[[nodiscard]] HistorySettings history_settings(const Options& options);

[[nodiscard]] ReNetShape history_shape(const EventWorld& world, const HistorySettings& settings);

}  // namespace cupel
