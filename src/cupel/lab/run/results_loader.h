// From the store to what reports are made of.
#pragma once

#include <string>
#include <vector>

#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/run/results.h"
#include "cupel/lab/run/store.h"

namespace cupel {

// What the store has of a protocol: the cells that were asked for, their runs, the published
// values. Throws Error if nothing was asked of this version of it (how to run it).
[[nodiscard]] Results load_results(const Store& store, const Protocol& protocol);

// The text that the store keeps of the protocol called `name`, parsed: "pitfalls", or
// "pitfalls@3fa9" for the version that begins so; of several, or if `name` is empty, the one asked
// for last. Throws Error if there is none, with what there is.
[[nodiscard]] Protocol stored_protocol(const Store& store, const std::string& name = {});

// load_results() of stored_protocol().
[[nodiscard]] Results load_results(const Store& store, const std::string& name = {});

// How the splits of a scheme depend on one another. Shares of the examples are known of folds and
// of random parts in percent; of other schemes they depend on the data, or have little to say (of a
// few examples of each class, nearly all others are tested).
[[nodiscard]] SplitDesign design_of(const SplitScheme& scheme);

// What of results is wanted. Empty means all; names as of same_name().
struct ResultsSelection {
  std::vector<std::string> tables, datasets, models;  // ids, columns, rows
};

// The results of these alone. A derived table comes with its source, and speaks of the rows and
// columns that are left, as it does of a protocol that was run in part. Throws Error for a name
// that the results do not have (with the nearest), or if nothing is left.
[[nodiscard]] Results narrowed(Results results, const ResultsSelection& selection);

}  // namespace cupel
