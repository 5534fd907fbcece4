// Facts that those that are true now are told from: the question "whether". Random ones may be true
// unless `avoid` is set.
//
// Poursafaei et al., "Towards Better Evaluation for Dynamic Link Prediction" (NeurIPS 2022, DGB).
// One file per kind in negatives/, which defines `extern const FactNegativeKind
// fact_negative_<file stem>`; the build lists them. Negatives are drawn once for a part and shared
// by all that are compared on it.
//
// Each asked fact gets one negative, of its relation and its time, so that sizes are equal within
// each batch and relation. What "now" means is the same for all kinds: the times of a batch, from
// that of its first fact to that of its last, whoever else has facts at them. With one relation
// this is DGB, as its authors and Yu et al. 2023 (DyGLib) have it in their programs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/base/parallel.h"
#include "cupel/base/random.h"
#include "cupel/data/facts/columns.h"

namespace cupel {

// Everything that negatives may depend on.
struct FactNegativeContext {
  std::string name;           // of the data set, for messages
  FactColumns facts;          // of all parts
  Offset begin = 0, end = 0;  // which are asked; those before were known when the part began
  Offset batch = 200;         // facts asked together; 0: each step of time is a batch
  Undirected undirected;
  std::span<const std::uint8_t> entity_types;  // empty: all are of one type
  // Depends on the data's content and the split, and differs for validation and test.
  StreamKey key;
  Threads threads;
  const Options& settings;
};

// Row i is the negative of asked fact i.
struct FactNegatives {
  std::vector<Index> source, target;
  Offset filled = 0;  // drawn evenly, as there was nothing (more) of the kind

  // With the relations and times of the asked facts. Refers to both.
  FactColumns columns(const FactColumns& asked) const {
    return {source, asked.relation, target, asked.time, asked.nodes, asked.relations};
  }
};

// Where batches begin, and the end of the last: ascending, from 0 to the number of asked facts. All
// but the last have `batch` facts; with 0, each has those of one time.
[[nodiscard]] std::vector<Offset> fact_batches(std::span<const std::int64_t> asked, Offset batch);

struct FactNegativeKind {
  std::string name;  // "historical"
  std::string doc;   // one sentence
  std::vector<OptionSpec> settings;
  // The same bits on any number of threads; each batch and relation draws from a stream of its own,
  // so that a longer part begins with the same negatives, up to a last batch that was not full.
  // Time O(n log n) for n facts. Memory: at most 20 bytes a fact, 8 bytes a node, 150 bytes a
  // batch; for each fact at an asked time 12 bytes, or where pairs must be no facts now 52 (92 of
  // relations without direction). Throws Error if each pair of ends is a fact now, so that there is
  // none.
  FactNegatives (*draw)(const FactNegativeContext& context);
};

// Sorted by file name.
[[nodiscard]] const std::vector<const FactNegativeKind*>& fact_negative_kinds();
// Throws Error that begins with `where` and names the nearest kind if there is none of that name.
[[nodiscard]] const FactNegativeKind& find_fact_negative_kind(const std::string& where,
                                                              const std::string& name);

// What negatives depend on beside the data and the split, for run identities:
// "random among=ends avoid=false source=kept".
[[nodiscard]] std::string fact_negatives_identity(const FactNegativeKind& kind,
                                                  const Options& settings);

}  // namespace cupel
