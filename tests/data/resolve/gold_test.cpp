#include "cupel/data/resolve/gold.h"

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "cupel/base/random.h"
#include "cupel/data/resolve/cluster_scores.h"
#include "cupel/data/resolve/name_variants.h"
#include "data/resolve/made_resolve.h"

namespace cupel {
namespace {

using made::has;
using made::refusal;
using made::written;

Gold gold_of(const std::string& text) {
  const TempFolder folder;
  return read_gold(written(folder, "gold", text));
}

// Entities: 0 Ann Lee, 1 Bob Ray, 2 A. Lee, 3 Cy; 4 Lab, 5 Lab Inc.
AcademicGraph graph() {
  return made::academic({{"p1", 2018, {"Ann Lee", "Bob Ray"}, "Lab"},
                         {"p2", 2019, {"A. Lee", "Cy"}, "Lab Inc"},
                         {"p3", 2020, {"Bob Ray", "Ann Lee"}}});
}

std::vector<Index> persons(const Gold& gold) {
  const AcademicGraph made = graph();
  return gold.mentions(made.facts, made.authorships).person;
}

TEST(ClusterScores, OfBaggaAndBaldwinsExample) {
  // Their figure: true chains of 5, 2 and 5; the response joins the chains of 2 and 5, or the two
  // of 5. The text gives B-cubed precision 16/21 (76%) and 7/12 (58%), recall 1 in both.
  const std::vector<Index> truth = {1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3};
  const std::vector<Index> one = {1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2};
  const std::vector<Index> two = {1, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1};
  EXPECT_NEAR(*cluster_scores(truth, one).b_cubed.precision, 16.0 / 21, 1e-15);
  EXPECT_NEAR(*cluster_scores(truth, two).b_cubed.precision, 7.0 / 12, 1e-15);
  EXPECT_EQ(*cluster_scores(truth, one).b_cubed.recall, 1);
  EXPECT_EQ(*cluster_scores(truth, two).b_cubed.recall, 1);
}

TEST(ClusterScores, AsOverAllPairs) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const std::size_t n = 5 + seed;
    std::vector<Index> truth, found;
    for (std::uint32_t k = 0; k < n; ++k) {
      const auto bits = philox({seed, 4}, 0, 0, k, 0);
      truth.push_back(static_cast<Index>(bits[0] % 6) - 1);  // -1: not known
      found.push_back(static_cast<Index>(bits[1] % 7));
    }
    double both = 0, in_truth = 0, in_found = 0, precision = 0, recall = 0, known = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (truth[i] < 0) continue;
      double same_both = 0, same_truth = 0, same_found = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (truth[j] < 0) continue;
        const bool t = truth[i] == truth[j], f = found[i] == found[j];
        same_both += t && f, same_truth += t, same_found += f;
        if (j > i) both += t && f, in_truth += t, in_found += f;
      }
      ++known;
      precision += same_both / same_found, recall += same_both / same_truth;
    }
    const ClusterScores scores = cluster_scores(truth, found);
    EXPECT_EQ(scores.mentions, known);
    EXPECT_NEAR(*scores.b_cubed.precision, precision / known, 1e-12);
    EXPECT_NEAR(*scores.b_cubed.recall, recall / known, 1e-12);
    EXPECT_EQ(scores.pairwise.precision.has_value(), in_found > 0);
    EXPECT_EQ(scores.pairwise.recall.has_value(), in_truth > 0);
    if (in_found > 0) {
      EXPECT_NEAR(*scores.pairwise.precision, both / in_found, 1e-12);
    }
    if (in_truth > 0) {
      EXPECT_NEAR(*scores.pairwise.recall, both / in_truth, 1e-12);
    }
    if (in_found > 0 && in_truth > 0) {
      EXPECT_NEAR(*scores.pairwise.f1, 2 * both / (in_found + in_truth), 1e-12);
    }
  }
}

TEST(ClusterScores, SameBitsHoweverGroupsAreNumbered) {
  constexpr Index kGroups = 90;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::vector<Index> truth, found, other_truth, other_found;
    for (std::uint32_t k = 0; k < 400; ++k) {
      const auto bits = philox({seed, 5}, 0, 0, k, 0);
      truth.push_back(static_cast<Index>(bits[0] % kGroups));
      found.push_back(static_cast<Index>(bits[1] % 2 == 0 ? truth.back() : bits[2] % kGroups));
      other_truth.push_back(kGroups - 1 - truth.back());
      other_found.push_back(7 * found.back() % kGroups);  // 7 and 90 have no common factor
    }
    const Agreement one = cluster_scores(truth, found).b_cubed,
                    two = cluster_scores(other_truth, other_found).b_cubed;
    EXPECT_EQ(*one.precision, *two.precision);
    EXPECT_EQ(*one.recall, *two.recall);
    EXPECT_EQ(*one.f1, *two.f1);
  }
}

TEST(ClusterScores, OfNothing) {
  const ClusterScores none = cluster_scores({}, {});
  EXPECT_FALSE(none.pairwise.precision || none.b_cubed.recall || none.b_cubed.f1);
  const std::vector<Index> alone = {0, 1}, joined = {0, 0};
  const ClusterScores wrong = cluster_scores(alone, joined);
  EXPECT_EQ(*wrong.pairwise.precision, 0);
  EXPECT_FALSE(wrong.pairwise.recall || wrong.pairwise.f1);
}

TEST(Gold, ByAuthorship) {
  const Gold gold =
      gold_of("person,paper,position\nann,p1,0\nann,p2,0\nbob,p3,0\nzed,p9,4\nbob,p3,0\n");
  const std::vector<Index> found = persons(gold);
  EXPECT_EQ(found, (std::vector<Index>{0, -1, 0, -1, 1, -1}));
}

TEST(Gold, ByNameAsTheyAreCompared) {
  const std::vector<Index> found = persons(gold_of("name,person\nANN LEE,x\na lee,x\nbob ray,y\n"));
  EXPECT_EQ(found[0], found[2]);
  EXPECT_EQ(found[0], found[5]);
  EXPECT_EQ(found[1], found[4]);
  EXPECT_NE(found[0], found[1]);
  EXPECT_GT(found[3], found[1]);  // Cy, of whom nothing is said, is a person
  // A name that two persons have is a person of its own.
  const Gold two = gold_of("name,person\nAnn Lee,x\nA. Lee,x\nBob Ray,x\nBob Ray,y\n");
  EXPECT_EQ(two.counts.at("gold: names of several, persons of their own"), 1);
  EXPECT_EQ(persons(two)[0], persons(two)[2]);
  EXPECT_NE(persons(two)[0], persons(two)[1]);
  EXPECT_EQ(persons(two)[1], persons(two)[4]);
}

TEST(Gold, TellsWhatTheFolderDoesNotHave) {
  const AcademicGraph made = graph();
  const auto of = [&](const std::string& text) {
    return gold_of(text).mentions(made.facts, made.authorships);
  };
  const std::string header = "paper,position,person\n";
  const Gold::Mentions places = of(header + "p2,0,ann\np2,17,bob\nP1,0,ann\np2,3,bob\np1,1,bob\n");
  EXPECT_EQ(places.by_place, 2);
  EXPECT_EQ(places.absent_places, 3);
  EXPECT_EQ(places.absent_names, 0);
  EXPECT_EQ(places.first_absent, "author 3 of paper 'p2'");
  const Gold::Mentions names = of("name,person\nANN LEE,x\nZed,x\nLab,x\nZed,y\n");
  EXPECT_EQ(names.absent_places, 0);
  EXPECT_EQ(names.absent_names, 2);  // Lab is no scientist
  EXPECT_EQ(names.first_absent, "'zed'");
  EXPECT_EQ(of(header + "p1,0,ann\n").first_absent, "");
  EXPECT_FALSE(gold_of(header).goes_by_name());
  EXPECT_TRUE(gold_of("name,person\n").goes_by_name());
}

TEST(Gold, ByAliasesOfScientistsAndInstitutions) {
  const std::vector<Index> found = persons(gold_of("alias,name\nA. Lee,Ann Lee\n"));
  EXPECT_EQ(found[0], found[2]);
  EXPECT_NE(found[0], found[1]);
  const std::vector<Index> chained = persons(gold_of("alias,name\nA. Lee,Annie\nAnnie,Ann Lee\n"));
  EXPECT_EQ(chained[0], chained[2]);
  EXPECT_NE(chained[0], chained[1]);
  const Gold labs = gold_of("org_name,canonical_org_name,country\nLab Inc,Lab,USA\nLab,Lab,USA\n");
  EXPECT_EQ(labs.of(), Gold::Of::kInstitutions);
  const AcademicGraph made = graph();
  const Gold::Mentions mentions = labs.mentions(made.facts, made.authorships);
  EXPECT_EQ(mentions.person, (std::vector<Index>{0, 0, 0, 0}));  // a mention for each partnership
  EXPECT_EQ(mentions.entity, (std::vector<Index>{4, 4, 5, 5}));
}

constexpr const char* kVariants = R"(# people
- canonical: {first: Ann, last: Lee}
  comment: UMass Amherst; https://x.org/#a
    and more of it
  id: ann-lee  # the elder, of two
  similar: [an-lee,
    a-lee]
  variants:
  - {last: Lee, first: A.}
  - {first: '', last: 'O''Lee, Jr.'}
  spelling:
  - Anne
- canonical: {first: Bob, last: "Ray, \"3rd\""}
- canonical: {first: Ann-With-a-Long-Name,
    last: Lee}
  variants:
    - {last: Govind}
)";

TEST(NameVariants, AreReadAsTheAnthologyWritesThem) {
  const TempFolder folder;
  const auto path = written(folder, "name_variants.yaml", kVariants);
  ASSERT_TRUE(is_name_variants(path));
  std::vector<std::string> found;
  read_name_variants(path, [&](const NamedPerson& person, const std::string& place) {
    std::string line = place.substr(place.rfind(' ') + 1) + " " + person.id;
    for (const std::string& name : person.names) line += " <" + name + ">";
    found.push_back(line);
  });
  EXPECT_EQ(found, (std::vector<std::string>{"2 ann-lee <Ann Lee> <A. Lee> <O'Lee, Jr.>",
                                             "13  <Bob Ray, \"3rd\">",
                                             "14  <Ann-With-a-Long-Name Lee> <Govind>"}));
}

TEST(NameVariants, SaysWhatIsWrongAndWhere) {
  const std::string entry = "- canonical: {first: Ann, last: Lee}\n";
  const std::pair<std::string, const char*> cases[] = {
      {entry + "- canonical: {first: Ann, last: Lee\n", "line 2: the name "},
      {entry + "  variants:\n  - {first: 'Ann, last: Lee}\n", "a quote that does not close"},
      {entry + "  variants:\n  - Ann Lee\n", "line 3: 'Ann Lee' is no name"},
      {entry + "- canonical: {}\n", "neither first nor last name"},
      {entry + "- canonical: {first: A, last: B} C\n", "text behind its closing brace"},
      {entry + "  id:\n", "line 2: the id is empty"},
      {entry + "  id: # none\n", "line 2: the id is empty"},
      {entry + "  id: 'ann' lee\n", "line 2: the id ''ann' lee' has text behind it"},
      {entry + "  id: \"ann\n", "a quote that does not close"},
      {"- canonical: {first: \"Andr\\u00e9\", last: Lee}\n", "has an escape beside"},
      {entry + "- first: A\n", "is neither a key"},
      {entry + "nonsense\n", "line 2: 'nonsense' is neither a key"},
      {entry + "  nonsense\n", "line 2: 'nonsense' is no key and value"},
      {entry + "  variants: {first: A, last: B}\n", "stands behind variants"},
      {entry + "- canonical: {first: A\xff, last: B}\n", "line 2: is not UTF-8"}};
  for (const auto& [text, part] : cases) {
    const std::string said = refusal([&] { (void)gold_of(text); });
    EXPECT_TRUE(has(said, part)) << said << "\nwanted: " << part;
  }
}

TEST(Gold, IdsOfTheAnthologyTellNamesakesApart) {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "xml");
  written(folder, "xml/x.xml",
          "<collection id=\"X18\"><volume id=\"1\"><meta><year>2018</year></meta>"
          "<paper id=\"1\"><author><first>Ann</first><last>Lee</last></author>"
          "<author id=\"ann-lee\"><first>Annie</first><last>Leigh</last></author></paper>"
          "<paper id=\"2\"><author><last>?</last></author>"
          "<author id=\"ann-lee-2\"><first>Ann</first><last>Lee</last></author>"
          "</paper></volume></collection>");
  Gold gold = read_gold(written(folder, "v.yaml", kVariants));
  add_anthology_ids(gold, folder / "xml");
  const AcademicGraph made = made::academic(
      {{"X18-1001", 2018, {"Ann Lee", "Annie Leigh"}}, {"X18-1002", 2018, {"?", "Ann Lee"}}});
  const Gold::Mentions found = gold.mentions(made.facts, made.authorships);
  ASSERT_EQ(found.person.size(), 3u);
  EXPECT_EQ(found.person[0], found.person[1]);
  EXPECT_NE(found.person[0], found.person[2]);
  EXPECT_EQ(found.by_place, 2);
  EXPECT_EQ(found.by_name, 1);
  EXPECT_TRUE(has(refusal([&] { add_anthology_ids(gold, folder / "none"); }), "cannot be read"));
  std::filesystem::create_directory(folder / "empty");
  EXPECT_TRUE(has(refusal([&] { add_anthology_ids(gold, folder / "empty"); }), "holds no file"));
}

TEST(Gold, SaysWhatIsWrongAndWhere) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "gold: is empty"},
      {"a,b\n", "the columns 'a', 'b' are no gold"},
      {"paper,position,person\np1,x,ann\n", "line 2: 'x' is no position"},
      {"paper,position,person\np1,-1,ann\n", "line 2: '-1' is no position"},
      {"paper,position,person\np1,0,\n", "line 2: has nothing in column 'person'"},
      {"paper,position,person\np1,0,ann\np1,0,bob\n",
       "line 3: another line gives author 0 of paper 'p1' to another person"},
      {"name,person\nAnn\n", "line 2: has 1 fields where the header has 2"}};
  for (const auto& [text, part] : cases) {
    const std::string said = refusal([&] { (void)gold_of(text); });
    EXPECT_TRUE(has(said, part)) << said << "\nwanted: " << part;
  }
}

}  // namespace
}  // namespace cupel
