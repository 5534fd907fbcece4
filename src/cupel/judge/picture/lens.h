// The lens of a picture: where an embedding puts each node of a graph in the plane.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "cupel/base/limits.h"
#include "cupel/base/parallel.h"
#include "cupel/data/dataset.h"
#include "cupel/learn/embedding/dgi.h"
#include "cupel/learn/embedding/tsne.h"

namespace cupel {

struct LensSettings {
  DgiSettings dgi;
  TsneSettings tsne;
};

// Told where the work is: "embedding" or "lens".
using LensProgress = std::function<void(const std::string& stage, int done, int all)>;

// Throws Error, with the way out, for data of which no lens can be made: a set of graphs, a graph
// without features, or one with too few nodes for the perplexity.
void check_lens(const Dataset& prepared, const LensSettings& settings);

// nodes x 2: t-SNE of the DGI embedding, which does not look at labels. A pure function of the
// graph, its features, the first stored split if there is one, settings and seed. Throws Error as
// check_lens, dgi_embedding and tsne do; Interrupted or TimedOut.
[[nodiscard]] Matrix picture_lens(const std::shared_ptr<const Dataset>& prepared,
                                  const LensSettings& settings, std::int64_t seed, Threads threads,
                                  const RunLimits& limits = {}, const LensProgress& progress = {});

}  // namespace cupel
