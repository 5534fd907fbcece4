#include "cupel/learn/events/event_program.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "cupel/base/error.h"

namespace cupel {
namespace {

void add_columns(NpyMembers& members, const std::string& name,
                 const std::vector<std::int64_t>& values, std::int64_t columns) {
  members.emplace_back(name, make_npy(std::span<const std::int64_t>(values),
                                      {std::ssize(values) / columns, columns}));
}

void add_facts(NpyMembers& members, const std::string& name, const FactColumns& facts) {
  std::vector<std::int64_t> values;
  values.reserve(4 * static_cast<std::size_t>(facts.size()));
  for (Offset i = 0; i < facts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    values.insert(values.end(),
                  {facts.source[at], facts.relation_of(i), facts.target[at], facts.time[at]});
  }
  add_columns(members, name, values, 4);
}

class EventQuestions final : public ProgramQuestions {
 public:
  EventQuestions(const EventView& view, EventExam& valid, EventExam* test)
      : view_(view), exams_{&valid, test} {}

  std::optional<ProgramQuestion> next() override {
    if (first_ + rows_ < asked()) {
      first_ += rows_;
      return question({});
    }
    FactColumns known;
    if (started_) known = exam().revealed();
    if (!exam().next()) {
      if (part_ == 1 || exams_[1] == nullptr) return {};
      // What was not told step by step is told now.
      if (!view_.rules().single_step) known = view_.valid();
      if (exam().whether()) exams_[1]->hold_against(exam().best_threshold());
      ++part_;
      if (!exam().next()) return {};
    }
    started_ = true;
    first_ = 0;
    return question(known);
  }

  void answer(ConstDenseView scores) override {
    if (exam().whether()) {
      for (Index i = 0; i < scores.rows; ++i)
        if (!std::isfinite(*scores.row(i)))
          fail("the score of fact {} is {}; give a finite number", i, *scores.row(i));
      return exam().take(scores);
    }
    for (Index i = 0; i < scores.rows; ++i)
      exam().answers().all({scores.row(i), static_cast<std::size_t>(scores.cols)});
  }

 private:
  EventExam& exam() const { return *exams_[part_]; }
  // Rows of this step.
  std::size_t asked() const {
    if (!started_) return 0;
    return exam().whether() ? static_cast<std::size_t>(exam().asked().size())
                            : exam().queries().size();
  }

  ProgramQuestion question(const FactColumns& known) {
    ProgramQuestion out;
    out.part = part_ == 0 ? "valid" : "test";
    add_facts(out.arrays, "known", known);
    rows_ = asked() - first_;
    if (exam().whether()) {
      add_facts(out.arrays, "facts", exam().asked());
      out.columns = 1;
    } else {
      const std::int64_t entities = view_.nodes();
      const std::int64_t most =
          std::max<std::int64_t>(1, kMostScores / std::max<std::int64_t>(1, entities));
      rows_ = std::min(rows_, static_cast<std::size_t>(most));
      std::vector<std::int64_t> values;
      for (const EventQuery& query : exam().queries().subspan(first_, rows_))
        values.insert(values.end(), {query.given, query.relation, query.source_asked ? 1 : 0});
      add_columns(out.arrays, "queries", values, 3);
      out.columns = entities;
      out.facts["time"] = exam().time();
    }
    out.rows = static_cast<std::int64_t>(rows_);
    return out;
  }

  const EventView& view_;
  EventExam* exams_[2];
  std::size_t part_ = 0, first_ = 0, rows_ = 0;  // rows [first_, first_ + rows_) of a step
  bool started_ = false;
};

}  // namespace

ProgramTask event_program(const EventView& view) {
  const EventWorld world = view.world();
  ProgramTask out;
  add_facts(out.arrays, "facts_train", view.train());
  const auto entity_types = view.entity_types();
  add_ids(out.arrays, "entity_types", {entity_types.begin(), entity_types.end()});
  std::vector<std::int64_t> types;
  std::vector<Index> undirected;
  for (Index r = 0; r < world.relations; ++r) {
    const FactRelation& relation = view.relations()[static_cast<std::size_t>(r)];
    types.insert(types.end(), {relation.source_type, relation.target_type});
    undirected.push_back(is_undirected(world.undirected, r) ? 1 : 0);
  }
  add_columns(out.arrays, "relation_types", types, 2);
  add_ids(out.arrays, "undirected", undirected);
  out.facts = {{"task", view.kind().name},
               {"question", std::string(view.whether() ? "whether" : "which")},
               {"setting", std::string(view.rules().single_step ? "single-step" : "multi-step")},
               {"relations", static_cast<std::int64_t>(world.relations)}};
  return out;
}

std::unique_ptr<ProgramQuestions> event_questions(const EventView& view, EventExam& valid,
                                                  EventExam* test) {
  return std::make_unique<EventQuestions>(view, valid, test);
}

}  // namespace cupel
