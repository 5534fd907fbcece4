// Fractions of the nodes of each class: what scikit-learn calls a stratified shuffle split.
#include "cupel/data/split/stratified.h"

#include <fmt/format.h>

#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

Split draw_stratified(const SplitSource& source, int member) {
  const Dataset& dataset = source.dataset;
  const StreamKey key = stream_key(fmt::format("split/stratified/{}", source.seed()));
  return stratified_split(dataset.labels(), dataset.classes(), source.size("train"),
                          source.size("valid"), key, static_cast<std::uint32_t>(member),
                          dataset.name);
}

}  // namespace

extern const SplitKind split_stratified;
const SplitKind split_stratified = {
    .name = "stratified",
    .doc = "`train` percent of the nodes of each class, then `valid` percent, the rest test",
    .settings = {percent_setting("train", 20, "of the nodes of each class"),
                 percent_setting("valid", 30, "of the nodes of each class"), seed_setting()},
    .words = "{count} x stratified: train {train}, valid {valid}; seed {seed}",
    .draw = draw_stratified,
    .by_class = true,
    .test_percent = rest_percent};

}  // namespace cupel
