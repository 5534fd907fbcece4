#include "cupel/api/packed.h"

#include <gtest/gtest.h>

#include "cupel/api/given_data.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/formats/npy.h"
#include "cupel/data/generate/generator.h"
#include "data/audit/examples.h"
#include "error_of.h"

namespace cupel {
namespace {

Dataset generated(const std::string& name) { return generate(parse_generator_call(name)); }

Dataset three_facts() {
  GivenFacts facts;
  facts.name = "when";
  facts.source = make_npy(std::span<const std::int64_t>(std::vector<std::int64_t>{0, 1, 2}));
  facts.target = make_npy(std::span<const std::int64_t>(std::vector<std::int64_t>{1, 2, 0}));
  facts.time = make_npy(std::span<const std::int64_t>(std::vector<std::int64_t>{-5, 7, 7}));
  facts.relation_names = {"knows"};
  facts.entity_names = {"a", "b\n", ""};
  facts.time_unit = "day";
  return dataset_of(facts);
}

// What no hash of the content has.
void expect_same(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(content_hash(a), content_hash(b));
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.repeated_arcs, b.repeated_arcs);
  ASSERT_EQ(a.history.size(), b.history.size());
  for (std::size_t i = 0; i < a.history.size(); ++i) {
    EXPECT_EQ(a.history[i].name, b.history[i].name);
    EXPECT_EQ(a.history[i].nodes, b.history[i].nodes);
    EXPECT_EQ(a.history[i].arcs, b.history[i].arcs);
  }
  ASSERT_EQ(a.has_tasks(), b.has_tasks());
  if (!a.has_tasks()) {
    EXPECT_EQ(a.class_names(), b.class_names());
  }
  ASSERT_EQ(a.graphs.has_value(), b.graphs.has_value());
  if (a.graphs) {
    EXPECT_EQ(a.graphs->start, b.graphs->start);
    EXPECT_EQ(a.graphs->node_attributes.values, b.graphs->node_attributes.values);
    EXPECT_EQ(a.graphs->arc_attributes.values, b.graphs->arc_attributes.values);
    EXPECT_EQ(a.graphs->dropped_loops, b.graphs->dropped_loops);
    EXPECT_EQ(a.graphs->scaffolds, b.graphs->scaffolds);
  }
}

TEST(Packed, DataSetsAreTheSameAgain) {
  Dataset odd = made::faulty_graph();
  odd.history = {{"symmetrise", 600, 1200}, {"drop-self-loops", 600, 1199}};
  odd.repeated_arcs = 3;
  Dataset tasks = made::faulty_set();
  tasks.target = BinaryTasks{Matrix(tasks.graphs->size(), 2)};
  tasks.task_answers()(1, 1) = std::numeric_limits<float>::quiet_NaN();
  tasks.graphs->scaffolds.assign(static_cast<std::size_t>(tasks.graphs->size()), 4);
  for (const Dataset& data : {odd, tasks, made::faulty_set(), generated("csbm:nodes=60"),
                              generated("syn-degree:graphs=20"), Dataset()}) {
    SCOPED_TRACE(data.name);
    const Packed bytes = packed(data);
    const Dataset again = unpacked_dataset(bytes);
    expect_same(data, again);
    EXPECT_EQ(packed(again), bytes);
  }
}

TEST(Packed, FactsAreTheSameAgain) {
  const Dataset data = three_facts();
  const Dataset again = unpacked_dataset(packed(data));
  expect_same(data, again);
  EXPECT_EQ(names_hash(*again.facts), names_hash(*data.facts));
  EXPECT_EQ(again.facts->name, "when");
  EXPECT_EQ(again.facts->time_unit, "day");
  for (Index i = 0; i < 3; ++i) EXPECT_EQ(again.facts->entity_name(i), data.facts->entity_name(i));
  check_invariants(*again.facts);
}

TEST(Packed, TablesAreTheSameAgain) {
  const Frame frame{
      {{"texts", FrameColumn::Texts{"a", "\xff,\n", ""}},
       {"whole", FrameColumn::Whole{1, std::nullopt, -7}},
       {"reals", FrameColumn::Reals{0.1, std::nullopt, 1e300}},
       {"nothing known", FrameColumn::Whole{std::nullopt, std::nullopt, std::nullopt}}}};
  const Frame again = unpacked_frame(packed(frame));
  ASSERT_EQ(again.columns.size(), frame.columns.size());
  for (std::size_t c = 0; c < frame.columns.size(); ++c) {
    EXPECT_EQ(again.columns[c].name, frame.columns[c].name);
    EXPECT_EQ(again.columns[c].values, frame.columns[c].values);
  }
  EXPECT_TRUE(unpacked_frame(packed(Frame())).columns.empty());
}

TEST(Packed, WhatIsDamagedIsRefused) {
  const Packed good = packed(generated("csbm:nodes=60"));
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 500) {
    Packed bad = good;
    bad[at] ^= 0x20;
    EXPECT_NE(error_of([&] { (void)unpacked_dataset(bad); }), "no error") << at;
  }
  for (std::size_t size = 0; size < good.size(); size += 1 + good.size() / 100)
    EXPECT_NE(error_of([&] { (void)unpacked_dataset(std::span(good).first(size)); }), "no error")
        << size;
  Packed longer = good;
  longer.push_back(0);
  EXPECT_NE(error_of([&] { (void)unpacked_dataset(longer); }).find("damaged"), std::string::npos);
  EXPECT_NE(error_of([&] { (void)unpacked_frame(good); }).find("is no table of this version"),
            std::string::npos);
}

}  // namespace
}  // namespace cupel
