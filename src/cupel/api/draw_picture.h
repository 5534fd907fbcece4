// A graph's mapper graph as a picture, coloured by its classes or by what runs of a store predict.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/base/parallel.h"
#include "cupel/data/dataset.h"
#include "cupel/judge/picture/lens.h"
#include "cupel/judge/picture/picture.h"
#include "cupel/lab/plan/sources.h"

namespace cupel {

struct PictureRequest {
  // The name or path that the graph was loaded by, which says how it is prepared and must not be
  // written over; empty: it was made.
  std::string source;
  // What colours clusters, a panel each: "classes", or a row or a run of a store, as in
  // "results.sqlite:gcn"; empty: classes.
  std::vector<std::string> labels;
  std::vector<std::string> settings;     // "name=value", of picture_options()
  std::string out;                       // see picture_paths(); empty: named after the data
  int threads = available_processors();  // more than there are gain nothing
};

// Throws Error for what can be told before data are read: settings, and where the picture goes.
void check(const PictureRequest& request);

// The files that the picture of this graph goes to: x.svg or x.json, or both ends of another name.
// Throws Error for a set of graphs and for facts, for another kind of file, for one that is what is
// read, and for one that cannot be written.
[[nodiscard]] std::vector<std::filesystem::path> picture_paths(const PictureRequest& request,
                                                               const Dataset& stored);

// The picture. Without runs the graph is prepared as the catalog has it, or is made symmetric; with
// runs as they were. `sources` load what runs were made of. `progress` is told where the work is,
// with `all` = 0 where that is not counted. A pure function of what it is given, but for progress.
// Throws Error as picture_lens(), find_run() and predictions_of() do, and for runs of which data
// were prepared in different ways; Interrupted or TimedOut.
[[nodiscard]] Picture draw_picture(const PictureRequest& request, Dataset stored,
                                   const PlanSources& sources, const RunLimits& limits,
                                   const LensProgress& progress);

// Writes each file, whole or not at all. Throws Error if one cannot be written.
void write_picture(const Picture& picture, const std::vector<std::filesystem::path>& paths);

// As `cupel picture --json` prints it.
[[nodiscard]] nlohmann::ordered_json picture_outcome_json(
    const Picture& picture, const std::vector<std::filesystem::path>& paths);

}  // namespace cupel
