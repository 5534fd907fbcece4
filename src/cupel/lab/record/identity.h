// The identity of a run: canonical text of everything its result depends on, and the hash of that
// text.
//
// Runs come in families: all (split, initialisation) pairs of one model on one data set under one
// protocol. An identity is {"family": ..., "init": I, "split": S}; the names of the protocol, of
// the table and of the row do not enter, so that protocols share what they have in common.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/data/split/split.h"
#include "cupel/engine/kernels/fused.h"
#include "cupel/learn/train/rule.h"

namespace cupel {

// Raised whenever a change of the code changes the bits of any result, so that old runs are not
// taken for new ones.
inline constexpr int kNumericsVersion = 5;

// What the runs of a family share.
struct FamilyFields {
  std::string dataset;     // content hash of the stored data set
  std::string names = {};  // hash of names in it that results are told by; empty: there are none
  std::vector<std::string> preparation;  // steps, in order
  // What is asked, and how, of kinds of tasks that stand in identities; else empty.
  std::string task = {};
  std::map<std::string, OptionValue> task_settings = {};
  SplitScheme split;                            // `count` and `first` do not enter
  std::string model;                            // registry name, or "external"
  int revision = 1;                             // of the model (ModelEntry)
  std::map<std::string, OptionValue> settings;  // all of them, defaults included
  std::map<std::string, std::string> program;   // of an external model: command, hashes, limits
  TrainRule rule;
  std::string metric = "accuracy";
  bool scores_test = true;  // false: a trial of a search
  // How the machine rounds, which shows in the bits of what is trained here. It stands in the
  // identity where it is not kFused, as it is on nearly all machines.
  kernels::Rounding rounding = kernels::Rounding::kFused;
};

// Canonical JSON: keys sorted, no spaces, numbers in their shortest exact form. "train": "stop_on"
// is "valid-loss" for the validation loss with the penalty of L2, and "valid-cross-entropy" for
// that without, where there is one.
[[nodiscard]] std::string family_identity(const FamilyFields& fields);

// `split` is the number of the split in the endless family: SplitScheme::first + index.
[[nodiscard]] std::string run_identity(const std::string& family, int split, int init);

// What keeps a text from being the identity of a family as some version of family_identity() wrote
// it, for texts from elsewhere; "" if nothing does. Who reads the fields of one that passes finds
// them there, with their types.
[[nodiscard]] std::string identity_fault(const std::string& family);

// 32 hexadecimal digits: half of the SHA-256 of an identity of a run or a family.
[[nodiscard]] std::string identity_hash(const std::string& identity);

}  // namespace cupel
