// What the entries of models of embeddings share: each differs in its defaults.
#pragma once

#include <cstddef>
#include <memory>

#include "cupel/learn/events/embeddings/embedding_model.h"

namespace cupel {

// Functions of a ModelEntry (learn/model.h), whose settings are embedding_options(kDefaults()).
template <EmbeddingSettings (*kDefaults)()>
struct EmbeddingEntry {
  static std::unique_ptr<EventModel> make(const EventWorld& world, const Options& settings,
                                          StreamKey key, Threads threads) {
    return make_embedding_model(world, read_embedding_settings(kDefaults(), settings), key,
                                threads);
  }
  static std::size_t bytes(const EventWorld& world, const Options& settings, Offset facts) {
    return embedding_bytes(world, read_embedding_settings(kDefaults(), settings), facts);
  }
};

}  // namespace cupel
