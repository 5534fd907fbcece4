#include "cupel/learn/events/re_net/re_net_pyg.h"

#include <algorithm>

#include "cupel/learn/events/re_net/re_net_pyg_program.h"

namespace cupel {
namespace {

TracedHistories traced(const EventWorld& world, const HistorySettings& settings) {
  check_history_settings(kReNetPygForm, settings);
  TracedHistories out;
  out.program = trace_re_net_pyg(history_shape(world, settings), out.answers);
  return out;
}

}  // namespace

ReNetPyg::ReNetPyg(const EventWorld& world, const HistorySettings& settings, StreamKey key,
                   Threads threads)
    : HistoryModel(world, kReNetPygForm, settings, traced(world, settings), key, threads),
      past_(world),
      batches_{PairQueryBatch(world, settings.history), PairQueryBatch(world, settings.history)} {}

void ReNetPyg::remember(const FactColumns& facts) {
  unknown_.clear();
  past_.add(facts);
}

void ReNetPyg::forget_past() {
  unknown_.clear();
  past_.clear();
}

void ReNetPyg::come_to(std::int64_t time, const RunLimits&) {
  if (!multi_step() || past_.steps() != past_.steps_before(time)) return;
  const auto at = std::ranges::lower_bound(unknown_, time);
  if (at == unknown_.end() || *at != time) unknown_.insert(at, time);
}

Index ReNetPyg::unknown_before(std::int64_t time) const {
  return static_cast<Index>(std::ranges::lower_bound(unknown_, time) - unknown_.begin());
}

std::size_t re_net_pyg_bytes(const EventWorld& world, const HistorySettings& settings,
                             Offset facts) {
  const auto entities = static_cast<std::size_t>(world.entities),
             relations = static_cast<std::size_t>(world.relations),
             d = static_cast<std::size_t>(settings.width),
             history = static_cast<std::size_t>(settings.history),
             known = static_cast<std::size_t>(facts),
             batch = static_cast<std::size_t>(settings.batch);
  const std::size_t parameters =
      4 * 5 * (7 * entities * d + 2 * entities + relations * d + 24 * d * d + 12 * d);
  const std::size_t of_past = known * 230 + entities * 16;
  const std::size_t queries = std::max(2 * batch, kQueriesTogether);
  const std::size_t contents = std::min(queries * history, 2 * known + 2),
                    named = std::min(entities, queries + 2 * known);
  // Values and gradients of rows, the steps of the recurrences of either end, which are kept for
  // the next, and what names rows.
  const std::size_t of_batch = 4 * d * (contents * 8 + queries * 24 + named * 2 + relations * 6) +
                               4 * d * queries * history * 5 * 5 / 2 + 120 * queries * history;
  const std::size_t of_answers =
      AnswerHeads::bytes(world.entities, settings.width, settings.logits);
  return parameters + of_past + of_batch + of_answers + (std::size_t{1} << 20);
}

}  // namespace cupel
