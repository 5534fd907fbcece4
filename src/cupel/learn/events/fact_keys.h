// A fact without its time as one number of 64 bits.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/matrix.h"

namespace cupel {

// Packs (source, relation, target) and back. No key is ~0.
class FactKeys {
 public:
  // Who asks, for errors: the model, and its setting that does without relations.
  struct Asker {
    std::string_view model, without_relations;
  };
  // Throws Error if 64 bits are too few: with 10^7 entities that is above 65,536 relations. One
  // relation always fits.
  FactKeys(Index entities, Index relations, const Asker& who)
      // Were it the width of the last id, the last of 2^k entities would make ~0 a key.
      : entity_bits_(std::bit_width(static_cast<std::uint32_t>(entities))),
        relation_bits_(relations > 1 ? std::bit_width(static_cast<std::uint32_t>(relations - 1))
                                     : 0) {
    if (2 * entity_bits_ + relation_bits_ > 64)
      fail(
          "{}: facts of {} entities and {} relations cannot be told apart by 64 bits; give {}, or "
          "take fewer relations",
          who.model, entities, relations, who.without_relations);
  }

  std::uint64_t key(Index source, Index relation, Index target) const {
    return (wide(relation) << entity_bits_ | wide(source)) << entity_bits_ | wide(target);
  }
  // Either order of the ends gives one key.
  std::uint64_t unordered_key(Index a, Index relation, Index b) const {
    return a <= b ? key(a, relation, b) : key(b, relation, a);
  }
  Index target(std::uint64_t key) const { return narrow(key & mask()); }
  Index source(std::uint64_t key) const { return narrow(key >> entity_bits_ & mask()); }
  Index relation(std::uint64_t key) const { return narrow(key >> entity_bits_ >> entity_bits_); }

 private:
  static std::uint64_t wide(Index i) { return static_cast<std::uint32_t>(i); }
  static Index narrow(std::uint64_t bits) { return static_cast<Index>(bits); }
  std::uint64_t mask() const { return (std::uint64_t{1} << entity_bits_) - 1; }

  int entity_bits_ = 0, relation_bits_ = 0;
};

}  // namespace cupel
