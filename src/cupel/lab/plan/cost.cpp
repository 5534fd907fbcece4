#include "cupel/lab/plan/cost.h"

#include <algorithm>
#include <variant>

#include "cupel/data/facts/facts.h"

namespace cupel {
namespace {

// No single run counts more: 30 years. Sums of runs stay far below what 64 bits hold.
constexpr std::uint64_t kMost = std::uint64_t{1} << 40;

std::uint64_t whole_setting(const Family& family, const char* name, std::uint64_t otherwise) {
  const auto& settings = family.model.settings.all();
  const auto found = settings.find(name);
  if (found == settings.end() || !std::holds_alternative<std::int64_t>(found->second))
    return otherwise;
  const std::int64_t value = std::get<std::int64_t>(found->second);
  return std::clamp<std::int64_t>(value, 0, 1 << 20);
}

// Of hidden layers. `hidden` = 0 is the width of the output, which for links is `dimension`.
std::uint64_t width_of(const Family& family) {
  const std::uint64_t hidden = whole_setting(family, "hidden", 64);
  return hidden > 0 ? hidden : whole_setting(family, "dimension", 64);
}

std::uint64_t epochs_of(const Family& family) {
  if (family.model.deterministic) return 50;
  const int most = std::max(family.rule.max_epochs, 1);
  return static_cast<std::uint64_t>(family.rule.patience == 0 ? most : std::min(most, 200));
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > kMost / a ? kMost : a * b;
}

std::uint64_t work_over_time(const Family& family, const TemporalFacts& known) {
  const auto facts = static_cast<std::uint64_t>(known.facts()),
             entities = static_cast<std::uint64_t>(known.entities());
  const bool ranked = family.task_settings.text("question") == "which";
  const std::uint64_t width = whole_setting(family, "width", whole_setting(family, "dimension", 0));
  const std::uint64_t learnt =
      ranked ? product(18 * entities, width)
             : product(12 * whole_setting(family, "neighbours", 10), width * width);
  // Of a fact, in thousands.
  const std::uint64_t fact = (ranked ? entities / 10 : 1) / 1000 + 1 +
                             product(learnt / 50'000, whole_setting(family, "epochs", 0));
  return std::clamp<std::uint64_t>(product(fact, facts) / 1000, 1, kMost);
}

}  // namespace

std::uint64_t rough_work(const Family& family) {
  const Dataset& data = family.dataset->data->data();
  if (data.facts != nullptr) return work_over_time(family, *data.facts);
  const std::uint64_t hidden = width_of(family);
  const std::uint64_t layers = whole_setting(family, "layers", 0);
  const auto whole = [](auto count) { return static_cast<std::uint64_t>(count); };
  const std::uint64_t touched =
      whole(feature_entries(data.features)) +
      whole(data.adjacency.entries()) * std::max<std::uint64_t>(layers, 1);
  // Of an epoch, in thousands, so that small graphs keep some digits.
  const std::uint64_t sparse = touched * hidden / 1000 + 1;
  const std::uint64_t dense = whole(data.nodes()) * hidden / 1000 * hidden * layers / 5;
  const std::uint64_t epoch = std::min(sparse + dense, kMost);
  return std::clamp<std::uint64_t>(epoch * epochs_of(family) / 1000, 1, kMost);
}

}  // namespace cupel
