#include "cupel/data/wiki/templates.h"

#include <gtest/gtest.h>

#include <vector>

namespace cupel {
namespace {

TEST(Templates, AreFoundByTheirNamesWhereverTheyAreCalled) {
  const std::vector<std::string> names = {"disambig", "Nozeimu atdaleišona", "неоднозначность"};
  for (const char* text :
       {"a {{disambig}}", "{{Disambig|geo}}", "{{ disambig\n|x}}", "{{a|{{DISAMBIG}}}}",
        "{{nozeimu_atdaleišona}}", "{{{{{disambig}}}}}", "{{Nozeimu atdaleišona\n}}",
        "{{Неоднозначность|тип}}", "{{НОЗЕЙМУ|{{ неоднозначность }}}}", "{{NOZEIMU_ATDALEIŠONA}}"})
    EXPECT_TRUE(calls_template(text, names)) << text;
  for (const char* text : {"", "disambig", "{disambig}", "{{disambiguation}}", "{{a|disambig}}",
                           "<!-- {{disambig}} -->", "<nowiki>{{disambig}}</nowiki>", "{{"})
    EXPECT_FALSE(calls_template(text, names)) << text;
  EXPECT_FALSE(calls_template("{{disambig}}", {}));
}

}  // namespace
}  // namespace cupel
