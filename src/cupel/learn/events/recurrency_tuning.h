// How the recurrency baseline finds its two numbers.
#pragma once

#include <span>
#include <vector>

#include "cupel/learn/events/event_model.h"
#include "cupel/learn/events/recurrency_terms.h"

namespace cupel {

inline constexpr double kRecurrencyLambdas[] = {0,    0.0001, 0.0005, 0.001, 0.005, 0.01, 0.02,
                                                0.04, 0.06,   0.08,   0.1,   0.5,   0.9,  1.0001};
inline constexpr double kRecurrencyAlphas[] = {0,   0.00001, 0.0001, 0.001,  0.01,    0.1, 0.5,
                                               0.9, 0.99,    0.999,  0.9999, 0.99999, 1};

// One direction of a relation.
enum class RecurrencyAsked { targets, sources, both };  // both: a relation without direction

// What is asked in validation: facts `valid` of `facts_of_valid`, after those `train`, by number.
struct RecurrencyTrial {
  const FactColumns& train_facts;
  const FactColumns& valid_facts;
  std::span<const Offset> train, valid;
  RecurrencyAsked asked = RecurrencyAsked::targets;
  Index entities = 0;
  bool single_step = true;
  std::int64_t unit = 1, window = 0;  // window: in the facts' time
};

// Sums of reciprocal ranks, lambdas x alphas, all in one pass.
[[nodiscard]] std::vector<double> reciprocal_ranks(const RecurrencyTrial& trial,
                                                   std::span<const double> lambdas,
                                                   std::span<const double> alphas,
                                                   const RunLimits& limits);

// Calls take(given, object) for what a fact says in a direction.
template <class Take>
void for_ends(const FactColumns& facts, Offset fact, RecurrencyAsked asked, const Take& take) {
  const Index s = facts.source[static_cast<std::size_t>(fact)];
  const Index o = facts.target[static_cast<std::size_t>(fact)];
  if (asked != RecurrencyAsked::sources) take(s, o);
  if (asked == RecurrencyAsked::sources || (asked == RecurrencyAsked::both && s != o)) take(o, s);
}

}  // namespace cupel
