#include "cupel/engine/program/passes.h"

#include "cupel/engine/program/batch_norm_op.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/pair_dot_op.h"
#include "cupel/engine/program/pointwise_op.h"
#include "cupel/engine/program/rewriter.h"

namespace cupel {

Program without_dropout(const Program& program) {
  Rewriter out(program);
  for (std::size_t i = 0; i < program.nodes.size(); ++i) {
    const int id = static_cast<int>(i);
    const Node& node = program.nodes[i];
    if (node.kind == Node::Kind::kOp && node.op->only_training()) {
      std::vector<int> inputs;
      for (const int input : node.inputs) inputs.push_back(out.renamed(input));
      const auto form = node.op->evaluation_form();
      out.rename(id, form == nullptr ? inputs[0] : out.add_op(form, inputs));
    } else {
      out.keep(id);
    }
  }
  return out.finish();
}

Program order_products(const Program& program) {
  const std::vector<int> readers = reader_counts(program);
  Rewriter out(program);
  for (std::size_t i = 0; i < program.nodes.size(); ++i) {
    const int id = static_cast<int>(i);
    const Node& node = program.nodes[i];
    // The inner value as it now is: an earlier turn of this pass may have made it.
    const auto inner_of = [&](int input, std::string_view name) -> const Node* {
      const Node& inner = out.made(out.renamed(node.inputs[input]));
      return readers[node.inputs[input]] == 1 && is_op(inner, name) ? &inner : nullptr;
    };
    if (is_op(node, "matmul")) {
      if (const Node* inner = inner_of(0, "propagate")) {
        // (A h) w: move the propagation out while it is wider than w, through nested hops too.
        std::vector<int> adjacencies;
        int h = out.renamed(node.inputs[0]);
        const int w = out.renamed(node.inputs[1]);
        std::shared_ptr<const Op> hop = inner->op;
        while (is_op(out.made(h), "propagate")) {
          const Node& made = out.made(h);
          const Shape& shape = out.made(made.inputs[1]).shape;
          if (shape.space != made.shape.space) break;  // pooling leaves fewer rows to multiply
          if (shape.layout == Layout::kDense && shape.cols <= node.shape.cols) break;
          adjacencies.push_back(made.inputs[0]);
          h = made.inputs[1];
        }
        if (!adjacencies.empty()) {
          int value = out.add_op(node.op, {h, w});
          for (auto a = adjacencies.rbegin(); a != adjacencies.rend(); ++a)
            value = out.add_op(hop, {*a, value});
          out.rename(id, value);
          continue;
        }
      }
    } else if (is_op(node, "propagate")) {
      if (const Node* inner = inner_of(1, "matmul")) {
        const int h = inner->inputs[0], w = inner->inputs[1];
        const Shape shape = out.made(h).shape;
        const bool pools = shape.space != node.shape.space;
        if (shape.layout == Layout::kDense && (pools || shape.cols < inner->shape.cols)) {
          const auto product = inner->op;
          const int hop = out.add_op(node.op, {out.renamed(node.inputs[0]), h});
          out.rename(id, out.add_op(product, {hop, w}));
          continue;
        }
      }
    }
    out.keep(id);
  }
  return out.finish();
}

Program fuse_chains(const Program& program) {
  const std::vector<int> readers = reader_counts(program);
  Rewriter out(program);
  // Which input of a sum is a chain that the sum can join; -1: none.
  const auto chain_to_add = [&](const Node& sum) {
    for (const int k : {1, 0}) {
      const Node& before = out.made(out.renamed(sum.inputs[k]));
      const auto* chain = dynamic_cast<const Pointwise*>(before.op.get());
      if (chain != nullptr && readers[sum.inputs[k]] == 1 && Pointwise::can_add(chain->spec()))
        return k;
    }
    return -1;
  };
  for (std::size_t i = 0; i < program.nodes.size(); ++i) {
    const int id = static_cast<int>(i);
    const Node& node = program.nodes[i];
    const auto* second = dynamic_cast<const Pointwise*>(node.op.get());
    const auto* norm = dynamic_cast<const BatchNorm*>(node.op.get());
    if (norm != nullptr && !norm->spec().bias && readers[node.inputs[0]] == 1) {
      const Node& before = out.made(out.renamed(node.inputs[0]));
      const auto* chain = dynamic_cast<const Pointwise*>(before.op.get());
      if (chain != nullptr && chain->spec().only_bias()) {
        BatchNorm::Spec spec = norm->spec();
        spec.bias = true;
        std::vector<int> inputs = {before.inputs[0]};
        for (std::size_t k = 1; k < node.inputs.size(); ++k)
          inputs.push_back(out.renamed(node.inputs[k]));
        inputs.push_back(before.inputs[1]);
        out.rename(id, out.add_op(std::make_shared<BatchNorm>(spec), inputs));
        continue;
      }
    }
    if (second != nullptr && second->spec().only_relu() && readers[node.inputs[0]] == 1) {
      const Node& before = out.made(out.renamed(node.inputs[0]));
      norm = dynamic_cast<const BatchNorm*>(before.op.get());
      if (norm != nullptr && !norm->spec().relu) {
        BatchNorm::Spec spec = norm->spec();
        spec.relu = true;
        const std::vector<int> inputs = before.inputs;
        out.rename(id, out.add_op(std::make_shared<BatchNorm>(spec), inputs));
        continue;
      }
    }
    if (second != nullptr && readers[node.inputs[0]] == 1) {
      const Node& before = out.made(out.renamed(node.inputs[0]));
      const auto* first = dynamic_cast<const Pointwise*>(before.op.get());
      if (first != nullptr && Pointwise::fusible(first->spec(), second->spec())) {
        std::vector<int> inputs = {before.inputs[0]};  // no addend: that would not be fusible
        if (first->spec().bias) inputs.push_back(before.inputs[1]);
        if (second->spec().bias) inputs.push_back(out.renamed(node.inputs[1]));
        const auto spec = Pointwise::fused(first->spec(), second->spec());
        out.rename(id, out.add_op(std::make_shared<Pointwise>(spec), inputs));
        continue;
      }
    }
    if (const int chain = is_op(node, "add") ? chain_to_add(node) : -1; chain >= 0) {
      const Node& before = out.made(out.renamed(node.inputs[chain]));
      std::vector<int> inputs = before.inputs;
      inputs.insert(inputs.begin(), out.renamed(node.inputs[1 - chain]));
      auto spec = static_cast<const Pointwise&>(*before.op).spec();
      spec.addend = true;
      out.rename(id, out.add_op(std::make_shared<Pointwise>(spec), inputs));
      continue;
    }
    out.keep(id);
  }
  return out.finish();
}

Program fuse_gathers(const Program& program) {
  Rewriter out(program);
  for (std::size_t i = 0; i < program.nodes.size(); ++i) {
    const int id = static_cast<int>(i);
    const Node& node = program.nodes[i];
    if (is_op(node, "row-dot")) {
      const Node& a = out.made(out.renamed(node.inputs[0]));
      const Node& b = out.made(out.renamed(node.inputs[1]));
      if (is_op(a, "gather-rows") && is_op(b, "gather-rows") && a.inputs[1] == b.inputs[1]) {
        const std::vector<int> inputs = {a.inputs[0], b.inputs[0], a.inputs[1]};
        out.rename(id, out.add_op(std::make_shared<PairDot>(), inputs));
        continue;
      }
    }
    out.keep(id);
  }
  return out.finish();
}

Program drop_unread(const Program& program) {
  std::vector<bool> read(program.nodes.size(), false);
  read[program.output] = true;
  for (std::size_t i = program.nodes.size(); i-- > 0;)
    if (read[i])
      for (const int input : program.nodes[i].inputs) read[input] = true;
  // Entry spaces name their constant even where only their rows are used.
  for (const Space& space : program.spaces)
    if (space.entries_of >= 0) read[space.entries_of] = true;
  Rewriter out(program);
  for (std::size_t i = 0; i < program.nodes.size(); ++i)
    if (read[i]) out.keep(static_cast<int>(i));
  return out.finish();
}

std::vector<bool> hoistable(const Program& program) {
  std::vector<bool> constant(program.nodes.size());
  for (std::size_t i = 0; i < program.nodes.size(); ++i) {
    const Node& node = program.nodes[i];
    bool value = node.kind == Node::Kind::kConstant ||
                 (node.kind == Node::Kind::kOp && !node.op->is_random());
    for (const int input : node.inputs) value = value && constant[input];
    constant[i] = value;
  }
  return constant;
}

std::vector<bool> differentiable(const Program& program) {
  std::vector<bool> flows(program.nodes.size());
  for (std::size_t i = 0; i < program.nodes.size(); ++i) {
    const Node& node = program.nodes[i];
    flows[i] = node.kind == Node::Kind::kParameter && program.parameters[node.slot].trained;
    for (const int input : node.inputs) flows[i] = flows[i] || flows[input];
  }
  return flows;
}

Program compile(const Program& program, bool training) {
  Program result = training ? program : without_dropout(program);
  return drop_unread(fuse_gathers(fuse_chains(order_products(result))));
}

}  // namespace cupel
