// Which entity? Ranks and groups against a reading of the definitions, and the order of events.
#include "cupel/learn/events/event_exam.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "cupel/learn/score/group_names.h"
#include "error_of.h"
#include "learn/events/made_events.h"

namespace cupel {
namespace {

using made::FactTuple;
using made::ScriptedRun;

// A fact's place, and what groups it is in.
struct Placed {
  double rank = 0;
  Offset candidates = 0;
  std::string relation;
  std::vector<std::string> groups;
};

struct Wanted {
  std::string filter = "time", ends = "both", candidates = "all", setting = "single-step";
};

// Facts of a relation without direction in both of their orders.
std::vector<FactTuple> both_orders(const TemporalFacts& facts) {
  std::vector<FactTuple> out = made::tuples_of(facts);
  for (const auto& [s, r, o, t] : made::tuples_of(facts))
    if (facts.relations[static_cast<std::size_t>(r)].undirected) out.emplace_back(o, r, s, t);
  return out;
}

// What is known of a fact before it: names of its groups.
std::vector<std::string> groups_of(const TemporalFacts& facts, const FactTuple& fact,
                                   std::int64_t train, std::int64_t valid, const Wanted& wanted) {
  const auto& [s, r, o, t] = fact;
  std::set<Index> seen;
  bool repeated = false;
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (const auto& [s2, r2, o2, t2] : both_orders(facts)) {
    if (t2 <= train) seen.insert(s2), seen.insert(o2);
    repeated = repeated || (t2 <= train && s2 == s && r2 == r && o2 == o);
    if (t2 < t && (s2 == s || o2 == s)) last = std::max(last, t2);
  }
  std::vector<std::string> out = {"all"};
  const bool from = seen.contains(s), to = seen.contains(o);
  out.push_back(from && to ? (repeated ? "repeated" : "first_time")
                : from     ? "seen_to_unseen"
                : to       ? "unseen_to_seen"
                           : "unseen_to_unseen");
  const bool never = last == std::numeric_limits<std::int64_t>::min();
  const std::int64_t silent = never ? 0 : t - last;
  out.push_back(never         ? "staleness never"
                : silent <= 1 ? "staleness 1"
                : silent == 2 ? "staleness 2"
                : silent <= 5 ? "staleness 3-5"
                              : "staleness >5");
  std::set<std::int64_t> ahead;
  for (const auto& f : made::tuples_of(facts))
    if (std::get<3>(f) > valid && std::get<3>(f) <= t) ahead.insert(std::get<3>(f));
  if (wanted.setting == "multi-step")
    out.push_back(ahead.size() == 1 ? "step 1" : ahead.size() == 2 ? "step 2" : "step 3-5");
  return out;
}

std::vector<Placed> placed(const TemporalFacts& facts, std::int64_t train, std::int64_t valid,
                           std::int64_t last, const Wanted& wanted) {
  std::vector<Placed> out;
  const auto stated = both_orders(facts);
  for (const FactTuple& fact : made::tuples_of(facts)) {
    const auto& [s, r, o, t] = fact;
    if (t <= valid || t > last) continue;
    const FactRelation& relation = facts.relations[static_cast<std::size_t>(r)];
    for (const bool source_end : {false, true}) {
      if (wanted.ends == (source_end ? "target" : "source")) continue;
      const Index truth = source_end ? s : o, given = source_end ? o : s;
      Placed one;
      one.relation = relation.name;
      one.groups = groups_of(facts, fact, train, valid, wanted);
      const auto score = [&](Index e) {
        return made::scripted(t, given, r, source_end && !relation.undirected, e);
      };
      double above = 0, ties = 0;
      for (Index e = 0; e < facts.entities(); ++e) {
        if (e == truth) continue;
        const auto at = static_cast<std::size_t>(e);
        if (wanted.candidates == "type" &&
            facts.entity_types[at] != facts.entity_types[static_cast<std::size_t>(truth)])
          continue;
        const auto also = [&](const FactTuple& f) {
          const auto& [s2, r2, o2, t2] = f;
          if (r2 != r || (source_end ? o2 : s2) != given || (source_end ? s2 : o2) != e)
            return false;
          return wanted.filter == "time" ? t2 == t : t2 <= last;
        };
        if (wanted.filter != "raw" && std::ranges::any_of(stated, also)) continue;
        ++one.candidates, above += score(e) > score(truth), ties += score(e) == score(truth);
      }
      one.rank = 1 + above + ties / 2;
      out.push_back(one);
    }
  }
  return out;
}

std::optional<double> value_of(const std::string& metric, const std::vector<Placed>& all) {
  double sum = 0;
  for (const Placed& one : all) {
    if (metric == "mrr")
      sum += 1 / one.rank;
    else if (metric == "mean-rank")
      sum += one.rank;
    else {
      const int k = std::stoi(metric.substr(5));
      sum += one.rank <= k;
    }
  }
  if (all.empty()) return {};
  return sum / static_cast<double>(all.size());
}

const std::vector<std::string> kMetrics = {"mrr",     "mean-rank", "hits@1",  "hits@3",
                                           "hits@10", "hits@20",   "hits@50", "hits@100"};

void expect_as_defined(std::uint32_t seed, const Wanted& wanted) {
  const TemporalFacts facts = made::small_facts(seed);
  const Task task = made::event_task(made::small_facts(seed), {{"filter", wanted.filter},
                                                               {"ends", wanted.ends},
                                                               {"candidates", wanted.candidates},
                                                               {"setting", wanted.setting}});
  const ScriptedRun run(task, "mrr");
  const auto test = placed(facts, 120, 124, 200, wanted);
  const auto valid = placed(facts, 120, 120, 124, wanted);
  ASSERT_EQ(task.view->test_rows(), std::ssize(test));
  ASSERT_EQ(task.view->valid_rows(), std::ssize(valid));
  EXPECT_NEAR(run.outcome.valid_score, *value_of("mrr", valid), 1e-12);
  EXPECT_NEAR(run.test->score("mrr"), *value_of("mrr", test), 1e-12);

  std::map<std::string, double> got;
  for (const auto& [name, value] : run.test->other_scores("mrr"))
    EXPECT_TRUE(got.emplace(name, value).second) << name << " twice";
  EXPECT_FALSE(got.contains("mrr"));
  std::map<std::string, double> want;
  for (const std::string& metric : kMetrics)
    if (const auto one = value_of(metric, test); one && metric != "mrr") want[metric] = *one;
  std::map<std::pair<std::string, std::string>, std::vector<Placed>> groups;
  for (const Placed& one : test)
    for (const std::string& group : one.groups)
      groups[{"all", group}].push_back(one), groups[{one.relation, group}].push_back(one);
  for (const auto& [key, members] : groups) {
    for (const std::string& metric : kMetrics)
      if (const auto one = value_of(metric, members))
        want[to_text({metric, key.first, key.second})] = *one;
    want[to_text({"n", key.first, key.second})] = static_cast<double>(members.size());
    want[to_text({"unknown", key.first, key.second})] = 0;
  }
  ASSERT_GT(groups.size(), 16u) << "the facts are too few to tell groups apart";
  for (const auto& [name, value] : want) {
    ASSERT_TRUE(got.contains(name)) << name;
    EXPECT_NEAR(got[name], value, 1e-12 * std::max(1.0, value)) << name;
  }
  EXPECT_EQ(got.size(), want.size());
}

TEST(EventExam, RanksAndGroupsAreWhatTheDefinitionsSay) {
  for (std::uint32_t seed = 0; seed < 3; ++seed)
    for (const char* filter : {"raw", "time", "static"})
      for (const char* ends : {"both", "target", "source"})
        for (const char* candidates : {"all", "type"})
          for (const char* setting : {"single-step", "multi-step"}) {
            SCOPED_TRACE(fmt::format("{} {} {} {} {}", seed, filter, ends, candidates, setting));
            expect_as_defined(seed, {filter, ends, candidates, setting});
          }
}

// Of many relations each has the score of its facts as a whole.
TEST(EventExam, ManyRelationsAreToldApartWithoutGroups) {
  const TemporalFacts three = made::small_facts(5);
  TemporalFacts facts = made::small_facts(5);
  for (int more = 0; more < 40; ++more) facts.relations.push_back({fmt::format("r{}", more), 0, 0});
  const Task task = made::event_task(std::move(facts), {});
  const ScriptedRun run(task, "mrr");
  double sum[3] = {}, count[3] = {};
  for (const Placed& one : placed(three, 120, 124, 200, {}))
    for (std::size_t r = 0; r < 3; ++r)
      if (one.relation == three.relations[r].name) sum[r] += 1 / one.rank, ++count[r];
  std::map<std::string, double> got;
  for (const auto& [name, value] : run.test->other_scores("mrr")) got[name] = value;
  for (std::size_t r = 0; r < 3; ++r) {
    const std::string& name = three.relations[r].name;
    EXPECT_NEAR(got.at(to_text({"mrr", name, "all"})), sum[r] / count[r], 1e-12);
    EXPECT_FALSE(got.contains(to_text({"mrr", name, "repeated"})));
  }
  EXPECT_TRUE(got.contains(to_text({"mrr", "all", "repeated"})));
}

// Of both questions, by batches and pooled.
TEST(EventExam, AnOnlyRelationHasTheScoresOfAll) {
  for (const char* question : {"which", "whether"})
    for (const char* average : {"pooled", "batches"}) {
      TemporalFacts facts;
      facts.name = "small", facts.types = {"person"}, facts.relations = {{"met", 0, 0, false}};
      facts.entity_types.assign(14, 0);
      for (const auto& [s, r, o, t] : made::tuples_of(made::small_facts(3))) facts.push(s, 0, o, t);
      const Task task = made::event_task(
          std::move(facts), {{"question", question}, {"average", average}, {"batch", 7}});
      const std::string metric = std::string(question) == "which" ? "mrr" : "roc-auc";
      const ScriptedRun run(task, metric);
      std::map<std::string, double> all, only;  // by metric and group
      for (const auto& [name, value] : run.test->other_scores(metric))
        if (const auto group = parse_group_name(name))
          (group->relation == "all" ? all : only)[group->metric + "|" + group->group] = value;
      EXPECT_TRUE(all.contains(metric + "|repeated") && all.contains(metric + "|all"));
      EXPECT_EQ(all.at(metric + "|all"), run.test->score(metric));
      all.erase("cut-steps|all");  // is of the part alone
      EXPECT_EQ(all, only) << question << " " << average;
    }
}

TEST(EventExam, TiesFollowTheMetric) {
  const TemporalFacts facts = made::small_facts(4);
  const Task task = made::event_task(made::small_facts(4), {});
  const ScriptedRun run(task, "mrr:ties=optimistic");
  const double best = run.test->score("mrr:ties=optimistic"), mean = run.test->score("mrr"),
               worst = run.test->score("mrr:ties=pessimistic");
  EXPECT_GT(best, mean + 0.05);
  EXPECT_GT(mean, worst + 0.02);
  // What a run is selected by stands among its groups, too.
  bool found = false;
  for (const auto& [name, value] : run.test->other_scores("mrr:ties=optimistic"))
    if (name == to_text({"mrr:ties=optimistic", "all", "all"})) {
      found = true;
      EXPECT_EQ(value, best);
    }
  EXPECT_TRUE(found);
}

// Known before each question is exactly what happened before its time, or before its part.
TEST(EventExam, TellsWhatHappenedOnceItWasAsked) {
  for (const char* setting : {"single-step", "multi-step"}) {
    const TemporalFacts facts = made::small_facts(5);
    const auto all = made::tuples_of(facts);
    const Task task = made::event_task(made::small_facts(5), {{"setting", setting}});
    const ScriptedRun run(task, "mrr");
    std::set<std::int64_t> times;
    for (const made::Asked& asked : run.asked) {
      EXPECT_TRUE(times.insert(asked.time).second) << "a step is asked in one go";
      const std::int64_t before = std::string(setting) == "single-step" ? asked.time
                                  : asked.time <= 124                   ? 121
                                                                        : 125;
      const auto known =
          std::ranges::count_if(all, [&](const FactTuple& f) { return std::get<3>(f) < before; });
      EXPECT_EQ(static_cast<std::ptrdiff_t>(asked.known), known) << asked.time;
    }
    EXPECT_EQ(times.size(), 5u);
    ASSERT_LE(run.learnt.size(), all.size());
    EXPECT_TRUE(std::equal(run.learnt.begin(), run.learnt.end(), all.begin()));
  }
}

TEST(EventExam, QueriesAreDistinctAndTellNoAnswer) {
  TemporalFacts facts = made::small_facts(6), other = made::small_facts(6);
  // Within each step: facts in another order, and targets of one relation handed round.
  for (std::size_t i = 0; i + 1 < other.time.size(); ++i)
    for (std::size_t j = i + 1; j < other.time.size() && other.time[j] == other.time[i]; ++j) {
      if (other.relation[j] == 2 && other.relation[i] == 2)
        std::swap(other.target[i], other.target[j]);
      std::swap(other.source[i], other.source[j]), std::swap(other.relation[i], other.relation[j]);
      std::swap(other.target[i], other.target[j]);
    }
  ASSERT_NE(made::tuples_of(facts), made::tuples_of(other));
  const ScriptedRun a(made::event_task(std::move(facts), {}), "mrr"),
      b(made::event_task(std::move(other), {}), "mrr");
  const auto text = [](const made::Asked& asked) {
    std::vector<std::string> out;
    for (const EventQuery& q : asked.queries)
      out.push_back(fmt::format("{} {} {}", q.relation, q.source_asked, q.given));
    return out;
  };
  ASSERT_EQ(a.asked.size(), b.asked.size());
  for (std::size_t i = 0; i < a.asked.size(); ++i) {
    const auto queries = text(a.asked[i]);
    EXPECT_EQ(queries, text(b.asked[i]));
    EXPECT_EQ(std::set<std::string>(queries.begin(), queries.end()).size(), queries.size());
    for (const std::string& query : queries)
      EXPECT_FALSE(query.starts_with("0 true")) << "either order is asked for one end alone";
  }
}

// Minus infinity: the model cannot rank. Counted, and ranked behind all others.
TEST(EventExam, CountsWhatAModelKnowsNothingOf) {
  const Task task = made::event_task(made::small_facts(7), {});
  const auto marking = task.answers->open();
  auto& exam = dynamic_cast<EventExam&>(*marking);
  while (exam.next())
    for (const EventQuery& q : exam.queries()) {
      const float nothing = -std::numeric_limits<float>::infinity();
      if (q.given % 2 == 0)
        exam.answers().some(std::vector<EntityScore>{}, nothing);
      else
        exam.answers().some(std::vector<EntityScore>{{0, 1.0f}, {1, 1.0f}}, 0);
    }
  double unknown = -1;
  for (const auto& [name, value] : exam.other_scores("mrr"))
    if (name == to_text({"unknown", "all", "all"})) unknown = value;
  double expected = 0;
  for (const auto& [s, r, o, t] : made::tuples_of(made::small_facts(7)))
    if (t > 124) expected += (s % 2 == 0) + (o % 2 == 0);
  EXPECT_EQ(unknown, expected);
  EXPECT_GT(expected, 10);
}

TEST(EventExam, SampledCandidatesAreTheSameInEveryRun) {
  const auto score = [](int sampled, const char* ends) {
    const Task task = made::event_task(
        made::small_facts(8), {{"sampled", std::int64_t{sampled}}, {"ends", std::string(ends)}});
    return ScriptedRun(task, "mrr").test->score("mrr");
  };
  EXPECT_EQ(score(3, "both"), score(3, "both"));
  EXPECT_GT(score(3, "both"), score(6, "both"));
  EXPECT_EQ(score(100, "both"), score(0, "both")) << "all there are";
}

TEST(EventExam, SeedsDrawOtherCandidates) {
  const auto score = [](std::int64_t seed, std::int64_t sampled = 3) {
    const Task task =
        made::event_task(made::small_facts(8), {{"sampled", sampled}, {"seed", seed}});
    return ScriptedRun(task, "mrr").test->score("mrr");
  };
  std::set<double> different;
  for (const std::int64_t seed : {0, 1, 2, 3}) {
    EXPECT_EQ(score(seed), score(seed));
    different.insert(score(seed));
  }
  EXPECT_GT(different.size(), 2u);
  const Task before = made::event_task(made::small_facts(8), {{"sampled", std::int64_t{3}}});
  EXPECT_EQ(score(0), ScriptedRun(before, "mrr").test->score("mrr"));
  EXPECT_EQ(score(1, 0), score(2, 0)) << "nothing is drawn";
}

TEST(EventExam, RefusesWhatIsNoAnswer) {
  const auto exam_of = [](const made::Settings& settings) {
    return made::event_task(made::small_facts(9), settings).answers->open();
  };
  const auto marking = exam_of({});
  auto& exam = dynamic_cast<EventExam&>(*marking);
  EXPECT_NE(error_of([&] { (void)exam.score("mrr"); }).find("0 of "), std::string::npos);
  ASSERT_TRUE(exam.next());
  EXPECT_THROW((void)exam.revealed(), std::logic_error) << "nothing is told before it is answered";
  EXPECT_THROW((void)exam.next(), std::logic_error);
  EXPECT_THROW((void)exam.score("mrr"), std::logic_error);
  EXPECT_THROW(exam.take({nullptr, 0, 1, 1}), std::logic_error);
  const std::vector<float> scores(14, 1.0f);
  std::vector<float> bad = scores;
  bad[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(error_of([&] { exam.answers().all(bad); }), "a score of an entity is not a number");
  EXPECT_THROW(exam.answers().some(std::vector<EntityScore>{{2, 1}, {2, 1}}, 0), std::logic_error);
  EXPECT_THROW(exam.answers().all(std::vector<float>(13)), std::logic_error);
  for (std::size_t i = 0; i < exam.queries().size(); ++i) exam.answers().all(scores);
  EXPECT_THROW(exam.answers().all(scores), std::logic_error) << "more answers than queries";
  EXPECT_GT(exam.revealed().size(), 0);
  EXPECT_NE(error_of([&] { (void)exam.score("mrr"); }).find("facts were asked about"),
            std::string::npos);
  while (exam.next())
    for (std::size_t i = 0; i < exam.queries().size(); ++i) exam.answers().all(scores);
  EXPECT_NE(error_of([&] { (void)exam.score("roc-auc"); }).find("'roc-auc' is not one of"),
            std::string::npos);
  EXPECT_EQ(exam.score("hits@100"), 1) << "a list of fewer than K";
}

}  // namespace
}  // namespace cupel
