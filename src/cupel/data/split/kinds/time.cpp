// Facts over time in three parts, each later than the one before; a step of time is never cut.
#include <numeric>

#include "cupel/base/error.h"
#include "cupel/data/facts/columns_of.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/facts/held_out.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

const TemporalFacts& facts_of_time(const Dataset& dataset) {
  if (!dataset.facts)
    fail("{}: split scheme 'time' parts facts over time, and this is no data set of them",
         dataset.name);
  return *dataset.facts;
}

// What the settings say; nothing: the parts that the source gave, or else 0.7 and 0.85.
TimeCuts first_cuts(const TemporalFacts& facts, const Options& settings) {
  const std::string &cuts = settings.text("cuts"), &quantiles = settings.text("quantiles");
  if (!cuts.empty() && !quantiles.empty())
    fail("split scheme 'time': cuts and quantiles are both given; leave one of them out");
  if (!cuts.empty()) return parse_time_cuts(cuts, facts.time_unit, "split scheme 'time': cuts");
  if (quantiles.empty() && !facts.parts.empty()) return cuts_of_parts(facts);
  const auto [train, valid] = parse_quantiles(quantiles.empty() ? "0.7,0.85" : quantiles,
                                              "split scheme 'time': quantiles =");
  return quantile_cuts(facts.time.all(), train, valid, facts.name);
}

Split draw_time(const SplitSource& source, int member) {
  const TemporalFacts& facts = facts_of_time(source.dataset);
  const FactColumns columns = columns_of(facts);
  TimeCuts cuts = first_cuts(facts, source.settings);
  if (member > 0) cuts = moved_cuts(time_steps(columns.time), cuts, member, facts.name);
  const TimeParts parts = parts_at(columns, cuts, facts.name);
  const auto range = [](Offset begin, Offset end) {
    std::vector<Index> out(static_cast<std::size_t>(end - begin));
    std::iota(out.begin(), out.end(), static_cast<Index>(begin));
    return out;
  };
  const double holdout = source.settings.real("holdout");
  std::vector<Index> train;
  if (holdout > 0) {
    const StreamKey key = stream_key(fmt::format("split/time/holdout/{}", source.seed()));
    train = train_without(
        columns, parts,
        draw_held_out(columns, parts, holdout, key, static_cast<std::uint32_t>(member), facts.name),
        facts.name);
  } else {
    train = range(0, parts.train_end);
  }
  return {std::move(train), range(parts.train_end, parts.valid_end),
          range(parts.valid_end, parts.test_end)};
}

// Declared after splits without it were kept.
SplitSetting holdout_setting() {
  return {.option = {.name = "holdout",
                     .fallback = 0.0,
                     .doc = "so many of all nodes, drawn from those that validation and test are "
                            "about, whose facts are left out of training; 0.1 as DyGLib, 0: none",
                     .min = 0,
                     .max = 0.9,
                     .later = true}};
}
SplitSetting holdout_seed() {
  SplitSetting out = seed_setting();
  out.option.doc = "of the nodes that are held out";
  out.option.later = true;
  return out;
}

std::optional<int> size(const Dataset& dataset, const Options& settings, const SplitFile*) {
  const TemporalFacts& facts = facts_of_time(dataset);
  const TimeCuts cuts = first_cuts(facts, settings);
  (void)parts_at(columns_of(facts), cuts, facts.name);  // throws if the first split lacks a part
  return static_cast<int>(later_cuts(time_steps(facts.time.all()), cuts));
}

}  // namespace

extern const SplitKind split_time;
const SplitKind split_time = {
    .name = "time",
    .doc =
        "facts over time, trained on, validated and tested one after the other; each further "
        "split moves the cuts on by a step of time",
    .settings = {{.option = {.name = "cuts",
                             .fallback = std::string(),
                             .doc = "the last times of the parts, \"2018,2019,2021\", or days, "
                                    "\"2019-12-31,2020-12-31,2021-12-31\", where times are by day "
                                    "or second"}},
                 {.option = {.name = "quantiles",
                             .fallback = std::string(),
                             .doc = "the shares of facts up to the first two cuts, \"0.7,0.85\"; "
                                    "nothing, and no cuts: the parts of the source, if it had "
                                    "them, else these"}},
                 holdout_setting(),
                 holdout_seed()},
    .words = "{count} x time",
    .all = "time: all cuts, each a step of time later",
    .draw = draw_time,
    .count = 1,
    .shared = true,
    .size = size};

}  // namespace cupel
