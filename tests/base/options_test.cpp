#include "cupel/base/options.h"

#include <gtest/gtest.h>

#include "cupel/base/error.h"
#include "error_of.h"

namespace cupel {
namespace {

const std::vector<OptionSpec> kSpecs = {
    {.name = "hidden", .fallback = std::int64_t{64}, .doc = "Width.", .min = 1, .max = 1024},
    {.name = "dropout", .fallback = 0.5, .doc = "Share.", .min = 0, .max = 0.9},
    {.name = "norm",
     .fallback = std::string("safe"),
     .doc = "Kind.",
     .choices = {"safe", "released"}},
    {.name = "bias", .fallback = true, .doc = "Add one."}};

std::string error_of(const std::map<std::string, OptionValue>& given) {
  return cupel::error_of([&] { Options("models.x", kSpecs, given); });
}

TEST(Options, FallbacksAndGivenValues) {
  const Options options("models.x", kSpecs,
                        {{"hidden", std::int64_t{8}}, {"dropout", std::int64_t{0}}});
  EXPECT_EQ(options.integer("hidden"), 8);
  EXPECT_EQ(options.real("dropout"), 0.0);  // a whole number where a real is declared
  EXPECT_EQ(options.text("norm"), "safe");
  EXPECT_TRUE(options.flag("bias"));
  EXPECT_EQ(options.all().size(), kSpecs.size());
}

// Results from before a setting existed keep their identity, whether it is spelt out or not.
TEST(Options, LaterSettingsAreNotSaidAtTheirFallback) {
  std::vector<OptionSpec> specs = kSpecs;
  specs.push_back({.name = "sign", .fallback = std::string("minus"), .choices = {"minus", "plus"}});
  specs.back().later = true;
  const Options before("models.x", kSpecs, {});
  EXPECT_EQ(Options("models.x", specs, {}).identity(), before.all());
  EXPECT_EQ(Options("models.x", specs, {{"sign", std::string("minus")}}).identity(), before.all());
  EXPECT_EQ(Options("models.x", specs, {}).text("sign"), "minus");
  auto with = before.all();
  with["sign"] = std::string("plus");
  EXPECT_EQ(Options("models.x", specs, {{"sign", std::string("plus")}}).identity(), with);
  EXPECT_EQ(before.identity(), before.all());
}

TEST(Options, ErrorsNameTheKeyTheValueAndTheWayOut) {
  EXPECT_EQ(error_of({{"hiden", std::int64_t{8}}}),
            "models.x: no setting is called 'hiden'; did you mean 'hidden'?");
  EXPECT_NE(error_of({{"zzzzzzzz", true}}).find("there are: hidden, dropout"), std::string::npos);
  EXPECT_EQ(error_of({{"dropout", 0.95}}), "models.x: 'dropout' is 0.95, outside [0, 0.9]");
  EXPECT_EQ(error_of({{"norm", std::string("none")}}),
            "models.x: 'norm' cannot be 'none'; it is one of safe, released");
  EXPECT_EQ(error_of({{"hidden", 0.5}}),
            "models.x: 'hidden' must be a whole number, not 0.5 (a number)");
}

TEST(Options, ANumberOutOfRangeIsNotCalledNone) {
  for (const char* text : {"18446744073709551616", "-9223372036854775809"}) {
    const std::string said =
        cupel::error_of([&] { (void)parse_options("x", kSpecs, {std::string("hidden=") + text}); });
    EXPECT_NE(said.find("out of the range of numbers"), std::string::npos) << said;
  }
}

TEST(Options, AskingForAnotherTypeIsABug) {
  const Options options("models.x", kSpecs, {});
  EXPECT_THROW((void)options.real("hidden"), std::logic_error);
  EXPECT_THROW((void)options.flag("nothing"), std::logic_error);
}

TEST(NearestName, OnlyNearNames) {
  EXPECT_EQ(nearest_name("coar", {"cora", "pubmed"}), "cora");
  EXPECT_EQ(nearest_name("physics", {"cora", "pubmed"}), "");
}

}  // namespace
}  // namespace cupel
