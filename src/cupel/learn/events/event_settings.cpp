#include "cupel/learn/events/event_settings.h"

#include "cupel/base/error.h"
#include "cupel/base/named_settings.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

OptionSpec choice(const char* name, const char* fallback, const char* doc,
                  std::vector<std::string> choices) {
  return {
      .name = name, .fallback = std::string(fallback), .doc = doc, .choices = std::move(choices)};
}

OptionSpec number(const char* name, std::int64_t fallback, const char* doc, double max) {
  return {.name = name, .fallback = fallback, .doc = doc, .min = 0, .max = max};
}

}  // namespace

std::vector<OptionSpec> event_options() {
  return {
      choice("question", "which",
             "which entity is at the open end of a fact, or whether a fact is true",
             {"which", "whether"}),
      choice("setting", "single-step",
             "what happened is known once it was asked about (single-step), or nothing of a part "
             "is known while the part is asked (multi-step)",
             {"single-step", "multi-step"}),
      choice("ends", "both", "which: the end that is asked for", {"both", "target", "source"}),
      choice("candidates", "all",
             "which: all entities, or those of the type that the relation has at that end",
             {"all", "type"}),
      number("sampled", 0, "which: so many candidates, drawn for each question; 0: all of them",
             1e9),
      choice("filter", "time",
             "which: other true answers stand among the candidates (raw), or are taken out, those "
             "of the same time (time) or of any time up to the end of the part (static)",
             {"raw", "time", "static"}),
      {.name = "negatives",
       .fallback = std::string("random"),
       .doc = "whether: what true facts are told from, a kind of negatives and its settings, "
              "\"historical\""},
      number("batch", 200, "whether: facts asked, and then known, together; 0: those of one time",
             1e9),
      choice("average", "pooled",
             "whether: one score of all facts (pooled), or the mean of a score for each batch "
             "(batches)",
             {"pooled", "batches"}),
      choice("known", "batch",
             "whether: what is known of the past of a fact that is asked, all before its batch "
             "(batch) or all before its time (step)",
             {"batch", "step"}),
      {.name = "seed",
       .fallback = std::int64_t{0},
       .doc = "another number draws other negatives, or other candidates where these are sampled",
       .min = 0,
       .max = 1e9,
       .later = true},
  };
}

EventSettings read_event_settings(const std::string& where, const Options& settings) {
  EventSettings out;
  out.whether = settings.text("question") == "whether";
  out.single_step = settings.text("setting") == "single-step";
  const std::string &ends = settings.text("ends"), &filter = settings.text("filter");
  out.ends = ends == "both"     ? EventEnds::kBoth
             : ends == "target" ? EventEnds::kTarget
                                : EventEnds::kSource;
  out.of_type = settings.text("candidates") == "type";
  out.sampled = settings.integer("sampled");
  out.filter = filter == "raw"    ? EventFilter::kRaw
               : filter == "time" ? EventFilter::kTime
                                  : EventFilter::kStatic;
  const NamedSettings named = named_settings(settings.text("negatives"));
  out.negatives = &find_fact_negative_kind(where, named.name);
  out.negative_settings = parse_options(fmt::format("{}: negatives '{}'", where, named.name),
                                        out.negatives->settings, named.settings);
  out.batch = settings.integer("batch");
  out.by_batch = settings.text("average") == "batches";
  out.by_step = settings.text("known") == "step";
  out.seed = settings.integer("seed");
  return out;
}

void check_event_settings(const std::string& where, const Options& settings,
                          const std::vector<std::string>& metrics) {
  const EventSettings read = read_event_settings(where, settings);
  const std::string asked = fmt::format("{}: question = \"{}\"", where, settings.text("question"));
  for (const std::string& metric : metrics)
    (void)parse_metric(asked, metric, {read.whether ? AnswerForm::kPool : AnswerForm::kRanks});
}

std::vector<std::string> idle_event_settings(const Options& settings) {
  if (settings.text("question") == "whether") return {"ends", "candidates", "sampled", "filter"};
  std::vector<std::string> out = {"negatives", "batch", "average", "known"};
  if (settings.integer("sampled") == 0) out.emplace_back("seed");  // nothing is drawn
  return out;
}

std::map<std::string, OptionValue> event_identity(const Options& settings) {
  std::map<std::string, OptionValue> out = settings.identity();
  const EventSettings read = read_event_settings("events", settings);
  for (const std::string& name : idle_event_settings(settings)) out.erase(name);
  if (!read.by_step) out.erase("known");  // as runs were named before there was a choice
  if (read.whether)
    out["negatives"] = fact_negatives_identity(*read.negatives, read.negative_settings);
  return out;
}

}  // namespace cupel
