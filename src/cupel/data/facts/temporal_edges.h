// Temporal edge lists, as SNAP publishes them.
#pragma once

#include <filesystem>

#include "cupel/data/facts/fact_lines.h"

namespace cupel {

// Lines "u v t" of whole numbers, with blanks, tabs or one comma between them; nodes from 0 to
// 2147483646, times of 64 bits. Lines that are blank or begin with '#' or '%' are skipped. Repeats
// are facts of their own, and lines out of order are put in order. Plain or compressed.
//
// Entities are those of number_entities(), and the one relation, "edge", is directed.
// Memory: 20 bytes a fact, 12 more where lines are not in order, 30 an entity, and 1.5 bits for
// every number up to the largest where many of these occur, else 8 bytes a fact.
// Throws Error naming file and line.
[[nodiscard]] TemporalFacts read_temporal_edges(const std::filesystem::path& path,
                                                FactNotes* notes = nullptr);

// Makes entities of ends that are any numbers from 0 to `largest`: those that occur, ascending,
// with the numbers as names, all of one type, "node".
void number_entities(TemporalFacts& facts, Index largest);

// Whether the first line that is no comment has three whole numbers. False for what cannot be read.
[[nodiscard]] bool is_temporal_edges(const std::filesystem::path& path);

}  // namespace cupel
