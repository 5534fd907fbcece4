#include "cupel/learn/events/re_net/query_batch.h"

#include <algorithm>

#include "cupel/learn/events/re_net/re_net_program.h"
#include "cupel/learn/events/row_names.h"

namespace cupel {

QueryBatch::QueryBatch(const EventWorld& world, Index width, Index length)
    : relations_(world.relations),
      width_(width),
      length_(length),
      graph_(world.entities, world.relations) {
  clear();
}

void QueryBatch::clear() {
  graph_.clear();
  queries_.clear(), at_time_.clear(), subjects_.clear(), histories_.clear();
  steps_.clear();
  for (Csr* m : {&receiver_step_, &subject_entity_, &subject_receivers_, &query_receivers_,
                 &query_kind_, &query_subject_})
    take_rows_out(*m);
}

Index QueryBatch::subject(Snapshots& past, Index given, bool as_target) {
  const auto number = static_cast<Index>(histories_.size());
  const auto [at, is_new] =
      subjects_.try_emplace(std::int64_t{2} * given + (as_target ? 1 : 0), number);
  if (!is_new) return at->second;
  (void)past.steps();
  std::vector<Index>& receivers = histories_.emplace_back();
  for (const Index place : past.history(given, as_target, time_, length_))
    receivers.push_back(graph_.receiver(past, place, as_target));
  steps_.reach(static_cast<std::size_t>(past.steps()));
  const std::span<const Index> all = graph_.receivers();
  while (receiver_step_.rows < std::ssize(all)) {
    const Index place = all[static_cast<std::size_t>(receiver_step_.rows)] / 2;
    end_row(receiver_step_, steps_.number(past.step_of(place)).first);
  }
  // Places of an entity are met in the order of time, whichever query has them: numbers ascend.
  end_row(subject_receivers_, receivers);
  end_row(subject_entity_, graph_.entity(given));
  return number;
}

Index QueryBatch::add(Snapshots& past, std::int64_t time, Index given, Index kind) {
  if (queries_.empty() || time != time_) {
    time_ = time;
    at_time_.clear(), subjects_.clear();
  }
  const auto number = static_cast<Index>(queries_.size());
  const auto [at, is_new] =
      at_time_.try_emplace(std::int64_t{given} * (2 * relations_) + kind, number);
  if (!is_new) return at->second;
  const Index of = subject(past, given, end_of(kind, relations_) == 1);
  queries_.push_back({given, kind});
  end_row(query_receivers_, histories_[static_cast<std::size_t>(of)]);
  end_row(query_kind_, kind);
  end_row(query_subject_, of);
  return number;
}

Index QueryBatch::steps_needed() const {
  const std::span<const Index> steps = steps_.keys();
  return steps.empty() ? 0 : std::ranges::max(steps) + 1;
}

void QueryBatch::finish(const Matrix& states) {
  graph_.finish();
  receiver_step_.cols = steps_.size();
  subject_entity_.cols = graph_.entities.rows;
  subject_receivers_.cols = query_receivers_.cols = graph_.receiver_node.rows;
  query_kind_.cols = 2 * relations_;
  query_subject_.cols = subject_entity_.rows;
  states_.rows = steps_.size(), states_.cols = width_;
  states_.values.resize(static_cast<std::size_t>(states_.rows) * static_cast<std::size_t>(width_));
  for (Index i = 0; i < states_.rows; ++i)
    std::copy_n(states.row(steps_.keys()[static_cast<std::size_t>(i)]), width_, states_.row(i));
}

std::vector<ConstantMatrix> QueryBatch::constants() const {
  std::vector<ConstantMatrix> out(ReNetConstants::kCount);
  graph_.put(out);
  out[ReNetConstants::kReceiverStep].sparse = &receiver_step_;
  out[ReNetConstants::kSubjectEntity].sparse = &subject_entity_;
  out[ReNetConstants::kSubjectReceivers].sparse = &subject_receivers_;
  out[ReNetConstants::kQueryReceivers].sparse = &query_receivers_;
  out[ReNetConstants::kQueryKind].sparse = &query_kind_;
  out[ReNetConstants::kQuerySubject].sparse = &query_subject_;
  out[ReNetConstants::kStates].dense = &states_;
  return out;
}

}  // namespace cupel
