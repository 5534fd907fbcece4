// What a table of facts over time was asked, as far as it is not what is usual.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>

#include "cupel/base/words.h"
#include "cupel/judge/report/event_question.h"
#include "cupel/judge/report/event_scores.h"
#include "cupel/judge/stats/descriptive.h"
#include "cupel/learn/events/event_settings.h"
#include "cupel/learn/score/group_names.h"

namespace cupel::report {
namespace {

// Whether facts come to be known by batches of so many, wherever these end.
bool known_by_batches(const EventQuestion& asked) {
  return asked.whether() && asked.text("setting") == "single-step" &&
         asked.text("known") != "step" && asked.number("batch") > 0;
}

std::vector<std::string> settings_in_words(const EventQuestion& asked) {
  std::vector<std::string> out;
  if (asked.whether()) {
    const std::int64_t batch = asked.number("batch");
    const std::string batches =
        batch == 0 ? "steps of time" : fmt::format("batches of {} facts", grouped(batch));
    if (asked.text("average") == "batches")
      out.push_back(fmt::format("a score is the mean of those of {}", batches));
    if (asked.text("known") == "step")
      out.emplace_back("what is known is all before the asked time, and nothing of it");
    else if (batch == 0)
      out.emplace_back("facts of one time are asked, and then known, together");
    else if (batch != EventSettings().batch)
      out.push_back(fmt::format("{} facts are asked, and then known, together", grouped(batch)));
  } else {
    if (const std::string ends = asked.text("ends"); ends != "both")
      out.push_back(fmt::format("the {} of each fact is asked for, and no other end", ends));
    if (asked.text("candidates") == "type")
      out.emplace_back("candidates are the entities of the type that the relation has at that end");
    if (const std::int64_t sampled = asked.number("sampled"); sampled > 0)
      out.push_back(fmt::format("{} candidates are drawn for each question", grouped(sampled)));
  }
  if (const std::int64_t seed = asked.number("seed"); seed != 0)
    out.push_back(fmt::format("what is drawn is drawn by seed {}", seed));
  if (asked.holdout > 0)
    out.push_back(
        fmt::format("training lacks all facts of {:.4g} % of the nodes", 100 * asked.holdout));
  return out;
}

// How many steps of the data set's tests a batch ends within, over all splits; nothing where no run
// tells.
std::optional<double> cut_steps(const TableResults& table, const std::string& dataset) {
  static const std::string kName = to_text({std::string(kCutSteps), "all", "all"});
  for (const CellResults& cell : table.cells) {
    if (cell.dataset != dataset) continue;
    ScoresBySplit counts;
    for (const PlacedRun& run : cell.runs)
      for (const auto& [name, value] : run.record.other_scores)
        if (name == kName) counts[run.split].push_back(value);
    if (counts.empty()) continue;
    double total = 0;
    for (const auto& [split, mean] : split_means(counts)) total += mean;
    return total;
  }
  return std::nullopt;
}

// Runs from before steps were counted tell none.
std::vector<std::string> cut_notes(const TableResults& table, std::int64_t batch) {
  std::vector<std::string> cut;
  bool untold = false;
  for (const std::string& dataset : table.datasets) {
    const std::optional<double> steps = cut_steps(table, dataset);
    untold = untold || !steps;
    if (steps && *steps > 0)
      cut.push_back(fmt::format("{} of {}", counted(std::llround(*steps), "step"), dataset));
  }
  std::vector<std::string> out;
  if (!cut.empty())
    out.push_back(fmt::format(
        "Batches of {} facts cut steps of time in two, {}: the rest of such a step is asked with "
        "its earlier facts known.",
        grouped(batch), fmt::join(cut, ", ")));
  if (untold)
    out.push_back(fmt::format(
        "Where a batch of {} facts ends within a step of time, the rest of that step is asked with "
        "its earlier facts known.",
        grouped(batch)));
  return out;
}

}  // namespace

std::vector<std::string> event_notes(const TableResults& table) {
  std::optional<EventQuestion> asked;
  for (const CellResults& cell : table.cells)
    for (const PlacedRun& run : cell.runs)
      if (!asked) asked = event_question(run.record);
  std::vector<std::string> out;
  if (!asked) return out;
  if (const auto words = settings_in_words(*asked); !words.empty())
    out.push_back(fmt::format("How it was asked: {}.", fmt::join(words, "; ")));
  if (known_by_batches(*asked))
    for (std::string& note : cut_notes(table, asked->number("batch")))
      out.push_back(std::move(note));
  return out;
}

}  // namespace cupel::report
