// How a model of links scores a pair by the embeddings of its two ends, and the registry of all
// ways to.
//
// One file per decoder in decoders/: citation, equations, settings, and
// `extern const Decoder decoder_<file stem>`. Nothing else lists decoders.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/data/graph/pairs.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/row_sets.h"

namespace cupel {

struct Decoder {
  std::string name;  // "distmult"
  std::string doc;   // one sentence
  std::string citation;
  std::vector<std::string> equations;  // plain text, one per line
  std::vector<OptionSpec> options;
  // Traces the score of each pair before the sigmoid: pairs x 1. source, target: pairs x width, the
  // embeddings of the ends. Unless `directed`, both orders of a pair get one score when evaluated,
  // to the bit.
  Value (*score)(Builder& b, Value source, Value target, bool directed, const Options& options);
};

// Sorted by name.
[[nodiscard]] const std::vector<const Decoder*>& decoders();
// Case and '_' / '-' do not matter. Throws Error with the known names if unknown.
[[nodiscard]] const Decoder& find_decoder(const std::string& name);

// The program that scores pairs, as traced. Constants: sources, then targets, as PairBatch has
// them. Parameter kEmbeddings is the table of embeddings, nodes x width, whose values come from an
// encoder and whose gradient goes back to it; the decoder's own parameters follow.
inline constexpr int kEmbeddings = 0;
[[nodiscard]] Program trace_decoder(const Decoder& decoder, Index nodes, Index width, bool directed,
                                    const Options& options);

// Pairs as the constants of such a program. Not thread-safe.
class PairBatch {
 public:
  explicit PairBatch(Index nodes);
  // From now on constants() and rows() are of these pairs, in this order; a program bound to them
  // before must be bound anew. Nodes of pairs are below `nodes`.
  void take(std::span<const Pair> pairs);
  // Other pairs in the place of those from number `first` on. Programs that are bound to these
  // constants need not be bound anew: all rows are read where they lie.
  void replace(std::size_t first, std::span<const Pair> pairs);
  std::vector<ConstantMatrix> constants() const { return {{&sources_}, {&targets_}}; }
  const std::vector<Index>& rows() const { return rows_; }  // all of them, for Binding::rows

 private:
  Csr sources_, targets_;  // pairs x nodes: one entry a row
  std::vector<Index> rows_;
};

}  // namespace cupel
