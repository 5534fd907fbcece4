// Facts over time are asked about step by step, and what has happened comes to be known.
//
// Source of what is asked: Jin et al., "Recurrent Event Network", EMNLP 2020, section 4.1 (which);
// Poursafaei et al., "Towards Better Evaluation for Dynamic Link Prediction", NeurIPS 2022
// (whether).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/learn/events/answer_ranker.h"
#include "cupel/learn/events/event_model.h"
#include "cupel/learn/events/event_part.h"
#include "cupel/learn/score/pool.h"
#include "cupel/learn/view.h"

namespace cupel {

// The only way to the facts of a part: next() gives questions, and revealed() what is known once
// they were answered. No matrix of questions x entities exists: of each question three counts are
// kept. Queries of a step are in an order of their own, each once, so that neither order nor number
// tells an answer. Not thread-safe.
class EventExam final : public Marking, private EventAnswers {
 public:
  explicit EventExam(std::shared_ptr<const EventPart> part);

  // Goes on to the next questions; false if all were answered. The last ones must have been.
  bool next();

  bool whether() const { return part_->settings.whether; }
  // Which: the queries of one time, and where their answers go.
  std::int64_t time() const { return time_; }
  std::span<const EventQuery> queries() const { return queries_; }
  EventAnswers& answers() { return *this; }
  // Whether: true facts of a batch and their negatives, ascending by time and ends. Scores go to
  // take(), as rows of one column.
  FactColumns asked() const;
  void take(ConstDenseView rows) override;

  // What has come to be known by the questions of the last next(): all facts of their step or
  // batch, or nothing where the setting is multi-step. Throws std::logic_error before all of them
  // were answered.
  FactColumns revealed() const;

  // Whether: the threshold by which most facts of this part are told right, and one to be held
  // against, of another part, where a metric leaves it to validation. Validation is held against
  // its own.
  double best_threshold() const;
  void hold_against(double threshold) { threshold_ = threshold; }

  double score(const std::string& metric) const override;
  std::optional<double> score_on(const std::string&, std::span<const Index>) const override {
    return {};  // groups are of facts, and are among the other scores
  }
  // Those that every run keeps, where they are defined; and of each group of facts these and `but`
  // (score/group_names.h).
  std::vector<std::pair<std::string, double>> other_scores(const std::string& but) const override;

 private:
  struct Answer {  // a true entity, and whose question it answers
    EventQuery query;
    Index entity;
    Offset question;  // -1: of none, but it is true
  };

  void all(std::span<const float> scores) override;
  void some(std::span<const EntityScore> named, float rest) override;
  bool as_before() override;

  void ask_step();
  void ask_batch();
  void add_answers(Offset fact);
  void answered() const;
  void place_truths();
  void require_end() const;
  Offset questions() const { return part_->questions(); }
  std::vector<Offset> all_questions() const;
  // Each metric over some questions, ascending; nothing where it is not defined on them.
  using Values = std::vector<std::optional<double>>;
  Values values(const std::vector<std::string>& metrics, std::span<const Offset> questions) const;
  Values values_of_ranks(const std::vector<std::string>& metrics,
                         std::span<const Offset> questions) const;
  Values values_of_pools(const std::vector<std::string>& metrics,
                         std::span<const Offset> questions) const;
  Pool pool_of(std::span<const Offset> questions) const;
  std::string with_threshold(const std::string& metric) const;
  void add_groups(const std::vector<std::string>& metrics,
                  std::vector<std::pair<std::string, double>>& out) const;
  struct GroupScore {
    std::string metric, group;
    double value = 0;
  };
  std::vector<GroupScore> group_scores(const std::vector<std::string>& metrics,
                                       std::span<const Offset> facts, std::size_t kinds) const;
  bool is_of_kind(Offset fact, std::size_t kind) const;
  Offset cut_steps() const;

  std::shared_ptr<const EventPart> part_;
  Offset first_ = 0, last_ = 0;  // facts of the part that are asked now
  std::int64_t time_ = 0;

  // Which.
  std::vector<Answer> step_;  // by query, then entity
  std::vector<EventQuery> queries_;
  std::vector<std::size_t> start_;  // per query: its first answer; and the end
  std::size_t now_ = 0;             // queries that were answered
  std::optional<AnswerRanker> ranker_;
  std::vector<Index> filter_, truths_;
  std::vector<Offset> asked_questions_;
  std::vector<PlaceCounts> places_;
  std::vector<std::int32_t> above_, ties_;  // per question
  std::vector<bool> unknown_;

  // Whether.
  struct Row {
    std::int64_t time;
    Index relation, source, target;
    Offset question;
    bool positive;
  };
  std::vector<Row> rows_;
  std::vector<Index> source_, relation_, target_;
  std::vector<std::int64_t> times_;
  std::size_t taken_ = 0;
  std::vector<float> positive_, negative_;  // per question
  std::optional<double> threshold_;
};

// Learns and answers until the end of the exam. Throws Interrupted or TimedOut.
void answer_all(EventModel& model, EventExam& exam, const RunLimits& limits);

}  // namespace cupel
