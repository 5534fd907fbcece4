// Fractions of the nodes of each class: what scikit-learn calls a stratified shuffle split.
#include "cupel/data/split/stratified.h"

#include <fmt/format.h>

#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

std::string settings(const SplitScheme& scheme) {
  return fmt::format("train={}% valid={}% seed={}", scheme.train, scheme.valid, scheme.seed);
}

Split draw(const Dataset& dataset, const SplitScheme& scheme, int member) {
  const StreamKey key = stream_key(fmt::format("split/stratified/{}", scheme.seed));
  return stratified_split(dataset.labels, dataset.classes(), scheme.train, scheme.valid, key,
                          static_cast<std::uint32_t>(member), dataset.name);
}

}  // namespace

extern const SplitKind split_stratified;
const SplitKind split_stratified = {
    "stratified", "`train` percent of the nodes of each class, then `valid` percent, the rest test",
    settings, draw, true};

}  // namespace cupel
