// Whether the data sets of a store can tell a graph model from one that does not see the graph, and
// the figures of that.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cupel/api/pairs.h"
#include "cupel/api/stored_results.h"
#include "cupel/judge/effectiveness/effectiveness.h"

namespace cupel {

struct EffectivenessFigures {
  std::string figure;   // a file for bars: .svg, or .json for Vega-Lite; empty: none
  std::string figures;  // a folder for the figures of the paper; empty: none
  std::string data;     // of the data sets that one of these is of; see existing_data_folder()

  [[nodiscard]] bool any() const { return !figure.empty() || !figures.empty(); }
};

struct AssessedPairs {
  PairsRequest asked;
  StoredResults of;
  EffectivenessReport report;
};

// Throws Error as stored_results(), pairs_of() and assess_effectiveness() do; for a figure that
// cannot be written, before anything is read; and where figures are wanted and no data set has
// runs of both rows of a pair.
[[nodiscard]] AssessedPairs assess_pairs(const PairsRequest& request,
                                         const EffectivenessFigures& figures = {});

// What is told while figures are written, in the thread of the caller.
struct FiguresTold {
  std::function<void(const std::filesystem::path&)> wrote;  // a file
  std::function<void(const std::string&)> note;             // what is left out of one, and why
};

// Writes those that are wanted, each file whole or not at all. Those of the paper are of the best
// of its methods that the results have, for parts that were not named. Throws Error for what cannot
// be written, and for a folder of data that is not there; files before that are there then.
void write_figures(const AssessedPairs& assessed, const EffectivenessFigures& figures,
                   const FiguresTold& told);

// As `cupel effectiveness --json` prints it.
[[nodiscard]] nlohmann::ordered_json effectiveness_json(const EffectivenessReport& report);

}  // namespace cupel
