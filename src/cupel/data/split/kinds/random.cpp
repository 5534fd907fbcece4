// Fractions of all nodes, without regard to class.
#include "cupel/base/random.h"
#include "cupel/base/error.h"
#include "cupel/base/shuffle.h"
#include "cupel/data/labels.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

Split draw_random(const SplitSource& source, int member) {
  const int train = source.size("train"), valid = source.size("valid");
  if (rest_percent(source.settings) <= 0) {
    fail(
        "a random split takes percentages: {} training and {} validation leave nothing to test; "
        "their sum must be below 100",
        train, valid);
  }
  std::vector<Index> order = labelled_examples(source.dataset);
  if (order.empty())
    fail("{}: a random split is of what has a label, and nothing has; give y", source.dataset.name);
  const StreamKey key = stream_key(fmt::format("split/random/{}", source.seed()));
  Stream stream(key, 0, 0, static_cast<std::uint32_t>(member));
  shuffle(order, stream);
  const auto share = [&](int percent) {
    return static_cast<std::ptrdiff_t>(std::ssize(order) * percent / 100);
  };
  const auto train_end = order.begin() + share(train);
  const auto valid_end = train_end + share(valid);
  return {{order.begin(), train_end}, {train_end, valid_end}, {valid_end, order.end()}};
}

}  // namespace

extern const SplitKind split_random;
const SplitKind split_random = {
    .name = "random",
    .doc = "`train` percent of all nodes, then `valid` percent, the rest test",
    .settings = {percent_setting("train", 20, "of all nodes"),
                 percent_setting("valid", 30, "of all nodes"), seed_setting()},
    .words =
        "{count} x random: {train} % training, {valid} % validation, the rest test; seed "
        "{seed}",
    .draw = draw_random,
    .test_percent = rest_percent};

}  // namespace cupel
