// What holds of every recipe.
#include <gtest/gtest.h>

#include "cupel/data/build/recipe.h"

namespace cupel {
namespace {

TEST(Recipes, EveryChoiceIsNamedAndDescribed) {
  for (const BuildRecipe* recipe : build_recipes()) {
    for (const OptionSpec& spec : recipe->settings) {
      for (const std::string& choice : spec.choices)
        EXPECT_NE(spec.doc.find(" " + choice + ": "), std::string::npos)
            << recipe->name << ": " << spec.name << ": " << choice;
    }
  }
}

}  // namespace
}  // namespace cupel
