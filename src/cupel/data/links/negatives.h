// Where the candidates of a split's positive pairs come from.
//
// One file per kind in negatives/, which defines `extern const NegativeKind negative_<file stem>`;
// the build lists them. Candidates are drawn once for a split and shared by all that are compared
// on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/base/parallel.h"
#include "cupel/base/random.h"
#include "cupel/data/dataset.h"
#include "cupel/data/links/candidates.h"

namespace cupel {

enum class LinkPart : std::uint8_t { kValid, kTest };
[[nodiscard]] const char* to_text(LinkPart part);  // "validation", "test"

// Everything that candidates may depend on.
struct NegativeContext {
  const Dataset& dataset;  // prepared
  const PairList& links;   // of its graph
  const Split& split;      // ids of links.pairs
  LinkPart part;           // whose candidates are drawn
  // Depends on the data's content, the split scheme and the member, and is the same for both parts,
  // so that a kind can keep their negatives apart.
  StreamKey key;
  Threads threads;
  const Options& settings;

  const std::vector<Index>& ids() const;  // of the part's positives
  std::vector<Pair> positives() const;    // in the order of the ids
  // Links of some parts, as arcs: of both directions unless directed.
  Csr arcs(bool train, bool valid, bool test) const;
  // Those that are known when the part is asked: training links, for test validation links too.
  Csr known() const { return arcs(true, part == LinkPart::kTest, false); }
  std::string where() const;  // "cora: test negatives", for messages
};

struct NegativeKind {
  std::string name;  // "uniform"
  std::string doc;   // one sentence
  std::vector<OptionSpec> settings;
  std::optional<CandidateForm> form;  // nothing: the settings decide
  // The same bits on any number of threads. Throws Error if the data or the settings do not allow
  // it.
  Candidates (*draw)(const NegativeContext& context);
  // What draw() refuses, without drawing, and the smallest number of candidates of a positive; null
  // where only drawing tells.
  Offset (*check)(const NegativeContext& context) = nullptr;
  // What the settings alone do not say, as the content of files; null where they say all.
  std::string (*content)(const Dataset& dataset, const Options& settings) = nullptr;
  // Paths of these files; null where there are none.
  std::vector<std::string> (*files)(const Dataset& dataset, const Options& settings) = nullptr;
};

// Sorted by file name.
[[nodiscard]] const std::vector<const NegativeKind*>& negative_kinds();
// Throws Error naming the nearest kind if there is none of that name.
[[nodiscard]] const NegativeKind& find_negative_kind(const std::string& name);

// What candidates depend on beside the data and the split, for run identities:
// "heart count=500 zeros=last". Throws Error if a file that they come from cannot be read.
[[nodiscard]] std::string negatives_identity(const NegativeKind& kind, const Dataset& dataset,
                                             const Options& settings);

// How many candidates each positive will have, and in which form.
struct CandidatesAhead {
  CandidateForm form = CandidateForm::kPool;
  Offset smallest = 0;
};
// Throws Error if draw_ranking() would. Draws where a kind has no `check`.
[[nodiscard]] CandidatesAhead check_negatives(const NegativeKind& kind,
                                              const NegativeContext& context);

// Draws, and makes both sides of the questions.
[[nodiscard]] Ranking draw_ranking(const NegativeKind& kind, const NegativeContext& context);

}  // namespace cupel
