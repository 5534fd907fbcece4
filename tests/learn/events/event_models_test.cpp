// What holds of every model of facts over time, whichever it is.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "cupel/data/facts/negatives.h"
#include "data/facts/made.h"
#include "error_of.h"
#include "learn/events/made_events.h"
#include "learn/train/stopping_checkpoint.h"

namespace cupel {
namespace {

std::vector<const ModelEntry*> entries() {
  std::vector<const ModelEntry*> out;
  for (const ModelEntry* entry : models())
    if (entry->unit == Unit::kFact) out.push_back(entry);
  return out;
}

// Models that are trained are given little to do, or so much that they learn.
Options settings_of(const ModelEntry& entry, bool learns) {
  std::map<std::string, OptionValue> few;
  for (const OptionSpec& spec : entry.options) {
    if (spec.name == "epochs") few[spec.name] = std::int64_t{learns ? 20 : 2};
    if (spec.name == "lr" && learns) few[spec.name] = 3e-3;
    if (spec.name == "batch" && learns) few[spec.name] = std::int64_t{40};
    if (spec.name == "dimension" || spec.name == "hidden" || spec.name == "width")
      few[spec.name] = std::int64_t{8};
  }
  return Options(entry.name, entry.options, few);
}

struct Result {
  double valid = 0, test = 0;
  std::vector<std::pair<std::string, double>> others;
  friend bool operator==(const Result&, const Result&) = default;
};

Result run(const ModelEntry& entry, const Task& task, const std::string& metric, int threads = 1,
           bool learns = false) {
  const Options settings = settings_of(entry, learns);
  const TrainRule rule;
  const auto trial =
      find_task_kind("events")->direct(task.view, {entry, settings, rule, metric, {threads}});
  const auto test = task.answers->open();
  const TrialOutcome outcome = trial->run(stream_key("run"), {}, *test);
  return {outcome.valid_score, test->score(metric), test->other_scores(metric)};
}

const char* metric_of(const char* question) {
  return std::string(question) == "which" ? "mrr" : "average-precision";
}

TEST(EventModels, ThereAreSome) {
  EXPECT_GE(entries().size(), 8u);
  for (const ModelEntry* entry : entries()) {
    EXPECT_NE(entry->events, nullptr) << entry->name;
    EXPECT_NE(entry->event_bytes, nullptr) << entry->name;
    EXPECT_EQ(entry->trainable, nullptr) << entry->name;
  }
}

// Stopped after each epoch but the last, and begun again by another model each time.
TEST(EventModels, ThoseThatPutDownHowFarTheyAreGoOnToTheSameBits) {
  std::set<std::string> that_do;
  for (const ModelEntry* entry : entries()) {
    if (std::ranges::find(entry->options, "epochs", &OptionSpec::name) == entry->options.end())
      continue;
    SCOPED_TRACE(entry->name);
    const Task task = made::event_task(made::small_facts(1), {{"question", "whether"}});
    std::map<std::string, OptionValue> few = settings_of(*entry, true).all();
    few["epochs"] = std::int64_t{4};
    const Options settings(entry->name, entry->options, few);
    const auto result_of = [&](const RunLimits& limits) {
      const auto trial = find_task_kind("events")->direct(
          task.view, {*entry, settings, TrainRule(), "average-precision", {1}});
      const auto test = task.answers->open();
      const TrialOutcome outcome = trial->run(stream_key("run"), limits, *test);
      return Result{outcome.valid_score, test->score("average-precision"),
                    test->other_scores("average-precision")};
    };
    const Result whole = result_of({});
    StoppingCheckpoint checkpoint;
    RunLimits limits;
    limits.interrupt = &checkpoint.stop;
    limits.checkpoint = &checkpoint;
    for (checkpoint.stop_after = 1; checkpoint.stop_after < 4; ++checkpoint.stop_after) {
      checkpoint.stop = false;
      try {
        (void)result_of(limits);
        break;  // puts nothing down
      } catch (const Interrupted&) {
        EXPECT_EQ(checkpoint.times, checkpoint.stop_after) << "epochs were done again";
      }
    }
    if (checkpoint.times == 0) continue;
    that_do.insert(entry->name);
    checkpoint.stop = false, checkpoint.stop_after = 0;
    EXPECT_EQ(result_of(limits), whole);
    EXPECT_EQ(checkpoint.times, 4);
    // One of another size is none.
    checkpoint.state.pop_back();
    EXPECT_EQ(result_of(limits), whole);
    EXPECT_EQ(checkpoint.times, 8);
  }
  EXPECT_EQ(that_do, (std::set<std::string>{"re-net", "re-net-pyg", "tgat", "tgn", "tgn-pyg"}));
}

// So that hours of training are no silence.
TEST(EventModels, ThoseThatTrainTellHowFarTheyAre) {
  int trained = 0;
  for (const ModelEntry* entry : entries()) {
    if (entry->name != "recurrency" &&
        std::ranges::find(entry->options, "epochs", &OptionSpec::name) == entry->options.end())
      continue;
    SCOPED_TRACE(entry->name);
    ++trained;
    const Task task = made::event_task(made::small_facts(1), {{"question", "which"}});
    const Options settings = settings_of(*entry, false);
    const auto trial = find_task_kind("events")->direct(
        task.view, {*entry, settings, TrainRule(), metric_of("which"), {1}});
    std::atomic<double> done = 0;
    RunLimits limits;
    limits.done = &done;
    (void)trial->run(stream_key("run"), limits, *task.answers->open());
    EXPECT_GT(done, 0.4);
    EXPECT_LE(done, 1);
  }
  EXPECT_GE(trained, 6);
}

TEST(EventModels, AnswerBothQuestionsAndAlwaysTheSame) {
  for (const ModelEntry* entry : entries())
    for (const char* question : {"which", "whether"})
      for (const char* setting : {"single-step", "multi-step"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", entry->name, question, setting));
        const Task task =
            made::event_task(made::small_facts(1), {{"question", question}, {"setting", setting}});
        const Result once = run(*entry, task, metric_of(question));
        EXPECT_TRUE(once.test > 0 && once.test <= 1) << once.test;
        EXPECT_TRUE(once.valid > 0 && once.valid <= 1) << once.valid;
        EXPECT_TRUE(once == run(*entry, task, metric_of(question))) << "again";
        EXPECT_TRUE(once == run(*entry, task, metric_of(question), 2)) << "two threads";
      }
}

// The same facts under other numbers; a person stays a person.
TemporalFacts renumbered(std::uint32_t seed, int shift) {
  const TemporalFacts facts = made::small_facts(seed);
  const auto other = [&](Index e) {
    return static_cast<Index>(e < 9 ? (e * 2 + shift) % 9 : 9 + (e - 9 + shift) % 5);
  };
  TemporalFacts out = made::small_facts(seed);
  for (std::size_t i = 0; i < facts.time.size(); ++i)
    out.source[i] = other(facts.source[i]), out.target[i] = other(facts.target[i]);
  return out;
}

TEST(EventModels, DoNotGoByTheNumbersOfEntities) {
  for (const ModelEntry* entry : entries()) {
    if (entry->draws) continue;
    SCOPED_TRACE(entry->name);
    const Result a = run(*entry, made::event_task(made::small_facts(2), {}), "mrr");
    for (const int shift : {1, 4}) {
      const Result b = run(*entry, made::event_task(renumbered(2, shift), {}), "mrr");
      EXPECT_NEAR(a.test, b.test, 1e-9);
      EXPECT_NEAR(a.valid, b.valid, 1e-9);
    }
  }
}

// Some entities write to one another for `stay` steps, then others, drawn anew. In their first step
// only the facts of that time tell who is a target.
TemporalFacts moments(int stay) {
  TemporalFacts out;
  out.name = "moments";
  out.types = {"person"};
  out.entity_types.assign(60, 0);
  out.relations = {{"wrote to", 0, 0, false}};
  for (int step = 0; step < 200; ++step) {
    Stream who(stream_key("groups"), static_cast<std::uint32_t>(step / stay));
    Stream draw(stream_key("moments"), static_cast<std::uint32_t>(step));
    std::vector<Index> group(5);
    for (Index& one : group) one = static_cast<Index>(who.next_below(60));
    for (int fact = 0; fact < 8; ++fact) {
      const std::uint32_t from = draw.next_below(5), to = (from + 1 + draw.next_below(4)) % 5;
      out.push(group[from], 0, group[to], 10 * step);
    }
  }
  return out;
}

// Says whether both ends have a fact at the asked time: the leak that is looked for.
class Foreknowing final : public EventModel {
 public:
  Foreknowing() {
    const TemporalFacts all = moments(1);
    for (std::size_t i = 0; i < all.time.size(); ++i)
      for (const Index end : {all.source[i], all.target[i]}) has_.emplace(end, all.time[i]);
  }
  void learn(const FactColumns&) override {}
  void rank(std::int64_t, std::span<const EventQuery>, EventAnswers&, const RunLimits&) override {}
  void score(const FactColumns& asked, std::span<float> scores, const RunLimits&) override {
    for (std::size_t i = 0; i < scores.size(); ++i)
      scores[i] = has_.contains({asked.source[i], asked.time[i]}) &&
                          has_.contains({asked.target[i], asked.time[i]})
                      ? 1
                      : 0;
  }

 private:
  std::set<std::pair<Index, std::int64_t>> has_;
};

TEST(EventModels, PredictNothingWhereThePastTellsNothing) {
  ModelEntry foreknowing;
  foreknowing.name = "foreknowing", foreknowing.unit = Unit::kFact;
  foreknowing.events = [](const EventWorld&, const Options&, StreamKey,
                          Threads) -> std::unique_ptr<EventModel> {
    return std::make_unique<Foreknowing>();
  };
  foreknowing.event_bytes = [](const EventWorld&, const Options&, Offset) -> std::size_t {
    return 0;
  };
  const auto test = [](const ModelEntry& entry, const char* known, int stay) {
    const Task task = made::event_task(moments(stay), {{"question", "whether"}, {"known", known}},
                                       "1390,1590,1990");
    return run(entry, task, "average-precision", 1, true).test;
  };
  for (const char* known : {"batch", "step"}) {
    EXPECT_GT(test(foreknowing, known, 1), 0.9) << "the test tells nothing";
    for (const ModelEntry* entry : entries())
      EXPECT_NEAR(test(*entry, known, 1), 0.5, 0.06) << entry->name << " " << known;
  }
  for (const char* by_recency : {"tgat", "tgn"})  // that they would tell if they could
    EXPECT_GT(test(*find_model(by_recency), "step", 4), 0.7) << by_recency;
}

// What released code does otherwise is a setting, and runs from before there was one keep their
// ids.
TEST(EventModels, SettingsOfReleasedCode) {
  const Task task = made::event_task(made::small_facts(1), {{"question", "whether"}});
  const std::tuple<const char*, const char*, OptionValue> settings[] = {
      {"tgat", "sample", std::string("earliest")}, {"tgn", "layers", std::int64_t{2}}};
  for (const auto& [name, setting, value] : settings) {
    const ModelEntry& entry = *find_model(name);
    std::map<std::string, OptionValue> given = settings_of(entry, false).all();
    given["neighbours"] = std::int64_t{2};
    const auto result = [&] {
      const Options options(name, entry.options, given);
      const auto trial = find_task_kind("events")->direct(
          task.view, {entry, options, TrainRule(), "average-precision", {1}});
      const auto test = task.answers->open();
      const TrialOutcome outcome = trial->run(stream_key("run"), {}, *test);
      return Result{outcome.valid_score, test->score("average-precision"), {}};
    };
    const Result usual = result();
    given[setting] = value;
    EXPECT_NE(result(), usual) << name;
  }
  const ModelEntry& tgn = *find_model("tgn");
  EXPECT_FALSE(Options("tgn", tgn.options, {}).identity().contains("layers"));
  EXPECT_TRUE(
      Options("tgn", tgn.options, {{"layers", std::int64_t{2}}}).identity().contains("layers"));
}

// What is told beforehand is no less than what the heap grows by. Of 10^5 facts.
TEST(EventModels, MemoryIsToldBeforehand) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the heap is another";
#else
  const made::MadeFacts made = made::random_facts(7, 100'000, 5'000, 4, 200);
  const FactColumns facts = made.columns();
  const EventWorld world = {facts.nodes, facts.relations, {}};
  for (const ModelEntry* entry : entries()) {
    if (entry->draws) continue;  // they are trained; what they hold is not by fact
    const Options settings = settings_of(*entry, false);
    malloc_trim(0);
    const auto before = mallinfo2();
    const auto model = entry->events(world, settings, stream_key("m"), {1});
    model->learn(facts);
    const auto after = mallinfo2();
    const auto grown = static_cast<std::ptrdiff_t>(after.uordblks + after.hblkhd) -
                       static_cast<std::ptrdiff_t>(before.uordblks + before.hblkhd);
    const auto told =
        static_cast<std::ptrdiff_t>(entry->event_bytes(world, settings, facts.size()));
    EXPECT_LE(grown, told) << entry->name;
    EXPECT_GT(grown, 0) << entry->name;
  }
#endif
}

// The same of what is asked together, where entities have met many: of 20 entities.
TEST(EventModels, MemoryOfManyNeighboursIsToldBeforehand) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the heap is another";
#else
  const made::MadeFacts made = made::random_facts(7, 6'000, 20, 1, 200);
  const FactColumns facts = made.columns();
  const EventWorld world = {facts.nodes, facts.relations, {}};
  std::vector<float> scores(static_cast<std::size_t>(facts.size()));
  const std::vector<std::tuple<const char*, std::int64_t, std::map<std::string, OptionValue>>>
      cases = {{"tgn", 400, {}}, {"tgn", 40, {{"layers", std::int64_t{2}}}}, {"tgn-pyg", 400, {}}};
  for (const auto& [name, neighbours, more] : cases) {
    const ModelEntry& entry = *find_model(name);
    std::map<std::string, OptionValue> given = {{"epochs", std::int64_t{0}},
                                                {"batch", std::int64_t{1}},
                                                {"width", std::int64_t{16}},
                                                {"neighbours", neighbours}};
    given.insert(more.begin(), more.end());
    const Options settings(name, entry.options, given);
    malloc_trim(0);
    const auto before = mallinfo2();
    const auto model = entry.events(world, settings, stream_key("m"), {1});
    model->fit(facts, facts.part(0, 0), {}, {});
    model->learn(facts);
    const FactColumns asked = facts.part(facts.size() - 512, facts.size());
    model->score(asked, std::span(scores).first(512), {});
    const auto after = mallinfo2();
    const auto grown = static_cast<std::ptrdiff_t>(after.uordblks + after.hblkhd) -
                       static_cast<std::ptrdiff_t>(before.uordblks + before.hblkhd);
    const auto told = static_cast<std::ptrdiff_t>(entry.event_bytes(world, settings, facts.size()));
    EXPECT_LE(grown, told) << name;
  }
#endif
}

// A refusal names the row's model and its setting.
TEST(EventModels, ErrorsNameTheModel) {
  const EventWorld large = {1 << 30, 100, {}};
  const auto refusal = [](const ModelEntry& entry, const EventWorld& world,
                          const std::map<std::string, OptionValue>& settings) {
    return error_of(
        [&] { (void)entry.events(world, Options(entry.name, entry.options, settings), {}, {}); });
  };
  for (const char* name : {"past-degree-product", "past-common-neighbours", "past-jaccard",
                           "past-adamic-adar", "past-resource-allocation"}) {
    const std::string message = refusal(*find_model(name), large, {{"typed", true}});
    EXPECT_TRUE(message.starts_with(std::string(name) + ": ")) << message;
    EXPECT_NE(message.find("give typed = false"), std::string::npos) << message;
  }
  EXPECT_EQ(refusal(*find_model("edge-bank"), large, {}),
            "edge-bank: facts of 1073741824 entities and 100 relations cannot be told apart by 64 "
            "bits; give relations = false, or take fewer relations");
  EXPECT_EQ(refusal(*find_model("complex"), {2, 1, {}}, {{"dimension", std::int64_t{7}}}),
            "complex: dimension is 7; it has a real and an imaginary half, so give an even number");
}

}  // namespace
}  // namespace cupel
