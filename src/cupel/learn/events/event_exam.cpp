#include "cupel/learn/events/event_exam.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "cupel/base/error.h"
#include "cupel/learn/events/step_end.h"
#include "cupel/learn/score/metrics.h"
#include "cupel/learn/score/threshold.h"

namespace cupel {
namespace {

auto order_of(const EventQuery& query) {
  return std::tuple(query.relation, query.source_asked, query.given);
}

}  // namespace

EventExam::EventExam(std::shared_ptr<const EventPart> part) : part_(std::move(part)) {
  const auto questions = static_cast<std::size_t>(part_->questions());
  if (whether()) {
    positive_.resize(questions), negative_.resize(questions);
    return;
  }
  ranker_.emplace(part_->facts.nodes);
  above_.resize(questions), ties_.resize(questions);
  unknown_.resize(questions);
}

bool EventExam::next() {
  answered();
  first_ = last_;
  if (first_ == part_->end - part_->begin) return false;
  whether() ? ask_batch() : ask_step();
  return true;
}

void EventExam::answered() const {
  if (whether() ? taken_ != rows_.size() : now_ != queries_.size())
    throw std::logic_error("[events] not all questions of a step were answered");
}

FactColumns EventExam::revealed() const {
  answered();
  const Offset end = part_->settings.single_step ? last_ : first_;
  return part_->facts.part(part_->begin + first_, part_->begin + end);
}

// Which: all facts of one time.
void EventExam::ask_step() {
  const FactColumns asked = part_->asked();
  time_ = asked.time[static_cast<std::size_t>(first_)];
  last_ = end_of_step(asked.time, first_);
  step_.clear();
  for (Offset fact = first_; fact < last_; ++fact) add_answers(fact);
  std::ranges::sort(step_, [](const Answer& a, const Answer& b) {
    return std::tuple(order_of(a.query), a.entity, a.question) <
           std::tuple(order_of(b.query), b.entity, b.question);
  });
  queries_.clear(), start_.clear(), now_ = 0;
  for (std::size_t i = 0; i < step_.size();) {
    const std::size_t begin = i;
    bool any = false;  // a query that nobody asks
    for (; i < step_.size() && order_of(step_[i].query) == order_of(step_[begin].query); ++i)
      any = any || step_[i].question >= 0;
    if (!any) continue;
    queries_.push_back(step_[begin].query);
    start_.push_back(begin), start_.push_back(i);
  }
}

// A fact without direction answers both ways, whether both are asked or not.
void EventExam::add_answers(Offset fact) {
  const FactColumns asked = part_->asked();
  const auto at = static_cast<std::size_t>(fact);
  const Index s = asked.source[at], r = asked.relation_of(fact), o = asked.target[at];
  const bool either = part_->either_way(r);
  const EventEnds ends = part_->settings.ends;
  const Offset first = fact * part_->questions_per_fact();
  const bool target = ends != EventEnds::kSource, source = ends != EventEnds::kTarget;
  step_.push_back({{s, r, false}, o, target ? first : -1});
  step_.push_back({{o, r, !either}, s, source ? first + (target ? 1 : 0) : -1});
}

void EventExam::all(std::span<const float> scores) {
  ranker_->set(scores);
  place_truths();
}

void EventExam::some(std::span<const EntityScore> named, float rest) {
  ranker_->set(named, rest);
  place_truths();
}

bool EventExam::as_before() {
  if (!ranker_->any()) return false;
  place_truths();
  return true;
}

// Of the query that is answered now.
void EventExam::place_truths() {
  if (now_ == queries_.size()) throw std::logic_error("[events] more answers than queries");
  const EventQuery& query = queries_[now_];
  const EventSettings& settings = part_->settings;
  truths_.clear(), asked_questions_.clear(), filter_.clear();
  for (std::size_t i = start_[2 * now_]; i < start_[2 * now_ + 1]; ++i) {
    const Answer& answer = step_[i];
    if (answer.question >= 0)
      truths_.push_back(answer.entity), asked_questions_.push_back(answer.question);
    if (settings.filter == EventFilter::kTime &&
        (filter_.empty() || filter_.back() != answer.entity))
      filter_.push_back(answer.entity);
  }
  if (settings.filter == EventFilter::kStatic) part_->known_answers->find(query, filter_);
  RankedAmong among;
  among.candidates = part_->facts.nodes;
  if (settings.of_type) {
    const FactRelation& relation = part_->data->relations[static_cast<std::size_t>(query.relation)];
    among.types = part_->data->entity_types;
    const std::uint8_t given = among.types[static_cast<std::size_t>(query.given)];
    // Where either order says the same, it is the end at which the given one is not.
    const bool source =
        part_->either_way(query.relation) ? given != relation.source_type : query.source_asked;
    among.type = source ? relation.source_type : relation.target_type;
    among.candidates = part_->of_type[among.type];
  }
  among.filter = filter_;
  among.sampled = settings.sampled;
  among.key = part_->key;
  places_.resize(truths_.size());
  ranker_->places(among, truths_, asked_questions_, places_);
  for (std::size_t i = 0; i < truths_.size(); ++i) {
    const auto question = static_cast<std::size_t>(asked_questions_[i]);
    above_[question] = static_cast<std::int32_t>(places_[i].above);
    ties_[question] = static_cast<std::int32_t>(places_[i].ties);
    unknown_[question] = !places_[i].known;
  }
  ++now_;
}

// Whether: the facts of a batch or of one time, and one negative for each, in an order that tells
// neither.
void EventExam::ask_batch() {
  const FactColumns asked = part_->asked();
  last_ = part_->settings.by_step ? end_of_step(asked.time, first_)
                                  : *std::ranges::upper_bound(part_->batches, first_);
  rows_.clear(), taken_ = 0;
  for (Offset fact = first_; fact < last_; ++fact) {
    const auto at = static_cast<std::size_t>(fact);
    const Index r = asked.relation_of(fact);
    rows_.push_back({asked.time[at], r, asked.source[at], asked.target[at], fact, true});
    rows_.push_back(
        {asked.time[at], r, part_->negatives.source[at], part_->negatives.target[at], fact, false});
  }
  std::ranges::sort(rows_, [](const Row& a, const Row& b) {
    return std::tuple(a.time, a.relation, a.source, a.target, a.question, a.positive) <
           std::tuple(b.time, b.relation, b.source, b.target, b.question, b.positive);
  });
  source_.clear(), relation_.clear(), target_.clear(), times_.clear();
  for (const Row& row : rows_) {
    source_.push_back(row.source), relation_.push_back(row.relation);
    target_.push_back(row.target), times_.push_back(row.time);
  }
}

FactColumns EventExam::asked() const {
  return {source_, relation_, target_, times_, part_->facts.nodes, part_->facts.relations};
}

void EventExam::take(ConstDenseView rows) {
  if (!whether()) throw std::logic_error("[events] answers come by query");
  if (rows.cols != 1) fail("scores have {} columns; give one score for each fact", rows.cols);
  for (Index i = 0; i < rows.rows; ++i, ++taken_) {
    if (taken_ == rows_.size()) throw std::logic_error("[events] more scores than facts");
    const Row& row = rows_[taken_];
    const float score = *rows.row(i);
    if (std::isnan(score)) fail("the score of a fact is not a number");
    (row.positive ? positive_ : negative_)[static_cast<std::size_t>(row.question)] = score;
  }
}

void EventExam::require_end() const {
  answered();
  if (last_ != part_->end - part_->begin)
    fail("{} of {} facts were asked about", last_, part_->end - part_->begin);
}

EventExam::Values EventExam::values_of_ranks(const std::vector<std::string>& metrics,
                                             std::span<const Offset> questions) const {
  std::vector<Offset> above, ties;
  for (const Offset question : questions) {
    const auto at = static_cast<std::size_t>(question);
    above.push_back(above_[at]), ties.push_back(ties_[at]);
  }
  // Entities of a type may be fewer than K: then each is among the first K.
  const std::vector<Offset> candidates(questions.size(), std::numeric_limits<Offset>::max());
  const Ranks ranks = {above, ties, candidates};
  Values out(metrics.size());
  for (std::size_t i = 0; i < metrics.size(); ++i)
    if (is_defined(metrics[i], ranks)) out[i] = rank_metric(metrics[i], ranks);
  return out;
}

std::vector<Offset> EventExam::all_questions() const {
  std::vector<Offset> all(static_cast<std::size_t>(questions()));
  std::iota(all.begin(), all.end(), Offset{0});
  return all;
}

Pool EventExam::pool_of(std::span<const Offset> questions) const {
  std::vector<float> scores;
  std::vector<std::uint8_t> positive;
  for (const Offset question : questions) {
    scores.push_back(positive_[static_cast<std::size_t>(question)]), positive.push_back(1);
    scores.push_back(negative_[static_cast<std::size_t>(question)]), positive.push_back(0);
  }
  return make_pool(scores, positive);
}

double EventExam::best_threshold() const {
  require_end();
  return cupel::best_threshold(pool_of(all_questions()));
}

// What validation is to say is said.
std::string EventExam::with_threshold(const std::string& metric) const {
  const auto found = find_metric(metric);
  if (!found || !is_by_valid(found->settings)) return metric;
  if (!threshold_ && part_->strata)
    throw std::logic_error("[events] test may not choose the threshold that it is held against");
  return fmt::format("{}:threshold={}", found->entry->name,
                     threshold_ ? *threshold_ : best_threshold());
}

EventExam::Values EventExam::values_of_pools(const std::vector<std::string>& names,
                                             std::span<const Offset> questions) const {
  std::vector<std::string> metrics;
  for (const std::string& name : names) metrics.push_back(with_threshold(name));
  std::vector<double> sums(metrics.size()), counts(metrics.size());
  for (auto at = questions.begin(); at != questions.end();) {
    auto last = questions.end();
    if (part_->settings.by_batch)
      last = std::lower_bound(at, last, *std::ranges::upper_bound(part_->batches, *at));
    const Pool pool = pool_of({at, last});
    for (std::size_t i = 0; i < metrics.size(); ++i)
      if (is_defined(metrics[i], pool)) sums[i] += pool_metric(metrics[i], pool), ++counts[i];
    at = last;
  }
  Values out(metrics.size());
  for (std::size_t i = 0; i < metrics.size(); ++i)
    if (counts[i] > 0) out[i] = sums[i] / counts[i];
  return out;
}

EventExam::Values EventExam::values(const std::vector<std::string>& metrics,
                                    std::span<const Offset> questions) const {
  return whether() ? values_of_pools(metrics, questions) : values_of_ranks(metrics, questions);
}

double EventExam::score(const std::string& metric) const {
  require_end();
  (void)parse_metric("", metric, {whether() ? AnswerForm::kPool : AnswerForm::kRanks});
  const std::optional<double> out = values({metric}, all_questions()).front();
  if (!out) fail("{} is not defined on these {} questions", metric, questions());
  return *out;
}

void answer_all(EventModel& model, EventExam& exam, const RunLimits& limits) {
  std::vector<float> scores;
  while (exam.next()) {
    limits.check();
    if (exam.whether()) {
      const FactColumns asked = exam.asked();
      scores.resize(static_cast<std::size_t>(asked.size()));
      model.score(asked, scores, limits);
      exam.take({scores.data(), static_cast<Index>(scores.size()), 1, 1});
    } else {
      model.rank(exam.time(), exam.queries(), exam.answers(), limits);
    }
    if (const FactColumns known = exam.revealed(); known.size() > 0) model.learn(known);
  }
}

}  // namespace cupel
