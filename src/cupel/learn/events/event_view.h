// What happens next? What may be seen of it.
#pragma once

#include <memory>
#include <vector>

#include "cupel/learn/events/event_exam.h"
#include "cupel/learn/task_kind.h"

namespace cupel {

// A view of one split of facts over time: the past of its test part. graph() has the entities and
// no arc.
class EventView final : public View {
 public:
  const TaskKind& kind() const override;
  TaskFacts facts() const override { return {.dataset = name(), .over_time = true}; }
  std::int64_t valid_rows() const override { return valid_->questions(); }
  std::int64_t test_rows() const override { return test_rows_; }
  Index outputs() const override { return whether() ? 1 : nodes(); }
  std::unique_ptr<Marking> mark_valid() const override { return examine_valid(); }
  std::unique_ptr<EventExam> examine_valid() const { return std::make_unique<EventExam>(valid_); }

  bool whether() const { return valid_->settings.whether; }
  EventRules rules() const {
    const EventSettings& settings = valid_->settings;
    return {settings.single_step, settings.known_together()};
  }
  EventWorld world() const;
  std::span<const std::uint8_t> entity_types() const { return valid_->data->entity_types; }
  const std::vector<FactRelation>& relations() const { return valid_->data->relations; }
  FactColumns train() const {
    return valid_->train ? valid_->train->columns() : valid_->facts.part(0, valid_->begin);
  }
  // That the filter holds, of so many facts in all parts.
  std::size_t filter_bytes(Offset facts) const {
    const EventSettings& settings = valid_->settings;
    const bool of_static = !settings.whether && settings.filter == EventFilter::kStatic;
    return of_static ? 64 * static_cast<std::size_t>(facts) : 0;
  }
  // Its answers may be seen: models are selected by them.
  FactColumns valid() const { return valid_->asked(); }

 private:
  friend Task make_event_task(const TaskRequest& request);
  EventView(std::shared_ptr<const VisibleGraph> graph, std::shared_ptr<const EventPart> valid)
      : View(std::move(graph)), valid_(std::move(valid)) {}

  std::shared_ptr<const EventPart> valid_;  // its facts end with it
  std::int64_t test_rows_ = 0;
};

// Splits are of facts, in order: the parts follow one another, but for training facts that the
// scheme "time" leaves out. Throws Error if they do not, or nothing can be drawn to tell facts
// from.
[[nodiscard]] Task make_event_task(const TaskRequest& request);

}  // namespace cupel
