// Audit of links: whether a split of links, what carries messages and what positives are ranked
// against ask what they seem to ask.
//
// One file per check in links/, which defines `extern const LinkCheck link_check_<file stem>`; the
// build lists them. Checks look at pairs as they were given, since lists of links cannot hold what
// is wrong with some.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/audit/finding.h"
#include "cupel/data/dataset.h"
#include "cupel/data/links/candidates.h"
#include "cupel/data/links/rank_counter.h"

namespace cupel {

struct LinkSubject {
  const Dataset& data;  // as models see it: its features and its number of nodes
  bool directed = false;
  // Training, validation and test pairs, in any order and, where direction means nothing, either
  // way round. Ids are nodes of the data.
  std::array<std::vector<Pair>, 3> parts = {};
  // What carries messages when validation and when test are asked: a pattern, nodes x nodes.
  std::array<Csr, 2> messages = {};
  // What their positives are ranked against, where that is known.
  std::array<std::optional<Candidates>, 2> candidates = {};
  // Negatives that a file gives and `candidates` cannot hold.
  struct LeftOut {
    Offset loops = 0;    // of a node with itself
    Offset repeats = 0;  // of a pair that the pool has already, whichever way round it is written
  };
  std::array<LeftOut, 2> left_out = {};
  std::vector<Offset> ks = {};  // K of the metrics hits@K

  // As all checks compare pairs: source < target where direction means nothing.
  Pair same_way(Pair pair) const;
  // Distinct pairs of a part, ascending, that way; loops left out.
  std::vector<Pair> links(std::size_t part) const;
  // The questions of validation (0) or test (1); nothing without candidates, or where a pool holds
  // a positive or a list is of a loop, which no ranking can. Lists follow the order of their part.
  // `every` = n: only the questions of every n-th positive, and of a pool only every n-th pair.
  std::optional<Ranking> ranking(std::size_t asked, Offset every = 1) const;
};

struct LinkCheck {
  const char* name;  // "link-overlap": the id of its finding
  const char* doc;   // one sentence, for listings
  void (*run)(const LinkSubject& subject, std::vector<Finding>& findings);
};

// Sorted by file name.
[[nodiscard]] const std::vector<const LinkCheck*>& link_checks();

// Findings of all checks: errors first, then warnings, then infos. Pure function of the subject.
// Time: near-linear in pairs and candidates, but for the scores of nearness by features.
[[nodiscard]] std::vector<Finding> audit_links(const LinkSubject& subject);

namespace link_text {

inline constexpr const char* kParts[] = {"training", "validation", "test"};
// "(0, 5), (2, 3) and 12 more"
[[nodiscard]] std::string pairs(const std::vector<Pair>& pairs);
// The first of them, for programs: [[0, 5], [2, 3]].
[[nodiscard]] nlohmann::ordered_json examples(const std::vector<Pair>& pairs);

}  // namespace link_text

// Probability that a positive scores above a candidate of its own, ties half, mean over questions:
// for a pool the area under the ROC curve.
[[nodiscard]] double mean_area(const RankCounts& counts);

}  // namespace cupel
