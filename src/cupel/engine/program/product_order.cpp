#include "cupel/engine/program/product_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cupel/engine/program/passes.h"
#include "cupel/engine/program/rewriter.h"

namespace cupel {
namespace {

// The chain that ends in value `last`; no hops if none does.
ProductOrder chain_to(const Program& program, int last, const std::vector<int>& readers,
                      const std::vector<bool>& once) {
  ProductOrder chain;
  int at = last;
  while (is_op(program.nodes[at], "propagate")) {
    const Node& hop = program.nodes[at];
    const int input = hop.inputs[1];
    const bool pools = program.nodes[input].shape.space != hop.shape.space;
    const bool fixed = program.nodes[hop.inputs[0]].kind == Node::Kind::kConstant;
    if (pools || !fixed || readers[input] != 1) return {};
    chain.hops.push_back(at);
    at = input;
  }
  const Node& product = program.nodes[at];
  if (chain.hops.empty() || !is_op(product, "matmul")) return {};
  const Node& x = program.nodes[product.inputs[0]];
  // A sparse value that is no constant has places of its own, which propagate does not know.
  const bool readable = x.kind == Node::Kind::kConstant || x.shape.layout == Layout::kDense;
  if (!readable || !once[product.inputs[0]] || once[product.inputs[1]]) return {};
  chain.product = at;
  chain.width = x.shape.cols;
  chain.columns = product.shape.cols;
  return chain;
}

std::vector<ProductOrder> chains_of(const Program& program) {
  const std::vector<int> readers = reader_counts(program);
  const std::vector<bool> once = hoistable(program);
  std::vector<ProductOrder> out;
  std::vector<bool> inside(program.nodes.size(), false);
  for (int id = static_cast<int>(program.nodes.size()) - 1; id >= 0; --id) {
    if (inside[id]) continue;
    ProductOrder chain = chain_to(program, id, readers, once);
    if (chain.hops.empty()) continue;
    for (const int hop : chain.hops) inside[hop] = true;
    out.push_back(std::move(chain));
  }
  std::reverse(out.begin(), out.end());
  return out;
}

class Counts {
 public:
  Counts(const Program& program, const Binding& binding)
      : program_(program),
        binding_(binding),
        sets_(program, binding.constants, binding.rows, binding.prune),
        flows_(differentiable(program)) {}

  void count(ProductOrder& chain) const {
    const Node& product = program_.nodes[chain.product];
    const RowSet& x_rows = *sets_.of(chain.product);
    const double width = chain.width, columns = chain.columns;
    for (const int hop : chain.hops) chain.rows.push_back(sets_.of(hop)->size());
    chain.rows.push_back(x_rows.size());

    const bool learns =
        binding_.gradients != nullptr && flows_[static_cast<std::size_t>(product.inputs[1])];
    const double passes = learns ? 2 : 1;  // what is as dear on the way back
    chain.hoisted = passes * chain.rows.front() * width * columns;
    if (const Csr* x = sparse_of(product.inputs[0]); x != nullptr)
      chain.narrow = entries(*x, x_rows) * columns * (kSparseCost + (learns ? kTransposedCost : 0));
    else
      chain.narrow = passes * x_rows.size() * width * columns;
    for (const int hop : chain.hops) {
      const double of_hop = entries(*sparse_of(program_.nodes[hop].inputs[0]), *sets_.of(hop));
      chain.narrow += passes * kSparseCost * of_hop * columns;
      const bool first = hop == chain.hops.back();
      chain.once += first ? once_of_first(hop, product.inputs[0]) : kWideCost * of_hop * width;
    }
    for (std::size_t k = 0; k < chain.hops.size(); ++k) {
      const double inner = k + 1 < chain.hops.size() ? chain.rows[k + 1] : 0;
      const double bytes = (chain.rows[k] + inner) * width * sizeof(float);
      chain.bytes = std::max(chain.bytes, static_cast<std::size_t>(bytes));
    }
  }

 private:
  const Csr* sparse_of(int value) const {
    const Node& node = program_.nodes[value];
    return node.kind == Node::Kind::kConstant ? binding_.constants[node.slot].sparse : nullptr;
  }

  static double entries(const Csr& matrix, const RowSet& rows) {
    double sum = 0;
    for (const Index row : rows.groups) sum += static_cast<double>(matrix.row_size(row));
    return sum;
  }

  // A X of the hop that reads x.
  double once_of_first(int hop, int x) const {
    const Csr& a = *sparse_of(program_.nodes[hop].inputs[0]);
    const RowSet& rows = *sets_.of(hop);
    const Csr* sparse = sparse_of(x);
    const double width = program_.nodes[x].shape.cols;
    if (sparse == nullptr) return kWideCost * entries(a, rows) * width;
    double sum = 0;
    for (const Index row : rows.groups)
      for (const Index column : a.row_columns(row))
        sum += static_cast<double>(sparse->row_size(column));
    return kScatteredCost * sum + kWideCost * rows.size() * width;
  }

  const Program& program_;
  const Binding& binding_;
  const RowSets sets_;
  const std::vector<bool> flows_;
};

}  // namespace

std::vector<ProductOrder> choose_product_orders(const Program& compiled, const Binding& binding,
                                                int replays) {
  if (binding.memory != nullptr || !binding.equal.empty()) return {};
  std::vector<ProductOrder> chains = chains_of(compiled);
  if (chains.empty()) return chains;
  const Counts counts(compiled, binding);
  for (ProductOrder& chain : chains) {
    counts.count(chain);
    chain.hoist = chain.bytes <= kHoistedBytes &&
                  kWorthwhile * (chain.once + replays * chain.hoisted) < replays * chain.narrow;
  }
  return chains;
}

Program order_products(Program compiled, const Binding& binding, int replays) {
  std::vector<const ProductOrder*> ends(compiled.nodes.size(), nullptr);
  const std::vector<ProductOrder> orders = choose_product_orders(compiled, binding, replays);
  for (const ProductOrder& order : orders)
    if (order.hoist) ends[order.hops.front()] = &order;
  if (std::ranges::none_of(orders, &ProductOrder::hoist)) return compiled;
  Rewriter out(compiled);
  for (int id = 0; id < static_cast<int>(compiled.nodes.size()); ++id) {
    if (ends[id] == nullptr) {
      out.keep(id);
      continue;
    }
    const Node& product = compiled.nodes[ends[id]->product];
    int value = out.renamed(product.inputs[0]);
    for (std::size_t k = ends[id]->hops.size(); k-- > 0;) {
      const Node& hop = compiled.nodes[ends[id]->hops[k]];
      value = out.add_op(hop.op, {out.renamed(hop.inputs[0]), value});
    }
    out.rename(id, out.add_op(product.op, {value, out.renamed(product.inputs[1])}));
  }
  return drop_unread(out.finish());
}

std::string to_text(const std::vector<ProductOrder>& orders) {
  std::string text;
  for (const ProductOrder& order : orders)
    text += fmt::format(
        "%{} = A^{} X W: rows {}, columns {} -> {}; narrow {:.1e}, hoisted {:.1e} and {:.1e} once, "
        "{:.1f} MiB; {}\n",
        order.hops.front(), order.hops.size(), fmt::join(order.rows, " <- "), order.width,
        order.columns, order.narrow, order.hoisted, order.once,
        static_cast<double>(order.bytes) / (1 << 20), order.hoist ? "hoisted" : "narrow");
  return text;
}

}  // namespace cupel
