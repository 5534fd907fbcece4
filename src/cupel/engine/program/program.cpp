#include "cupel/engine/program/program.h"

#include <fmt/format.h>

#include <stdexcept>

#include "cupel/engine/program/op.h"

namespace cupel {

std::string to_text(const Shape& shape) {
  const std::string rows =
      shape.space == kStaticSpace ? fmt::format("{}", shape.rows) : fmt::format("s{}", shape.space);
  return fmt::format("{}x{}{}", rows, shape.cols, shape.layout == Layout::kSparse ? " sparse" : "");
}

std::string Program::to_text() const {
  std::string text;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    std::string what;
    if (node.kind == Node::Kind::kConstant) what = constants[node.slot].name;
    if (node.kind == Node::Kind::kParameter) what = parameters[node.slot].name;
    if (node.kind == Node::Kind::kOp) what = fmt::format("{}", node.op->name());
    std::string inputs;
    for (const int input : node.inputs) inputs += fmt::format(" %{}", input);
    text += fmt::format("%{} = {}{} : {}\n", i, what, inputs, cupel::to_text(node.shape));
  }
  return text + fmt::format("output %{}\n", output);
}

kernels::RowBlocks blocks_of(const OperandSize& size) {
  return {size.set != nullptr ? size.set->ids.data() : nullptr, size.rows};
}

void require(bool ok, std::string_view op, std::string_view message) {
  if (!ok) throw std::logic_error(fmt::format("[{}] {}", op, message));
}

}  // namespace cupel
