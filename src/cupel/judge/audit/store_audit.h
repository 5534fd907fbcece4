// What runs say of a data set: whether the graph helps.
#pragma once

#include <string>
#include <vector>

#include "cupel/data/audit/finding.h"
#include "cupel/lab/store/store.h"

namespace cupel {

// Findings and, where there is nothing to find or nothing to go by, a sentence that says so.
struct StoreAudit {
  std::vector<Finding> findings;
  std::vector<std::string> notes;
};

// Graph models against models without the graph (mlp, resnet, logreg, majority: the model's name,
// or the row's where the model is a program of the user's; other programs are left out, as nobody
// knows what they look at), on runs of the data set with this
// content hash, whatever its name was. Runs are compared that share preparation, split scheme and
// metric. Of each model the configuration with the best mean validation score counts, and of the
// models without the graph the best by validation is the one to beat. A split's score is the mean
// over initialisations; over common splits, paired t tests with Holm's correction for the number of
// graph models, two-sided at 5 %. Of a graph model with fewer than kFewestDraws common splits
// nothing is concluded, and what is said of the others names it.
//
// Finding "graph-does-not-help": of every graph model of the store it is shown that it is not
// better by kDefaultDelta, a point (a rank), or more, as equivalence is. "graph-not-shown-to-help":
// neither that nor that one is better is shown. Both say something of these models and this data,
// not of all graph models. Nothing is said of facts over time, which every model sees.
[[nodiscard]] StoreAudit audit_store(const Store& store, const std::string& content_hash);

}  // namespace cupel
