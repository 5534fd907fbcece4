// Keys and their numbers, against a map.
#include "cupel/learn/events/key_numbers.h"

#include <gtest/gtest.h>

#include <map>

#include "cupel/base/random.h"
#include "cupel/learn/events/fact_keys.h"

namespace cupel {
namespace {

TEST(KeyNumbers, AreInTheOrderInWhichKeysCame) {
  KeyNumbers numbers;
  std::map<std::uint64_t, Index> oracle;
  std::vector<std::uint64_t> asked;
  Stream stream(stream_key("keys"), 0);
  for (int i = 0; i < 40000; ++i) {
    // Keys that follow each other, that share their lower bits, and that repeat.
    const std::uint64_t n = stream.next_below(9000);
    const std::uint64_t key = i % 3 == 0 ? n : i % 3 == 1 ? n << 40 : ~n - 1;
    EXPECT_EQ(numbers.find(key), oracle.contains(key) ? oracle[key] : KeyNumbers::kNone);
    const auto [at, is_new] = oracle.emplace(key, static_cast<Index>(oracle.size()));
    EXPECT_EQ(numbers.insert(key), std::pair(at->second, is_new));
    asked.push_back(key);
    asked.push_back(key + 12345);
  }
  EXPECT_EQ(numbers.size(), std::ssize(oracle));
  std::vector<Index> found(asked.size());
  std::vector<std::uint8_t> has(asked.size());
  numbers.find_all(asked, found);
  numbers.has_all(asked, has);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto at = oracle.find(asked[i]);
    EXPECT_EQ(found[i], at == oracle.end() ? KeyNumbers::kNone : at->second);
    EXPECT_EQ(has[i] != 0, at != oracle.end());
  }
}

TEST(KeyNumbers, AreForgottenByClear) {
  KeyNumbers numbers;
  for (const std::uint64_t first : {0u, 500u}) {
    for (std::uint64_t key = 0; key < 1000; ++key)
      EXPECT_EQ(numbers.insert(key * first + key), std::pair(static_cast<Index>(key), true));
    numbers.clear();
    EXPECT_EQ(numbers.size(), 0);
    for (std::uint64_t key = 0; key < 1000; ++key)
      EXPECT_EQ(numbers.find(key * first + key), KeyNumbers::kNone);
  }
}

TEST(FactKeys, AreUnpackedAsTheyWerePacked) {
  for (const Index entities : {1, 2, 4, 5, 1 << 20, 2147483647})
    for (const Index relations : {1, 2, 3, 4}) {
      const FactKeys keys(entities, relations, {"test", "relations = false"});
      for (const Index s : {0, entities / 2, entities - 1})
        for (const Index o : {0, entities / 2, entities - 1}) {
          const std::uint64_t key = keys.key(s, relations - 1, o);
          EXPECT_NE(key, KeyNumbers::kNoKey);
          EXPECT_EQ(keys.source(key), s);
          EXPECT_EQ(keys.relation(key), relations - 1);
          EXPECT_EQ(keys.target(key), o);
          EXPECT_EQ(keys.unordered_key(s, 0, o), keys.unordered_key(o, 0, s));
        }
    }
}

}  // namespace
}  // namespace cupel
