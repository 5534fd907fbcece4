// Fractions of all nodes, without regard to class.
#include "cupel/base/random.h"
#include "cupel/base/error.h"
#include "cupel/data/labels.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

std::string settings(const SplitScheme& scheme) {
  return fmt::format("train={}% valid={}% seed={}", scheme.train, scheme.valid, scheme.seed);
}

Split draw(const Dataset& dataset, const SplitScheme& scheme, int member) {
  if (std::int64_t{scheme.train} + scheme.valid >= 100) {
    fail(
        "a random split takes percentages: {} training and {} validation leave no test nodes; "
        "their sum must be below 100",
        scheme.train, scheme.valid);
  }
  std::vector<Index> order = labelled_examples(dataset);
  const StreamKey key = stream_key(fmt::format("split/random/{}", scheme.seed));
  Stream stream(key, 0, 0, static_cast<std::uint32_t>(member));
  for (std::size_t i = order.size(); i-- > 1;) {
    std::swap(order[i], order[stream.next_below(static_cast<std::uint32_t>(i + 1))]);
  }
  const auto share = [&](int percent) {
    return static_cast<std::ptrdiff_t>(std::ssize(order) * percent / 100);
  };
  const auto train_end = order.begin() + share(scheme.train);
  const auto valid_end = train_end + share(scheme.valid);
  return {{order.begin(), train_end}, {train_end, valid_end}, {valid_end, order.end()}};
}

}  // namespace

extern const SplitKind split_random;
const SplitKind split_random = {
    "random", "`train` percent of all nodes, then `valid` percent, the rest test", settings, draw};

}  // namespace cupel
