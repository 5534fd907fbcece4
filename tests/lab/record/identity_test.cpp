#include "cupel/lab/record/identity.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "cupel/base/hash.h"
#include "learn/train/rule_values.h"

namespace cupel {
namespace {

FamilyFields example() {
  FamilyFields f;
  f.dataset = "abc";
  f.preparation = {"symmetrise", "largest-component"};
  f.model = "gcn";
  f.settings = {{"hidden", std::int64_t{64}}, {"lr", 0.01}, {"norm", "safe"}, {"self_loops", true}};
  return f;
}

TEST(Identity, EveryFieldChangesIt) {
  std::vector<std::function<void(FamilyFields&)>> changes = {
      [](auto&) {},
      [](auto& f) { f.dataset = "abd"; },
      [](auto& f) { f.rounding = kernels::Rounding::kTwice; },
      [](auto& f) { f.rounding = kernels::Rounding::kFusedByFour; },
      [](auto& f) { f.names = "abc"; },
      [](auto& f) {
        f.preparation = {"largest-component", "symmetrise"};
      },
      [](auto& f) { f.preparation = {"symmetrise,largest-component"}; },
      [](auto& f) { f.preparation.clear(); },
      [](auto& f) { f.split.kind = "stratified-kfold"; },
      [](auto& f) { f.split.settings["train"] = 21; },
      [](auto& f) { f.split.settings["valid"] = 31; },
      [](auto& f) { f.split.settings["seed"] = 1; },
      [](auto& f) { f.model = "sgc"; },
      [](auto& f) { f.settings["hidden"] = std::int64_t{65}; },
      [](auto& f) { f.settings["hidden"] = 64.0; },
      [](auto& f) { f.settings["lr"] = 0.010000000000000002; },
      [](auto& f) { f.settings["norm"] = "released"; },
      [](auto& f) { f.settings["norm"] = "true"; },
      [](auto& f) { f.settings["self_loops"] = false; },
      [](auto& f) { f.settings["l2"] = 0.0; },
      [](auto& f) { f.settings.erase("lr"); },
      [](auto& f) {
        f.program = {{"command", "[]"}};
      },
      [](auto& f) { f.revision = 2; },
      [](auto& f) { f.revision = 3; },
      [](auto& f) { f.metric = "macro-f1"; },
      [](auto& f) { f.scores_test = false; },
      // Settings that not all schemes have.
      [](auto& f) {
        f.split.kind = "stratified-kfold";
        f.split.settings = {{"folds", std::int64_t{5}}};
      },
      [](auto& f) {
        f.split.kind = "planetoid";
        f.split.settings = {{"test", std::int64_t{1000}}};
      },
  };
  // A rule in which every field has an effect, and each other value of each field.
  const auto effective = [](FamilyFields& f) {
    f.settings["l2"] = 1e-4;
    f.rule.decay_every = 10;
    f.rule.batch_size = 32;
    f.rule.clip_norm = 1;
  };
  changes.emplace_back(effective);
  for (const RuleField& field : rule_fields()) {
    FamilyFields base;
    effective(base);
    for (const OptionValue& value : made::other_values(field, base.rule))
      changes.emplace_back([=, &field](FamilyFields& f) {
        effective(f);
        field.set(f.rule, value);
      });
  }
  std::set<std::string> ids;
  std::size_t expected = 0;
  for (const auto& change : changes) {
    FamilyFields fields = example();
    change(fields);
    for (int split : {0, 1, 11}) {
      for (int init : {0, 1, 11}) {
        ids.insert(identity_hash(run_identity(family_identity(fields), split, init)));
        ++expected;
      }
    }
  }
  EXPECT_EQ(ids.size(), expected);
  std::map<std::string, std::size_t> seen;
  for (std::size_t c = 0; c < changes.size(); ++c) {
    FamilyFields fields = example();
    changes[c](fields);
    const auto [at, first] = seen.emplace(family_identity(fields), c);
    EXPECT_TRUE(first) << "changes " << at->second << " and " << c << ": " << at->first;
  }
  for (const std::string& id : ids) {
    EXPECT_EQ(id.size(), 32u);
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
  }
}

TEST(Identity, TheLengthOfAFamilyDoesNotEnter) {
  FamilyFields a = example(), b = example();
  b.split.count = 7;
  b.split.first = 3;  // the number of a split is counted from the start of the endless family
  EXPECT_EQ(family_identity(a), family_identity(b));
}

TEST(Identity, FieldsOfTheRuleWithoutEffectAreNotSaid) {
  FamilyFields fields = example();
  const std::string plain = family_identity(fields);
  fields.rule.decay = 0.5;  // every 0 epochs: never
  EXPECT_EQ(family_identity(fields), plain);
  for (const char* younger : {"batch_size", "loss", "decay"})
    EXPECT_EQ(plain.find("\"" + std::string(younger) + "\":"), std::string::npos) << younger;
}

// Before there were two words, the loss with the penalty was called "valid-loss".
TEST(Identity, KeepsTheOldWordForTheLossWithItsPenalty) {
  const auto word = [](const std::string& stop_on, std::optional<double> l2, bool program = false) {
    FamilyFields fields = example();
    fields.rule.stop_on = stop_on;
    if (l2) fields.settings["l2"] = *l2;
    if (program) fields.program = {{"command", "[]"}};
    return nlohmann::json::parse(family_identity(fields))["train"]["stop_on"].get<std::string>();
  };
  for (const std::optional<double> l2 :
       {std::optional<double>(), std::optional(0.0), std::optional(1e-4)})
    EXPECT_EQ(word("valid-objective", l2), "valid-loss");
  EXPECT_EQ(word("valid-loss", 1e-4), "valid-cross-entropy");
  // Without a penalty there is one loss, and one run.
  EXPECT_EQ(word("valid-loss", 0.0), "valid-loss");
  EXPECT_EQ(word("valid-loss", {}), "valid-loss");
  // A program trains itself; what it calls l2 says nothing.
  EXPECT_EQ(word("valid-loss", 1e-4, true), "valid-loss");
  EXPECT_EQ(word("valid-score", 1e-4), "valid-score");
}

TEST(Identity, TheFirstRevisionOfAModelIsNotSaid) {
  FamilyFields fields = example();
  EXPECT_EQ(family_identity(fields).find("revision"), std::string::npos);
  fields.revision = 2;
  EXPECT_NE(family_identity(fields).find(R"("model":{"name":"gcn","revision":2,"settings")"),
            std::string::npos);
}

TEST(Identity, IsCanonicalJson) {
  const std::string text = run_identity(family_identity(example()), 4, 2);
  const nlohmann::json json = nlohmann::json::parse(text);
  EXPECT_EQ(json.dump(), text);  // keys sorted, no spaces
  EXPECT_EQ(json["split"], 4);
  EXPECT_EQ(json["init"], 2);
  EXPECT_EQ(json["family"]["model"]["settings"]["lr"], 0.01);
  EXPECT_EQ(identity_hash(text), sha256(text).substr(0, 32));
}

// Stores outlive the program: the text of an identity must not change without kNumericsVersion.
TEST(Identity, IsPinned) {
  EXPECT_EQ(
      run_identity(family_identity(example()), 4, 2),
      R"({"family":{"dataset":{"content":"abc","preparation":["symmetrise","largest-component"]},)"
      R"("metric":"accuracy","model":{"name":"gcn","settings":{"hidden":64,"lr":0.01,"norm":"safe",)"
      R"("self_loops":true}},"numerics":5,"scores":"valid+test","split":"per-class train=20 valid=30 )"
      R"(seed=2018","train":{"epsilon":1e-08,"keep":"best","max_epochs":100000,"on_divergence":"restore",)"
      R"("optimizer":"adam",)"
      R"("patience":50,"stop_on":"valid-loss","ties_improve":true}},"init":2,"split":4})");
}

// The same for rules that say every field, and for the words of what training stops on.
TEST(Identity, IsPinnedForWholeRules) {
  const auto text = [](const FamilyFields& fields) {
    const std::string all = family_identity(fields);
    return all.substr(all.find(R"("split")"));
  };
  FamilyFields fields = example();
  fields.settings["l2"] = 1e-4;
  fields.rule = {.max_epochs = 300,
                 .patience = 0,
                 .stop_on = "valid-loss",
                 .ties_improve = false,
                 .keep = "last",
                 .optimizer = "adam-torch",
                 .epsilon = 1e-7,
                 .batch_size = 32,
                 .loss = "binary-cross-entropy",
                 .decay_every = 50,
                 .decay = 0.5,
                 .on_divergence = "fail",
                 .clip_norm = 0.5};
  EXPECT_EQ(
      text(fields),
      R"("split":"per-class train=20 valid=30 seed=2018","train":{"batch_size":32,"clip_norm":0.5,"decay":{"every":50,)"
      R"("factor":0.5},"epsilon":1e-07,"keep":"last","loss":"binary-cross-entropy","max_epochs":300,)"
      R"("on_divergence":"fail","optimizer":"adam-torch","patience":0,"stop_on":"valid-cross-entropy",)"
      R"("ties_improve":false}})");
  fields = example();
  fields.rule.stop_on = "valid-score";
  fields.rule.keep = "latest-best";
  fields.rule.decay_every = 1;
  fields.split.kind = "stratified-kfold";
  fields.split.settings = {{"folds", std::int64_t{5}}, {"valid", std::int64_t{30}}};
  EXPECT_EQ(
      text(fields),
      R"("split":"stratified-kfold folds=5 valid=30% seed=2018","train":{"decay":{"every":1,"factor":1.0},)"
      R"("epsilon":1e-08,"keep":"latest-best","max_epochs":100000,"on_divergence":"restore",)"
      R"("optimizer":"adam","patience":50,"stop_on":"valid-score","ties_improve":true}})");
}

}  // namespace
}  // namespace cupel
