// A model of facts that knows no time: embeddings learnt once.
#pragma once

#include <memory>

#include "cupel/base/options.h"
#include "cupel/learn/events/embeddings/train_embeddings.h"
#include "cupel/learn/events/event_model.h"

namespace cupel {

// fit() trains; without it the embeddings are as drawn. learn() remembers which entities have been
// seen, and nothing else. An entity that was never seen scores minus infinity in rank(), and the
// lowest number there is in score(). score() is the mean over both ends asked: with reciprocal
// relations these differ. A fact without direction has both orders as its ends.
//
// rank() takes queries x entities x dimension steps, as one matrix product for some queries at a
// time. Memory: embedding_bytes(). Throws Error for settings out of range.
[[nodiscard]] std::unique_ptr<EventModel> make_embedding_model(const EventWorld& world,
                                                               const EmbeddingSettings& settings,
                                                               StreamKey key, Threads threads);

// Settings of the models that have embeddings, and what they mean; `defaults` has the scoring.
[[nodiscard]] std::vector<OptionSpec> embedding_options(const EmbeddingSettings& defaults);
[[nodiscard]] EmbeddingSettings read_embedding_settings(const EmbeddingSettings& defaults,
                                                        const Options& options);

}  // namespace cupel
