// What a model of facts over time is: it learns what has happened, and says what happens next.
//
// The names of what is asked are those of Jin et al., "Recurrent Event Network", EMNLP 2020,
// section 2: (s, r, ?, t) and (?, r, o, t).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/base/parallel.h"
#include "cupel/base/random.h"
#include "cupel/data/facts/columns.h"

namespace cupel {

// What is known of facts before any is seen. The spans must outlive whoever keeps it.
struct EventWorld {
  Index entities = 0, relations = 0;
  // Per relation 1 if (s, r, o) and (o, r, s) say the same; empty: none is so. A model treats both
  // alike, and facts have one of the two orders.
  Undirected undirected;
  std::vector<std::string> relation_names = {};  // for settings that name one
};

// What comes to be known, and when.
struct EventRules {
  // True: what happened is known once it was asked about. False: nothing of a part is known while
  // the part is asked.
  bool single_step = true;
  // Single-step: so many facts are asked before any of them is known; 0: those of one time.
  Offset batch = 0;
  // Whether all that happened before the asked time is known.
  bool all_before() const { return single_step && batch == 0; }
};

// An open end: which entity is at it?
struct EventQuery {
  Index given = 0;  // the entity at the other end
  Index relation = 0;
  bool source_asked = false;  // (?, r, given), else (given, r, ?)
};

struct EntityScore {
  Index entity = 0;
  float score = 0;
};

// Takes the answers to queries, one after another: a score for every entity, larger meaning more
// likely. Minus infinity says that the model knows nothing of an entity. Candidates are picked from
// the entities by whoever asks. Throws Error for a score that is not a number.
class EventAnswers {
 public:
  virtual ~EventAnswers() = default;
  // Of each entity, in their order.
  virtual void all(std::span<const float> scores) = 0;
  // Of the entities that are named, each once, in any order; all others have `rest`. Costs what the
  // named ones cost.
  virtual void some(std::span<const EntityScore> named, float rest) = 0;
  // In place of either: all entities stand as by the last answer, the same above the same, and ties
  // are the same ties. True: taken, at no cost. False: only scores will do, and nothing was taken.
  virtual bool as_before() { return false; }
};

// Whole numbers up to here are floats, so that sums and products of counts below it neither join
// what differs nor part what is equal.
inline constexpr std::int64_t kMostExactFloat = std::int64_t{1} << 24;

// Not thread-safe. Results do not depend on the number of threads.
class EventModel {
 public:
  virtual ~EventModel() = default;

  // Once, before all else: chooses what the model leaves open. `train` is what the parts that
  // follow will be asked after, and `valid` are facts whose answers may be seen, later than all of
  // `train`. Learns nothing for good: learn() is given all of it again. Throws Interrupted or
  // TimedOut.
  virtual void fit([[maybe_unused]] const FactColumns& train,
                   [[maybe_unused]] const FactColumns& valid,
                   [[maybe_unused]] const EventRules& rules,
                   [[maybe_unused]] const RunLimits& limits) {}

  // Facts that have come to be known, in the order of time and later than what was learnt before,
  // or of the last time of it. The columns need not outlive the call.
  virtual void learn(const FactColumns& facts) = 0;

  // One answer to each query, in their order. `time` is that of all of them, and not before what
  // was learnt. Throws Interrupted or TimedOut.
  virtual void rank(std::int64_t time, std::span<const EventQuery> queries, EventAnswers& out,
                    const RunLimits& limits) = 0;

  // One finite score for each of `asked`, in their order: how likely the fact is at its time, by
  // what was learnt. The sizes are equal.
  virtual void score(const FactColumns& asked, std::span<float> scores,
                     const RunLimits& limits) = 0;
};

}  // namespace cupel
