// Whether a fact is true: pooled scores and means of batches against a reading of the definitions;
// and that nothing of the test part can be reached before it is asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "cupel/learn/score/group_names.h"
#include "error_of.h"
#include "learn/events/made_events.h"

namespace cupel {
namespace {

using made::FactTuple;
using made::ScriptedRun;

struct Scored {
  float score;
  bool positive;
};

constexpr const char* kCutStepsOfAll = "cut-steps|relation=all|group=all";

// scikit-learn's average_precision_score: at each threshold, recall gained times precision.
double average_precision(const std::vector<Scored>& rows) {
  std::set<float, std::greater<>> thresholds;
  double all = 0, sum = 0, before = 0;
  for (const Scored& row : rows) thresholds.insert(row.score), all += row.positive;
  for (const float threshold : thresholds) {
    double positive = 0, taken = 0;
    for (const Scored& row : rows)
      if (row.score >= threshold) positive += row.positive, ++taken;
    sum += (positive - before) / all * positive / taken, before = positive;
  }
  return sum;
}

double roc_auc(const std::vector<Scored>& rows) {
  double above = 0, pairs = 0;
  for (const Scored& a : rows)
    for (const Scored& b : rows)
      if (a.positive && !b.positive)
        ++pairs, above += a.score > b.score ? 1 : a.score == b.score ? 0.5 : 0;
  return above / pairs;
}

// Rows of each batch of the test part as the model was asked them, and which are facts. Negatives
// are no facts at their time.
std::vector<std::vector<Scored>> batches_of(const ScriptedRun& run, const TemporalFacts& facts,
                                            Index relation = -1) {
  const auto all = made::tuples_of(facts);
  std::vector<std::vector<Scored>> out;
  for (const made::Asked& asked : run.asked) {
    if (std::get<3>(asked.facts.back()) <= 124) continue;
    out.emplace_back();
    for (const FactTuple& f : asked.facts) {
      const auto& [s, r, o, t] = f;
      if (relation >= 0 && r != relation) continue;
      out.back().push_back(
          {made::scripted(t, s, r, false, o), std::ranges::find(all, f) != all.end()});
    }
    if (out.back().empty()) out.pop_back();
  }
  return out;
}

double over(const std::vector<std::vector<Scored>>& batches, bool by_batch,
            double (*metric)(const std::vector<Scored>&)) {
  std::vector<Scored> pool;
  double sum = 0;
  for (const auto& batch : batches) {
    sum += metric(batch);
    pool.insert(pool.end(), batch.begin(), batch.end());
  }
  return by_batch ? sum / static_cast<double>(batches.size()) : metric(pool);
}

// Test is held against the threshold by which validation is told right most, whatever the scale of
// the scores.
TEST(EventWhether, ValidationChoosesTheThreshold) {
  for (const char* average : {"pooled", "batches"}) {
    const TemporalFacts facts = made::small_facts(1);
    const Task task = made::event_task(made::small_facts(1), {{"question", "whether"},
                                                              {"negatives", "historical"},
                                                              {"batch", std::int64_t{7}},
                                                              {"average", average}});
    const ScriptedRun run(task, "precision:by=valid");
    const auto all = made::tuples_of(facts);
    std::vector<Scored> valid;
    for (const made::Asked& asked : run.asked)
      for (const auto& [s, r, o, t] : asked.facts)
        if (t <= 124)
          valid.push_back({made::scripted(t, s, r, false, o),
                           std::ranges::find(all, FactTuple{s, r, o, t}) != all.end()});
    // Scores are -1 to 3; the highest that tells most right.
    double best = 9;
    int most = -1;
    for (const double threshold : {3.0, 2.5, 1.5, 0.5, -0.5, -1.5}) {
      int right = 0;
      for (const Scored& row : valid) right += (row.score > threshold) == row.positive;
      if (right > most) most = right, best = threshold;
    }
    const auto batches = batches_of(run, facts);
    static double held;
    held = best;
    const auto precision = [](const std::vector<Scored>& rows) {
      double said = 0, right = 0;
      for (const Scored& row : rows)
        said += row.score > held, right += row.score > held && row.positive;
      return said == 0 ? 0 : right / said;
    };
    const auto recall = [](const std::vector<Scored>& rows) {
      double there = 0, right = 0;
      for (const Scored& row : rows)
        there += row.positive, right += row.score > held && row.positive;
      return right / there;
    };
    const bool by_batch = average == std::string("batches");
    EXPECT_NEAR(run.test->score("precision:by=valid"), over(batches, by_batch, precision), 1e-12);
    std::map<std::string, double> got;
    for (const auto& [name, value] : run.test->other_scores("precision:by=valid"))
      got[name] = value;
    EXPECT_NEAR(got.at("recall:by=valid"), over(batches, by_batch, recall), 1e-12);
    EXPECT_NEAR(got.at("recall:by=valid|relation=all|group=all"), got.at("recall:by=valid"), 1e-12);
    held = 0.5;
    EXPECT_NEAR(got.at("precision"), over(batches, by_batch, precision), 1e-12) << "as before";
  }
}

TEST(EventWhether, ScoresAreThoseOfTheRowsThatWereAsked) {
  for (const char* negatives : {"random:avoid=true", "historical", "inductive"})
    for (const std::int64_t batch : {0, 7, 200})
      for (const char* average : {"pooled", "batches"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", negatives, batch, average));
        const TemporalFacts facts = made::small_facts(1);
        const Task task = made::event_task(made::small_facts(1), {{"question", "whether"},
                                                                  {"negatives", negatives},
                                                                  {"batch", batch},
                                                                  {"average", average}});
        const ScriptedRun run(task, "average-precision");
        const bool by_batch = std::string(average) == "batches";
        const auto batches = batches_of(run, facts);
        std::size_t rows = 0, positive = 0;
        for (const auto& one : batches) {
          rows += one.size();
          for (const Scored& row : one) positive += row.positive;
          EXPECT_TRUE(batch == 0 || one.size() <= static_cast<std::size_t>(2 * batch));
        }
        const auto test = static_cast<std::size_t>(task.view->test_rows());
        EXPECT_EQ(rows, 2 * test);
        EXPECT_EQ(positive, test) << "one negative for each fact";
        EXPECT_NEAR(run.test->score("average-precision"),
                    over(batches, by_batch, average_precision), 1e-12);
        std::map<std::string, double> got;
        for (const auto& [name, value] : run.test->other_scores("average-precision"))
          got[name] = value;
        EXPECT_NEAR(got.at("roc-auc"), over(batches, by_batch, roc_auc), 1e-12);
        const char* const names[] = {"met", "at", "wrote, to"};
        double n = 0;
        for (Index r = 0; r < 3; ++r) {
          const auto part = batches_of(run, facts, r);
          EXPECT_NEAR(got.at(to_text({"average-precision", names[r], "all"})),
                      over(part, by_batch, average_precision), 1e-12);
          EXPECT_NEAR(got.at(to_text({"roc-auc", names[r], "all"})), over(part, by_batch, roc_auc),
                      1e-12);
          n += got.at(to_text({"n", names[r], "all"}));
        }
        EXPECT_EQ(n, static_cast<double>(test));
        double grouped = 0, stale = 0;
        for (const auto& [name, value] : got) {
          const auto group = parse_group_name(name);
          if (!group || group->metric != "n" || group->relation != "all") continue;
          if (group->group.starts_with("staleness"))
            stale += value;
          else if (group->group != "all")
            grouped += value;
        }
        EXPECT_EQ(grouped, n);
        EXPECT_EQ(stale, n);
      }
}

TEST(EventWhether, KnowsWhatWasBeforeTheBatch) {
  for (const char* setting : {"single-step", "multi-step"}) {
    const auto all = made::tuples_of(made::small_facts(2));
    const Task task = made::event_task(
        made::small_facts(2),
        {{"question", "whether"}, {"setting", setting}, {"batch", std::int64_t{5}}});
    const ScriptedRun run(task, "roc-auc");
    std::size_t before = 0;  // facts of batches that were asked
    const auto train = static_cast<std::size_t>(
        std::ranges::count_if(all, [](const FactTuple& f) { return std::get<3>(f) <= 120; }));
    const auto valid = static_cast<std::size_t>(task.view->valid_rows());
    for (const made::Asked& asked : run.asked) {
      const std::size_t part = before < valid ? 0 : valid;
      EXPECT_EQ(asked.known, train + (std::string(setting) == "single-step" ? before : part));
      before += asked.facts.size() / 2;
    }
    EXPECT_EQ(train + before, all.size());
    EXPECT_TRUE(std::equal(run.learnt.begin(), run.learnt.end(), all.begin()));
  }
}

// Scores of the same facts and negatives, in the same batches; each step knows all before it.
TEST(EventWhether, KnowsAllBeforeTheStepIfToldSo) {
  for (const char* average : {"pooled", "batches"}) {
    const std::map<std::string, OptionValue> by_batch = {
        {"question", "whether"}, {"batch", std::int64_t{7}}, {"average", average}};
    std::map<std::string, OptionValue> by_step = by_batch;
    by_step["known"] = "step";
    const Task step = made::event_task(made::small_facts(2), by_step);
    const auto& view = dynamic_cast<const EventView&>(*step.view);
    EXPECT_TRUE(view.rules().all_before());
    const ScriptedRun run(step, "average-precision");
    const auto all = made::tuples_of(made::small_facts(2));
    std::size_t several = 0;
    for (const made::Asked& asked : run.asked) {
      const std::int64_t time = std::get<3>(asked.facts.front());
      EXPECT_EQ(std::get<3>(asked.facts.back()), time);
      EXPECT_EQ(asked.known, static_cast<std::size_t>(std::ranges::count_if(
                                 all, [&](const FactTuple& f) { return std::get<3>(f) < time; })));
      several += asked.facts.size() > 2;
    }
    EXPECT_GT(several, 0u) << "steps of one fact alone";
    const Task batch = made::event_task(made::small_facts(2), by_batch);
    EXPECT_FALSE(dynamic_cast<const EventView&>(*batch.view).rules().all_before());
    const ScriptedRun other(batch, "average-precision");
    EXPECT_NE(other.asked.size(), run.asked.size());
    EXPECT_EQ(run.test->score("average-precision"), other.test->score("average-precision"));
    auto scores = other.test->other_scores("average-precision");
    std::erase_if(scores, [](const auto& score) { return score.first == kCutStepsOfAll; });
    EXPECT_EQ(run.test->other_scores("average-precision"), scores);
    const auto identity = [&](const auto& settings) {
      return event_identity(Options("events", event_options(), settings));
    };
    EXPECT_TRUE(identity(by_step).contains("known"));
    EXPECT_FALSE(identity(by_batch).contains("known")) << "as runs were named before";
  }
  EXPECT_FALSE(
      event_identity(Options("events", event_options(), {{"known", "step"}})).contains("known"))
      << "of the other question";
}

// How many steps of the test part a batch ends within, counted fact by fact; nothing where what is
// known does not hang on batches.
TEST(EventWhether, StepsThatBatchesCutAreCounted) {
  const auto told = [](const made::Settings& more) -> std::optional<double> {
    made::Settings settings = {{"question", "whether"}};
    for (const auto& [name, value] : more) settings[name] = value;
    const ScriptedRun run(made::event_task(made::small_facts(2), settings), "roc-auc");
    for (const auto& [name, value] : run.test->other_scores("roc-auc"))
      if (name == kCutStepsOfAll) return value;
    return std::nullopt;
  };
  std::vector<std::int64_t> times;
  for (const FactTuple& fact : made::tuples_of(made::small_facts(2)))
    if (std::get<3>(fact) > 124) times.push_back(std::get<3>(fact));
  for (const std::int64_t batch : {1, 2, 7, 10, 200}) {
    std::set<std::int64_t> cut;
    for (std::size_t i = 1; i < times.size(); ++i)
      if (i % static_cast<std::size_t>(batch) == 0 && times[i - 1] == times[i])
        cut.insert(times[i]);
    EXPECT_EQ(told({{"batch", batch}}), static_cast<double>(cut.size())) << batch;
  }
  EXPECT_EQ(told({{"batch", std::int64_t{0}}}), std::nullopt);
  EXPECT_EQ(told({{"known", "step"}}), std::nullopt);
  EXPECT_EQ(told({{"setting", "multi-step"}}), std::nullopt);
}

// Negatives of a seed are the same again, and others than those of another seed; without a seed
// they are those that there were before there were seeds.
TEST(EventWhether, SeedsDrawOtherNegatives) {
  const auto negatives = [](const char* kind, std::int64_t seed) {
    made::Settings settings = {{"question", "whether"}, {"negatives", kind}};
    if (seed >= 0) settings["seed"] = seed;
    const ScriptedRun run(made::event_task(made::small_facts(3), settings), "roc-auc");
    std::multiset<FactTuple> out;
    for (const made::Asked& asked : run.asked) out.insert(asked.facts.begin(), asked.facts.end());
    for (const FactTuple& fact : made::tuples_of(made::small_facts(3)))
      if (const auto at = out.find(fact); at != out.end()) out.erase(at);
    return out;
  };
  for (const char* kind : {"random:avoid=true", "historical", "inductive"}) {
    EXPECT_EQ(negatives(kind, 0), negatives(kind, -1)) << kind;
    std::set<std::multiset<FactTuple>> different;
    for (const std::int64_t seed : {0, 1, 2, 1'000'000'000}) {
      EXPECT_EQ(negatives(kind, seed), negatives(kind, seed)) << kind << " " << seed;
      different.insert(negatives(kind, seed));
    }
    EXPECT_EQ(different.size(), 4u) << kind;
  }
}

// A seed enters identities where something is drawn by it, so that runs without one keep theirs.
TEST(EventWhether, SeedsEnterIdentitiesWhereTheyPlayAPart) {
  const auto identity = [](made::Settings settings, std::int64_t seed) {
    settings["seed"] = seed;
    return event_identity(Options("events", event_options(), settings));
  };
  const std::vector<made::Settings> all = {
      {}, {{"question", "whether"}}, {{"sampled", std::int64_t{5}}}};
  for (const made::Settings& asked : all) {
    EXPECT_EQ(identity(asked, 0), event_identity(Options("events", event_options(), asked)));
    EXPECT_FALSE(identity(asked, 0).contains("seed"));
    EXPECT_EQ(identity(asked, 7).contains("seed"), !asked.empty());
  }
  EXPECT_NE(error_of([&] { (void)identity({}, -1); }).find("'seed'"), std::string::npos);
}

TEST(EventWhether, RowsAreInAnOrderThatTellsNothing) {
  const Task task = made::event_task(made::small_facts(3), {{"question", "whether"}});
  const ScriptedRun run(task, "roc-auc");
  for (const made::Asked& asked : run.asked) {
    const auto key = [](const FactTuple& f) {
      const auto& [s, r, o, t] = f;
      return std::tuple(t, r, s, o);
    };
    EXPECT_TRUE(std::ranges::is_sorted(asked.facts, {}, key));
  }
}

TEST(EventWhether, RefusesWhatIsNoScore) {
  const Task task = made::event_task(made::small_facts(3), {{"question", "whether"}});
  const auto marking = task.answers->open();
  auto& exam = dynamic_cast<EventExam&>(*marking);
  ASSERT_TRUE(exam.next());
  const auto rows = static_cast<Index>(exam.asked().size());
  std::vector<float> scores(static_cast<std::size_t>(rows) + 1, 0.5f);
  scores[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(error_of([&] {
              exam.take({scores.data(), rows, 1, 1});
            }),
            "the score of a fact is not a number");
  EXPECT_NE(error_of([&] {
              exam.take({scores.data(), 1, 2, 2});
            }).find("2 columns"),
            std::string::npos);
  EXPECT_THROW((void)exam.next(), std::logic_error);
  EXPECT_THROW((void)exam.revealed(), std::logic_error);
  exam.take({scores.data() + 2, rows - 1, 1, 1});
  EXPECT_THROW(exam.take({scores.data() + 2, 1, 1, 1}), std::logic_error) << "too many";
}

// --- Nothing of the test part can be reached before it is asked.

TEST(EventSeal, AViewEndsWithValidation) {
  const TemporalFacts facts = made::small_facts(4);
  for (const bool scored : {false, true}) {
    const Task task = made::event_task(made::small_facts(4), {}, made::kSmallCuts, scored);
    const auto& view = dynamic_cast<const EventView&>(*task.view);
    const auto known = static_cast<std::size_t>(view.train().size() + view.valid().size());
    for (const std::int64_t time : view.train().time) EXPECT_LE(time, 120);
    for (const std::int64_t time : view.valid().time) EXPECT_TRUE(time > 120 && time <= 124);
    const auto all = made::tuples_of(facts);
    EXPECT_EQ(static_cast<std::ptrdiff_t>(known),
              std::ranges::count_if(all, [](const auto& f) { return std::get<3>(f) <= 124; }));
    EXPECT_EQ(view.adjacency().entries(), 0);
    EXPECT_EQ(view.nodes(), 14);
    EXPECT_EQ(feature_count(view.features()), 0);
    EXPECT_EQ(task.answers != nullptr, scored);
    EXPECT_EQ(view.test_rows() > 0, scored);
    // Validation's exam ends where validation does.
    const auto exam = view.examine_valid();
    while (exam->next()) {
      EXPECT_LE(exam->time(), 124);
      for (std::size_t i = 0; i < exam->queries().size(); ++i)
        exam->answers().some(std::vector<EntityScore>{}, 0);
      for (const std::int64_t time : exam->revealed().time) EXPECT_EQ(time, exam->time());
    }
  }
}

TEST(EventSeal, WithoutAnExaminerNothingIsAsked) {
  const Task task = made::event_task(made::small_facts(5), {}, made::kSmallCuts, false);
  const ScriptedRun run(task, "mrr");
  for (const FactTuple& fact : run.learnt) EXPECT_LE(std::get<3>(fact), 124);
  for (const made::Asked& asked : run.asked) EXPECT_LE(asked.time, 124);
}

// The same past with another future: what validation says, filters and negatives included, is the
// same, and so is all that a model was told and asked before the test part.
TEST(EventSeal, TheFutureChangesNothingBeforeIt) {
  for (const char* question : {"which", "whether"})
    for (const char* filter : {"raw", "time", "static"})
      for (const char* negatives : {"random", "historical", "inductive"}) {
        const std::string metric = std::string(question) == "which" ? "mrr" : "roc-auc";
        const made::Settings settings = {
            {"question", question}, {"filter", filter}, {"negatives", negatives}};
        const ScriptedRun a(made::event_task(made::small_facts(6), settings), metric),
            b(made::event_task(made::small_facts(6, 16, 9, 13), settings), metric);
        EXPECT_EQ(a.outcome.valid_score, b.outcome.valid_score)
            << question << " " << filter << " " << negatives;
        EXPECT_NE(a.test->score(metric), b.test->score(metric));
        for (std::size_t i = 0; i < a.asked.size() && a.asked[i].time <= 124; ++i) {
          EXPECT_EQ(a.asked[i].time, b.asked[i].time);
          EXPECT_EQ(a.asked[i].known, b.asked[i].known);
          EXPECT_EQ(a.asked[i].facts, b.asked[i].facts);
          EXPECT_EQ(a.asked[i].queries.size(), b.asked[i].queries.size());
        }
      }
}

// A split whose parts do not follow one another, or that cuts a step in two, cannot be asked about.
TEST(EventSeal, PartsFollowOneAnotherStepByStep) {
  const auto data = std::make_shared<const Dataset>(
      dataset_of(std::make_shared<const TemporalFacts>(made::small_facts(7))));
  const Split good = make_split(*data, {"time", {{"cuts", made::kSmallCuts}}}, 0);
  const auto refusal = [&](const Split& split) {
    return error_of([&] {
      (void)make_event_task({.data = std::make_shared<const TaskData>(data),
                             .scheme = {},
                             .split = split,
                             .settings = Options("events", event_options(), {})});
    });
  };
  EXPECT_EQ(refusal(good), "no error");
  const std::string expected =
      "small: the parts of the split do not follow one another in time, step by step; take the "
      "scheme 'time'";
  Split cut = good;  // a fact of the first validation step is trained on
  cut.train.push_back(cut.valid.front()), cut.valid.erase(cut.valid.begin());
  EXPECT_EQ(refusal(cut), expected);
  Split gap = good;
  gap.train.pop_back();
  EXPECT_EQ(refusal(gap), expected);
  Split mixed = good;  // a fact of training for one of validation, ends as they were
  std::swap(mixed.train[3], mixed.valid[2]);
  EXPECT_EQ(refusal(mixed), expected);
  Split empty = good;
  empty.test.clear();
  EXPECT_EQ(refusal(empty), "small: the test part is empty");
}

}  // namespace
}  // namespace cupel
