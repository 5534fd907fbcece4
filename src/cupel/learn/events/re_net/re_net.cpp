#include "cupel/learn/events/re_net/re_net.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/learn/events/re_net/re_net_program.h"

namespace cupel {
namespace {

constexpr std::uint32_t kGlobalKey = 0x676c6f62u;  // its draws are its own

const ReNetSettings& checked(const ReNetSettings& s) {
  check_history_settings(kReNetForm, s);
  if (s.width % 2 != 0)
    fail("re-net: width is {}; it is even, as relations are blocks of two", s.width);
  const auto require = [](const char* what, double value, SettingRange range) {
    require_range(kReNetForm.name, what, value, range);
  };
  using S = ReNetSettings;
  require("global_epochs", s.global_epochs, S::kGlobalEpochs);
  require("global_batch", s.global_batch, S::kGlobalBatch);
  require("global_lr", s.global_lr, S::kGlobalLr);
  require("foretold", s.foretold, S::kForetold);
  return s;
}

TracedHistories traced(const ReNetShape& shape) {
  ReNetAnswers answers;
  Program program = trace_re_net(shape, answers);
  return {std::move(program), {answers}};
}

}  // namespace

ReNet::ReNet(const EventWorld& world, const ReNetSettings& settings, StreamKey key, Threads threads)
    : HistoryModel(world, kReNetForm, settings, traced(history_shape(world, checked(settings))),
                   key, threads),
      settings_(settings),
      global_(world, history_shape(world, settings),
              {settings.history, settings.global_epochs, settings.global_batch, settings.global_lr,
               settings.released},
              {key.low ^ kGlobalKey, key.high}, threads),
      batches_{QueryBatch(world, settings.width, settings.history),
               QueryBatch(world, settings.width, settings.history)},
      past_(world) {}

void ReNet::remember(const FactColumns& facts) {
  if (any_foretold_) past_.keep(known_steps_);
  any_foretold_ = false;
  asked_.reset();
  global_.forget(std::max<Index>(0, past_.settled() - 1));  // that step may get more facts
  past_.add(facts);
}

void ReNet::forget_past() {
  past_.clear();
  global_.forget(0);
  any_foretold_ = false;
  asked_.reset();
}

void ReNet::go_back(Index steps) {
  past_.keep(steps);
  global_.forget(std::max<Index>(0, steps - 1));
}

std::vector<ConstantMatrix> ReNet::constants() {
  batch().finish(global_.states(past_, batch().steps_needed()));
  return batch().constants();
}

void ReNet::train_global(const FactColumns& train, const RunLimits& limits) {
  forget();
  past_.add(train);
  global_.fit(past_, limits);
  (void)global_.states(past_, past_.steps());
  forget();
}

std::size_t re_net_bytes(const EventWorld& world, const ReNetSettings& settings, Offset facts) {
  const auto entities = static_cast<std::size_t>(world.entities),
             relations = static_cast<std::size_t>(world.relations),
             d = static_cast<std::size_t>(settings.width),
             history = static_cast<std::size_t>(settings.history),
             known = static_cast<std::size_t>(facts);
  const std::size_t local = 4 * entities * d + (10 + 2) * relations * d + 24 * d * d,
                    global = 3 * entities * d + 8 * relations * d + 9 * d * d;
  const std::size_t parameters = 4 * (5 * local + global);
  const std::size_t of_past = known * 160 + entities * 80;
  const std::size_t pairs =
      32 * relations * std::min(entities, static_cast<std::size_t>(settings.foretold));
  // Receivers of a batch, who sends to them, and who to those.
  const std::size_t queries = std::min<std::size_t>(
                        std::max<std::size_t>(2 * static_cast<std::size_t>(settings.batch),
                                              kQueriesTogether),
                        2 * known + 1),
                    receivers = std::min(queries * history, 4 * known + 1),
                    nodes = std::min(receivers * 4, 4 * known + 1);
  const std::size_t of_batch = 4 * d * (receivers * 26 + nodes * 14 + queries * 24);
  const std::size_t windows = std::min(
      (static_cast<std::size_t>(settings.global_batch) + history) * entities, 2 * known + 1);
  const std::size_t of_global =
      4 * (14 * windows * d + 2 * static_cast<std::size_t>(settings.global_batch) * entities);
  const std::size_t of_answers =
      AnswerHeads::bytes(world.entities, settings.width, settings.logits);
  return parameters + of_past + pairs + std::max(of_batch + of_answers, of_global) +
         (std::size_t{1} << 20);
}

}  // namespace cupel
