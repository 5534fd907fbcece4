// Parts of programs of temporal graph networks: the encoding of times, attention over neighbours,
// and the scorer of pairs. tgn_program.h and tgat_program.h have the equations.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/engine/program/builder.h"

namespace cupel {

// Phi(x)_i = cos(w_i x + b_i), w_i = 10^(-9 (i - 1) / (width - 1)) and b = 0 at first.
class TimeEncoding {
 public:
  TimeEncoding(Builder& b, Index width, bool trained);
  Value of(Value elapsed) const;  // rows x 1 -> rows x width
  Value of_nothing() const;       // Phi(0), 1 x width

 private:
  Value frequency_, phase_;
};

struct AttentionShape {
  std::string prefix;    // of the names of its parameters
  Index width = 100;     // of states, times, each head and what comes out
  Index sent = 200;      // columns of senders
  double dropout = 0;    // of weights of attention
  bool receives = true;  // whether receivers have states; else they are alike
  // As TGAT was released: queries, keys and values have no bias, and [state ; Phi(0)] is added to
  // what is attended to, before a normalisation of each row.
  bool residual = false;
};

// z = W_2 relu(W_1 [a ; x] + b_1) + b_2, a = W_o (two heads of softmax(q k / sqrt(d)) v) + b_o,
//   q = W_q [x ; Phi(0)], k = W_k s, v = W_v s, of receivers x and senders s.
// Linear layers have biases, and a is zero, not its bias, where nothing is attended to.
class TemporalAttention {
 public:
  TemporalAttention(Builder& b, const AttentionShape& shape);

  struct Over {
    Value receivers;  // rows x width; without use where there are none
    Value which;      // rows x receivers: the one of each row; none: rows are receivers
    Value senders;    // slots x sent
    Value slots;      // rows x slots: a constant
    Value attends;    // rows x 1: a constant, 1 where there is a slot, else 0
  };
  // relu(...): what the last layer is applied to, whose weights are asked for apart, so that they
  // can be multiplied by what follows.
  Value hidden(const Over& over, const TimeEncoding& times) const;
  Value last_weight() const { return last_; }
  Value last_bias() const { return last_bias_; }
  Value out(const Over& over, const TimeEncoding& times) const {
    return matmul(hidden(over, times), last_) + last_bias_;
  }

 private:
  Value attended(const Over& over, const TimeEncoding& times) const;
  Value merged(const Over& over, const TimeEncoding& times) const;

  AttentionShape shape_;
  Value query_, query_time_, query_bias_, attended_bias_, merge_attended_, merge_own_, merge_bias_,
      gain_, shift_, last_, last_bias_;
  std::vector<Value> keys_, values_, value_biases_, attended_;
};

// Constants of one of several layers. Rows of a layer are entities at a time.
struct LayerConstants {
  enum : int {
    kSlots,    // row x slot of the layer
    kAttends,  // row x 1: 1 if the row has a slot, else 0
    kElapsed,  // slot x 1: time
    kKinds,    // slot x kinds: one entry. Empty without kinds
    kOwn,      // row x row of the layer below: itself. Empty where there is none, as is the next
    kWith,     // slot x row of the layer below
    kCount
  };
};
// Appends them, over spaces of their own, for the layer of that number from 1 on.
void declare_layer(Builder& b, Index layer, Index kinds, std::vector<Value>& out);
// What a layer of these constants attends to: what the layer `below` gives (none: senders have no
// states), embeddings of `kinds` of facts (none: they have none), and times.
[[nodiscard]] TemporalAttention::Over layer_over(std::span<const Value> constants, Value below,
                                                 Value kinds, const TimeEncoding& times);

// logit(i, j) = w_4 relu(W_3 [z_i ; z_j ; e] + b_3) + b_4, e the embedding of a kind of facts.
// Where its parameters are among those of a program; -1: none.
struct PairScorerPlaces {
  int of_source = -1, of_target = -1, of_kind = -1, hidden_bias = -1, out = -1, out_bias = -1;
  int kinds = -1;  // kinds x width: the embeddings e
};

// What weights of the scorer start from: as TGN was released, or PyTorch's linear layers.
enum class PairScorerStart { kGlorot, kLinear };

class PairScorerTrace {
 public:
  // kinds: how many, 0 for none.
  PairScorerTrace(Builder& b, Index width, Index kinds,
                  PairScorerStart start = PairScorerStart::kGlorot);

  Value kinds() const { return kinds_; }  // only with kinds
  PairScorerPlaces places() const;
  // pairs x 1 from what the last layer of the embeddings is applied to. `sources` and `targets`
  // name a row each, `kinds` a kind.
  Value logits(const TemporalAttention& layer, Value hidden, Value sources, Value targets,
               Value kinds) const;
  // The same from embeddings, of which there may be fewer than pairs.
  Value logits(Value embeddings, Value sources, Value targets, Value kinds) const;

 private:
  Value scored(Value sum, Value bias, Value kinds) const;

  Builder* b_;
  Value source_, target_, of_kind_, hidden_bias_, out_, out_bias_, kinds_;
};

}  // namespace cupel
