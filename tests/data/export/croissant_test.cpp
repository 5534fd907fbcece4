// The folder of `convert --format croissant` says what it holds. What mlcroissant makes of it is in
// tests/python/test_exchange.py.
#include "cupel/data/export/croissant.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cupel/base/hash.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/catalog/credits.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/formats/file.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/generate/generator.h"
#include "cupel/data/prepare/prepare.h"
#include "data/formats/made_files.h"
#include "data/made_graph_sets.h"

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

// Every column of a table is a field, and every file is named by its hash.
void expect_whole(const json& out, const std::filesystem::path& path,
                  const std::map<std::string, std::string>& tables) {
  std::map<std::string, std::string> files, found;
  for (const json& file : out["distribution"]) files[file["@id"]] = file["sha256"];
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    const std::string name = entry.path().filename();
    if (name == "croissant.json") continue;
    EXPECT_EQ(files[name], sha256(read_text_file(entry.path()))) << name;
  }
  for (const json& records : out["recordSet"]) {
    std::set<std::string> columns;
    for (const json& field : records["field"]) {
      found[records["name"]] = field["source"]["fileObject"]["@id"];
      columns.insert(field["source"]["extract"].value("column", "a list"));
    }
    const std::string file = found[records["name"]];
    if (!file.ends_with(".csv")) continue;
    EXPECT_EQ(columns, header(path / file)) << file;
  }
  EXPECT_EQ(found, tables);
}

TEST(Croissant, ASetOfGraphsIsTheTextOfTuAndTables) {
  const made::Folder folder;
  Dataset data = test::made_set({{3, {{0, 1}, {1, 2}}, 0}, {0, {}, 1}, {2, {{0, 1}}, 1}});
  data.graphs->node_attributes = Matrix(5, 1);
  data.graphs->node_attributes.values = {0.5f, 1e-30f, 3, -4, 5};
  data.stored_splits = {{{0}, {1}, {2}}};
  const auto path = folder / "out";
  const json out = written(data, path);
  expect_whole(out, path,
               {{"graphs", "graphs.csv"},
                {"nodes", "nodes.csv"},
                {"arcs", "arcs.csv"},
                {"splits", "splits.json"}});
  EXPECT_EQ(out["identifier"][0]["value"], content_hash(data)) << "tables are in nobody's way";
  EXPECT_EQ(content_hash(read_dataset(path)), content_hash(data));
  EXPECT_EQ(read_text_file(path / "graphs.csv"), "graph,label\n0,0\n1,1\n2,1\n");
  EXPECT_EQ(read_text_file(path / "arcs.csv"), "source,target\n0,1\n1,0\n1,2\n2,1\n3,4\n4,3\n");
  EXPECT_TRUE(read_text_file(path / "nodes.csv").ends_with("1,0,1e-30\n2,0,3\n3,2,-4\n4,2,5\n"))
      << read_text_file(path / "nodes.csv");
}

TEST(Croissant, AnswersOfTasksMayBeUnknown) {
  const made::Folder folder;
  Dataset data = test::made_set({{2, {{0, 1}}, 0}, {2, {{0, 1}}, 0}});
  data.target = BinaryTasks{Matrix(2, 2)};
  data.task_answers().values = {0, 1, std::numeric_limits<float>::quiet_NaN(), 0};
  (void)written(data, folder / "out");
  EXPECT_EQ(read_text_file(folder / "out" / "graphs.csv"), "graph,task0,task1\n0,0,1\n1,,0\n");
}

std::shared_ptr<const TemporalFacts> made_facts(const std::string& name) {
  auto out = std::make_shared<TemporalFacts>();
  out->name = "made";
  out->types = {"scientist", "capability"};
  out->entity_types = {0, 0, 1};
  for (const std::string& one : {std::string("ann \"a\" lee, jr"), name, std::string("fair")})
    out->entity_names.add(one);
  out->relations = {{"collaboration", 0, 0, true}, {"expertise", 0, 1, false}};
  out->time_unit = "year";
  out->push(0, 0, 1, 1999);
  out->push(1, 1, 2, 2001);
  out->parts = {{"all", 2, 1999, 2001}};
  return out;
}

TEST(Croissant, FactsAreTheFolderOfBuildWithItsAuthors) {
  const made::Folder folder;
  const Dataset data = dataset_of(made_facts("bob"));
  auto authors = std::make_shared<Authorships>();
  authors->papers.add("P18-1001");
  authors->paper = {0, 0}, authors->position = {0, 1}, authors->entity = {0, 1};
  const auto path = folder / "out";
  EXPECT_EQ(write_dataset(data, graph_format("croissant", data, path), path, {}, authors),
            std::vector<std::string>());
  const json out = json::parse(read_text_file(path / "croissant.json"));
  expect_whole(out, path,
               {{"entities", "entities.csv"},
                {"relations", "relations.csv"},
                {"facts", "quadruples.csv"},
                {"authorships", "authorships.csv"},
                {"parts", "parts.csv"}});
  EXPECT_EQ(out["identifier"][0]["value"], content_hash(data));
  const TemporalFacts back = read_facts_folder(path);
  EXPECT_EQ(read_authorships(path, back).entity, authors->entity);
  // As it stands without a description.
  (void)write_dataset(data, graph_format("", data, folder / "plain"), folder / "plain");
  EXPECT_EQ(read_text_file(path / "quadruples.csv"),
            read_text_file(folder / "plain" / "quadruples.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "plain" / "croissant.json"));
  EXPECT_FALSE(std::filesystem::exists(folder / "plain" / "authorships.csv"));
}

TEST(Croissant, TextsThatReadersTakeForSomethingElseAreTold) {
  const made::Folder folder;
  for (const char* name : {"NA", "007", "1.50", ""}) {
    const Dataset data = dataset_of(made_facts(name));
    const auto path = folder / (std::string("out") + name);
    const auto told = write_dataset(data, graph_format("croissant", data, path), path);
    ASSERT_EQ(told.size(), 1u) << name;
    EXPECT_NE(told[0].find("entities/name"), std::string::npos) << told[0];
    EXPECT_NE(told[0].find(name), std::string::npos) << told[0];
  }
}

TEST(Croissant, WhatIsNotHeldIsRefusedAndNothingIsLeft) {
  const made::Folder folder;
  Dataset set = test::made_set({{2, {{0, 1}}, 0}, {2, {{0, 1}}, 1}, {1, {}, 1}});
  set.stored_splits = {{{0}, {1}, {2}}, {{1}, {0}, {2}}};
  made::expect_error([&] { (void)written(set, folder / "set"); }, {"2 splits", "holds one"});
  const Dataset facts = dataset_of(made_facts("bob"));
  made::expect_error([&] { (void)graph_format("csv", facts, folder / "x"); },
                     {"holds one graph", "2 facts over time", "croissant, facts"});
  made::expect_error([&] { (void)graph_format("", facts, folder / "x.npz"); }, {"x.npz", "folder"});
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace cupel
