// Folded letters and what two names differ in; the tables are typed in by hand.
#include <gtest/gtest.h>

#include <span>

#include "cupel/data/resolve/compare_names.h"
#include "cupel/data/resolve/fold_letters.h"
#include "cupel/data/resolve/places.h"

namespace cupel {
namespace {

using R = NameRelation;

NameRelation between(std::string_view a, std::string_view b) {
  NameBook names;
  names.add(a), names.add(b);
  const NameRelation out = compare_names(names, 0, 1);
  EXPECT_EQ(compare_names(names, 1, 0), out) << a << " | " << b;
  return out;
}

struct Between {
  const char *a, *b;
  NameRelation relation;
};

void expect_all(std::span<const Between> cases) {
  for (const auto& [a, b, relation] : cases)
    EXPECT_EQ(between(a, b), relation) << a << " | " << b << ": " << in_words(between(a, b));
}

TEST(FoldLetters, TakesAccentsAndSignsAway) {
  EXPECT_EQ(fold_letters("Łukasz MÜLLER"), "lukasz muller");
  EXPECT_EQ(fold_letters("Gauß, J.-P."), "gauss  j -p ");
  EXPECT_EQ(fold_letters("O’Hare O'Hare"), "ohare ohare");
  EXPECT_EQ(fold_letters("Đặng Thị Ærø"), "dang thi aero");
  EXPECT_EQ(fold_letters("u\xcc\x88 Ａb"), "u ab");  // a mark of its own, a letter of full width
  EXPECT_EQ(fold_letters("a–b—c‐d"), "a-b-c-d");
  EXPECT_EQ(fold_letters("刘洋 Дмитрий"), "刘洋 дмитрии");
  EXPECT_EQ(fold_letters("a\xff\x80z"), "a  z");
  EXPECT_EQ(fold_letters("葛\U000e0100城"), "葛城");  // which form of the character is drawn
  EXPECT_EQ(fold_letters(""), "");
}

// Vowels and tones that are marks of a consonant are letters; a nukta, a dot below it, is none.
TEST(FoldLetters, KeepsVowelsOfIndiaAndSouthEastAsia) {
  for (const char* name :
       {"मीना शर्मा", "मानी शर्मा", "வேலு முருகன்", "กิตติ สมบูรณ์", "กตต สมบรณ", "သူရ", "ស្រី", "ދިވެހި"})
    EXPECT_EQ(fold_letters(name), name);
  EXPECT_EQ(fold_letters("ज़ाकिर, \u095bाकिर। डॉ॰"), "जाकिर  जाकिर  डॉ ");
  // A vowel of two parts, in one character and in two.
  EXPECT_EQ(fold_letters("ক\u09cb"), fold_letters("ক\u09c7\u09be"));
  EXPECT_NE(fold_letters("ক\u09cb"), fold_letters("ক\u09c7"));
}

TEST(CompareNames, KnowsWhatDiffers) {
  const Between kCases[] = {
      {"Chang-Ning Huang", "Changning Huang", R::kSame},
      {"Chew-Lim Tan", "Chew Lim Tan", R::kSame},
      {"José João Almeida", "JOSE JOAO ALMEIDA", R::kSame},
      {"Wang Wei", "Wei Wang", R::kSwapped},
      {"Huang, Chang-Ning", "Chang-Ning Huang", R::kSame},
      {"John Smith", "John A. Smith", R::kMiddleInitial},
      {"John Smith", "John A. B. Smith", R::kMiddleInitial},
      {"Solomon Abate", "Solomon Teferra Abate", R::kMiddleName},
      {"John A. Smith", "John Adam Smith", R::kMiddleMatches},
      {"Éric Clergerie", "Eric de la Clergerie", R::kParticles},
      {"J. Smith", "John Smith", R::kFirstInitial},
      {"J. A. Smith", "John Smith", R::kFirstInitial},
      {"K. Bretonnel Cohen", "Kevin Bretonnel Cohen", R::kInitialMiddle},
      {"J. Smith", "J. A. Smith", R::kInitialsOnly},
      {"Bob Moore", "Robert C. Moore", R::kNickname},
      {"Avi Sil", "Avirup Sil", R::kPrefix},
      {"Eiichiro Sumita", "Eiichro Sumita", R::kFirstSlip},
      {"Matthew Gerber", "Matthew Garber", R::kLastSlip},
      {"Matthew Gerber", "Matthew Gebrer", R::kLastSlip},
      {"Gerardo Sierra", "Gerardo Sierra-Martínez", R::kMoreLast},
      {"W. Bruce Croft", "Bruce Croft", R::kMoreFirst},
      {"Deepak P.", "Deepak Padmanabhan", R::kLastInitial},
      {"Hal Daumé III", "Hal Daume", R::kSame},
      {"मीना शर्मा", "मानी शर्मा", R::kConflict},
      {"李 王", "李明 王", R::kConflict},  // a word of one letter is cut short from nothing
      // Never one.
      {"John Smith", "Jane Smith", R::kConflict},
      {"John A. Smith", "John B. Smith", R::kConflict},
      {"Robert Mercer Jr.", "Robert Mercer Sr.", R::kConflict},
      {"Yang Liu", "Yan Li", R::kConflict},
      {"John Smith", "Peter Miller", R::kUnlike},
      {"", "John Smith", R::kUnlike},
      {"...", "!!", R::kUnlike},
  };
  expect_all(kCases);
}

// As indexes of publications print them: what differs is told as of the same names, first name
// first.
TEST(CompareNames, LastNamesMayComeFirst) {
  const Between kCases[] = {
      {"Smith, John Rufus", "Smith, J.", R::kFirstInitial},
      {"Smith, JR", "Smith, John Rufus", R::kFirstInitial},
      {"Smith, JR", "J. R. Smith", R::kSame},
      {"SMITH, BOB", "Robert Smith", R::kNickname},
      {"Gatesby, William", "Bill Gatesby", R::kNickname},
      {"van der Berg, Ida", "Ida Berg", R::kParticles},
      {"Smith, John, Jr.", "John Smith", R::kSame},
      {"Smith, Jr., John", "Smith, Sr., John", R::kConflict},
      {"John Smith, PhD", "John Smith", R::kSame},
      {"John Smith, Jr.", "Smith, John", R::kSame},
      {"Smith,", "Smith", R::kSame},
      {"Smith, John", "Smith, Jane", R::kConflict},
      // Last names that are nicknames elsewhere.
      {"Francis, Anette", "Frank, Anette", R::kUnlike},
      {"Thomas, Eva", "Tom, Eva", R::kUnlike},
  };
  expect_all(kCases);
}

TEST(CompareNames, InitialsBehindAreFirstNamesWhereManyHaveThem) {
  const auto among = [](int others) {
    NameBook names;
    for (const char* name : {"Kaplan R.", "Kaplan R.S.", "Wang Y.-H.", "Y.-H. Wang", "Kaplan"})
      names.add(name);
    for (int k = 0; k < others; ++k) names.add("Ida Berg");
    names.settle();
    return std::vector{compare_names(names, 0, 1), compare_names(names, 2, 3)};
  };
  // Three of 58 are one in twenty, three of 64 are not: there the last name is an initial.
  EXPECT_EQ(among(54), (std::vector{R::kInitialsOnly, R::kSame}));
  EXPECT_EQ(among(60), (std::vector{R::kUnlike, R::kSwapped}));
}

TEST(CompareNames, LongNamesAreTheSameOrUnlike) {
  std::string many;
  for (int k = 0; k < 1000; ++k) many += "Abc-" + std::to_string(k) + " ";
  EXPECT_EQ(between(many, many), R::kSame);
  EXPECT_EQ(between(many, "Abc 1"), R::kUnlike);
  EXPECT_EQ(between(many, std::string(100000, 'x')), R::kUnlike);
  EXPECT_EQ(between(many, many + "d"), R::kUnlike);
  const std::string group = "The International Study Group of Rare Heart Disease of ";
  EXPECT_EQ(between(group + "Lombardy", group + "Sicily"), R::kUnlike);
  EXPECT_EQ(between(group + "Lombardy", group + "LOMBARDY"), R::kSame);
}

TEST(OneSlip, IsDistanceOneWithSwaps) {
  EXPECT_TRUE(one_slip("abcd", "abd"));
  EXPECT_TRUE(one_slip("abcd", "abcde"));
  EXPECT_TRUE(one_slip("abcd", "acbd"));
  EXPECT_TRUE(one_slip("abcd", "abxd"));
  EXPECT_TRUE(one_slip("abcd", "abcd"));
  EXPECT_FALSE(one_slip("abcd", "badc"));
  EXPECT_FALSE(one_slip("abcd", "ab"));
  EXPECT_FALSE(one_slip("abcd", "bcda"));
}

TEST(ComparePlaces, KnowsWhatDiffers) {
  using P = PlaceRelation;
  const struct {
    const char *a, *b;
    PlaceRelation relation;
  } kCases[] = {
      {"Univ. of Toronto", "University of Toronto", P::kSame},
      {"Universität Stuttgart", "University of Stuttgart", P::kSame},
      {"Osnabrück University", "University of Osnabruck", P::kReordered},
      {"York University", "University of York", P::kReordered},
      {"School of Physics, York University", "University of York", P::kReordered},
      {"School of Physics, University of York", "University of York, School of Physics", P::kSame},
      {"University of California Davis", "Univ. of California, Davis", P::kSame},
      {"Google LLC", "Google", P::kSame},
      {"School of Software, Tsinghua University", "Tsinghua University", P::kSameCore},
      {"Northeastern University, China", "Northeastern University", P::kSameCore},
      {"Univerisity of Michigan", "University of Michigan", P::kSlip},
      {"Tsinghua University, USA", "Tsinghua University, US", P::kSame},
      {"MIT", "Massachusetts Institute of Technology", P::kInitials},
      {"МГУ", "Московский Государственный Университет", P::kInitials},
      {"Samsung Research", "Samsung Research Cambridge", P::kMore},
      {"University of California, Davis", "University of California, Berkeley", P::kUnlike},
      {"University of Bergen", "University of Berlin", P::kUnlike},
      {"Nanjing University", "Nanjing University of Science and Technology", P::kUnlike},
      {"", "Google", P::kUnlike},
  };
  for (const auto& [a, b, relation] : kCases) {
    EXPECT_EQ(compare_places(place_name(a), place_name(b)), relation) << a << " | " << b;
    EXPECT_EQ(compare_places(place_name(b), place_name(a)), relation) << b << " | " << a;
  }
  // The last word counts, however many there are.
  std::string institute = "Institute";
  for (int k = 0; k < 100; ++k) institute += " Word" + std::to_string(k);
  EXPECT_EQ(compare_places(place_name(institute + " Hunan"), place_name(institute + " Anhui")),
            P::kUnlike);
}

}  // namespace
}  // namespace cupel
