#include "cupel/judge/picture/picture.h"

#include <expat.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

using nlohmann::json;

// Three groups far apart in the lens, joined by single edges; a pair alone; node 14 has no class.
Dataset dataset() {
  std::vector<Edge> edges;
  for (int group = 0; group < 3; ++group)
    for (int i = 0; i < 4; ++i) edges.push_back({4 * group + i, 4 * group + (i + 1) % 4});
  edges.push_back({0, 4});
  edges.push_back({1, 5});
  edges.push_back({5, 8});
  edges.push_back({12, 13});
  Dataset out;
  out.name = "<made>";
  out.adjacency = from_edges(15, edges);
  out.features = Matrix(15, 2);
  out.target = Classes{{0, 0, 1, 1, 2, 2, 2, 0, 1, 1, 1, 2, 0, 0, -1}, {"a & b", "<c>", "d\x1b"}};
  return out;
}

Matrix lens() {
  Matrix out(15, 2);
  const float at[5][2] = {{0, 0}, {10, 0}, {0, 10}, {9, 9}, {5, 5}};
  for (Index v = 0; v < 15; ++v) {
    const int group = v < 12 ? v / 4 : v < 14 ? 3 : 4;
    out(v, 0) = at[group][0];
    out(v, 1) = at[group][1];
  }
  return out;
}

constexpr MapperSettings kSettings{5, 0, MapperEdges::kSharedArcs, .4, 2};

Colouring foretold() {
  return {.title = "predictions of gcn",
          .note = "Of a run.",
          .of_node = {1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0},
          .foretold = true,
          .source = {{"run", "12ab"}}};
}

Picture picture() {
  const Dataset data = dataset();
  return make_picture(data, lens(), kSettings, PictureLayout::kStress,
                      {classes_of(data), foretold()});
}

TEST(Picture, AClusterHasItsMostFrequentClassTheSmallestOfEquals) {
  const std::vector<Index> classes = {2, 2, 1, 1, -1, 0};
  EXPECT_EQ(most_frequent({0, 1, 2, 3}, classes), (std::pair<Index, Offset>{1, 2}));
  EXPECT_EQ(most_frequent({0, 1, 2, 4, 5}, classes), (std::pair<Index, Offset>{2, 2}));
  EXPECT_EQ(most_frequent({4}, classes), (std::pair<Index, Offset>{-1, 0}));
}

TEST(Picture, HasWhatItIsMadeOf) {
  const Picture found = picture();
  EXPECT_EQ(found.nodes, 15);
  EXPECT_EQ(found.edges, 16);
  ASSERT_EQ(found.mapper.clusters.size(), 5u);  // by column, then row: 0, 2, the one alone, 3, 1
  EXPECT_EQ(found.mapper.clusters[2].nodes, (std::vector<Index>{14}));
  EXPECT_EQ(found.drawn_clusters(), 4);
  EXPECT_EQ(found.drawn_nodes(), 14);
  EXPECT_EQ(found.drawn_edges(), 2);
  EXPECT_EQ(found.true_classes, (std::vector<Index>{0, 1, -1, 2, 0}));
  ASSERT_EQ(found.panels.size(), 2u);
  EXPECT_EQ(found.panels[0].of_cluster, found.true_classes);
  EXPECT_FALSE(found.panels[0].otherwise);
  EXPECT_EQ(found.panels[1].of_cluster, (std::vector<Index>{1, 1, 0, 2, 0}));
  EXPECT_EQ(found.panels[1].nodes_of_it, (std::vector<Offset>{4, 4, 1, 4, 2}));
  EXPECT_EQ(found.panels[1].otherwise, 4) << "nodes 0, 1, 7 and 11; 14 has no class";
}

TEST(Picture, MisuseIsABug) {
  const auto drawn = [](std::vector<Index> of_node) {
    (void)make_picture(dataset(), lens(), kSettings, PictureLayout::kLens,
                       {{.title = "", .of_node = std::move(of_node)}});
  };
  EXPECT_THROW(drawn({0}), std::logic_error);
  EXPECT_THROW(drawn(std::vector<Index>(15, 3)), std::logic_error);
  EXPECT_NO_THROW(drawn(std::vector<Index>(15, 2)));
}

// ---- SVG ---------------------------------------------------------------------------------------

struct Element {
  std::string name, text;
  std::map<std::string, std::string> attributes;
  double number(const std::string& of) const { return std::stod(attributes.at(of)); }
  bool is(const std::string& kind) const {
    const auto found = attributes.find("class");
    return found != attributes.end() && found->second.starts_with(kind);
  }
};

// Every element as expat reads it; fails the test where it is not well-formed XML.
std::vector<Element> parsed(const std::string& svg) {
  struct State {
    std::vector<Element> all;
    std::vector<std::size_t> open;
  } state;
  XML_Parser parser = XML_ParserCreate("UTF-8");
  XML_SetUserData(parser, &state);
  XML_SetElementHandler(
      parser,
      [](void* data, const XML_Char* name, const XML_Char** attributes) {
        auto& into = *static_cast<State*>(data);
        into.open.push_back(into.all.size());
        into.all.push_back({name, "", {}});
        for (; *attributes != nullptr; attributes += 2)
          into.all.back().attributes[attributes[0]] = attributes[1];
      },
      [](void* data, const XML_Char*) { static_cast<State*>(data)->open.pop_back(); });
  XML_SetCharacterDataHandler(parser, [](void* data, const XML_Char* text, int size) {
    auto& into = *static_cast<State*>(data);
    into.all[into.open.back()].text.append(text, static_cast<std::size_t>(size));
  });
  EXPECT_EQ(XML_Parse(parser, svg.data(), static_cast<int>(svg.size()), 1), XML_STATUS_OK)
      << XML_ErrorString(XML_GetErrorCode(parser)) << " in line "
      << XML_GetCurrentLineNumber(parser);
  XML_ParserFree(parser);
  return state.all;
}

std::vector<Element> of_kind(const std::vector<Element>& all, const std::string& kind) {
  std::vector<Element> out;
  for (const Element& one : all)
    if (one.is(kind)) out.push_back(one);
  return out;
}

std::string all_text(const std::vector<Element>& all) {
  std::string out;
  for (const Element& one : all)
    if (one.name == "text") out += one.text + " ";
  return out;
}

TEST(PictureSvg, HasEveryClusterAndLineThatIsDrawnInEveryPanel) {
  const Picture made = picture();
  const auto all = parsed(picture_svg(made));
  const auto lines = of_kind(all, "cm-edge"), circles = of_kind(all, "cm-node");
  ASSERT_EQ(lines.size(), 2u * 2);
  ASSERT_EQ(circles.size(), 2u * 4 + 3) << "and three names of classes";
  EXPECT_NEAR(lines[0].number("stroke-width"), 20 * 470 / 864.0, .01)
      << "of two panels each is 470 wide";
  EXPECT_NEAR(lines[1].number("stroke-width"), 10 * 470 / 864.0, .01);
  // Areas go with square roots: 4 nodes and 2.
  EXPECT_NEAR(circles[0].number("r") / circles[3].number("r"), std::pow(2, .25), .01);
  const double width = all[0].number("width");
  for (const Element& one : circles) {
    EXPECT_GE(one.number("cx") - one.number("r"), 0);
    EXPECT_LE(one.number("cx") + one.number("r"), width);
    EXPECT_LE(one.number("cy"), all[0].number("height"));
  }
  // Both panels have the same places, and lines end in circles.
  std::set<std::pair<double, double>> centres;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(circles[i].attributes.at("cx"), circles[i + 4].attributes.at("cx"));
    centres.insert({circles[i].number("cx"), circles[i].number("cy")});
  }
  for (const Element& one : lines) {
    EXPECT_TRUE(centres.contains({one.number("x1"), one.number("y1")}));
    EXPECT_TRUE(centres.contains({one.number("x2"), one.number("y2")}));
  }
}

TEST(PictureSvg, ARingIsWhereMostNodesHaveAnotherClass) {
  const auto all = parsed(picture_svg(picture()));
  const auto rings = of_kind(all, "cm-ring"), keys = of_kind(all, "cm-node cm-key");
  ASSERT_EQ(rings.size(), 1u);
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(rings[0].attributes.at("stroke"), keys[0].attributes.at("fill")) << "true class 0";
  const auto circles = of_kind(all, "cm-node");
  for (std::size_t i = 4; i < 8; ++i) {
    if (circles[i].attributes.at("cx") == rings[0].attributes.at("cx")) {
      EXPECT_EQ(circles[i].attributes.at("fill"), keys[1].attributes.at("fill")) << "predicted 1";
    }
  }
}

TEST(PictureSvg, SaysWhatIsDrawnAndWhatIsNot) {
  const auto all = parsed(picture_svg(picture()));
  const std::string said = all_text(all);
  for (const char* part :
       {"<made>: classes", "<made>: predictions of gcn", "a & b", "<c>", "4 of 5 clusters",
        "2 lines between them, with 14 of the nodes", "5 x 5 cells", "fewer than 2 nodes",
        "Of a run. 4 of 15 nodes are given another class"})
    EXPECT_NE(said.find(part), std::string::npos) << part << " in " << said;
  EXPECT_EQ(said.find('\x1b'), std::string::npos);
  const std::string svg = picture_svg(picture());
  for (const char* bad : {"nan", "inf\"", "NaN"})
    EXPECT_EQ(svg.find(bad), std::string::npos) << bad;
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
}

TEST(PictureSvg, WithoutClassesAndWithNothingToDraw) {
  Dataset bare = dataset();
  bare.target = Classes{};
  const auto all = parsed(
      picture_svg(make_picture(bare, lens(), kSettings, PictureLayout::kLens, {classes_of(bare)})));
  EXPECT_EQ(of_kind(all, "cm-node cm-none").size(), 4u + 1);
  EXPECT_NE(all_text(all).find("no classes are known"), std::string::npos);
  MapperSettings none = kSettings;
  none.smallest = 100;
  const Dataset data = dataset();
  const auto empty = parsed(
      picture_svg(make_picture(data, lens(), none, PictureLayout::kStress, {classes_of(data)})));
  EXPECT_TRUE(of_kind(empty, "cm-node").empty());
  EXPECT_NE(all_text(empty).find("0 of 5 clusters"), std::string::npos);
}

TEST(PictureSvg, ManyClassesHaveColoursOfTheirOwnAndALegendThatEnds) {
  constexpr Index kAll = 60;
  Dataset data;
  data.name = "many";
  data.adjacency = from_edges(kAll, {});
  data.features = Matrix(kAll, 1);
  Classes classes;
  Matrix spread(kAll, 2);
  for (Index v = 0; v < kAll; ++v) {
    classes.labels.push_back(v);
    classes.names.push_back(fmt::format("class {}", v));
    spread(v, 0) = static_cast<float>(v % 8);
    spread(v, 1) = static_cast<float>(v / 8);
  }
  data.target = classes;
  const auto all =
      parsed(picture_svg(make_picture(data, spread, {20, 0, MapperEdges::kSharedArcs, 0, 0},
                                      PictureLayout::kLens, {classes_of(data)})));
  std::set<std::string> colours;
  for (const Element& one : of_kind(all, "cm-node"))
    if (!one.is("cm-node cm-key")) colours.insert(one.attributes.at("fill"));
  EXPECT_EQ(colours.size(), 60u);
  EXPECT_EQ(of_kind(all, "cm-node cm-key").size(), 40u);
  EXPECT_NE(all_text(all).find("and 20 more"), std::string::npos);
}

// ---- JSON --------------------------------------------------------------------------------------

TEST(PictureJson, HasAllThatIsDrawnAndEveryNode) {
  const Picture made = picture();
  const json found = json::parse(picture_json(made));
  EXPECT_EQ(found["kind"], "picture");
  EXPECT_EQ(found["classes"], json({"a & b", "<c>", "d\x1b"}));
  EXPECT_EQ(found["settings"]["epsilon"], .4);
  EXPECT_EQ(found["drawn"], json({{"clusters", 4}, {"edges", 2}, {"nodes", 14}}));
  ASSERT_EQ(found["clusters"].size(), 5u);
  std::set<int> nodes;
  for (const json& cluster : found["clusters"]) {
    for (const json& v : cluster["nodes"]) nodes.insert(v.get<int>());
    EXPECT_EQ(cluster["size"], cluster["nodes"].size());
    EXPECT_EQ(cluster["place"].is_null(), !cluster["drawn"].get<bool>());
  }
  EXPECT_EQ(nodes.size(), 15u);
  EXPECT_EQ(found["clusters"][3]["cell"], json({4, 0}));
  EXPECT_TRUE(found["clusters"][2]["true_class"].is_null());
  ASSERT_EQ(found["cluster_edges"].size(), 2u);
  EXPECT_EQ(found["cluster_edges"][0]["count"], 2);
  EXPECT_EQ(found["cluster_edges"][0]["target"], 3);
  EXPECT_EQ(found["lens"].size(), 15u);
  EXPECT_TRUE(found["labels"][14].is_null());
  ASSERT_EQ(found["panels"].size(), 2u);
  EXPECT_EQ(found["panels"][1]["of_cluster"], json({1, 1, 0, 2, 0}));
  EXPECT_EQ(found["panels"][1]["of_node"].size(), 15u);
  EXPECT_EQ(found["panels"][1]["source"]["run"], "12ab");
  EXPECT_EQ(found["panels"][1]["nodes_of_another_class"], 4);
  EXPECT_EQ(picture_json(picture()), picture_json(made)) << "the same every time";
}

}  // namespace
}  // namespace cupel
