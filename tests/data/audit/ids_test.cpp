// What holds for the findings of all checks: ids, and sentences.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "build_paths.h"
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/fix.h"
#include "data/audit/examples.h"
#include "data/audit/link_examples.h"

namespace cupel {
namespace {

using made::faulty_datasets;

// Every data set with the preparations that advice depends on.
std::vector<std::vector<Finding>> all_audits() {
  std::vector<std::vector<Finding>> out;
  for (const Dataset& data : faulty_datasets()) {
    for (const std::vector<std::string>& steps :
         {std::vector<std::string>{},
          {"symmetrise", "unweight", "drop-self-loops", "largest-component"}})
      out.push_back(made::audit_of(data, steps));
  }
  for (auto& findings : made::faulty_link_audits()) out.push_back(std::move(findings));
  return out;
}

enum class Ids { kFindings, kFindingsOfFacts, kFixes };

// Ids of the tables of docs/audit.md; kFindings are those of graphs and links.
std::set<std::string> documented(Ids wanted = Ids::kFindings) {
  std::ifstream file(CUPEL_SOURCE_DIR "/docs/audit.md");
  std::set<std::string> out;
  const std::regex row("^\\| `([a-z-]+)` \\|.*");
  Ids here = Ids::kFindings;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## "))
      here = line == "## Facts over time"     ? Ids::kFindingsOfFacts
             : line == "## What `--fix` does" ? Ids::kFixes
                                              : Ids::kFindings;
    if (here != wanted) continue;
    if (std::smatch match; std::regex_match(line, match, row)) out.insert(match[1]);
  }
  return out;
}

TEST(FindingIds, AreUniqueWithinAnAuditAndDocumented) {
  const std::set<std::string> table = documented();
  std::set<std::string> met;
  for (const auto& findings : all_audits()) {
    std::set<std::string> here;
    for (const Finding& finding : findings) {
      EXPECT_TRUE(here.insert(finding.id).second) << finding.id << " twice: " << finding.title;
      EXPECT_TRUE(table.contains(finding.id)) << finding.id << " is not in docs/audit.md";
    }
    met.insert(here.begin(), here.end());
  }
  for (const AuditCheck* check : audit_checks())
    EXPECT_TRUE(met.contains(check->name)) << "no example has a finding of " << check->name;
  for (const LinkCheck* check : link_checks())
    EXPECT_TRUE(met.contains(check->name)) << "no example has a finding of " << check->name;
  for (const std::string& id : table) {
    // What a store says of a data set is judged elsewhere.
    if (id == "graph-does-not-help" || id == "graph-not-shown-to-help") continue;
    EXPECT_TRUE(met.contains(id)) << id << " is documented, and found nowhere";
  }
  for (const FixKind& kind : fix_kinds()) EXPECT_TRUE(met.contains(kind.id)) << kind.id;
}

TEST(FixIds, AreDocumented) {
  std::set<std::string> known;
  for (const auto* kinds : {&fix_kinds(), &set_fix_kinds()})
    for (const FixKind& kind : *kinds) known.insert(kind.id);
  EXPECT_EQ(documented(Ids::kFixes), known);
}

// Each is planted in facts_audit_test.cpp, and found by a check.
TEST(FindingIds, OfFactsAreDocumentedAndTried) {
  const auto text = [](const std::filesystem::path& file) {
    std::ifstream in(file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::filesystem::path root = CUPEL_SOURCE_DIR;
  const std::string tests = text(root / "tests/data/audit/facts_audit_test.cpp");
  std::string checks;
  for (const auto& file : std::filesystem::directory_iterator(root / "src/cupel/data/audit/facts"))
    checks += text(file.path());
  const std::set<std::string> table = documented(Ids::kFindingsOfFacts);
  EXPECT_GE(table.size(), 15u);
  for (const std::string& id : table) {
    EXPECT_NE(tests.find('"' + id + '"'), std::string::npos) << id << " is never planted";
    EXPECT_NE(checks.find('"' + id + '"'), std::string::npos) << id << " is found by no check";
  }
  for (const FactCheck* check : fact_checks())
    EXPECT_TRUE(table.contains(check->name)) << check->name;
}

// "1 nodes", "1 of them have", "{}".
TEST(FindingSentences, NumbersAndNounsAgree) {
  const std::regex one(
      "(^|[^0-9,.])1 (nodes|graphs|edges|arcs|classes|splits|features|pairs|groups|copies|entries|"
      "components|tasks)\\b");
  std::size_t sentences = 0;
  for (const auto& findings : all_audits()) {
    for (const Finding& finding : findings) {
      for (const std::string& text : {finding.title, finding.evidence, finding.advice}) {
        EXPECT_FALSE(std::regex_search(text, one)) << finding.id << ": " << text;
        EXPECT_EQ(text.find("{}"), std::string::npos) << finding.id << ": " << text;
        EXPECT_EQ(text.find("on most"), std::string::npos) << finding.id << ": " << text;
        ++sentences;
      }
    }
  }
  EXPECT_GT(sentences, 300u);
}

}  // namespace
}  // namespace cupel
