// What happens next? Facts over time are predicted: which entity is at the open end of a fact, or
// whether a fact is true.
#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/data/facts/facts.h"
#include "cupel/learn/events/event_program.h"
#include "cupel/learn/events/event_view.h"
#include "cupel/learn/events/kept_metrics.h"
#include "cupel/learn/model.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

const EventView& event_view(const View& view) { return dynamic_cast<const EventView&>(view); }

void events_check(const std::string& where, const TaskFacts& facts, const ModelEntry* model,
                  const TrainRule&, const std::string& metric) {
  if (!facts.over_time)
    fail("{}: what happens next is asked of facts over time, and data set '{}' has none", where,
         facts.dataset);
  if (!metric.empty()) (void)parse_metric(where, metric, {AnswerForm::kPool, AnswerForm::kRanks});
  if (model == nullptr || model->events != nullptr) return;
  std::vector<std::string> fitting;
  for (const ModelEntry* entry : models())
    if (entry->events != nullptr) fitting.push_back(entry->name);
  fail("{}: model '{}' knows nothing of time, and facts over time are asked about; take one of {}",
       where, model->name, fmt::join(fitting, ", "));
}

// A model of two entities costs next to nothing, and refuses what a model of all would.
void events_check_settings(const std::string& where, const View& view, const TaskModel& model) {
  EventWorld world = event_view(view).world();
  world.entities = std::min<Index>(world.entities, 2);
  try {
    (void)model.entry.events(world, model.settings, {}, {1});
  } catch (const Error& error) {
    fail("{}: {}", where, error.what());
  }
}

// A model learns the past, is examined on validation, and then on test.
class EventTrial final : public DirectTrial {
 public:
  EventTrial(std::shared_ptr<const View> view, const TaskModel& model)
      : view_(std::move(view)),
        events_(event_view(*view_)),
        world_(events_.world()),
        entry_(model.entry),
        settings_(model.settings),
        metric_(model.metric),
        threads_(model.threads) {}

  TrialOutcome run(StreamKey key, const RunLimits& limits, ScoreSink& test) override {
    const std::unique_ptr<EventModel> model = entry_.events(world_, settings_, key, threads_);
    model->fit(events_.train(), events_.valid(), events_.rules(), limits);
    model->learn(events_.train());
    const std::unique_ptr<EventExam> valid = events_.examine_valid();
    answer_all(*model, *valid, limits);
    TrialOutcome outcome;
    outcome.valid_score = valid->score(metric_);
    if (!events_.rules().single_step) model->learn(events_.valid());
    // Without an examiner nothing is asked: the run chooses, and is not scored.
    if (auto* const exam = dynamic_cast<EventExam*>(&test)) {
      if (valid->whether()) exam->hold_against(valid->best_threshold());
      answer_all(*model, *exam, limits);
    }
    return outcome;
  }
  std::size_t memory_bytes() const override {
    return entry_.event_bytes(world_, settings_, events_.train().size() + events_.valid().size());
  }

 private:
  std::shared_ptr<const View> view_;
  const EventView& events_;
  EventWorld world_;
  const ModelEntry& entry_;
  Options settings_;
  std::string metric_;
  Threads threads_;
};

std::unique_ptr<DirectTrial> events_direct(const std::shared_ptr<const View>& view,
                                           const TaskModel& model) {
  return std::make_unique<EventTrial>(view, model);
}

// Of each question three counts, and twice that while they become a score; of each asked fact its
// rows; the answers of a static filter. All for validation and test.
std::size_t events_memory(const View& view, const TaskModel& model) {
  const EventView& events = event_view(view);
  const auto questions = static_cast<std::size_t>(events.valid_rows() + events.test_rows());
  const Offset facts = events.train().size() + events.valid().size() + events.test_rows();
  return questions * 64 + static_cast<std::size_t>(events.nodes()) * 10 +
         events.filter_bytes(facts) +
         model.entry.event_bytes(events.world(), model.settings, facts);
}

ProgramTask events_program(const View& view) { return event_program(event_view(view)); }

std::unique_ptr<ProgramQuestions> events_program_questions(const View& view, Marking& valid,
                                                           Marking* test) {
  return event_questions(event_view(view), dynamic_cast<EventExam&>(valid),
                         test == nullptr ? nullptr : &dynamic_cast<EventExam&>(*test));
}

}  // namespace

extern const TaskKind task_events;
const TaskKind task_events = {
    .name = "events",
    .doc = "What happens next, of facts over time?",
    .words = "facts over time",
    .unit = Unit::kFact,
    .forms = {AnswerForm::kPool, AnswerForm::kRanks},
    .kept = {kKeptOfWhether.begin(), kKeptOfWhether.end()},
    .metric = "mrr",
    .settings = event_options(),
    .check = events_check,
    .check_settings = events_check_settings,
    .check_asked = check_event_settings,
    .idle = idle_event_settings,
    .make = make_event_task,
    .identity = [](const Dataset&, const Options& settings) { return event_identity(settings); },
    .names = [](const Dataset& dataset) { return names_hash(*dataset.facts); },
    .feed = nullptr,
    .direct = events_direct,
    .memory = events_memory,
    .program = events_program,
    .program_questions = events_program_questions,
};

}  // namespace cupel
