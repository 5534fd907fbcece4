// Writing models down: values, and the functions that make new ones from them.
#pragma once

#include <string>
#include <vector>

#include "cupel/engine/kernels/pointwise.h"
#include "cupel/engine/program/program.h"

namespace cupel {

class Builder;

// A handle on one value of a program being traced. Cheap to copy; valid as long as its builder.
struct Value {
  Builder* builder = nullptr;
  int id = -1;
  const Shape& shape() const;
};

// Traces one program. Not thread-safe.
class Builder {
 public:
  // A row space such as "node"; an entry space has the stored entries of a sparse constant as rows.
  SpaceId space(const std::string& name);
  SpaceId entry_space(Value sparse_constant);

  Value constant(const std::string& name, const Shape& shape);
  // rows x cols, Glorot uniform: U(-a, a) with a = sqrt(6 / (rows + cols)).
  Value glorot(const std::string& name, Index rows, Index cols, double l2 = 0);
  Value zeros(const std::string& name, Index cols);  // 1 x cols: a bias
  // rows x cols, U(-1/sqrt(fan_in), 1/sqrt(fan_in)): what PyTorch's linear layers start from, both
  // for a weight (fan_in = rows) and for a bias.
  Value uniform(const std::string& name, Index rows, Index cols, Index fan_in, double l2 = 0);
  // 2 x cols, zeros over ones, not trained: what batch_norm() keeps of the batches that it saw.
  Value running_moments(const std::string& name, Index cols);
  Value parameter(Parameter parameter);

  // Each element is zero with probability p, else scaled by 1 / (1 - p); the identity when
  // evaluated, unless `when_evaluated`. On sparse values only stored entries are drawn. Every call
  // has its own random stream.
  Value dropout(Value x, double p, bool when_evaluated = false);

  Value add_node(std::shared_ptr<const Op> op, const std::vector<Value>& inputs);
  std::uint32_t next_purpose() { return next_purpose_++; }

  const Program& program() const { return program_; }
  [[nodiscard]] Program finish(Value output);

 private:
  Program program_;
  std::uint32_t next_purpose_ = 16;  // below: initialisation
};

[[nodiscard]] std::shared_ptr<const Op> make_matmul();
[[nodiscard]] std::shared_ptr<const Op> make_propagate();

// Sum; a static 1 x cols right side is added to every row (a bias).
Value operator+(Value a, Value b);
Value activation(Value x, kernels::Activation kind);
inline Value relu(Value x) { return activation(x, kernels::Activation::kRelu); }
inline Value elu(Value x) { return activation(x, kernels::Activation::kElu); }
inline Value leaky_relu(Value x) { return activation(x, kernels::Activation::kLeakyRelu); }
inline Value tanh(Value x) { return activation(x, kernels::Activation::kTanh); }

// x w: x sparse or dense, w static.
Value matmul(Value x, Value w);
// The same for w of `heads` (at most 8) equal blocks of columns, each with its own dropout of x's
// entries: [drop_1(x) W_1 | drop_2(x) W_2 | ...]. x is a sparse constant.
Value headwise_product(Value x, Value w, Index heads, double p);
// A h: row r is the sum over entries (r, c) of A of value * h(c). The rows of A may be of another
// space than those of h: graphs of a set x their nodes pools.
Value propagate(Value adjacency, Value h);
// The same where each entry of A is left out with probability p, and otherwise scaled by
// 1 / (1 - p); A h when evaluated. h is dense. Every call has its own random stream.
Value propagate_dropped(Value adjacency, Value h, double p);
// Row r: the row of `table`, a static value, that row r of `selection` names: a sparse constant of
// one entry a row, without values.
Value gather_rows(Value selection, Value table);
// Row r of x (of an even width d) times the matrix of 2 x 2 blocks that row r of `selection` names:
// a row of `table`, which is static and 2 d wide. block_product.h in kernels/ says how it lies.
Value block_product(Value selection, Value x, Value table);
// rows x 1: the inner product of each row of a with the same row of b; same shapes.
Value row_dot(Value a, Value b);
// Side by side: rows x sum of the columns.
Value concat_columns(const std::vector<Value>& parts);
// Each row divided by max(1, its 2-norm). `nan_at_zero`: the gradient of an exactly zero row is
// NaN.
Value clip_row_norms(Value x, bool nan_at_zero);
// Element-wise product. b is of the same shape, or of the same rows and one column (a factor for
// each row), or static: 1 x cols (for each column) or 1 x 1.
Value operator*(Value a, Value b);
Value operator-(Value a, Value b);  // same shapes
// factor * x + offset, element by element.
Value affine(Value x, double factor, double offset = 0);
// Of any shape, element by element.
Value gelu(Value x);  // x Phi(x), by the error function
Value sigmoid(Value x);
Value softplus(Value x);  // log(1 + exp(x)), without overflow
Value absolute(Value x);  // derivative 0 at 0
Value cosine(Value x);    // also of arguments of many turns
// A gated recurrent unit behind its linear layers (Cho et al. 2014, as PyTorch has it): with the
// columns of `in`, 3 d, as [a ; b ; c], out = n + z (state - n), z = sigmoid(b),
// n = tanh(c + sigmoid(a) again). `again`, what the state says to n, and the state have d columns.
Value gru(Value in, Value again, Value state);
// Softmax over the columns of each row.
Value softmax_rows(Value x);
// Each row divided by max(epsilon, its 2-norm).
Value normalise_rows(Value x, double epsilon);
// (x - mean) / sqrt(variance + 1e-5) over the columns of each row (variance divided by cols), times
// gain, plus shift; both static 1 x cols. Ba, Kiros and Hinton 2016.
Value layer_norm(Value x, Value gain, Value shift);
// The same over the rows of the binding, column by column, in training; which also moves `running`
// (2 x cols, running_moments()) a tenth of the way to the batch's mean and unbiased variance,
// unless the batch is a single row. Evaluated, by the running moments. Ioffe and Szegedy 2015, with
// the constants of PyTorch's BatchNorm1d.
Value batch_norm(Value x, Value gain, Value shift, Value running);
// Columns [first, first + count).
Value columns(Value x, Index first, Index count);
// sum over k of coefficients(k, .) * parts[k]; coefficients: static, parts x 1 or parts x cols.
Value weighted_sum(const std::vector<Value>& parts, Value coefficients);
// Static results. One element of a static value, 1 x 1.
Value element(Value x, Index row, Index col);
Value stack_rows(const std::vector<Value>& parts);  // static values of equal width, on top
Value transposed(Value x);                          // of a static value
Value column_sums(Value x);                         // 1 x cols, over every row of the space
// a^T b over every row of the space they share: a.cols x b.cols.
Value inner_products(Value a, Value b);
// Inverse of a small square static value, by LU in double. Singular: a value that is not finite.
Value inverse(Value x);
Value add_diagonal(Value x, double by);  // square static
// The mean over every row of the space of KL(N(mu, diag(exp(log_std))^2) || N(0, I)): the sum over
// the columns of (mu^2 + exp(2 log_std) - 1 - 2 log_std) / 2. Static, 1 x 1; same shapes.
Value gaussian_divergence(Value mu, Value log_std);
// A draw from N(mu, diag(exp(log_std))^2) for each row, mu when evaluated; same shapes. Gradients
// flow to both (Kingma and Welling 2014, section 2.4). Every call has its own random stream.
Value sample_gaussian(Value mu, Value log_std);
// The rows of x in a random order, a new one for each step, over all rows of the binding; x itself
// when evaluated. Every call has its own random stream. x is dense and not of an entry space.
Value shuffle_rows(Value x);
// x itself, whose gradient step also descends `penalty`: the loss gains the static 1 x 1 value.
Value with_penalty(Value x, Value penalty);

// Attention over the entries (r, c) of an adjacency, row r receives, head by head of cols / heads
// contiguous columns; out row r = sum over c of alpha(r, c) values(c), alpha the softmax over the
// entries of r of the scores. Keeps two numbers for each row and head, not one for each entry.
// A row without entries gets zeros.
// Additive: score = leaky_relu(receiver(r, head) + sender(c, head)), slope 0.2; both nodes x heads.
Value additive_attention(Value adjacency, Value receiver, Value sender, Value values);
// Dot product: score = factor * <receiver(r), sender(c)>, head by head. The columns of the
// adjacency may name rows of another space than its own, over which senders and values then are.
Value dot_attention(Value adjacency, Value receiver, Value sender, Value values, Index heads,
                    double factor);

// Attention whose heads share senders, which are the values too: receiver has heads * d columns, x
// d, and columns [h d, (h + 1) d) of out row r are sum over c of alpha(r, c) x(c), alpha the
// softmax over the entries of r of factor * <receiver_h(r), x(c)>. Projections of keys and values
// by each head are linear, so that they can be taken to the receiver, and behind the sum, which
// costs what receivers cost and not what senders do. Each alpha is zero with probability p, else
// scaled by 1 / (1 - p), and itself when evaluated. At most 8 heads. A row without entries gets
// zeros.
Value shared_attention(Value adjacency, Value receiver, Value x, Index heads, double factor,
                       double p = 0);

// Recurrence over the entries (r, c) of `sequences`, a constant, in the order in which they stand:
// row r of the result is the last state of a gated recurrent unit that starts from zeros and takes
// of_columns(c) + of_rows(r) in at each; zeros without entries. of_columns and of_rows have 3 d
// columns; weights: static, d x 3 d; bias: static, 1 x 3 d (gru_sequence.h in kernels/ has the
// equations). Rows may share what they go through, which is then computed once. Keeps 5 d numbers
// for each entry, in memory that the thread's next binding takes over.
Value gru_sequence(Value sequences, Value of_columns, Value of_rows, Value weights, Value bias);

// Element-wise maximum over the neighbours; `pad_row` >= 0 takes part in every row with fewer
// entries than the widest row has.
Value neighbour_max(Value adjacency, Value h, Index pad_row);

// Per-entry values of an adjacency: entries x heads.
Value edge_add(Value adjacency, Value receiver, Value sender);
Value edge_softmax(Value adjacency, Value scores);
// nodes x heads: the sum of each row's entries.
Value edge_sum(Value adjacency, Value weights);
Value edge_normalise(Value adjacency, Value weights, double epsilon);
// Row r: sum over the entries e = (r, c) of value(e) * relu(h(c) + arcs(e) w + bias). arcs: a
// constant of the entries. Keeps nothing for each entry.
Value relu_messages(Value adjacency, Value h, Value arcs, Value w, Value bias);
// h: nodes x heads * d. Heads side by side, or summed.
Value edge_gather(Value adjacency, Value weights, Value h, bool sum_heads);
// n x heads from h (n x heads * d) and a (heads x d): each head's inner product.
Value head_dot(Value h, Value a);
// entries x kernels from v (entries x q), mu and sigma (kernels x q).
Value gaussian_kernels(Value v, Value mu, Value sigma);

}  // namespace cupel
