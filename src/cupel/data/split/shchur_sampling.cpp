#include "cupel/data/split/shchur_sampling.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/labels.h"
#include "cupel/data/unit.h"

namespace cupel {

std::uint32_t shchur_config_seed(std::uint32_t base, int member) {
  NumpyLegacy random(base);
  for (int i = 0; i < member; ++i) random.randint(0, 1'000'000);
  return static_cast<std::uint32_t>(random.randint(0, 1'000'000));
}

std::uint32_t shchur_effective_seed(std::uint32_t config_seed) {
  // Three built-in commands and three captured helpers are registered before the main function.
  constexpr int kRegisteredBefore = 6;
  constexpr std::int64_t kSeedRange = 1'000'000'000;
  NumpyLegacy outer(config_seed);
  for (int i = 0; i < kRegisteredBefore; ++i) outer.randint(1, kSeedRange);
  NumpyLegacy inner(static_cast<std::uint32_t>(outer.randint(1, kSeedRange)));
  return static_cast<std::uint32_t>(inner.randint(1, kSeedRange));
}

std::vector<Index> sample_per_class(NumpyLegacy& random, const Dataset& dataset, int count,
                                    const std::vector<char>& taken, const std::string& needed) {
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(dataset.classes()));
  std::vector<Index> sizes(members.size(), 0);
  for (Index node = 0; node < dataset.examples(); ++node) {
    if (!is_labelled(dataset, node)) continue;
    const auto label = static_cast<std::size_t>(dataset.labels()[static_cast<std::size_t>(node)]);
    ++sizes[label];
    if (!taken[static_cast<std::size_t>(node)]) members[label].push_back(node);
  }
  std::vector<Index> sample;
  for (std::size_t label = 0; label < members.size(); ++label) {
    if (members[label].size() < static_cast<std::size_t>(count)) {
      fail(
          "{}: class {} ('{}') has {}, too few for {}; ask for fewer, or prepare the data "
          "with \"drop-small-classes:N\"",
          dataset.name, label, dataset.class_names()[label],
          counted(sizes[label], unit_name(example_unit(dataset))), needed);
    }
    const std::vector<Index> chosen = random.choice(members[label], count);
    sample.insert(sample.end(), chosen.begin(), chosen.end());
  }
  return sample;
}

std::vector<char> none_taken(const Dataset& dataset) {
  std::vector<char> taken(static_cast<std::size_t>(dataset.examples()), 0);
  for (Index node = 0; node < dataset.examples(); ++node) taken[node] = !is_labelled(dataset, node);
  return taken;
}

void take(std::vector<char>& taken, const std::vector<Index>& ids) {
  for (const Index id : ids) taken[static_cast<std::size_t>(id)] = 1;
}

std::vector<Index> remaining(const std::vector<char>& taken) {
  std::vector<Index> ids;
  for (std::size_t node = 0; node < taken.size(); ++node) {
    if (!taken[node]) ids.push_back(static_cast<Index>(node));
  }
  return ids;
}

}  // namespace cupel
