// Molecules of one scaffold stay together, rare scaffolds are tested: Bemis and Murcko 1996, as
// MoleculeNet (Wu et al. 2018) and OGB (Hu et al. 2020) split by them. With 80 and 10 percent these
// are OGB's published splits of BACE, Tox21 and HIV.
#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

// Largest group first; of equal ones, that whose first member comes last.
std::vector<std::vector<Index>> ordered_groups(const std::vector<Index>& group_of) {
  std::vector<std::vector<Index>> groups(static_cast<std::size_t>(std::ranges::max(group_of)) + 1);
  for (std::size_t i = 0; i < group_of.size(); ++i)
    groups[static_cast<std::size_t>(group_of[i])].push_back(static_cast<Index>(i));
  std::erase_if(groups, [](const auto& members) { return members.empty(); });
  std::ranges::sort(groups, [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() > b.size() : a.front() > b.front();
  });
  return groups;
}

Split draw_scaffold(const SplitSource& source, int member) {
  const Dataset& dataset = source.dataset;
  const int train = source.size("train"), valid = source.size("valid");
  if (!dataset.graphs || dataset.graphs->scaffolds.empty()) {
    fail(
        "{}: is not known by scaffold; only molecules read from SMILES are (use split scheme "
        "\"stored\" where the files have a scaffold split)",
        dataset.name);
  }
  if (rest_percent(source.settings) <= 0) {
    fail(
        "a scaffold split takes percentages: {} training and {} validation leave no test "
        "molecules; their sum must be below 100",
        train, valid);
  }
  if (member != 0) {
    fail("{}: there is one scaffold split, number 0; split {} was asked for, so use count = 1",
         dataset.name, member);
  }
  const std::size_t all = dataset.graphs->scaffolds.size();
  const auto within = [&](std::size_t size, int percent) {
    return size * 100 <= all * static_cast<std::size_t>(percent);
  };
  Split split;
  for (const std::vector<Index>& group : ordered_groups(dataset.graphs->scaffolds)) {
    const std::size_t trained = split.train.size() + group.size();
    auto& part = within(trained, train)                                ? split.train
                 : within(trained + split.valid.size(), train + valid) ? split.valid
                                                                       : split.test;
    part.insert(part.end(), group.begin(), group.end());
  }
  for (auto* part : {&split.train, &split.valid, &split.test}) std::ranges::sort(*part);
  return split;
}

std::optional<int> size(const Dataset&, const Options&, const SplitFile*) { return 1; }

}  // namespace

extern const SplitKind split_scaffold;
const SplitKind split_scaffold = {
    .name = "scaffold",
    .doc =
        "molecules by scaffold, common ones first: `train` percent, then `valid` percent, the "
        "rest test",
    .settings = {percent_setting("train", 80, "of all molecules"),
                 percent_setting("valid", 10, "of all molecules")},
    .words = "by scaffold: {train} % training, {valid} % validation, the rest test",
    .draw = draw_scaffold,
    .count = 1,
    .size = size};

}  // namespace cupel
