// What the steps of wiki-cs ask of its settings and inputs.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "cupel/data/build/recipe.h"
#include "cupel/data/wiki/siteinfo.h"

namespace cupel::wiki_cs {

// "wiki, main topic classifications": the words between commas. Empty: none.
[[nodiscard]] std::vector<std::string> words_of(const std::string& list);

// Throws Error if a setting needs an input that is not given; `instead` does without.
void require(const BuildContext& context, std::initializer_list<const char*> inputs,
             const std::string& instead);

// What the input "siteinfo" says; nothing where it is not given.
[[nodiscard]] SiteInfo read_siteinfo(BuildContext& context);

}  // namespace cupel::wiki_cs
