// A folder of inputs of the recipe wiki-cs, and what is made of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/build/recipe.h"
#include "data/build/made_text.h"

namespace cupel::test {

class WikiCsFolder : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  Built make(const std::vector<std::string>& settings, int threads = 1) const {
    const BuildRecipe& recipe = find_build_recipe("wiki-cs");
    return build(recipe, find_inputs(recipe, {folder_.root().string()}), settings, {threads});
  }
  std::string message(const std::vector<std::string>& settings = {}) const {
    return complaint([&] { (void)make(settings); });
  }
  // A table of what was built, as text.
  static std::string text_of(const Built& built, const std::string& name) {
    for (const BuildTable& one : built.product.tables) {
      std::string text;
      one.write([&](std::string_view piece) { text += piece; });
      if (one.name == name) return text;
    }
    return "no table " + name;
  }

  Folder folder_;
};

}  // namespace cupel::test
