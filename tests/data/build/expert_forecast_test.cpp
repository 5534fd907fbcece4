// What a build of publications is told to take of memory beforehand, against what it takes.
#include "cupel/data/build/expert/forecast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/build/recipe.h"
#include "cupel/data/records/expert_json_lines.h"
#include "data/formats/made_files.h"
#include "error_of.h"
#include "peak_memory.h"
#include "real_data.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

TEST(SpreadSample, FilesAreTakenByTheirShareOfBytes) {
  const std::vector<std::uint64_t> sizes = {600, 0, 100, 100, 100, 100, 200};
  const std::vector<FilePart> parts = spread_sample(sizes, 240);
  std::uint64_t bytes = 0;
  std::map<std::size_t, std::uint64_t> of;
  for (const FilePart& part : parts) bytes += part.bytes, of[part.file] = part.bytes;
  EXPECT_EQ(bytes, 240u) << "twelve parts of 20";
  EXPECT_EQ(of.size(), parts.size()) << "each file once";
  EXPECT_FALSE(of.contains(1)) << "it is empty";
  EXPECT_NEAR(static_cast<double>(of[0]), 120, 20) << "it has half of the bytes";
  EXPECT_GE(of.size(), 5u);
  // The first few are as far apart as all are.
  const std::vector<FilePart> many = spread_sample(std::vector<std::uint64_t>(1000, 5), 5000);
  std::vector<bool> tenths(10);
  for (std::size_t k = 0; k < 16; ++k) tenths[many[k].file / 100] = true;
  EXPECT_EQ(std::ranges::count(tenths, true), 10);
  EXPECT_GT(many.size(), 850u);
  EXPECT_TRUE(spread_sample({}, 100).empty());
  EXPECT_TRUE(spread_sample(std::vector<std::uint64_t>{0, 0}, 100).empty());
  EXPECT_EQ(spread_sample(std::vector<std::uint64_t>{7}, 12), (std::vector<FilePart>{{0, 12}}));
}

TEST(SpreadSample, GrowsByTheLawOfTheSample) {
  const auto size = [](std::int64_t facts, std::int64_t entities) {
    return AcademicSize{.facts = facts,
                        .of_largest_year = facts / 4,
                        .entities = entities,
                        .name_bytes = 10 * entities,
                        .papers = facts,
                        .id_bytes = 8 * facts,
                        .authorships = 2 * facts};
  };
  // Facts double with the papers, entities grow as their root.
  const std::vector<AcademicSize> sample = {size(250, 150), size(500, 200), size(1000, 283)};
  const AcademicSize all = extrapolated(sample, 16);
  EXPECT_EQ(all.facts, 16'000);
  EXPECT_EQ(all.of_largest_year, 4'000);
  EXPECT_EQ(all.papers, 16'000);
  EXPECT_EQ(all.id_bytes, 8 * 16'000);
  EXPECT_EQ(all.authorships, 2 * 16'000);
  EXPECT_NEAR(static_cast<double>(all.entities), 283 * 4, 6);
  EXPECT_NEAR(static_cast<double>(all.name_bytes), 10 * 283 * 4, 60);
  EXPECT_EQ(all.other_names, 0);
  // Of a sample in one piece nothing is known, and of all that there is, all.
  const std::vector<AcademicSize> one = {size(100, 50)};
  EXPECT_EQ(extrapolated(one, 4).entities, 200);
  EXPECT_EQ(extrapolated(one, 1).entities, 50);
  EXPECT_EQ(extrapolated({}, 10).facts, 0);
}

// A number in letters: digits behind a name are marks of footnotes.
std::string lettered(int number) {
  std::string out;
  for (; out.size() < 5; number /= 26) out += static_cast<char>('a' + number % 26);
  return out;
}

// Papers of authors of whom few write much, as text of a form.
class Papers {
 public:
  explicit Papers(std::uint32_t seed) : bits_(seed) {}

  std::vector<std::string> authors(std::size_t most) {
    std::vector<std::string> out;
    for (std::size_t n = 1 + bits_() % most; n > 0; --n) {
      const double u = static_cast<double>(bits_() % 1'000'000 + 1) / 1e6;
      const std::string letters = lettered(static_cast<int>(300'000 * u * u));
      out.push_back(fmt::format("Fi{0} La{0}", letters));
    }
    return out;
  }
  std::string words(std::size_t count) {
    std::string out;
    for (std::size_t k = 0; k < count; ++k)
      out += fmt::format("{}word{}", k == 0 ? "" : " ", bits_() % 5000);
    return out;
  }
  int year() { return 1990 + static_cast<int>(bits_() % 30); }

 private:
  std::mt19937 bits_;
};

// A row of about a hundred bytes.
std::string rows(int papers, std::size_t most_authors, std::uint32_t seed) {
  Papers made(seed);
  std::string out = "id,year,title,authors\n";
  for (int k = 0; k < papers; ++k)
    out += fmt::format("r{}-{},{},fair graph,{}\n", seed, k, made.year(),
                       fmt::join(made.authors(most_authors), ";"));
  return out;
}

// A work of some kilobytes, most of which nothing is kept of.
std::string works(int papers, std::uint32_t seed) {
  Papers made(seed);
  std::string out;
  for (int k = 0; k < papers; ++k) {
    std::string authors;
    for (const std::string& name : made.authors(6))
      authors +=
          fmt::format(R"({}{{"author":{{"id":"https://openalex.org/A{}","display_name":"{}"}},)"
                      R"("institutions":[{{"display_name":"University of {}"}}],"raw":"{}"}})",
                      authors.empty() ? "" : ",", name, name, name.substr(0, 7), made.words(20));
    out += fmt::format(
        R"({{"id":"https://openalex.org/W{}{:07}","publication_year":{},"title":"fair {}",)"
        R"("authorships":[{}],"more":"{}"}})"
        "\n",
        seed, k, made.year(), made.words(8), authors, made.words(300));
  }
  return out;
}

std::string list(int papers, std::uint32_t seed) {
  Papers made(seed);
  std::string out = "[";
  for (int k = 0; k < papers; ++k)
    out += fmt::format(R"({}{{"id":"p{}-{}","title":"fair {}","status":"Poster","year":{},)"
                       R"("author":"{}","abstract":"{}"}})",
                       k == 0 ? "" : ",\n", seed, k, made.words(8), made.year(),
                       fmt::join(made.authors(5), ";"), made.words(150));
  return out + "]\n";
}

std::string collection(int papers, std::uint32_t seed) {
  Papers made(seed);
  std::string out = fmt::format(
      "<?xml version='1.0' encoding='UTF-8'?>\n<collection id=\"{}.made\"><volume id=\"1\"><meta>"
      "<booktitle>B</booktitle><year>{}</year></meta>",
      1990 + seed, 1990 + seed);
  for (int k = 0; k < papers; ++k) {
    out += fmt::format("<paper id=\"{}\"><title>fair {}</title>", k + 1, made.words(8));
    for (const std::string& name : made.authors(5))
      out += fmt::format("<author><first>{}</first><last>{}</last></author>\n",
                         name.substr(0, name.find(' ')), name.substr(name.find(' ') + 1));
    out += fmt::format("<abstract>{}</abstract></paper>\n", made.words(120));
  }
  return out + "</volume></collection>\n";
}

// Holds what a build takes, its folder written, against its forecast, which has 8 MiB for readers.
void compare(const std::string& name, const std::vector<std::string>& from, const fs::path& out) {
  const BuildRecipe& recipe = find_build_recipe("expert");
  const BuildPaths paths = find_inputs(recipe, from);
  const std::vector<std::string> settings = {"years=1965-2030"};
  const auto told = forecast(recipe, paths, settings);
  ASSERT_TRUE(told) << name;
  const auto taken = peak_of([&] { write_built(build(recipe, paths, settings), out); });
  const auto bytes = static_cast<double>(told->memory);
  constexpr double kFactor = 1.7, kOfReaders = 8 << 20;
  EXPECT_LT(bytes, kFactor * taken.value() + kOfReaders) << name;
  EXPECT_GT(bytes, taken.value() / kFactor) << name;
}

[[noreturn, maybe_unused]] void compare_made_and_exit() {
  const made::Folder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    made::write_file(folder / name, text);
    return (folder / name).string();
  };
  compare("records, small", {"records=" + write("small.csv", rows(40'000, 6, 1))}, folder / "o1");
  compare("records, large", {"records=" + write("large.csv", rows(200'000, 6, 2))}, folder / "o2");
  compare("records, many authors", {"records=" + write("many.csv", rows(4'000, 100, 3))},
          folder / "o3");
  compare("openalex", {"openalex=" + write("works.jsonl", works(12'000, 4))}, folder / "o4");
  fs::create_directory(folder / "lists");
  for (std::uint32_t k = 0; k < 20; ++k)
    (void)write(fmt::format("lists/venue{}.json", 1995 + k), list(1'500, k));
  compare("paperlists", {"paperlists=" + (folder / "lists").string()}, folder / "o5");
  fs::create_directory(folder / "acl");
  for (std::uint32_t k = 0; k < 30; ++k)
    (void)write(fmt::format("acl/{}.made.xml", 1990 + k), collection(300 * (1 + k % 5), k));
  compare("acl", {"acl=" + (folder / "acl").string()}, folder / "o6");
  compare("several",
          {"acl=" + (folder / "acl").string(), "openalex=" + (folder / "works.jsonl").string(),
           "records=" + (folder / "small.csv").string()},
          folder / "o7");
  exit_with_result();
}

TEST(BuildForecast, IsWhatABuildTakesOfMemory) {
  if (const std::string why = needs_peaks(); !why.empty()) GTEST_SKIP() << why;
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(compare_made_and_exit(), testing::ExitedWithCode(0), "");
}

[[noreturn, maybe_unused]] void compare_real_and_exit() {
  const made::Folder folder;
  const std::string data = std::getenv("CUPEL_DATA");
  compare("acl", {"acl=" + data + "/acl-anthology/xml"}, folder / "acl");
  compare("paperlists", {"paperlists=" + data + "/paperlists"}, folder / "lists");
  compare("records", {"wos=" + data + "/records/wos.txt", "scopus=" + data + "/records/scopus.csv"},
          folder / "records");
  exit_with_result();
}

TEST(BuildForecast, OfRealRecordsIsWhatABuildTakesOfMemory) {
  if (const std::string why = made::needs_data(
          {"acl-anthology/xml", "paperlists", "records/wos.txt", "records/scopus.csv"});
      !why.empty())
    GTEST_SKIP() << why;
  if (const std::string why = needs_peaks(); !why.empty()) GTEST_SKIP() << why;
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(compare_real_and_exit(), testing::ExitedWithCode(0), "");
}

TEST(BuildForecast, WhatCannotBeReadIsLeftToTheBuild) {
  const made::Folder folder;
  made::write_file(folder / "cut.json", R"([{"id":"a","title":"fair","author":"Ann Lee;Bob Ray)");
  made::write_file(folder / "empty.csv", "");
  const BuildRecipe& recipe = find_build_recipe("expert");
  const auto told = forecast(recipe,
                             {{"paperlists", {folder / "cut.json"}},
                              {"records", {folder / "empty.csv", folder / "gone.csv"}}},
                             {});
  ASSERT_TRUE(told);
  EXPECT_EQ(told->files, 3u);
  EXPECT_GT(told->memory, 0u);
  EXPECT_EQ(told->without, "");
  EXPECT_NE(error_of([&] { (void)forecast(recipe, {}, {"identity=shoe-size"}); }).find("shoe-size"),
            std::string::npos);
  EXPECT_FALSE(forecast(find_build_recipe("wiki-cs"), {}, {}));
}

// Nodes and links name each other, so that a part of them says nothing.
TEST(BuildForecast, OfNodesAndLinksNothingIsKnown) {
  const made::Folder folder;
  made::write_file(folder / "nodes.jsonl",
                   R"({"nodeType":"Paper","nodeID":"1","title":"Fair","year":2019})");
  const auto told =
      forecast(find_build_recipe("expert"), {{"expert", {folder / "nodes.jsonl"}}}, {});
  ASSERT_TRUE(told);
  EXPECT_EQ(told->memory, 0u);
  EXPECT_EQ(told->without, "expert");
}

// One paper that no sample meets.
TEST(BuildForecast, ABuildKeepsWithinItsLimit) {
  const made::Folder folder;
  std::string text = rows(200, 3, 7) + "last,2019,fair,";
  for (int k = 0; k < 3'000; ++k) text += fmt::format("{}Some {}", k == 0 ? "" : ";", lettered(k));
  made::write_file(folder / "many.csv", text + "\n");
  const BuildRecipe& recipe = find_build_recipe("expert");
  const BuildPaths paths = {{"records", {folder / "many.csv"}}};
  const auto built = [&](std::size_t most) {
    return build(recipe, paths, {}, Threads{1}, {}, {}, most);
  };
  const std::string told = error_of([&] { (void)built(std::size_t{64} << 20); });
  for (const char* part : {"with paper 'last' the graph takes more than the 64 MB of memory",
                           "allow more with --memory"})
    EXPECT_NE(told.find(part), std::string::npos) << told;
  EXPECT_EQ(error_of([&] { (void)built(std::size_t{512} << 20); }), "no error");
}

std::vector<fs::path> nodes_and_links(int scientists, const fs::path& folder) {
  std::string nodes, links;
  for (int k = 0; k < scientists; ++k) {
    nodes += fmt::format(
        "{{\"nodeType\":\"Scientist\",\"nodeID\":\"https://openalex.org/A{0:08}\","
        "\"displayName\":\"First{0} of the Last{0}\"}}\n",
        k);
    links += fmt::format(
        "{{\"from\":\"https://openalex.org/A{:08}\",\"to\":\"{}\",\"edgeType\":\"Author Of\","
        "\"date\":2019}}\n",
        k, k / 3);
  }
  const std::vector<fs::path> files = {folder / "nodes.jsonl", folder / "links.jsonl"};
  made::write_file(files[0], nodes);
  made::write_file(files[1], links);
  return files;
}

[[noreturn, maybe_unused]] void compare_tables_and_exit() {
  const made::Folder folder;
  const std::vector<fs::path> files = nodes_and_links(200'000, folder.path());
  std::size_t told = 0;
  const auto taken = peak_of([&] { told = ExpertReader(files).memory(); });
  EXPECT_LT(taken.value(), 1.4 * static_cast<double>(told));
  EXPECT_GT(taken.value(), 0.6 * static_cast<double>(told));
  exit_with_result();
}

TEST(BuildForecast, OfNodesAndLinksMemoryIsCounted) {
  if (const std::string why = needs_peaks(); !why.empty()) GTEST_SKIP() << why;
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(compare_tables_and_exit(), testing::ExitedWithCode(0), "");
}

TEST(BuildForecast, NodesAndLinksKeepWithinTheLimit) {
  const made::Folder folder;
  const std::vector<fs::path> files = nodes_and_links(1'000, folder.path());
  const std::size_t held = ExpertReader(files).memory();
  const auto built = [&](std::size_t most) {
    return error_of([&] {
      (void)build(find_build_recipe("expert"), {{"expert", files}}, {}, Threads{1}, {}, {}, most);
    });
  };
  const std::string few = built(held / 2);
  for (const char* part : {"nodes.jsonl: line ", "with it, nodes and links take more than the "})
    EXPECT_NE(few.find(part), std::string::npos) << few;
  EXPECT_NE(built(held + 1).find("the graph takes more than the "), std::string::npos)
      << built(held + 1);
  EXPECT_EQ(built(4 * held + (1 << 20)), "no error");
}

}  // namespace
}  // namespace cupel
