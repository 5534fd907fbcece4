// The splits that a scheme makes of a data set.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cupel/data/dataset.h"
#include "cupel/data/graph/pairs.h"
#include "cupel/data/split/split.h"

namespace cupel {

// What the section [split] of a protocol says, from its keys: settings of the scheme, "count" and
// "first". `where` begins messages. Throws Error as a protocol does.
[[nodiscard]] SplitScheme read_split_scheme(const std::string& where, const std::string& kind,
                                            const std::map<std::string, OptionValue>& settings);
// The type that a text in the spelling of protocols means: 20, true, "file.json".
[[nodiscard]] OptionValue option_value_of(const std::string& text);

// SHA-256 over the parts: the same ids in the same order.
[[nodiscard]] std::string split_hash(const Split& split);

// The members of a scheme for one data set, to which it refers. Immutable.
class SplitFamily {
 public:
  // A count of 0 means all there are. Throws Error if the data set has no such splits, or not so
  // many.
  SplitFamily(const Dataset& dataset, const SplitScheme& scheme);

  [[nodiscard]] const SplitScheme& scheme() const { return scheme_; }
  [[nodiscard]] int size() const { return scheme_.count; }
  // What ids are of; of pairs, ids are places in links().
  [[nodiscard]] Unit unit() const { return unit_; }
  [[nodiscard]] const PairList* links() const { return links_ ? &*links_ : nullptr; }
  // 0 <= index < size(). Throws Error if it cannot be drawn.
  [[nodiscard]] Split member(int index) const;

 private:
  const Dataset& dataset_;
  SplitScheme scheme_;
  Unit unit_;
  std::optional<PairList> links_;
};

}  // namespace cupel
