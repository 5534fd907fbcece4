#include "cupel/judge/picture/lens.h"

#include "cupel/base/error.h"

namespace cupel {

void check_lens(const Dataset& prepared, const LensSettings& settings) {
  if (prepared.graphs)
    fail("{}: is a set of graphs, and a picture is of one graph; give a data set that is one graph",
         prepared.name);
  if (feature_count(prepared.features) == 0)
    fail(
        "{}: its nodes have no features, which the embedding is made of; give a graph whose nodes "
        "have some",
        prepared.name);
  if (prepared.nodes() < 3)
    fail("{}: has {} nodes, and a picture takes at least 3", prepared.name, prepared.nodes());
  if (settings.tsne.perplexity > prepared.nodes() - 1)
    fail(
        "{}: has {} nodes, and each is to have {:g} neighbours (perplexity); give "
        "--set perplexity=N with N of {} or less",
        prepared.name, prepared.nodes(), settings.tsne.perplexity, prepared.nodes() - 1);
}

Matrix picture_lens(const std::shared_ptr<const Dataset>& prepared, const LensSettings& settings,
                    std::int64_t seed, Threads threads, const RunLimits& limits,
                    const LensProgress& progress) {
  check_lens(*prepared, settings);
  const auto telling = [&](const char* stage) -> std::function<void(int, int)> {
    if (!progress) return {};
    return [&progress, stage](int done, int all) { progress(stage, done, all); };
  };
  const Matrix embedding =
      dgi_embedding(prepared, settings.dgi, stream_key(fmt::format("picture/dgi/{}", seed)),
                    threads, limits, telling("embedding"));
  return tsne(embedding, settings.tsne, stream_key(fmt::format("picture/tsne/{}", seed)), threads,
              limits, telling("lens"));
}

}  // namespace cupel
