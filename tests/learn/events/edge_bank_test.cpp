// EdgeBank against its definitions with maps of lists, at the borders of its windows, and by what
// the groups of facts say of it.
#include "cupel/learn/events/edge_bank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "cupel/data/facts/groups.h"
#include "data/facts/made.h"
#include "error_of.h"
#include "learn/events/asked_model.h"

namespace cupel {
namespace {

using made::MadeFacts;
using made::scores_of;

const std::vector<EdgeMemory> kMemories = {EdgeMemory::unlimited, EdgeMemory::quantile_window,
                                           EdgeMemory::span_window, EdgeMemory::recurrence_window,
                                           EdgeMemory::repeated};

// As DGB and TGB compute it: times of each pair in lists, all of it anew for each question.
class Oracle {
 public:
  Oracle(const FactColumns& facts, Undirected undirected, const EdgeBankSettings& settings,
         std::optional<double> train_span)
      : undirected_(undirected), settings_(settings) {
    for (Offset i = 0; i < facts.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      times_.push_back(static_cast<double>(facts.time[at]));
      for (const Pair& pair : pairs(facts.source[at], facts.relation_of(i), facts.target[at]))
        pairs_[pair].push_back(times_.back());
    }
    if (times_.empty()) return;
    end_ = times_.back();
    double stated = 0, gaps = 0;
    for (const auto& [pair, times] : pairs_) {
      stated += static_cast<double>(times.size());
      double sum = 0;
      for (std::size_t k = 1; k < times.size(); ++k) sum += times[k] - times[k - 1];
      if (times.size() > 1) gaps += sum / static_cast<double>(times.size() - 1);
    }
    const auto n = static_cast<double>(pairs_.size());
    mean_count_ = stated / n;
    if (settings.memory == EdgeMemory::quantile_window) {
      const double place = static_cast<double>(times_.size() - 1) * (1 - settings.share);
      const auto low = static_cast<std::size_t>(std::floor(place));
      const double next = times_[std::min(low + 1, times_.size() - 1)];
      start_ = times_[low] + (next - times_[low]) * (place - std::floor(place));
    } else if (settings.memory == EdgeMemory::span_window) {
      const double span = train_span.value_or(end_ - times_.front());
      start_ = end_ - span * settings.share - 1e-9;
    } else if (settings.memory == EdgeMemory::recurrence_window) {
      start_ = end_ - gaps / n - 1e-9;
    }
  }

  float score(Index s, Index r, Index o) const {
    for (const Pair& pair : pairs(s, r, o)) {
      const auto found = pairs_.find(pair);
      if (found == pairs_.end()) continue;
      const auto& times = found->second;
      const bool frequent = static_cast<double>(times.size()) >= mean_count_ - 1e-9;
      if (settings_.memory == EdgeMemory::repeated ? frequent : times.back() >= start_) return 1;
    }
    return 0;
  }

 private:
  using Pair = std::tuple<Index, Index, Index>;
  // What a fact is remembered as, and asked for by.
  std::set<Pair> pairs(Index s, Index r, Index o) const {
    const bool loose = is_undirected(undirected_, r);
    if (settings_.relations)
      return {loose ? Pair(std::min(s, o), r, std::max(s, o)) : Pair(s, r, o)};
    if (!loose) return {{s, 0, o}};
    // With no directed relation at all, the two orders are one pair, and counted once.
    const auto directed = std::count(undirected_.begin(), undirected_.end(), 0);
    if (directed == 0) return {{std::min(s, o), 0, std::max(s, o)}};
    return {{s, 0, o}, {o, 0, s}};
  }

  Undirected undirected_;
  EdgeBankSettings settings_;
  std::map<Pair, std::vector<double>> pairs_;
  std::vector<double> times_;
  double end_ = 0, start_ = -1e300, mean_count_ = 0;
};

TEST(EdgeBank, IsWhatItsDefinitionsSayHoweverItLearns) {
  const std::vector<std::vector<std::uint8_t>> directions = {{}, {0, 1, 0}, {1, 1, 1}};
  int ones = 0, zeros = 0;
  for (const EdgeMemory memory : kMemories)
    for (const bool relations : {true, false})
      for (const auto& undirected : directions)
        for (const std::uint32_t seed : {1u, 2u, 3u}) {
          const MadeFacts made = made::random_facts(seed, 160, 12, 3, 23, -40, 3);
          const EventWorld world = {12, 3, undirected};
          const EdgeBankSettings settings = {memory, relations, seed == 2 ? 0.4 : 0.15};
          const FactColumns facts = made.columns(), train = facts.part(0, 90);
          const auto whole = make_edge_bank(world, settings), cut = make_edge_bank(world, settings),
                     step = make_edge_bank(world, settings);
          std::optional<double> span;
          if (seed == 3) {
            for (const auto* model : {&whole, &cut, &step}) (*model)->fit(train, {}, {}, {});
            span = static_cast<double>(train.time.back() - train.time.front());
          }
          const made::AllFacts asked(world, 100);
          for (const Offset known : {Offset{0}, Offset{1}, Offset{57}, Offset{160}}) {
            const Offset before = known == 57 ? 1 : known == 160 ? 57 : 0;
            whole->learn(facts.part(before, known));
            made::learn_in_pieces(*cut, facts.part(before, known), {(known - before) / 3});
            for (Offset i = before; i < known; ++i) step->learn(facts.part(i, i + 1));
            const Oracle oracle(facts.part(0, known), undirected, settings, span);
            const auto scores = scores_of(*whole, asked.columns());
            ASSERT_EQ(scores, scores_of(*cut, asked.columns()));
            ASSERT_EQ(scores, scores_of(*step, asked.columns()));
            for (std::size_t i = 0; i < scores.size(); ++i) {
              const float want = oracle.score(asked.source[i], asked.relation[i], asked.target[i]);
              ASSERT_EQ(scores[i], want)
                  << static_cast<int>(memory) << relations << undirected.size() << " " << known
                  << ": " << asked.source[i] << " " << asked.relation[i] << " " << asked.target[i];
              ++(want > 0 ? ones : zeros);
            }
            made::expect_rank_is_score(*whole, world, 100);
          }
        }
  EXPECT_GT(ones, 5000);
  EXPECT_GT(zeros, 10000);
}

// Pair (k, 0) of a fact at each of these times.
MadeFacts one_pair_a_time(std::int64_t first, std::int64_t last) {
  MadeFacts made;
  for (std::int64_t t = first; t <= last; ++t) made.add(static_cast<Index>(t - first), 0, 0, t);
  return made;
}

// The sources whose pair with 0 is remembered.
std::vector<Index> remembered(EventModel& model, const FactColumns& facts) {
  std::vector<Index> sources, targets(static_cast<std::size_t>(facts.nodes));
  for (Index k = 0; k < facts.nodes; ++k) sources.push_back(k);
  const std::vector<std::int64_t> time(sources.size(), 1000);
  const auto scores = scores_of(model, {sources, {}, targets, time, facts.nodes, 1});
  std::vector<Index> out;
  for (std::size_t k = 0; k < scores.size(); ++k)
    if (scores[k] > 0) out.push_back(static_cast<Index>(k));
  return out;
}

// numpy.quantile(range(21), 0.85) is 17, that of range(20) 16.15.
TEST(EdgeBank, WindowOfQuantilesBeginsWhereNumpysQuantileIs) {
  const EdgeBankSettings settings = {EdgeMemory::quantile_window, true, 0.15};
  for (const auto& [last, want] : std::vector<std::pair<std::int64_t, std::vector<Index>>>{
           {20, {17, 18, 19, 20}}, {19, {17, 18, 19}}, {0, {0}}, {1, {1}}}) {
    const MadeFacts made = one_pair_a_time(0, last);
    const auto model = make_edge_bank({made.nodes, 1, {}}, settings);
    model->learn(made.columns());
    EXPECT_EQ(remembered(*model, made.columns()), want) << last;
  }
}

// Ties: the quantile of 0, 0, 5, 5, 5, 5 at 0.5 is the first 5; that of 0, 5 at 0.5 is 2.5.
TEST(EdgeBank, WindowOfQuantilesTakesAStepAsAWhole) {
  MadeFacts made;
  for (Index k = 0; k < 6; ++k) made.add(k, 0, 0, k < 2 ? 0 : 5);
  const auto model = make_edge_bank({6, 1, {}}, {EdgeMemory::quantile_window, true, 0.5});
  model->learn(made.columns().part(0, 2));
  EXPECT_EQ(remembered(*model, made.columns()), (std::vector<Index>{0, 1}));
  model->learn(made.columns().part(2, 6));
  EXPECT_EQ(remembered(*model, made.columns()), (std::vector<Index>{2, 3, 4, 5}));
}

// 15 % of 20 is 3, both ends within; trained on 20, it stays 3 whatever is learnt.
TEST(EdgeBank, WindowOfSpansKeepsTheWidthThatTrainingGaveIt) {
  const EdgeBankSettings settings = {EdgeMemory::span_window, true, 0.15};
  const MadeFacts made = one_pair_a_time(100, 140);
  const FactColumns facts = made.columns();
  const auto trained = make_edge_bank({41, 1, {}}, settings),
             untrained = make_edge_bank({41, 1, {}}, settings);
  trained->fit(facts.part(0, 21), {}, {}, {});
  EXPECT_TRUE(remembered(*trained, facts).empty());
  for (const auto* model : {&trained, &untrained}) {
    (*model)->learn(facts.part(0, 21));
    EXPECT_EQ(remembered(**model, facts), (std::vector<Index>{17, 18, 19, 20}));
    (*model)->learn(facts.part(21, 41));
  }
  EXPECT_EQ(remembered(*trained, facts), (std::vector<Index>{37, 38, 39, 40}));
  EXPECT_EQ(remembered(*untrained, facts).size(), 7u);
}

// Times that differ by nearly 2^64.
TEST(EdgeBank, TimesMayBeAsFarApartAsTheyCanBe) {
  constexpr auto kFirst = std::numeric_limits<std::int64_t>::min(),
                 kLast = std::numeric_limits<std::int64_t>::max();
  MadeFacts made;
  made.add(0, 0, 0, kFirst), made.add(1, 0, 0, kLast - 1), made.add(2, 0, 0, kLast);
  for (const EdgeMemory memory : {EdgeMemory::span_window, EdgeMemory::recurrence_window}) {
    const auto model = make_edge_bank({3, 1, {}}, {memory, true, 0.5});
    model->learn(made.columns());
    EXPECT_EQ(remembered(*model, made.columns()).size(), memory == EdgeMemory::span_window ? 2 : 1);
  }
  const auto all = make_edge_bank({3, 1, {}}, {EdgeMemory::span_window, true, 1});
  all->learn(made.columns());
  EXPECT_EQ(remembered(*all, made.columns()).size(), 3u);
  made.add(0, 0, 0, kLast), made.add(0, 0, 0, kLast);  // a mean gap of (2^64 - 1) / 2
  const auto model = make_edge_bank({3, 1, {}}, {EdgeMemory::recurrence_window, true, 0.5});
  model->learn(made.columns());
  EXPECT_EQ(remembered(*model, made.columns()), (std::vector<Index>{0, 1, 2}));
}

// Three pairs with a mean gap of 10 / 3 and two without a gap: 2 exactly, which thirds that are cut
// off would miss.
TEST(EdgeBank, WindowOfRecurrenceIsExactWhereItIsAWholeNumber) {
  MadeFacts made;
  for (const Index k : {0, 1, 2}) made.add(k, 0, 0, 0);
  for (const Index k : {0, 1, 2}) made.add(k, 0, 0, 4);
  for (const Index k : {0, 1, 2}) made.add(k, 0, 0, 5);
  made.add(0, 0, 0, 10), made.add(1, 0, 0, 10), made.add(2, 0, 0, 10);
  made.add(3, 0, 0, 10), made.add(4, 0, 0, 12);
  const auto model = make_edge_bank({5, 1, {}}, {EdgeMemory::recurrence_window, true, 0.15});
  model->learn(made.columns());
  EXPECT_EQ(remembered(*model, made.columns()), (std::vector<Index>{0, 1, 2, 3, 4}));
  // One pair more makes it 10 / 6, and those at 10 are too old.
  MadeFacts more = made;
  more.add(5, 0, 0, 12);
  const auto larger = make_edge_bank({6, 1, {}}, {EdgeMemory::recurrence_window, true, 0.15});
  larger->learn(more.columns());
  EXPECT_EQ(remembered(*larger, more.columns()), (std::vector<Index>{4, 5}));
}

// 1 + 3 + 2 facts of three pairs: 2 is the mean, and enough.
TEST(EdgeBank, ThresholdIsTheMeanAndWithin) {
  MadeFacts made;
  for (const Index k : {0, 1, 1, 1, 2, 2}) made.add(k, 0, 0, 7);
  const auto model = make_edge_bank({4, 1, {}}, {EdgeMemory::repeated, true, 0.15});
  model->learn(made.columns());
  EXPECT_EQ(remembered(*model, made.columns()), (std::vector<Index>{1, 2}));
}

TEST(EdgeBank, RemembersRepeatedFactsAndNoOthers) {
  for (const std::vector<std::uint8_t>& undirected :
       {std::vector<std::uint8_t>{}, std::vector<std::uint8_t>{0, 1}}) {
    const MadeFacts made = made::random_facts(5, 900, 60, 2, 10);
    const FactColumns facts = made.columns();
    const TimeParts parts = parts_at(facts, {1994, 1995, 1998}, "made");
    const FactGroups groups = fact_groups(facts, parts, undirected, {});
    const auto model = make_edge_bank({60, 2, undirected}, {});
    model->learn(parts.train(facts));
    const auto scores = scores_of(*model, parts.test(facts));
    for (std::size_t i = 0; i < scores.size(); ++i)
      EXPECT_EQ(scores[i], groups.of[i] == FactGroup::repeated ? 1 : 0) << i;
    for (const Offset size : groups.all) EXPECT_GT(size, 0);
  }
}

TEST(EdgeBank, SaysWhatItCannotDo) {
  for (const double share : {0.0, -1.0, 1.5, std::nan("")})
    EXPECT_NE(error_of([&] {
                (void)make_edge_bank({3, 1, {}}, {EdgeMemory::span_window, true, share});
              }).find("share is"),
              std::string::npos);
  constexpr Index kMost = std::numeric_limits<Index>::max();
  EXPECT_NE(error_of([&] {
              (void)make_edge_bank({kMost, 5, {}}, {});
            }).find("64 bits"),
            std::string::npos);
  (void)make_edge_bank({kMost, 4, {}}, {});
  (void)make_edge_bank({kMost, 5, {}}, {EdgeMemory::unlimited, false, 0.15});
}

TEST(EdgeBank, StopsWhenItIsToldTo) {
  const MadeFacts made = made::random_facts(1, 50, 9, 1, 5);
  const auto model = make_edge_bank({9, 1, {}}, {});
  model->learn(made.columns());
  const std::atomic<bool> stop = true;
  std::vector<float> scores(50);
  EXPECT_THROW(model->score(made.columns(), scores, {{}, &stop}), Interrupted);
  made::KeptAnswers answers(9);
  const std::vector<EventQuery> queries = {{0, 0, false}};
  EXPECT_THROW(model->rank(2000, queries, answers, {{}, &stop}), Interrupted);
}

}  // namespace
}  // namespace cupel
