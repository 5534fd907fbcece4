#include "cupel/learn/events/recurrency.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/learn/events/recurrency_tuning.h"
#include "cupel/learn/events/time_between.h"

namespace cupel {
namespace {

constexpr RecurrencyChoice kUntuned = {.lambda = 0.1, .alpha = 0.99};

std::int64_t median_step(const FactColumns& facts) {
  std::vector<std::int64_t> gaps;
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 1; i < facts.time.size(); ++i)
    if (const std::uint64_t gap = time_between(facts.time[i - 1], facts.time[i]); gap > 0)
      gaps.push_back(static_cast<std::int64_t>(std::min(gap, kMost)));
  if (gaps.empty()) return 1;
  const auto middle = gaps.begin() + (std::ssize(gaps) - 1) / 2;
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

// Numbers of facts, relation after relation; `first` has where each begins, and the end.
struct ByRelation {
  std::vector<Offset> facts, first;

  ByRelation(const FactColumns& columns, Index relations)
      : facts(static_cast<std::size_t>(columns.size())),
        first(static_cast<std::size_t>(relations) + 1) {
    const auto of = [&](Offset i) { return static_cast<std::size_t>(columns.relation_of(i)); };
    for (Offset i = 0; i < columns.size(); ++i) ++first[of(i) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<Offset> next(first.begin(), first.end() - 1);
    for (Offset i = 0; i < columns.size(); ++i) facts[static_cast<std::size_t>(next[of(i)]++)] = i;
  }
  std::span<const Offset> of(Index relation) const {
    const auto r = static_cast<std::size_t>(relation);
    return std::span(facts).subspan(static_cast<std::size_t>(first[r]),
                                    static_cast<std::size_t>(first[r + 1] - first[r]));
  }
};

// The first of the largest; sums that differ by the order of their terms only are equal.
double best(std::span<const double> values, const std::vector<double>& worth) {
  const double enough = *std::max_element(worth.begin(), worth.end()) * (1 - 1e-12);
  const auto first =
      std::find_if(worth.begin(), worth.end(), [&](double w) { return w >= enough; });
  return values[static_cast<std::size_t>(first - worth.begin())];
}

}  // namespace

Recurrency::Recurrency(const EventWorld& world, const RecurrencySettings& settings)
    : world_(world),
      settings_(settings),
      unit_(std::max<std::int64_t>(settings.unit, 1)),
      choices_(static_cast<std::size_t>(world.relations) * 2,
               {.lambda = settings.lambda.value_or(kUntuned.lambda),
                .alpha = settings.alpha.value_or(kUntuned.alpha)}),
      histories_(static_cast<std::size_t>(world.relations) * 2) {
  if (const double lambda = choices_.empty() ? 0 : choices_[0].lambda;
      !(lambda >= 0 && lambda <= 100))
    fail("recurrency: lambda is {}; it is a number from 0 to 100", lambda);
  if (const double alpha = choices_.empty() ? 0 : choices_[0].alpha; !(alpha >= 0 && alpha <= 1))
    fail("recurrency: alpha is {}; it is a number from 0 to 1", alpha);
  if (settings.window < 0)
    fail("recurrency: window is {}; it is a number of units of time, or 0 for all of the past",
         settings.window);
  if (settings.unit < 0)
    fail("recurrency: unit is {}; it is a length of time, or 0 for the usual step", settings.unit);
}

std::size_t Recurrency::direction(Index relation, bool source_asked) const {
  const bool inverse = source_asked && !is_undirected(world_.undirected, relation);
  return static_cast<std::size_t>(relation) * 2 + (inverse ? 1 : 0);
}

std::int64_t Recurrency::window() const {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return settings_.window > kMost / unit_ ? kMost : settings_.window * unit_;
}

void Recurrency::fit(const FactColumns& train, const FactColumns& valid, const EventRules& rules,
                     const RunLimits& limits) {
  if (learnt_) throw std::logic_error("recurrency: fit() comes before learn()");
  if (settings_.unit == 0) unit_ = median_step(train);
  const bool tune_alpha = !settings_.alpha, tune_lambda = !settings_.lambda && settings_.alpha != 0;
  if (!tune_alpha && !tune_lambda) return;
  const ByRelation trained(train, world_.relations), asked(valid, world_.relations);
  double done = 0;  // of the facts of validation, from both ends
  const auto next = [&](double more) {
    const double before = std::exchange(done, done + more);
    return limits.part(before, done, 2 * static_cast<double>(valid.size()));
  };
  for (Index relation = 0; relation < world_.relations; ++relation) {
    if (asked.of(relation).empty()) continue;
    const bool either = is_undirected(world_.undirected, relation);
    for (const bool source_asked : {false, true}) {
      if (either && source_asked) continue;
      const RecurrencyTrial trial = {.train_facts = train,
                                     .valid_facts = valid,
                                     .train = trained.of(relation),
                                     .valid = asked.of(relation),
                                     .asked = either         ? RecurrencyAsked::both
                                              : source_asked ? RecurrencyAsked::sources
                                                             : RecurrencyAsked::targets,
                                     .entities = world_.entities,
                                     .single_step = rules.single_step,
                                     .unit = unit_,
                                     .window = window()};
      RecurrencyChoice& choice = choices_[direction(relation, source_asked)];
      const double half = static_cast<double>(trial.valid.size()) / (either ? 1 : 2);
      constexpr double kPsiAlone[] = {1};
      if (tune_lambda)
        choice.lambda = best(kRecurrencyLambdas,
                             reciprocal_ranks(trial, kRecurrencyLambdas, kPsiAlone, next(half)));
      const double lambda[] = {choice.lambda};
      if (tune_alpha)
        choice.alpha =
            best(kRecurrencyAlphas, reciprocal_ranks(trial, lambda, kRecurrencyAlphas, next(half)));
    }
  }
}

RecurrencyHistory& Recurrency::history(std::size_t direction) {
  std::unique_ptr<RecurrencyHistory>& at = histories_[direction];
  if (at == nullptr)
    at = std::make_unique<RecurrencyHistory>(
        std::vector{choices_[direction].lambda / static_cast<double>(unit_)}, window());
  return *at;
}

void Recurrency::learn(const FactColumns& facts) {
  learnt_ = true;
  for (Offset i = 0; i < facts.size(); ++i) {
    const Index relation = facts.relation_of(i);
    const std::int64_t time = facts.time[static_cast<std::size_t>(i)];
    const auto learn_into = [&](bool source_asked, RecurrencyAsked asked) {
      RecurrencyHistory& into = history(direction(relation, source_asked));
      for_ends(facts, i, asked, [&](Index given, Index object) { into.add(given, object, time); });
    };
    if (is_undirected(world_.undirected, relation)) {
      learn_into(false, RecurrencyAsked::both);
    } else {
      learn_into(false, RecurrencyAsked::targets);
      learn_into(true, RecurrencyAsked::sources);
    }
  }
}

void Recurrency::rank(std::int64_t time, std::span<const EventQuery> queries, EventAnswers& out,
                      const RunLimits& limits) {
  const EventQuery* last = nullptr;
  for (const EventQuery& query : queries) {
    limits.check();
    const std::size_t asked = direction(query.relation, query.source_asked);
    if (last == nullptr || last->given != query.given ||
        direction(last->relation, last->source_asked) != asked)
      answer(asked, query.given, time);
    last = &query;
    out.some(named_, rest_);
  }
}

// Fills named_ and rest_.
void Recurrency::answer(std::size_t direction, Index given, std::int64_t time) {
  named_.clear();
  rest_ = 0;
  RecurrencyHistory* history = histories_[direction].get();
  if (history == nullptr) return;
  history->ask_at(time);
  const ObjectCounts& objects = history->objects();
  if (objects.total() == 0) return;
  const RecurrencyWeights weights = recurrency_weights(*history, choices_[direction], time, unit_);
  recalled_.slots.clear();
  if (weights.sum > 0) history->recall(given, recalled_);

  // What is recalled, by falling score, and its counts, falling.
  scored_.clear();
  counts_.clear();
  for (std::size_t i = 0; i < recalled_.slots.size(); ++i) {
    const Index slot = recalled_.slots[i], count = objects.count(slot);
    scored_.push_back({weights.score(recalled_.sums[i], count), slot});
    counts_.push_back(count);
  }
  std::sort(scored_.begin(), scored_.end(), [](const Scored& a, const Scored& b) {
    return a.score != b.score ? a.score > b.score : a.slot < b.slot;
  });
  std::sort(counts_.begin(), counts_.end(), std::greater<>());
  if (weights.count > 0)
    name_objects(objects, weights);
  else
    name_recalled(objects);
}

void Recurrency::name_recalled(const ObjectCounts& objects) {
  std::size_t above = 0;
  for (std::size_t i = 0; i < scored_.size(); ++i) {
    if (scored_[i].score != scored_[above].score) above = i;
    named_.push_back({objects.object(scored_[i].slot), -static_cast<float>(above)});
  }
  const auto none = std::find_if(scored_.begin(), scored_.end(),
                                 [](const Scored& scored) { return scored.score <= 0; });
  rest_ = -static_cast<float>(none - scored_.begin());
}

void Recurrency::name_objects(const ObjectCounts& objects, const RecurrencyWeights& weights) {
  const std::vector<ObjectCounts::Place>& places = objects.places();
  const Index live = objects.at_least(1);
  named_.resize(static_cast<std::size_t>(live));
  rest_ = -static_cast<float>(live);
  // As if none was recalled, count by count; those that are recalled are taken out of the counts
  // above, and put in where their scores are.
  std::size_t more = 0, higher = 0;
  for (Index begin = 0; begin < live;) {
    const Index count = objects.count(places[static_cast<std::size_t>(begin)].slot);
    const double score = weights.score(0, count);
    while (more < counts_.size() && counts_[more] > count) ++more;
    while (higher < scored_.size() && scored_[higher].score > score) ++higher;
    const auto place =
        -static_cast<float>(begin - static_cast<Offset>(more) + static_cast<Offset>(higher));
    for (const Index end = objects.at_least(count); begin < end; ++begin)
      named_[static_cast<std::size_t>(begin)] = {places[static_cast<std::size_t>(begin)].object,
                                                 place};
  }
  std::size_t above = 0;
  for (std::size_t i = 0; i < scored_.size(); ++i) {
    const auto [score, slot] = scored_[i];
    if (score != scored_[above].score) above = i;
    const Offset others = weights.others(score, objects).count_above;
    const auto recalled = std::lower_bound(counts_.begin(), counts_.end(), others,
                                           [](Index count, Offset c) { return count >= c; });
    named_[static_cast<std::size_t>(objects.place(slot))].score = -static_cast<float>(
        static_cast<Offset>(above) + objects.at_least(others) - (recalled - counts_.begin()));
  }
}

double Recurrency::score_of(std::size_t direction, Index given, Index object, std::int64_t time) {
  RecurrencyHistory* history = histories_[direction].get();
  if (history == nullptr) return 0;
  history->ask_at(time);
  const ObjectCounts& objects = history->objects();
  const Index slot = objects.find(object);
  if (slot < 0 || objects.total() == 0) return 0;
  return recurrency_weights(*history, choices_[direction], time, unit_)
      .score(history->recall(given, object), objects.count(slot));
}

void Recurrency::score(const FactColumns& asked, std::span<float> scores, const RunLimits& limits) {
  for (Offset i = 0; i < asked.size(); ++i) {
    limits.check();
    const auto at = static_cast<std::size_t>(i);
    const Index relation = asked.relation_of(i), s = asked.source[at], o = asked.target[at];
    scores[at] = static_cast<float>((score_of(direction(relation, false), s, o, asked.time[at]) +
                                     score_of(direction(relation, true), o, s, asked.time[at])) /
                                    2);
  }
}

std::unique_ptr<EventModel> make_recurrency(const EventWorld& world,
                                            const RecurrencySettings& settings) {
  return std::make_unique<Recurrency>(world, settings);
}

}  // namespace cupel
