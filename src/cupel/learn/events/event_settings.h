// How facts over time are asked about: the settings of the task "events".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/data/facts/negatives.h"

namespace cupel {

enum class EventFilter : std::uint8_t { kRaw, kTime, kStatic };
enum class EventEnds : std::uint8_t { kBoth, kTarget, kSource };

struct EventSettings {
  bool whether = false;     // is the fact true? Else: which entity is it?
  bool single_step = true;  // what happened is known once it was asked about
  // Which one.
  EventEnds ends = EventEnds::kBoth;
  bool of_type = false;  // candidates are of the type that the relation has at that end
  Offset sampled = 0;    // so many of them, drawn for each question; 0: all
  EventFilter filter = EventFilter::kTime;
  // Whether.
  const FactNegativeKind* negatives = nullptr;
  Options negative_settings;
  Offset batch = 200;     // facts asked, and then known, together; 0: those of one time
  bool by_batch = false;  // scores are means over batches
  bool by_step = false;   // facts are asked and known by steps of time; batches are of negatives
                          // that are drawn together, and of scores
  // Another number, other negatives or sampled candidates; 0 is how they were drawn before there
  // was a choice.
  std::int64_t seed = 0;
  // So many facts are asked before any of them is known; 0: those of one time.
  Offset known_together() const { return whether && !by_step ? batch : 0; }
};

[[nodiscard]] std::vector<OptionSpec> event_options();

// Throws Error naming `where` if they do not go together.
[[nodiscard]] EventSettings read_event_settings(const std::string& where, const Options& settings);

// Throws Error as read_event_settings(), and for a metric that the question does not have.
void check_event_settings(const std::string& where, const Options& settings,
                          const std::vector<std::string>& metrics);

// Names of the settings of the question that is not asked.
[[nodiscard]] std::vector<std::string> idle_event_settings(const Options& settings);

// What runs depend on: the settings of the question that is asked, and none of the other's.
[[nodiscard]] std::map<std::string, OptionValue> event_identity(const Options& settings);

}  // namespace cupel
