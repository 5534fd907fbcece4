// What the four attention models of the heterophily paper share, beyond the frame of residual.h.
#pragma once

#include <algorithm>
#include <cmath>

#include "cupel/base/error.h"
#include "cupel/learn/models/nodes/residual.h"

namespace cupel {

// The arcs and one more self-loop for every node, also where there is one already: that is then two
// entries of one column, since attention counts entries.
inline Csr append_self_loops(const Csr& arcs) {
  Csr out;
  out.rows = out.cols = arcs.rows;
  for (Index i = 0; i < arcs.rows; ++i) {
    const auto targets = arcs.row_columns(i);
    const auto place = std::lower_bound(targets.begin(), targets.end(), i);
    out.columns.insert(out.columns.end(), targets.begin(), place);
    out.columns.push_back(i);
    out.columns.insert(out.columns.end(), place, targets.end());
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

// Row v: the sources of its incoming arcs.
inline Value incoming_arcs(GraphInputs& in, bool with_appended_loops) {
  if (with_appended_loops)
    return in.sparse("incoming arcs with appended self-loops",
                     [](const Csr& a, const Features&) { return transpose(append_self_loops(a)); });
  return in.sparse("incoming arcs",
                   [](const Csr& a, const Features&) { return pattern_of(transpose(a)); });
}

// Heads have columns of their own, side by side.
class ResidualAttention : public ResidualModel {
 public:
  explicit ResidualAttention(const Options& o)
      : ResidualModel(o), heads_(static_cast<Index>(o.integer("heads"))) {
    if (hidden() % heads_ != 0)
      fail("hidden = {} cannot be shared out to heads = {}; make it a multiple", hidden(), heads_);
  }

 protected:
  // Of GAT: a head scores an arc by a linear map of the whole Z at both ends, not by its own
  // columns. The released code gives column i to head i mod heads; here heads have contiguous
  // columns. That is the same model with the columns of W, the rows of both score matrices and the
  // rows of FF renumbered, all of which start exchangeable.
  Value additive(Builder& b, Value arcs, Value z, const std::string& name) const {
    const auto weight = [&](const char* end) {
      return b.uniform(name + end + ".w", hidden(), heads_, hidden());
    };
    // One walk over Z for both, and one over its gradient.
    const Value numbers = matmul(z, concat_columns({weight(".receiver"), weight(".sender")}));
    const Value receiver = columns(numbers, 0, heads_);
    const Value sender =
        columns(numbers, heads_, heads_) + b.uniform(name + ".sender.b", 1, heads_, hidden());
    return additive_attention(arcs, receiver, sender, z);
  }

  // Of the graph transformer: the query is that of an arc's source, the key that of its target.
  Value dot(Builder& b, Value arcs, Value y, const std::string& name) const {
    const Value query = linear(b, {y}, hidden(), name + ".query");
    const Value key = linear(b, {y}, hidden(), name + ".key");
    const Value value = linear(b, {y}, hidden(), name + ".value");
    const double factor = 1.0 / std::sqrt(static_cast<double>(hidden()) / heads_);
    return dot_attention(arcs, key, query, value, heads_, factor);
  }

 private:
  Index heads_;
};

inline std::vector<OptionSpec> residual_attention_options() {
  return residual_options({{.name = "heads",
                            .fallback = std::int64_t{8},
                            .doc = "Heads of attention, which share out the hidden width.",
                            .min = 1,
                            .max = 1024}});
}

inline constexpr const char* kAdditiveHead =
    "att(Z)_v of a head = sum over u -> v of alpha_uv Z_u, its columns of Z; alpha_.v the softmax "
    "over u of leaky_relu(p Z_u + c + q Z_v)";
inline constexpr const char* kDotHead =
    "att(Y)_v of a head = sum over u -> v of alpha_uv (Y_u W_v + b_v), its columns; alpha_.v the "
    "softmax over u of <Y_u W_q + b_q, Y_v W_k + b_k> / sqrt(d), d its columns";

inline Disagreement whole_width_disagreement() {
  return {"(no setting)",
          "In the GAT that the paper cites a head scores an arc by its own columns of Z. In the "
          "released code every head's p and q read all of Z, and there is no dropout of "
          "coefficients."};
}
inline Disagreement query_of_source_disagreement() {
  return {"(no setting)",
          "In a transformer the receiving node asks. In the released code the query is made from "
          "an arc's source and the key from its target, while the softmax is still over the "
          "sources; a bias of the query then changes nothing."};
}

}  // namespace cupel
