// What holds of every kind of split, by what it states of itself.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "build_paths.h"
#include "cupel/data/split/split_kind.h"
#include "error_of.h"

namespace cupel {
namespace {

// Every kind with the settings that it cannot do without.
std::vector<SplitScheme> schemes() {
  std::vector<SplitScheme> out;
  for (const auto& [name, doc] : split_kinds()) {
    SplitScheme scheme{name};
    for (const SplitSetting& setting : split_kind(name).settings)
      if (!setting.needed.empty())
        scheme.settings[setting.option.name] =
            setting.file ? OptionValue("/splits.json") : OptionValue(1000);
    out.push_back(scheme);
  }
  return out;
}

// Another value that the setting may have.
OptionValue other(const OptionSpec& spec, const OptionValue& value) {
  if (!spec.choices.empty()) return spec.choices[spec.choices[0] == std::get<std::string>(value)];
  if (const auto* flag = std::get_if<bool>(&value)) return !*flag;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number + 1;
  if (const auto* real = std::get_if<double>(&value)) return *real + 0.125;
  return std::get<std::string>(value) + "x";
}

// Stores outlive the program: these texts are parts of run ids.
TEST(SplitKinds, IdentitiesArePinned) {
  const std::vector<std::pair<SplitScheme, std::string>> pinned = {
      {{}, "per-class train=20 valid=30 seed=2018"},
      {{"planetoid", {{"valid", 500}, {"test", 1000}}},
       "planetoid train=20 valid=500 test=1000 seed=2018"},
      {{"random", {{"train", 50}, {"valid", 25}}}, "random train=50% valid=25% seed=2018"},
      {{"random"}, "random train=20% valid=30% seed=2018"},
      {{"stratified", {{"train", 60}, {"valid", 20}, {"seed", 4294967295}}},
       "stratified train=60% valid=20% seed=4294967295"},
      {{"stratified-kfold"}, "stratified-kfold folds=10 valid=10% seed=2018"},
      {{"scaffold"}, "scaffold train=80% valid=10%"},
      {{"stored"}, "stored"},
      {{"file", {{"file", "/x/y.json"}}}, "file file=/x/y.json"},
      {{"file", {{"file", "/x/y.json"}, {"message", "train"}}}, "file file=/x/y.json"},
      {{"file", {{"file", "/x/y.json"}, {"message", "train+valid"}}},
       "file file=/x/y.json message=train+valid"},
      {{"time", {{"cuts", "2018,2019,2021"}}}, "time cuts=2018,2019,2021 quantiles="},
      {{"links"}, "links train=85% valid=5% test=10% directed=false message=train seed=2018"},
  };
  std::set<std::string> kinds;
  for (auto [scheme, text] : pinned) {
    EXPECT_EQ(scheme.identity(), text);
    scheme.count = 7;
    EXPECT_EQ(scheme.identity(), text);
    scheme.first = 3;
    EXPECT_EQ(scheme.identity(), text + " first=3");
    kinds.insert(scheme.kind);
  }
  EXPECT_EQ(kinds.size(), split_kinds().size()) << "a kind has no pinned identity";
}

TEST(SplitKinds, EverySettingChangesTheIdentityAndIsSaidOnACard) {
  int checked = 0;
  for (const SplitScheme& scheme : schemes()) {
    for (const SplitSetting& setting : split_kind(scheme.kind).settings) {
      SCOPED_TRACE(scheme.kind + " " + setting.option.name);
      const std::string& name = setting.option.name;
      SplitScheme changed = scheme;
      changed.settings[name] = other(setting.option, scheme.options().all().at(name));
      EXPECT_NE(changed.identity(), scheme.identity());
      EXPECT_NE(split_words(changed), split_words(scheme));
      EXPECT_EQ(split_settings(changed).size(), split_kind(scheme.kind).settings.size());
      ++checked;
    }
  }
  EXPECT_EQ(checked, 3 + 4 + 3 + 3 + 3 + 2 + 0 + 2 + 7 + 4);
}

TEST(SplitKinds, CardsReadAsSentences) {
  EXPECT_EQ(split_words({}),
            "100 x per-class: 20 training and 30 validation nodes of each class, the rest test; "
            "seed 2018");
  SplitScheme file{"file", {{"file", "a/{dataset}/{count}.json"}, {"message", "train+valid"}}};
  EXPECT_EQ(split_words(file), "the first 100 in a/{dataset}/{count}.json; message = train+valid");
  file.count = 0;
  file.settings.erase("message");
  EXPECT_EQ(split_words(file), "all in a/{dataset}/{count}.json");
}

TEST(SplitKinds, UnknownAndWrongSettingsAreNamed) {
  for (SplitScheme scheme : schemes()) {
    SCOPED_TRACE(scheme.kind);
    EXPECT_EQ(error_of([&] { (void)scheme.identity(); }), "no error");
    scheme.settings["trian"] = 3;
    const std::string message = error_of([&] { (void)scheme.identity(); });
    EXPECT_NE(message.find("'" + scheme.kind + "'"), std::string::npos) << message;
    EXPECT_NE(message.find("'trian'"), std::string::npos) << message;
  }
  const auto of = [](const SplitScheme& scheme) {
    return error_of([&] { (void)scheme.options(); });
  };
  EXPECT_EQ(of({"links", {{"message", "all"}}}),
            "split scheme 'links': 'message' cannot be 'all'; it is one of train, train+valid");
  EXPECT_EQ(of({"random", {{"train", "many"}}}),
            "split scheme 'random': 'train' must be a whole number, not many (a text)");
  EXPECT_EQ(of({"random", {{"train", -1}}}),
            "split scheme 'random': 'train' is -1, outside [1, 1000000000]");
  EXPECT_EQ(of({"file"}), "split scheme 'file' needs 'file', the JSON file with the splits");
}

// The page on protocols has a row of every kind, and names its settings.
TEST(SplitKinds, AreAllDocumented) {
  std::ifstream file(CUPEL_SOURCE_DIR "/docs/protocols.md");
  std::stringstream all;
  all << file.rdbuf();
  const std::string text = all.str();
  const std::size_t begin = text.find("\n## `[split]`"), end = text.find("\n## ", begin + 1);
  ASSERT_NE(begin, std::string::npos);
  const std::string section = text.substr(begin, end - begin);
  for (const auto& [name, doc] : split_kinds()) {
    EXPECT_FALSE(doc.empty()) << name;
    EXPECT_NE(section.find("| `" + name + "` |"), std::string::npos) << name;
    for (const SplitSetting& setting : split_kind(name).settings)
      EXPECT_NE(section.find("`" + setting.option.name + "`"), std::string::npos)
          << name << " " << setting.option.name;
  }
}

}  // namespace
}  // namespace cupel
