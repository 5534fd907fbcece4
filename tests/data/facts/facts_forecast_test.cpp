#include "cupel/data/facts/facts_forecast.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/facts/columns_of.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/facts/facts_statistics.h"
#include "data/build/made_text.h"
#include "data/facts/made.h"
#include "data/formats/made_files.h"
#include "data/formats/mutation.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr Offset kFacts = 300'000;
constexpr Index kEntities = 20'000;
const TimeCuts kCuts = {2015, 2017, 2019};

// As lines of s, r, o and t by `form`.
std::string lines_of(const made::MadeFacts& facts, const std::string& form,
                     bool backwards = false) {
  std::string out;
  for (Offset i = 0; i < facts.columns().size(); ++i) {
    const Offset k = backwards ? facts.columns().size() - 1 - i : i;
    const auto at = static_cast<std::size_t>(k);
    out += fmt::format(fmt::runtime(form), fmt::arg("s", facts.source[at]),
                       fmt::arg("r", facts.relation[at]), fmt::arg("o", facts.target[at]),
                       fmt::arg("t", facts.time[at]));
  }
  return out;
}

// One of each form, with the same facts.
void write_forms(const fs::path& root) {
  const made::MadeFacts facts = made::random_facts(3, kFacts, kEntities, 4, 20, 2000);
  for (const char* folder : {"tables", "renet", "words"}) fs::create_directory(root / folder);
  made::write_file(root / "tables/quadruples.csv",
                   "timestamp,head,tail,relation_type\n" + lines_of(facts, "{t},{s},{o},{r}\n"));
  std::string entities = "id,type,name\n",
              relations = "id,name,head_type,tail_type,direction,time_unit\n";
  for (Index e = 0; e < kEntities; ++e)
    entities += fmt::format("{},\"one\",\"Name Number {}\"\n", e, e);
  for (Index r = 0; r < 4; ++r)
    relations += fmt::format("{},\"r{}\",\"one\",\"one\",directed,\"year\"\n", r, r);
  made::write_file(root / "tables/entities.csv", entities);
  made::write_file(root / "tables/relations.csv", relations);
  made::write_file(root / "renet/stat.txt", fmt::format("{}\t4\n", kEntities));
  made::write_file(root / "renet/train.txt", lines_of(facts, "{s}\t{r}\t{o}\t{t}\n"));
  made::write_file(root / "words/train", lines_of(facts, "E{s}\tR{r}\tE{o}\t{t}\n"));
  made::write_file(root / "edges.txt", lines_of(facts, "{s} {o} {t}\n", true));
  made::write_file(root / "table.csv", "ts,u,i\n" + lines_of(facts, "{t},{s},{o}\n"));
}

constexpr const char* kForms[] = {"tables", "renet", "words", "edges.txt", "table.csv"};

TEST(FactsForecast, CountsFactsOfEachForm) {
  const made::Folder folder;
  write_forms(folder.path());
  for (const char* form : kForms)
    EXPECT_NEAR(static_cast<double>(facts_forecast(folder / form).facts), double{kFacts},
                0.02 * kFacts)
        << form;
}

TEST(FactsForecast, MemoryIsThatOfReadingAndCountingWithinTwo) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the heap is another";
#else
  const made::Folder folder;
  write_forms(folder.path());
  const std::pair<const char*, std::function<void(const TemporalFacts&)> > uses[] = {
      {"read", [](const TemporalFacts&) {}},
      {"stats",
       [](const TemporalFacts& facts) { (void)facts_statistics(facts, kCuts, Threads{1}); }},
      {"audit", [](const TemporalFacts& facts) {
         (void)audit_facts(fact_subject(facts, kCuts, Threads{1}));
       }}};
  for (const char* form : kForms)
    for (const auto& [name, use] : uses) {
      malloc_trim(0);
      made::reset_peak();
      const long before = made::peak_kilobytes();
      use(read_facts(folder / form));
      const auto taken = 1024.0 * static_cast<double>(made::peak_kilobytes() - before);
      const auto told = static_cast<double>(facts_forecast(folder / form).bytes);
      EXPECT_LT(told, 2 * taken) << form << " " << name;
      EXPECT_GT(told, taken / 2) << form << " " << name;
    }
#endif
}

// Ids that grow, so that lines do: the beginning alone would make it twice as many.
TEST(FactsForecast, LinesThatGrowAreCounted) {
  const made::Folder folder;
  std::string text;
  std::int64_t lines = 0;
  for (int digits = 1; digits <= 9; ++digits)
    for (int i = 0; i < 20'000; ++i, ++lines) {
      const std::string id(static_cast<std::size_t>(digits), '1');
      text += id + " " + id + " 7\n";
    }
  made::write_file(folder / "grows.txt", text);
  EXPECT_NEAR(static_cast<double>(facts_forecast(folder / "grows.txt").facts),
              static_cast<double>(lines), 0.1 * static_cast<double>(lines));
}

TEST(FactsForecast, CompressedFilesAreGuessedAndWhatCannotBeReadIsNothing) {
  const made::Folder folder;
  const made::MadeFacts facts = made::random_facts(3, 50'000, 2'000, 1, 20, 2000);
  made::write_file(folder / "edges.txt.gz", test::Folder::gzip(lines_of(facts, "{s} {o} {t}\n")));
  const auto guessed = static_cast<double>(facts_forecast(folder / "edges.txt.gz").facts);
  EXPECT_GT(guessed, 25'000);
  EXPECT_LT(guessed, 100'000);
  made::write_file(folder / "cut.gz", "\x1f\x8b");
  made::write_file(folder / "empty.txt", "");
  for (const char* name : {"cut.gz", "empty.txt", "absent"})
    EXPECT_EQ(facts_forecast(folder / name).facts, 0) << name;
}

}  // namespace
}  // namespace cupel
