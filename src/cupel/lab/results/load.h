// From the store to what reports are made of.
#pragma once

#include <string>
#include <vector>

#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/results/results.h"
#include "cupel/lab/store/store.h"

namespace cupel {

// What the store has of a protocol: the cells that were asked for, their runs, the published
// values. Throws Error if nothing was asked of this version of it (how to run it).
[[nodiscard]] Results load_results(const Store& store, const Protocol& protocol);

// The runs of a cell's family that were asked of the cell, by (split, init): another version of the
// protocol may have asked for more of them.
[[nodiscard]] std::vector<StoredRun> runs_asked_of(const Store& store, const StoredCell& cell);

// The text that the store keeps of the protocol called `name`, parsed: "pitfalls", or
// "pitfalls@3fa9" for the version that begins so; of several, or if `name` is empty, the one asked
// for last. Throws Error if there is none, with what there is.
[[nodiscard]] Protocol stored_protocol(const Store& store, const std::string& name = {});

// load_results() of stored_protocol().
[[nodiscard]] Results load_results(const Store& store, const std::string& name = {});

}  // namespace cupel
