// The folder of `convert --format croissant` says what it holds. What mlcroissant makes of it is in
// tests/python/test_exchange.py.
#include "cupel/data/formats/croissant.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cupel/base/hash.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/catalog/credits.h"
#include "cupel/data/formats/file.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/generate/generator.h"
#include "cupel/data/prepare/prepare.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using nlohmann::json;

json written(const Dataset& data, const std::filesystem::path& path, const Credits& credits = {}) {
  (void)write_dataset(data, graph_format("croissant", data, path), path, credits);
  return json::parse(read_text_file(path / "croissant.json"));
}

// The texts of a file's first line.
std::set<std::string> header(const std::filesystem::path& path) {
  const std::string text = read_text_file(path);
  std::stringstream line(text.substr(0, text.find('\n')));
  std::set<std::string> out;
  for (std::string name; std::getline(line, name, ',');) out.insert(name);
  return out;
}

Dataset made() {
  Dataset out = generate(known_generator("csbm", {"nodes=40", "classes=3", "features=40"}));
  out.stored_splits = {{{0, 1}, {2}, {3, 4}}, {{5}, {6}, {7}}};
  return out;
}

TEST(Croissant, NamesEveryFileByItsHashAndEveryColumn) {
  const made::Folder folder;
  const Dataset data = made();
  const auto path = folder / "out";
  const json out = written(data, path);
  std::map<std::string, std::string> files;
  for (const json& file : out["distribution"]) files[file["@id"]] = file["sha256"];
  std::size_t there = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    const std::string name = entry.path().filename();
    if (name == "croissant.json") continue;
    ++there;
    EXPECT_EQ(files[name], sha256(read_text_file(entry.path()))) << name;
  }
  EXPECT_EQ(files.size(), there);
  EXPECT_EQ(there, 4u);
  for (const json& records : out["recordSet"]) {
    std::set<std::string> columns;
    std::string file;
    for (const json& field : records["field"]) {
      file = field["source"]["fileObject"]["@id"];
      if (field["source"]["extract"].contains("column"))
        columns.insert(field["source"]["extract"]["column"].get<std::string>());
    }
    if (!file.ends_with(".csv")) continue;
    EXPECT_EQ(columns, header(path / file)) << file;
  }
  EXPECT_EQ(out["identifier"][0]["value"], content_hash(read_dataset(path)));
  EXPECT_EQ(out["identifier"][1]["value"], content_hash(data)) << "features were sparse";
  EXPECT_FALSE(out.contains("license")) << "nobody knows it";
}

TEST(Croissant, OfWhatIsReadAsItWasThereIsOneHash) {
  const made::Folder folder;
  (void)written(made(), folder / "first");
  const Dataset read = read_dataset(folder / "first");
  const json out = written(read, folder / "second");
  ASSERT_EQ(out["identifier"].size(), 1u);
  EXPECT_EQ(out["identifier"][0]["value"], content_hash(read));
  for (const char* name : {"labels.csv", "edges.csv", "features.csv", "splits.json"})
    EXPECT_EQ(read_text_file(folder / "first" / name), read_text_file(folder / "second" / name));
}

TEST(Croissant, CreditsAreThoseOfTheCatalogAndOfNothingElse) {
  const Recipe& cora = *find_recipe("cora");
  const Credits credits = credits_of("cora");
  EXPECT_EQ(credits.citation, cora.citation);
  EXPECT_EQ(credits.licence, cora.licence);
  EXPECT_EQ(credits_of("./cora").citation, "") << "a path may hold anything";
  EXPECT_EQ(credits_of("csbm:nodes=40").title, "csbm:nodes=40");
  EXPECT_EQ(credits_of("").title, "");
  const made::Folder folder;
  const json out =
      written(prepare(made(), {"symmetrise", "drop-self-loops"}), folder / "out", credits);
  EXPECT_EQ(out["name"], "Cora");
  EXPECT_EQ(out["citeAs"], cora.citation);
  EXPECT_EQ(out["license"], cora.licence);
  EXPECT_EQ(out["description"],
            cora.description + " Prepared by Cupel's steps symmetrise, drop-self-loops.");
}

TEST(Croissant, LabelsThatAreNumbersAreOfThatType) {
  const made::Folder folder;
  Dataset data = made();
  const auto type_of_label = [&](const char* name) {
    return written(data, folder / name)["recordSet"][0]["field"][1]["dataType"];
  };
  EXPECT_EQ(type_of_label("words"), "sc:Text");
  data.class_names() = {"-1", "0", "12"};
  EXPECT_EQ(type_of_label("numbers"), "sc:Integer");
}

TEST(Croissant, ANameIsATextAndNothingElse) {
  const made::Folder folder;
  Dataset data = made();
  data.name = "\"}, \x1b]0;title\x07 \xff </script> \u202e";
  const std::string text = [&] {
    (void)written(data, folder / "out");
    return read_text_file(folder / "out" / "croissant.json");
  }();
  for (const char c : text) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
}

}  // namespace
}  // namespace cupel
