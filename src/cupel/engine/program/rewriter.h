// What passes make new programs with.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "cupel/engine/program/op.h"
#include "cupel/engine/program/program.h"

namespace cupel {

// Copies a program value by value, with old ids mapped to new ones.
class Rewriter {
 public:
  explicit Rewriter(const Program& source) : source_(source), renamed_(source.nodes.size(), -1) {
    result_ = source;
    result_.nodes.clear();
  }
  int keep(int id) {
    Node node = source_.nodes[id];
    for (int& input : node.inputs) input = renamed_[input];
    return rename(id, add(std::move(node)));
  }
  int add(Node node) {
    result_.nodes.push_back(std::move(node));
    return static_cast<int>(result_.nodes.size()) - 1;
  }
  int add_op(std::shared_ptr<const Op> op, std::vector<int> inputs) {
    Node node;
    std::vector<Shape> shapes;
    for (const int input : inputs) shapes.push_back(result_.nodes[input].shape);
    node.shape = op->shape(shapes);
    node.op = std::move(op);
    node.inputs = std::move(inputs);
    return add(std::move(node));
  }
  // From here on, readers of old value `id` read new value `as`.
  int rename(int id, int as) { return renamed_[id] = as; }
  int renamed(int id) const { return renamed_[id]; }
  const Node& made(int id) const { return result_.nodes[id]; }
  Program finish() {
    result_.output = renamed_[source_.output];
    for (Space& space : result_.spaces)
      if (space.entries_of >= 0) space.entries_of = renamed_[space.entries_of];
    return std::move(result_);
  }

 private:
  const Program& source_;
  Program result_;
  std::vector<int> renamed_;
};

// By value: how often it is read, by ops and as the output.
inline std::vector<int> reader_counts(const Program& program) {
  std::vector<int> counts(program.nodes.size(), 0);
  for (const Node& node : program.nodes)
    for (const int input : node.inputs) ++counts[input];
  ++counts[program.output];
  return counts;
}

inline bool is_op(const Node& node, std::string_view name) {
  return node.kind == Node::Kind::kOp && node.op->name() == name;
}

}  // namespace cupel
