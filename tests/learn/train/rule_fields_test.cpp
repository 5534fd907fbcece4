#include "cupel/learn/train/rule_fields.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "learn/train/rule_values.h"

namespace cupel {
namespace {

OptionValue whole(std::int64_t value) { return value; }

TEST(RuleFields, NamesAreDifferentAndFound) {
  std::set<std::string> names;
  for (const RuleField& field : rule_fields()) {
    names.insert(field.name);
    EXPECT_EQ(find_rule_field(field.name), &field);
  }
  EXPECT_EQ(names.size(), rule_fields().size());
  EXPECT_EQ(find_rule_field("lr"), nullptr);
}

TEST(RuleFields, EachHasItsOwnMember) {
  for (const RuleField& field : rule_fields()) {
    const TrainRule plain;
    const auto others = made::other_values(field, plain);
    ASSERT_FALSE(others.empty()) << field.name;
    for (const OptionValue& value : others) {
      TrainRule rule;
      field.set(rule, value);
      for (const RuleField& one : rule_fields())
        EXPECT_EQ(one.value(rule), &one == &field ? value : one.value(plain))
            << one.name << " after " << field.name;
    }
  }
}

TEST(RuleFields, AllowTheirDefaultsAndOtherValues) {
  for (const RuleField& field : rule_fields()) {
    EXPECT_TRUE(field.allows(field.value(TrainRule()))) << field.name;
    for (const OptionValue& value : made::other_values(field, {}))
      EXPECT_TRUE(field.allows(value)) << field.name << " " << to_text(value);
  }
}

TEST(RuleFields, RefuseWhatARuleCannotHave) {
  const auto allows = [](const char* name, const OptionValue& value) {
    return find_rule_field(name)->allows(value);
  };
  EXPECT_FALSE(allows("max_epochs", whole(0)));
  EXPECT_FALSE(allows("patience", whole(-1)));
  EXPECT_FALSE(allows("patience", whole(1'000'000'001)));
  EXPECT_FALSE(allows("patience", 3.0));
  EXPECT_FALSE(allows("epsilon", 0.0));
  EXPECT_FALSE(allows("epsilon", std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(allows("decay", 1.5));
  EXPECT_FALSE(allows("stop_on", "loss"));
  EXPECT_FALSE(allows("ties_improve", "true"));
  // Batch normalisation over one graph is the only refusal inside a range.
  EXPECT_FALSE(allows("batch_size", whole(1)));
  EXPECT_TRUE(allows("batch_size", whole(2)));
  TrainRule rule;
  EXPECT_THROW(find_rule_field("patience")->set(rule, 3.0), std::logic_error);
}

}  // namespace
}  // namespace cupel
