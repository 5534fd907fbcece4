// What most models declare alike.
#pragma once

#include "cupel/learn/model.h"

namespace cupel {

inline OptionSpec hidden_option(std::int64_t fallback) {
  return {.name = "hidden",
          .fallback = fallback,
          .doc = "Width of the hidden layer.",
          .min = 1,
          .max = 65536};
}
inline OptionSpec learning_rate_option(double fallback) {
  return {
      .name = "lr", .fallback = fallback, .doc = "Learning rate of Adam.", .min = 1e-8, .max = 10};
}
inline OptionSpec dropout_option(double fallback) {
  return {.name = "dropout",
          .fallback = fallback,
          .doc = "Probability of dropping an input of a layer.",
          .min = 0,
          .max = 0.99};
}
inline OptionSpec l2_option(double fallback) {
  return {.name = "l2",
          .fallback = fallback,
          .doc = "The loss gains l2 / 2 times the sum of squares of the regularised weights.",
          .min = 0,
          .max = 1e6};
}

// The same penalty as PyTorch's optimisers state it; `of` names the parameters.
inline OptionSpec weight_decay_option(double fallback, const std::string& of) {
  return {.name = "l2",
          .fallback = fallback,
          .doc = "The gradient of " + of + " gains l2 times their value.",
          .min = 0,
          .max = 1e6};
}

// Which parameters the penalty is on, where a model's paper has it on some of them: `some`, which
// `which` describes. PyTorch's optimisers decay all that they are given.
inline OptionSpec l2_on_option(const std::string& some, const std::string& which) {
  return {.name = "l2_on",
          .fallback = some,
          .doc = "What L2 is on: " + which + ", or all parameters, biases among them.",
          .choices = {some, "all"},
          .later = true};
}
inline OptionSpec drop_features_option() {
  return {.name = "drop_features",
          .fallback = true,
          .doc = "Drop the features as well as the hidden layer.",
          .later = true};
}

inline OptionSpec count_option(const std::string& name, std::int64_t fallback,
                               const std::string& doc, double min = 1, double max = 64) {
  return {.name = name, .fallback = fallback, .doc = doc, .min = min, .max = max};
}
inline OptionSpec real_option(const std::string& name, double fallback, const std::string& doc,
                              double min, double max) {
  return {.name = name, .fallback = fallback, .doc = doc, .min = min, .max = max};
}
inline OptionSpec switch_option(const std::string& name, bool fallback, const std::string& doc) {
  return {.name = name, .fallback = fallback, .doc = doc};
}

// A bias that starts at zero and is regularised: Builder::zeros() where `l2` is 0.
inline Value zero_bias(Builder& b, const std::string& name, Index columns, double l2) {
  return b.parameter({.name = name,
                      .rows = 1,
                      .cols = columns,
                      .init = Parameter::Init::kFill,
                      .fill = {0.0f},
                      .l2 = l2});
}

}  // namespace cupel
