// Links in three parts, for questions about links: test and validation shares rounded down, as Kipf
// and Welling, "Variational graph auto-encoders" (2016), have them in their released code; the rest
// is for training.
#include <algorithm>
#include <array>
#include <numeric>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/base/shuffle.h"
#include "cupel/base/words.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

struct Part {
  const char* name;
  int percent;
  std::int64_t size;
};

// Sizes of the parts, none of which is empty.
std::array<Part, 3> parts_of(const SplitSource& source) {
  const int train = source.size("train"), valid = source.size("valid"), test = source.size("test");
  if (const std::int64_t all = std::int64_t{train} + valid + test; all != 100)
    fail(
        "split scheme 'links': train = {}, valid = {} and test = {} percent are {} together; they "
        "must be 100",
        train, valid, test, all);
  const std::int64_t links = source.links->size();
  const std::int64_t tested = links * test / 100, validated = links * valid / 100;
  const std::array<Part, 3> parts = {{{"training", train, links - tested - validated},
                                      {"validation", valid, validated},
                                      {"test", test, tested}}};
  for (const Part& part : parts)
    if (part.size == 0)
      fail("{}: {} percent of {}, rounded down, leave the {} part empty; give it a larger share",
           source.dataset.name, part.percent, counted(links, "link"), part.name);
  return parts;
}

Split draw_links(const SplitSource& source, int member) {
  const auto& [train, valid, test] = parts_of(source);
  Stream stream(stream_key(fmt::format("split/links/{}", source.seed())), 0, 0,
                static_cast<std::uint32_t>(member));
  // The beginning of a random order; only what is held out, or given of the rest, is drawn.
  std::vector<Index> order(static_cast<std::size_t>(source.links->size()));
  std::iota(order.begin(), order.end(), 0);
  const auto held_out = static_cast<std::size_t>(test.size + valid.size);
  const auto few = static_cast<std::size_t>(source.size("few"));
  const std::size_t drawn = few == 0 ? held_out : std::min(held_out + few, order.size());
  draw_to_front(order, drawn, stream);
  const auto test_end = order.begin() + test.size, valid_end = test_end + valid.size;
  if (few > 0) order.resize(drawn);
  // Ascending, so that the order of a part tells nothing.
  std::sort(order.begin(), test_end);
  std::sort(test_end, valid_end);
  std::sort(valid_end, order.end());
  return {{valid_end, order.end()}, {test_end, valid_end}, {order.begin(), test_end}};
}

int test_percent(const Options& settings) { return static_cast<int>(settings.integer("test")); }

SplitSetting few_setting() {
  return {.option = {.name = "few",
                     .fallback = std::int64_t{0},
                     .doc = "how many of the training links are given, drawn at random; the others "
                            "are in no part. 0: all",
                     .min = 0,
                     .max = 1e9,
                     .later = true}};
}

SplitSetting directed_setting() {
  return {.option = {.name = "directed",
                     .fallback = false,
                     .doc = "whether [0, 4] and [4, 0] are two links"}};
}

}  // namespace

extern const SplitKind split_links;
const SplitKind split_links = {
    .name = "links",
    .doc =
        "`test` and `valid` percent of the links, rounded down, the rest training, for questions "
        "about links",
    .settings = {percent_setting("train", 85, "of the links"),
                 percent_setting("valid", 5, "of the links"),
                 percent_setting("test", 10, "of the links"), directed_setting(), message_setting(),
                 seed_setting(), few_setting()},
    .words =
        "{count} x links: {train} % training, {valid} % validation, {test} % test; messages "
        "at test along {message}; directed {directed}; seed {seed}",
    .draw = draw_links,
    .of_pairs = true,
    .test_percent = test_percent};

}  // namespace cupel
