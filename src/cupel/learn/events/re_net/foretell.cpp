// How RE-Net goes on where nothing is known: facts of a step are predicted, and taken as its graph.
//
// Jin et al. 2020, section 3.3 and algorithm 1.
#include <algorithm>
#include <tuple>

#include "cupel/engine/kernels/rows.h"
#include "cupel/learn/events/re_net/re_net.h"

namespace cupel {
namespace {

constexpr std::uint32_t kDrawnSubjects = 0x72657331u;
constexpr std::size_t kPairsTogether = 256;

}  // namespace

// Subjects are sources where `targets` is false; what is predicted of them joins foretold_.
void ReNet::foretell_from(bool targets, std::int64_t time, const RunLimits& limits) {
  const std::vector<float> chance = global_.next(past_, targets);
  std::vector<double> sums;
  double sum = 0;
  for (const float p : chance) sums.push_back(sum += p);
  Stream draw(key_, kDrawnSubjects + (targets ? 1 : 0), static_cast<std::uint32_t>(time >> 32),
              static_cast<std::uint32_t>(time));
  std::vector<Index> subjects;
  for (Index i = 0; i < settings_.foretold; ++i) {
    const auto at = std::ranges::upper_bound(sums, draw.next_unit() * sum);
    subjects.push_back(
        static_cast<Index>(std::min<std::ptrdiff_t>(at - sums.begin(), std::ssize(sums) - 1)));
  }
  std::ranges::sort(subjects);
  if (!settings_.released)
    subjects.erase(std::unique(subjects.begin(), subjects.end()), subjects.end());

  // How likely each relation is; any of them does as a query of its subject.
  struct Pair {
    double probability;
    Index given, kind, times;
  };
  std::vector<Pair> pairs;
  std::vector<Index> each = subjects;
  each.erase(std::unique(each.begin(), each.end()), each.end());
  for (std::size_t begin = 0; begin < each.size(); begin += kPairsTogether) {
    limits.check();
    const auto some = std::span(each).subspan(begin, std::min(kPairsTogether, each.size() - begin));
    batch().clear();
    for (const Index given : some)
      (void)batch().add(past_, time, given, targets ? world_.relations : 0);
    const BoundProgram bound = states_of(constants(), static_cast<Index>(some.size()));
    const Matrix of =
        heads().first().relation_probabilities(values(), batch().queries(), bound.output());
    for (Index i = 0; i < of.rows; ++i) {
      const Index given = some[static_cast<std::size_t>(i)];
      const auto [first, last] = std::ranges::equal_range(subjects, given);
      for (Index r = 0; r < world_.relations; ++r)
        pairs.push_back({static_cast<double>(chance[static_cast<std::size_t>(given)]) * of(i, r),
                         given, kind_of(r, targets), static_cast<Index>(last - first)});
    }
  }
  std::ranges::sort(pairs, [](const Pair& a, const Pair& b) {
    return std::tuple(-a.probability, a.given, a.kind) <
           std::tuple(-b.probability, b.given, b.kind);
  });

  // The most likely facts so far, the least likely of them on top. A pair that is less likely than
  // that one has no fact that would join them.
  const auto more = [](const Foretold& a, const Foretold& b) {
    return std::tuple(-a.probability, a.source, a.relation, a.target) <
           std::tuple(-b.probability, b.source, b.relation, b.target);
  };
  std::vector<Foretold> best;
  const auto wanted = static_cast<std::size_t>(settings_.foretold);
  const auto n = static_cast<std::size_t>(world_.entities);
  std::vector<float> p(n);
  for (std::size_t begin = 0; begin < pairs.size(); begin += kPairsTogether) {
    if (best.size() == wanted && pairs[begin].probability < best.front().probability) break;
    limits.check();
    const auto some =
        std::span(pairs).subspan(begin, std::min(kPairsTogether, pairs.size() - begin));
    batch().clear();
    for (const Pair& pair : some) (void)batch().add(past_, time, pair.given, pair.kind);
    ask(limits, [&](std::size_t i, const float* logits) {
      kernels::softmax_rows({1}, {logits, 1, world_.entities, world_.entities},
                            {p.data(), 1, world_.entities, world_.entities});
      const Pair& pair = some[i];
      const Index r = pair.kind % world_.relations;
      for (std::size_t e = 0; e < n; ++e) {
        const double probability = pair.probability * p[e];
        if (best.size() == wanted && probability < best.front().probability) continue;
        const auto answer = static_cast<Index>(e);
        const Foretold fact = targets ? Foretold{probability, answer, r, pair.given}
                                      : Foretold{probability, pair.given, r, answer};
        for (Index k = 0; k < pair.times; ++k) {
          best.push_back(fact);
          std::ranges::push_heap(best, more);
          if (best.size() <= wanted) continue;
          std::ranges::pop_heap(best, more);
          best.pop_back();
        }
      }
    });
  }
  foretold_.insert(foretold_.end(), best.begin(), best.end());
}

FactColumns ReNet::foretell(std::int64_t time, const RunLimits& limits) {
  foretold_.clear();
  if (past_.steps() > 0 && settings_.foretold > 0)
    for (const bool targets : {false, true}) foretell_from(targets, time, limits);
  const auto ends = [](const Foretold& f) { return std::tuple(f.source, f.relation, f.target); };
  std::ranges::sort(foretold_, {}, ends);
  foretold_.erase(
      std::unique(foretold_.begin(), foretold_.end(),
                  [&](const Foretold& a, const Foretold& b) { return ends(a) == ends(b); }),
      foretold_.end());
  foretold_source_.clear(), foretold_relation_.clear(), foretold_target_.clear();
  for (const Foretold& f : foretold_) {
    foretold_source_.push_back(f.source);
    foretold_relation_.push_back(f.relation);
    foretold_target_.push_back(f.target);
  }
  foretold_time_.assign(foretold_.size(), time);
  return {foretold_source_, foretold_relation_, foretold_target_,
          foretold_time_,   world_.entities,    world_.relations};
}

// Before `time` is asked about: what was asked before it, and has not become known, is predicted.
void ReNet::come_to(std::int64_t time, const RunLimits& limits) {
  if (multi_step() && asked_ && *asked_ < time &&
      (past_.steps() == 0 || past_.time(past_.steps() - 1) < *asked_)) {
    if (!any_foretold_) known_steps_ = past_.steps();
    any_foretold_ = true;
    past_.add(foretell(*asked_, limits));
  }
  asked_ = time;
}

}  // namespace cupel
