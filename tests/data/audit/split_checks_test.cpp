// The checks of splits, each on splits with exactly its fault.
#include <gtest/gtest.h>

#include <cmath>

#include "data/audit/made.h"

namespace cupel {
namespace {

using made::audit_of;
using made::clean_dataset;
using made::find;

class SplitChecks : public testing::Test {
 protected:
  Dataset data_ = clean_dataset();
};

TEST_F(SplitChecks, OverlapsAreErrors) {
  auto& split = data_.stored_splits[1];
  split.train.push_back(split.test[0]);
  split.train.push_back(split.test[1]);
  split.valid.push_back(split.test[1]);
  split.test.push_back(split.test[5]);
  const Finding finding = audit_of(data_).front();
  EXPECT_EQ(finding.id, "split-overlap");
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.count, 3);
  EXPECT_EQ(finding.details["training_and_test"], 2);
  EXPECT_EQ(finding.details["validation_and_test"], 1);
  EXPECT_EQ(finding.details["training_and_validation"], 1);
  EXPECT_EQ(finding.details["twice_in_one_part"], 1);
  EXPECT_EQ(finding.details["per_split"], (nlohmann::ordered_json{0, 3, 0}));
}

TEST_F(SplitChecks, EmptyPartsAndNodesLeftOut) {
  data_.stored_splits[2].valid.clear();
  const auto findings = audit_of(data_);
  EXPECT_EQ(find(findings, "split-empty").severity, Severity::kError);
  EXPECT_EQ(find(findings, "split-leaves-out").count, 3000);
  EXPECT_EQ(find(findings, "split-leaves-out").details["in_no_split"], 0);
}

TEST_F(SplitChecks, RepeatedSplits) {
  data_.stored_splits.push_back(data_.stored_splits[0]);
  std::reverse(data_.stored_splits[3].train.begin(), data_.stored_splits[3].train.end());
  const Finding finding = find(audit_of(data_), "split-identical");
  EXPECT_EQ(finding.count, 1) << "the order of training nodes makes no other split";
  EXPECT_EQ(finding.details["pairs"], nlohmann::ordered_json::array({{0, 3}}));
}

TEST_F(SplitChecks, ShiftedClassSharesAreToldFromChance) {
  // Random, not stratified: no warning.
  std::mt19937 random(9);
  std::vector<Index> order(12000);
  for (Index i = 0; i < 12000; ++i) order[i] = i;
  for (Split& split : data_.stored_splits) {
    std::shuffle(order.begin(), order.end(), random);
    split.train.assign(order.begin(), order.begin() + 6000);
    split.valid.assign(order.begin() + 6000, order.begin() + 9000);
    split.test.assign(order.begin() + 9000, order.end());
    std::sort(split.test.begin(), split.test.end());
  }
  const Finding chance = find(audit_of(data_), "split-class-shares");
  EXPECT_EQ(chance.severity, Severity::kInfo);
  EXPECT_GT(chance.details["p_corrected"].get<double>(), 0.001);
  // By position: all of the last class comes last.
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return data_.labels()[a] < data_.labels()[b]; });
  Split& split = data_.stored_splits[0];
  split.train.assign(order.begin(), order.begin() + 6000);
  split.valid.assign(order.begin() + 6000, order.begin() + 9000);
  split.test.assign(order.begin() + 9000, order.end());
  const auto findings = audit_of(data_);
  EXPECT_EQ(find(findings, "split-class-shares").severity, Severity::kWarning);
  EXPECT_EQ(find(findings, "split-class-shares").details["worst_split"], 0);
  EXPECT_EQ(find(findings, "split-misses-class").count, 1);
}

// Against the sum over cells, and the tail in closed form.
TEST_F(SplitChecks, ChiSquaredIsPearsons) {
  Dataset small = clean_dataset(135);
  small.class_names() = {"0", "1"};
  Split split;
  Index next = 0;
  const Index counts[2][3] = {{30, 20, 10}, {20, 25, 30}};
  for (Index c = 0; c < 2; ++c) {
    for (Index p = 0; p < 3; ++p) {
      for (Index k = 0; k < counts[c][p]; ++k, ++next) {
        small.labels()[next] = c;
        (p == 0 ? split.train : p == 1 ? split.valid : split.test).push_back(next);
      }
    }
  }
  small.stored_splits = {split};
  const Finding finding = find(audit_of(small), "split-class-shares");
  double expected = 0;
  for (int c = 0; c < 2; ++c) {
    for (int p = 0; p < 3; ++p) {
      const double row = counts[c][0] + counts[c][1] + counts[c][2];
      const double column = counts[0][p] + counts[1][p];
      expected += std::pow(counts[c][p] - row * column / 135, 2) / (row * column / 135);
    }
  }
  EXPECT_NEAR(finding.details["chi_squared"].get<double>(), expected, 1e-9);
  // With two degrees of freedom the tail is exp(-x / 2); the approximation is good to a few
  // percent.
  EXPECT_NEAR(finding.details["p"].get<double>(), std::exp(-expected / 2), 2e-4);
}

}  // namespace
}  // namespace cupel
