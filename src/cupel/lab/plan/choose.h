// Which of its configurations a cell shows.
//
// A chooser gets one kind of score, and nothing else: where it goes by validation, no test score is
// within its reach.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cupel/learn/score/scale.h"

namespace cupel {

using RunPlace = std::pair<int, int>;  // (split, init)

// A configuration and the scores, of the kind that is chosen by, of its runs.
struct Candidate {
  std::string name;
  std::map<RunPlace, double> scores;
};

struct Chosen {
  int index = -1;              // of the candidate; -1: none could be chosen
  std::vector<bool> complete;  // by candidate: it has every run that was asked for
  // The runs that candidates were compared on; fewer than asked for where none is complete.
  std::set<RunPlace> compared;
  // Mean over these, by candidate; absent for one that lacks any of them.
  std::vector<std::optional<double>> means;
};

// The candidate with the best mean over the runs in `asked`, the first of equals. Only those that
// have all of these runs can be chosen; where none has, they are compared on the runs that all with
// any run have in common.
[[nodiscard]] Chosen choose(const std::vector<Candidate>& candidates,
                            const std::set<RunPlace>& asked, const MetricScale& scale = {});

// Split by split: the candidate with the best mean over the asked runs of that split, the last of
// equals, as in the assessment of Errica et al. 2020. Splits on which a candidate lacks a run are
// left out.
[[nodiscard]] std::map<int, std::size_t> choose_by_split(const std::vector<Candidate>& candidates,
                                                         const std::set<RunPlace>& asked,
                                                         const MetricScale& scale = {});

}  // namespace cupel
