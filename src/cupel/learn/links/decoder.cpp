#include "cupel/learn/links/decoder.h"

#include <fmt/ranges.h>

#include <cctype>
#include <numeric>

#include "cupel/base/error.h"
#include "cupel/base/registry.h"

namespace cupel {

#include "decoder_registry.inc"

const std::vector<const Decoder*>& decoders() {
  static const std::vector<const Decoder*> all = sorted_entries(decoder_registry(), &Decoder::name);
  return all;
}

const Decoder& find_decoder(const std::string& name) {
  const auto folded = [](std::string text) {
    for (char& c : text)
      c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  std::vector<std::string> known;
  for (const Decoder* decoder : decoders()) {
    if (folded(decoder->name) == folded(name)) return *decoder;
    known.push_back(decoder->name);
  }
  fail("no decoder is called '{}'; known are {}", name, fmt::join(known, ", "));
}

Program trace_decoder(const Decoder& decoder, Index nodes, Index width, bool directed,
                      const Options& options) {
  Builder b;
  const SpaceId pairs = b.space("pair");
  const Shape selection = {Layout::kSparse, pairs, 0, nodes};
  const Value sources = b.constant("sources", selection);
  const Value targets = b.constant("targets", selection);
  const Value table = b.parameter({.name = "embeddings",
                                   .rows = nodes,
                                   .cols = width,
                                   .init = Parameter::Init::kFill,
                                   .fill = {0.0f}});
  return b.finish(decoder.score(b, gather_rows(sources, table), gather_rows(targets, table),
                                directed, options));
}

PairBatch::PairBatch(Index nodes) { sources_.cols = targets_.cols = nodes; }

void PairBatch::take(std::span<const Pair> pairs) {
  const auto count = static_cast<Index>(pairs.size());
  for (Csr* ends : {&sources_, &targets_}) {
    ends->rows = count;
    ends->row_ptr.resize(pairs.size() + 1);
    ends->columns.resize(pairs.size());
    for (std::size_t i = 0; i <= pairs.size(); ++i) ends->row_ptr[i] = static_cast<Offset>(i);
  }
  rows_.resize(pairs.size());
  std::iota(rows_.begin(), rows_.end(), 0);
  replace(0, pairs);
}

void PairBatch::replace(std::size_t first, std::span<const Pair> pairs) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    sources_.columns[first + i] = pairs[i].source;
    targets_.columns[first + i] = pairs[i].target;
  }
}

}  // namespace cupel
