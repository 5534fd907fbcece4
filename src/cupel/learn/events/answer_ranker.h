// From the scores of all entities to the rank of the true ones, one query at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/learn/events/event_model.h"

namespace cupel {

// What a query is asked among.
struct RankedAmong {
  // Candidates are the entities of this type; empty types: all.
  std::span<const std::uint8_t> types;
  std::uint8_t type = 0;
  Index candidates = 0;           // how many these are
  std::span<const Index> filter;  // ascending; entities that do not count, but as a truth
  Offset sampled = 0;             // so many drawn of the rest; 0: all
  StreamKey key = {};             // of what is drawn
};

// Of one true answer: how many candidates score higher, as much, and how many there are. A truth is
// none of its own candidates.
struct PlaceCounts {
  Offset above = 0, ties = 0, candidates = 0;
  bool known = true;  // false: it scored minus infinity
};

// Answers that are the same as the last one, as those by popularity are, cost little more than the
// comparison. Holds 17 bytes for each entity. Not thread-safe.
class AnswerRanker {
 public:
  explicit AnswerRanker(Index entities);

  // The scores of one query, either form of EventAnswers. Throws Error for a score that is not a
  // number, std::logic_error for a wrong number of scores or an entity that is named twice.
  void set(std::span<const float> scores);
  void set(std::span<const EntityScore> named, float rest);

  bool any() const { return any_; }  // scores were set

  // Places of the truths under the scores that were set last. What is drawn for one of them depends
  // on the key and the number of its question alone. O(named log + truths log) for many truths,
  // O(named truths) for a few.
  void places(const RankedAmong& among, std::span<const Index> truths,
              std::span<const Offset> questions, std::span<PlaceCounts> out);

 private:
  bool is_candidate(const RankedAmong& among, Index entity) const {
    return among.types.empty() || among.types[static_cast<std::size_t>(entity)] == among.type;
  }
  // Scores of the candidates that are named, or of all; ascending if it pays.
  void gather(const RankedAmong& among, std::size_t truths);
  float score_of(Index entity) const { return scores_[static_cast<std::size_t>(entity)]; }
  PlaceCounts place_among_drawn(const RankedAmong& among, Index truth, Offset question) const;

  Index entities_;
  std::vector<float> scores_;           // of each entity
  std::vector<std::uint8_t> is_named_;  // of each entity
  std::vector<EntityScore> named_;
  bool all_named_ = false, any_ = false;
  float rest_ = 0;
  // Of the answer that was set last: scores of the candidates, as gather() left them.
  std::vector<float> candidates_;
  bool gathered_ = false, sorted_ = false;
  const std::uint8_t* gathered_types_ = nullptr;
  std::uint8_t gathered_type_ = 0;
  std::size_t truths_ = 0;       // compared with them so far
  std::vector<float> filtered_;  // scratch
};

}  // namespace cupel
