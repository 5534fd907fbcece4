#include "cupel/learn/events/recurrency_tuning.h"

#include <algorithm>
#include <utility>

#include "cupel/learn/events/limits_watch.h"

namespace cupel {
namespace {

// Numbers of which is asked how many are above, or equal to, another. Sorts them where that pays.
template <class T>
class Tally {
 public:
  explicit Tally(std::size_t questions) : sorted_(questions > 8) {}
  void clear() { values_.clear(); }
  void add(T value) { values_.push_back(value); }
  void ready() {
    if (sorted_) std::sort(values_.begin(), values_.end());
  }
  Offset above(T x) const {
    if (sorted_) return values_.end() - std::upper_bound(values_.begin(), values_.end(), x);
    return std::count_if(values_.begin(), values_.end(), [&](T v) { return v > x; });
  }
  Offset equal(T x) const {
    if (!sorted_) return std::count(values_.begin(), values_.end(), x);
    const auto [first, last] = std::equal_range(values_.begin(), values_.end(), x);
    return last - first;
  }

 private:
  bool sorted_;
  std::vector<T> values_;
};

class Trial {
 public:
  Trial(const RecurrencyTrial& trial, std::span<const double> lambdas,
        std::span<const double> alphas)
      : trial_(trial), lambdas_(lambdas), alphas_(alphas), out_(lambdas.size() * alphas.size()) {}

  std::vector<double> run(const RunLimits& limits) {
    std::vector<double> decays;
    for (const double lambda : lambdas_)
      decays.push_back(lambda / static_cast<double>(trial_.unit));
    RecurrencyHistory history(std::move(decays), trial_.window);
    for (const Offset fact : trial_.valid)
      for_ends(trial_.valid_facts, fact, trial_.asked,
               [&](Index given, Index) { history.keep_only(given); });
    learn(history, trial_.train_facts, trial_.train, limits);
    for (std::size_t begin = 0, end = 0; begin < trial_.valid.size(); begin = end) {
      limits.tell(static_cast<double>(begin), static_cast<double>(trial_.valid.size()));
      const std::int64_t time = valid_time(begin);
      while (end < trial_.valid.size() && valid_time(end) == time) ++end;
      const auto step = trial_.valid.subspan(begin, end - begin);
      history.ask_at(time);
      if (history.objects().total() > 0)
        ask(history, step, time, limits);
      else
        out_of_nothing(step);
      if (trial_.single_step) learn(history, trial_.valid_facts, step, limits);
    }
    return std::move(out_);
  }

 private:
  struct Answer {
    Index object = 0;
    Offset stated = 0;  // so many times at this time
    Index slot = -1;
    std::ptrdiff_t at = -1;  // among what is recalled
  };

  std::int64_t valid_time(std::size_t i) const {
    return trial_.valid_facts.time[static_cast<std::size_t>(trial_.valid[i])];
  }

  void learn(RecurrencyHistory& history, const FactColumns& facts, std::span<const Offset> which,
             const RunLimits& limits) const {
    LimitsWatch watch(limits);
    for (const Offset fact : which) {
      watch.walked(1);
      for_ends(facts, fact, trial_.asked, [&](Index given, Index object) {
        history.add(given, object, facts.time[static_cast<std::size_t>(fact)]);
      });
    }
  }

  // The questions of a step, those of one given together.
  template <class Take>
  void for_givens(std::span<const Offset> step, const Take& take) {
    std::vector<std::pair<Index, Index>> questions;
    for (const Offset fact : step)
      for_ends(trial_.valid_facts, fact, trial_.asked,
               [&](Index given, Index object) { questions.emplace_back(given, object); });
    std::sort(questions.begin(), questions.end());
    for (std::size_t i = 0; i < questions.size();) {
      const Index given = questions[i].first;
      answers_.clear();
      for (; i < questions.size() && questions[i].first == given; ++i) {
        if (answers_.empty() || answers_.back().object != questions[i].second)
          answers_.push_back({.object = questions[i].second});
        ++answers_.back().stated;
      }
      take(given);
    }
  }

  // Every entity ties with every other.
  void out_of_nothing(std::span<const Offset> step) {
    for_givens(step, [&](Index) {
      const Offset ties = trial_.entities - std::ssize(answers_);
      for (const Answer& answer : answers_)
        for (double& sum : out_) sum += static_cast<double>(answer.stated) / rank(0, ties);
    });
  }

  void ask(const RecurrencyHistory& history, std::span<const Offset> step, std::int64_t time,
           const RunLimits& limits) {
    std::vector<RecurrencyWeights> weights;
    for (const double lambda : lambdas_)
      for (const double alpha : alphas_)
        weights.push_back(recurrency_weights(history, {lambda, alpha}, time, trial_.unit));
    for_givens(step, [&](Index given) {
      limits.check();
      ask(history, given, weights);
    });
  }

  void ask(const RecurrencyHistory& history, Index given,
           const std::vector<RecurrencyWeights>& weights) {
    history.recall(given, recalled_);
    find_answers(history.objects());
    Tally<Index> counts(answers_.size());
    for (const Index slot : recalled_.slots) counts.add(history.objects().count(slot));
    for (const Answer& answer : answers_)
      if (answer.at < 0 && answer.slot >= 0) counts.add(history.objects().count(answer.slot));
    counts.ready();
    for (std::size_t w = 0; w < weights.size(); ++w)
      rank_answers(history.objects(), weights[w], w / alphas_.size(), counts, out_[w]);
  }

  // Where the answers are; marks what is recalled of them.
  void find_answers(const ObjectCounts& objects) {
    for (Answer& answer : answers_) answer.slot = objects.find(answer.object);
    std::sort(answers_.begin(), answers_.end(),
              [](const Answer& a, const Answer& b) { return a.slot < b.slot; });
    is_answer_.assign(recalled_.slots.size(), false);
    for (std::size_t i = 0; i < recalled_.slots.size(); ++i) {
      const Index slot = recalled_.slots[i];
      const auto found =
          std::lower_bound(answers_.begin(), answers_.end(), slot,
                           [](const Answer& answer, Index s) { return answer.slot < s; });
      if (found == answers_.end() || found->slot != slot) continue;
      found->at = static_cast<std::ptrdiff_t>(i);
      is_answer_[i] = true;
    }
  }

  void rank_answers(const ObjectCounts& objects, const RecurrencyWeights& weights,
                    std::size_t lambda, const Tally<Index>& counts, double& out) {
    const auto score = [&](std::size_t i) {
      return weights.score(recalled_.sums[i * lambdas_.size() + lambda],
                           objects.count(recalled_.slots[i]));
    };
    Tally<double> scores(answers_.size());
    for (std::size_t i = 0; i < recalled_.slots.size(); ++i)
      if (!is_answer_[i]) scores.add(score(i));
    scores.ready();
    // Entities that score nothing: neither recalled nor, where counts matter, ever an object.
    const bool counted = weights.count > 0;
    Offset none =
        trial_.entities - (counted ? Offset{objects.at_least(1)} : std::ssize(recalled_.slots));
    for (const Answer& answer : answers_)
      none -= counted ? answer.slot < 0 || objects.count(answer.slot) == 0 : answer.at < 0;

    for (const Answer& answer : answers_) {
      const double x = answer.at >= 0     ? score(static_cast<std::size_t>(answer.at))
                       : answer.slot >= 0 ? weights.score(0, objects.count(answer.slot))
                                          : 0;
      Offset above = scores.above(x), ties = scores.equal(x) + (x == 0 ? none : 0);
      if (counted) {
        const auto [higher, tied] = weights.others(x, objects);
        // Those of the answers and of what is recalled are in `counts`, and are not others.
        above += objects.at_least(higher) - counts.above(static_cast<Index>(higher - 1));
        if (tied)
          ties += objects.at_least(higher - 1) - objects.at_least(higher) -
                  counts.equal(static_cast<Index>(higher - 1));
      }
      out += static_cast<double>(answer.stated) / rank(above, ties);
    }
  }

  static double rank(Offset above, Offset ties) {
    return 1 + static_cast<double>(above) + static_cast<double>(ties) / 2;
  }

  const RecurrencyTrial& trial_;
  std::span<const double> lambdas_, alphas_;
  std::vector<double> out_;
  std::vector<Answer> answers_;
  RecurrencyHistory::Recalled recalled_;
  std::vector<bool> is_answer_;
};

}  // namespace

std::vector<double> reciprocal_ranks(const RecurrencyTrial& trial, std::span<const double> lambdas,
                                     std::span<const double> alphas, const RunLimits& limits) {
  return Trial(trial, lambdas, alphas).run(limits);
}

}  // namespace cupel
