#include "cupel/engine/program/builder.h"

#include "cupel/engine/program/op.h"

namespace cupel {

const Shape& Value::shape() const { return builder->program().nodes[id].shape; }

SpaceId Builder::space(const std::string& name) {
  program_.spaces.push_back({name, -1});
  return static_cast<SpaceId>(program_.spaces.size()) - 1;
}

SpaceId Builder::entry_space(Value sparse_constant) {
  const Node& node = program_.nodes[sparse_constant.id];
  require(node.kind == Node::Kind::kConstant && node.shape.layout == Layout::kSparse, "entry_space",
          "wants a sparse constant");
  for (std::size_t i = 0; i < program_.spaces.size(); ++i)
    if (program_.spaces[i].entries_of == sparse_constant.id) return static_cast<SpaceId>(i);
  program_.spaces.push_back({program_.constants[node.slot].name + " entries", sparse_constant.id});
  return static_cast<SpaceId>(program_.spaces.size()) - 1;
}

Value Builder::constant(const std::string& name, const Shape& shape) {
  program_.constants.push_back({name, shape});
  Node node;
  node.kind = Node::Kind::kConstant;
  node.slot = static_cast<int>(program_.constants.size()) - 1;
  node.shape = shape;
  program_.nodes.push_back(std::move(node));
  return {this, static_cast<int>(program_.nodes.size()) - 1};
}

Value Builder::parameter(Parameter parameter) {
  Node node;
  node.kind = Node::Kind::kParameter;
  node.slot = static_cast<int>(program_.parameters.size());
  node.shape = {Layout::kDense, kStaticSpace, parameter.rows, parameter.cols};
  program_.parameters.push_back(std::move(parameter));
  program_.nodes.push_back(std::move(node));
  return {this, static_cast<int>(program_.nodes.size()) - 1};
}

Value Builder::glorot(const std::string& name, Index rows, Index cols, double l2) {
  return parameter({name, rows, cols, Parameter::Init::kGlorotUniform, {}, l2});
}

Value Builder::zeros(const std::string& name, Index cols) {
  return parameter({name, 1, cols, Parameter::Init::kFill, {0.0f}, 0});
}

Value Builder::uniform(const std::string& name, Index rows, Index cols, Index fan_in, double l2) {
  return parameter({.name = name,
                    .rows = rows,
                    .cols = cols,
                    .init = Parameter::Init::kUniform,
                    .l2 = l2,
                    .fan = fan_in});
}

Value Builder::add_node(std::shared_ptr<const Op> op, const std::vector<Value>& inputs) {
  Node node;
  std::vector<Shape> shapes;
  for (const Value& input : inputs) {
    require(input.builder == this, op->name(), "mixes values of two programs");
    node.inputs.push_back(input.id);
    shapes.push_back(input.shape());
  }
  node.shape = op->shape(shapes);
  node.op = std::move(op);
  program_.nodes.push_back(std::move(node));
  return {this, static_cast<int>(program_.nodes.size()) - 1};
}

Program Builder::finish(Value output) {
  require(output.builder == this && output.shape().layout == Layout::kDense &&
              output.shape().space != kStaticSpace,
          "finish", "the output must be a dense value with one row per node, entry or graph");
  Program program = program_;
  program.output = output.id;
  return program;
}

}  // namespace cupel
