// What a feed of links will take, before there is one.
#include <algorithm>

#include "cupel/engine/program/passes.h"
#include "cupel/learn/links/embedding_scorer.h"
#include "cupel/learn/links/link_feed.h"
#include "cupel/learn/links/link_parts.h"
#include "cupel/learn/train/replays.h"

namespace cupel {

std::size_t link_feed_bytes(const LinkView& view, const Schedule& encoder, const TaskModel& model) {
  const LinkParts parts(view, encoder, model.settings);
  ParameterSet values(parts.parameters), gradients(parts.parameters);
  const auto width = static_cast<std::size_t>(model.settings.integer("dimension"));
  const auto nodes = static_cast<std::size_t>(view.nodes());
  const auto encoded = [&](const LinkEncoder& encoder, ParameterSet* learnt, int replays) {
    const Binding binding = encoder.binding(values, learnt);
    return planned_memory(encoder.compiled(binding, replays), binding);
  };
  const int epochs = expected_epochs(model.rule);
  std::size_t bytes = encoded(*parts.encoder, &gradients, epochs) + parameter_bytes(values);
  for (const auto* encoder : {&parts.encoder, &parts.test_encoder})
    if (*encoder != nullptr) bytes += (*encoder)->inputs.memory_bytes();
  if (!evaluates_as_trained(parts.encoder->program))
    bytes += encoded(*parts.encoder, nullptr, epochs);
  if (parts.test_encoder != nullptr) bytes += encoded(*parts.test_encoder, nullptr, kOnce);
  ParameterSet decoder_values(parts.decoder.parameters),
      decoder_gradients(parts.decoder.parameters);
  bytes += 2 * decoder_values.block().size() * sizeof(float);
  // Of an epoch's pairs, and of a block that is asked about.
  const auto decoded = [&](std::size_t pairs, bool training) {
    constexpr std::size_t kOfPair = 80;  // itself, its answer, score and slope, its two selections
    PairBatch batch(view.nodes());
    batch.take(std::vector<Pair>(pairs));
    return pairs * kOfPair +
           planned_memory(compile(parts.decoder, training),
                          {batch.constants(), batch.rows(), false, &decoder_values,
                           training ? &decoder_gradients : nullptr});
  };
  // The answers of validation, and the scores that its loss is taken of.
  if (has_valid_loss(view))
    bytes += 2 * sizeof(float) * static_cast<std::size_t>(view.valid_rows());
  const auto asked = static_cast<std::size_t>(
      std::max(view.asked(LinkPart::kValid).rows(), view.asked(LinkPart::kTest).rows()));
  bytes += decoded(std::min(kDecodedTogether, asked), false);
  if (parts.loss != LinkParts::Loss::kAllPairs)
    bytes += decoded((view.directed() ? 1 : 2) *
                         (parts.loss == LinkParts::Loss::kCorrupted ? 3 : 2) * view.train().size(),
                     true);
  if (parts.loss == LinkParts::Loss::kAllPairs)
    bytes += (nodes / 96 + 1) * (nodes / 96 + 1) * sizeof(double) +
             3 * nodes * ((width + 15) / 16 * 16) * sizeof(float);
  return bytes;
}

}  // namespace cupel
