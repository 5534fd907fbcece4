#include "cupel/lab/run/function.h"

#include <chrono>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/lab/plan/model_function.h"
#include "cupel/lab/run/score_file.h"
#include "cupel/lab/run/task_files.h"
#include "cupel/learn/task_kind.h"

namespace cupel {
namespace {

using Clock = std::chrono::steady_clock;

// Asks in turn, and knows what is not answered yet.
class Asked final : public FunctionQuestions {
 public:
  explicit Asked(std::unique_ptr<ProgramQuestions> questions) : questions_(std::move(questions)) {}

  std::optional<ProgramQuestion> next() override {
    if (question_) fail("the function went on from {}, and did not answer it", asked());
    question_ = questions_->next();
    if (question_) ++step_;
    all_ = !question_;
    return question_;
  }
  void answer(NpyArray scores) override {
    if (!question_) fail("the function answers where nothing is asked");
    const auto rows = static_cast<Index>(question_->rows);
    const auto columns = static_cast<Index>(question_->columns);
    const AlignedVector<float> values =
        scores_of(std::move(scores), fmt::format("the array that answers {}", asked()),
                  {question_->rows, question_->columns, Unit::kFact});
    questions_->answer({values.data(), rows, columns, columns});
    question_.reset();
  }
  // Throws Error if something is not answered.
  void demand_all() {
    if (question_) fail("the function returned when {} was not answered", asked());
    if (!all_ && next()) fail("the function returned before {} was asked", asked());
  }

 private:
  std::string asked() const { return fmt::format("step {} ({})", step_, question_->part); }

  std::unique_ptr<ProgramQuestions> questions_;
  std::optional<ProgramQuestion> question_;
  std::int64_t step_ = 0;
  bool all_ = false;
};

// Hands the scores of `rows` rows to `sink`; false if there are none.
bool hand_over(std::optional<NpyArray> scores, const char* name, const View& view,
               std::int64_t rows, ScoreSink& sink) {
  if (!scores) return false;
  hand_rows(scores_of(std::move(*scores), name, {rows, view.outputs(), view.kind().unit}),
            view.outputs(), sink);
  return true;
}

class FunctionSession final : public RunSession {
 public:
  FunctionSession(Task task, const RunGroup& group, Threads threads)
      : view_(std::move(task.view)),
        answers_(std::move(task.answers)),
        told_(std::make_shared<const ProgramTask>(view_->kind().program(*view_))),
        family_(group.family),
        strata_(group.strata),
        split_(group.split),
        threads_(threads) {}

  RunRecord run(int init, StreamKey key, const RunLimits& limits) override {
    limits.throw_if_interrupted();
    RunRecord out;
    try {
      perform(init, key, limits, out);
    } catch (const Error& error) {
      limits.throw_if_interrupted();  // perhaps it did not begin
      out.status = RunStatus::kFailed;
      out.message = error.what();
    }
    out.isolation = "none";
    if (out.status != RunStatus::kOk) {
      out.test_score = out.valid_score = std::nullopt;
      out.other_scores.clear();
      out.strata.clear();
    }
    return out;
  }

 private:
  std::string description(int init, StreamKey key) const {
    return task_json(*view_, told_->facts,
                     {.split = split_,
                      .init = init,
                      .threads = threads_.count,
                      .seed = key.low,
                      .budget_seconds = family_->external->timeout_seconds,
                      .metric = family_->metric,
                      .settings = family_->model.settings.all()});
  }

  void perform(int init, StreamKey key, const RunLimits& limits, RunRecord& out) {
    const std::unique_ptr<Marking> valid = view_->mark_valid();
    const std::unique_ptr<Marking> test = answers_ == nullptr ? nullptr : answers_->open();
    std::optional<Asked> asked;
    if (const auto questions = view_->kind().program_questions)
      asked.emplace(questions(*view_, *valid, test.get()));
    FunctionScores scores =
        family_->function->call({view_, told_, description(init, key), asked ? &*asked : nullptr,
                                 limits, family_->external->memory_mb << 20});
    if (scores.ended) {
      out.status = RunStatus::kTimeout;
      out.message = "the process of the function was ended, as its time was up";
      return;
    }
    const auto done = Clock::now() - std::chrono::duration_cast<Clock::duration>(
                                         std::chrono::duration<double>(scores.waited));
    if (limits.deadline && done >= *limits.deadline) {
      out.status = RunStatus::kTimeout;
      out.message = fmt::format(
          "the function returned {:.3g} s after its time was up; a function of this process is not "
          "ended before it returns",
          std::chrono::duration<double>(done - *limits.deadline).count());
      return;
    }
    if (asked) asked->demand_all();
    const bool validated =
        asked || hand_over(std::move(scores.valid), "the array of validation scores", *view_,
                           view_->valid_rows(), *valid);
    if (validated) out.valid_score = valid->score(family_->metric);
    if (test == nullptr) {
      if (!validated) fail("the function gave no validation scores, by which a search selects");
      return;
    }
    if (!asked && !hand_over(std::move(scores.test), "the array of test scores", *view_,
                             view_->test_rows(), *test))
      fail("the function gave no test scores");
    mark(*test, family_->metric, strata_, *view_, out);
  }

  std::shared_ptr<const View> view_;
  std::shared_ptr<const SealedAnswers> answers_;  // stay here; null in a search
  std::shared_ptr<const ProgramTask> told_;
  std::shared_ptr<const Family> family_;
  std::vector<std::shared_ptr<const Stratum>> strata_;
  int split_;
  Threads threads_;
};

}  // namespace

std::unique_ptr<RunSession> open_function(Task task, const RunGroup& group, Threads threads) {
  return std::make_unique<FunctionSession>(std::move(task), group, threads);
}

}  // namespace cupel
