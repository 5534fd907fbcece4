// What most models declare alike.
#pragma once

#include "cupel/learn/models/model.h"

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

template <class Model>
std::unique_ptr<TrainableModel> make_trainable(const Options& options) {
  return std::make_unique<Model>(options);
}
template <class Model>
std::unique_ptr<DirectModel> make_direct(const Options& options) {
  return std::make_unique<Model>(options);
}

}  // namespace cupel
