// Names of metrics, and the entries behind them.
#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/registry.h"
#include "cupel/learn/score/group_names.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {

#include "metric_registry.inc"

namespace {

bool is_of(const MetricEntry& entry, AnswerForm form) {
  switch (form) {
    case AnswerForm::kClasses:
      return entry.of_classes != nullptr;
    case AnswerForm::kTasks:
      return entry.over_tasks != OverTasks::kNever;
    case AnswerForm::kPool:
      return entry.of_pool != nullptr;
    case AnswerForm::kRanks:
      return entry.of_ranks != nullptr;
  }
  return false;
}

bool is_of_any(const MetricEntry& entry, const std::vector<AnswerForm>& forms) {
  return std::ranges::any_of(forms, [&](AnswerForm form) { return is_of(entry, form); });
}

// As messages say what a metric is not one of.
const char* words_of(AnswerForm form) {
  switch (form) {
    case AnswerForm::kClasses:
      return "classes";
    case AnswerForm::kTasks:
      return "several tasks";
    case AnswerForm::kPool:
      return "a pool of positives and negatives";
    case AnswerForm::kRanks:
      return "ranks";
  }
  return "";
}

const MetricEntry* find_entry(const std::string& name) {
  const std::string stem = name.substr(0, name.find_first_of("@:"));
  for (const MetricEntry* entry : metric_entries())
    if (entry->name == stem) return entry;
  return nullptr;
}

// The settings that a name of this entry writes, as "name=value".
std::vector<std::string> written_settings(const MetricEntry& entry, const std::string& name) {
  std::vector<std::string> out;
  const std::size_t colon = std::min(name.find(':'), name.size());
  const std::string head = name.substr(0, colon);
  if (const std::size_t at = head.find('@'); at != std::string::npos) {
    if (entry.at.empty()) fail("metric '{}' has no number; write {}", name, entry.name);
    out.push_back(fmt::format("{}={}", entry.at, head.substr(at + 1)));
  } else if (!entry.at.empty()) {
    fail("metric '{}' needs a number; write {}@10", name, entry.name);
  }
  if (colon == name.size()) return out;
  for (std::size_t begin = colon + 1, end = 0; end != std::string::npos; begin = end + 1) {
    end = name.find(',', begin);
    out.push_back(name.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return out;
}

Metric read(const MetricEntry& entry, const std::string& name) {
  return {&entry, parse_options(fmt::format("metric '{}'", name), entry.settings,
                                written_settings(entry, name))};
}

// Settings that are neither at their defaults nor behind '@', each `between` from its value.
std::vector<std::string> told_settings(const Metric& metric, const char* between) {
  std::vector<std::string> out;
  for (const OptionSpec& spec : metric.entry->settings) {
    const OptionValue& value = metric.settings.all().at(spec.name);
    if (spec.name != metric.entry->at && value != spec.fallback)
      out.push_back(spec.name + between + to_text(value));
  }
  return out;
}

std::string with_number(const Metric& metric, const std::string& name) {
  const std::string& at = metric.entry->at;
  return at.empty() ? name : fmt::format("{}@{}", name, metric.settings.integer(at));
}

}  // namespace

const std::vector<const MetricEntry*>& metric_entries() {
  static const std::vector<const MetricEntry*> all =
      sorted_entries(metric_registry(), &MetricEntry::name);
  return all;
}

std::string Metric::name() const {
  const std::vector<std::string> told = told_settings(*this, "=");
  const std::string stem = with_number(*this, entry->name);
  return told.empty() ? stem : fmt::format("{}:{}", stem, fmt::join(told, ","));
}

std::string Metric::words() const {
  const std::vector<std::string> told = told_settings(*this, ": ");
  const std::string stem = with_number(*this, entry->words);
  return told.empty() ? stem : fmt::format("{} ({})", stem, fmt::join(told, ", "));
}

bool Metric::is_of(AnswerForm form) const { return cupel::is_of(*entry, form); }

Offset Metric::candidates_needed() const {
  return entry->candidates_needed == nullptr ? 0 : entry->candidates_needed(settings);
}

std::optional<Metric> find_metric(const std::string& name) {
  const MetricEntry* entry = find_entry(name);
  if (entry == nullptr) return std::nullopt;
  try {
    return read(*entry, name);
  } catch (const Error&) {
    return std::nullopt;
  }
}

Metric parse_metric(const std::string& where, const std::string& name,
                    const std::vector<AnswerForm>& forms) {
  const std::string begin = where.empty() ? "" : where + ": ";
  const std::vector<std::string> known = metric_names(forms);
  const MetricEntry* entry = find_entry(name);
  if (entry == nullptr) {
    const std::string near = nearest_name(name, known);
    fail("{}no metric is called '{}'{}; known are: {}", begin, name,
         near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), fmt::join(known, ", "));
  }
  if (!is_of_any(*entry, forms)) {
    std::vector<std::string> words;
    for (const AnswerForm form : forms) words.emplace_back(words_of(form));
    fail("{}metric '{}' is not one of {}; take one of: {}", begin, name, fmt::join(words, " or "),
         fmt::join(known, ", "));
  }
  try {
    return read(*entry, name);
  } catch (const Error& error) {
    fail("{}{}", begin, error.what());
  }
}

std::vector<std::string> metric_names(const std::vector<AnswerForm>& forms) {
  std::vector<std::string> names;
  for (const MetricEntry* entry : metric_entries())
    if (is_of_any(*entry, forms)) names.push_back(entry->name + (entry->at.empty() ? "" : "@K"));
  return names;
}

std::vector<std::string> kept_metric_names(const std::vector<AnswerForm>& forms) {
  std::vector<std::string> names;
  for (const MetricEntry* entry : metric_entries())
    if (is_of_any(*entry, forms)) names.insert(names.end(), entry->kept.begin(), entry->kept.end());
  return names;
}

std::string form_of_metric(const std::string& name, const std::string& form) {
  for (const MetricEntry* entry : metric_entries())
    if (entry->form_of == name && entry->form == form) return entry->name;
  return name;
}

MetricScale scale_of_metric(const std::string& name) {
  if (const auto group = parse_group_name(name))
    return is_count(*group) ? kCounts : scale_of_metric(group->metric);
  const MetricEntry* entry = find_entry(name);
  return entry == nullptr ? kFractions : entry->scale;
}

bool counts_hits(const std::string& name) {
  const MetricEntry* entry = find_entry(name);
  return entry != nullptr && entry->counts_hits;
}

}  // namespace cupel
