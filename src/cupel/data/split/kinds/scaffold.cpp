// Molecules of one scaffold stay together, rare scaffolds are tested: Bemis and Murcko 1996, as
// MoleculeNet (Wu et al. 2018) and OGB (Hu et al. 2020) split by them. With 80 and 10 percent these
// are OGB's published splits of BACE, Tox21 and HIV.
#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

std::string settings(const SplitScheme& scheme) {
  return fmt::format("train={}% valid={}%", scheme.train, scheme.valid);
}

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

Split draw(const Dataset& dataset, const SplitScheme& scheme, int member) {
  if (!dataset.graphs || dataset.graphs->scaffolds.empty()) {
    fail(
        "{}: is not known by scaffold; only molecules read from SMILES are (use split scheme "
        "\"stored\" where the files have a scaffold split)",
        dataset.name);
  }
  if (std::int64_t{scheme.train} + scheme.valid >= 100) {
    fail(
        "a scaffold split takes percentages: {} training and {} validation leave no test "
        "molecules; their sum must be below 100",
        scheme.train, scheme.valid);
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
    auto& part = within(trained, scheme.train)                                       ? split.train
                 : within(trained + split.valid.size(), scheme.train + scheme.valid) ? split.valid
                                                                                     : split.test;
    part.insert(part.end(), group.begin(), group.end());
  }
  for (auto* part : {&split.train, &split.valid, &split.test}) std::ranges::sort(*part);
  return split;
}

}  // namespace

extern const SplitKind split_scaffold;
const SplitKind split_scaffold = {"scaffold",
                                  "molecules by scaffold, common ones first: `train` percent, then "
                                  "`valid` percent, the rest test",
                                  settings, draw};

}  // namespace cupel
