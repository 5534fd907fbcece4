// What tracing the programs of RE-Net's forms has in common.
#pragma once

#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "cupel/engine/program/builder.h"
#include "cupel/learn/events/re_net/history_shape.h"

namespace cupel {

// Constants are in the order in which they are made. Not thread-safe.
class HistoryTrace {
 public:
  explicit HistoryTrace(const ReNetShape& shape) : shape_(shape), d_(shape.width) {}

 protected:
  // Columns that name rows of another space: there are as many as rows are bound.
  void sparse(const std::string& name, SpaceId space, Index cols = 0) {
    constants_.push_back(b_.constant(name, {Layout::kSparse, space, 0, cols}));
  }
  void dense(const std::string& name, SpaceId space, Index cols) {
    constants_.push_back(b_.constant(name, {Layout::kDense, space, 0, cols}));
  }
  Value own(int constant) const { return constants_[static_cast<std::size_t>(constant)]; }
  int slot_of(Value v) const { return b_.program().nodes[static_cast<std::size_t>(v.id)].slot; }
  Value xavier(const std::string& name, Index rows, Index cols) {
    Parameter p;
    p.name = name, p.rows = rows, p.cols = cols, p.l2 = shape_.l2;
    p.gain = std::numbers::sqrt2;
    return b_.parameter(std::move(p));
  }
  // As PyTorch's linear layers and recurrences start.
  Value uniform(const std::string& name, Index rows, Index cols, Index fan_in) {
    return b_.uniform(name, rows, cols, fan_in, shape_.l2);
  }
  Value drop(Value x) { return b_.dropout(x, shape_.dropout); }

  ReNetShape shape_;
  Index d_;
  Builder b_;
  std::vector<Value> constants_;
};

}  // namespace cupel
