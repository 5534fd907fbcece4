// Attention over neighbours as PyTorch Geometric's TransformerConv has it, by which its example of
// TGN embeds entities.
//
// Shi, Huang, Feng, Zhong, Wang and Sun, "Masked Label Prediction: Unified Message Passing Model
// for Semi-Supervised Classification", 2021, equations 3 to 5. Of receivers x and senders [y ; e],
// with c = width / 2 columns for each of two heads:
//   z = W x + b + [head 1 ; head 2],
//   head = sum over senders of a (W_v y + b_v + W_e e),
//   a = softmax of (W_q x + b_q) (W_k y + b_k + W_e e) / sqrt(c)
// b_k says the same to all senders of a receiver, and so nothing; it is no parameter here. W_e is
// one for keys and values.
#pragma once

#include "cupel/engine/program/builder.h"

namespace cupel {

class TransformerLayer {
 public:
  // width: of x, y and z, even. edge: of e. dropout: of weights of attention.
  TransformerLayer(Builder& b, Index width, Index edge, double dropout);

  struct Over {
    Value receivers;  // rows x width
    Value senders;    // slots x (width + edge)
    Value slots;      // rows x slots: a constant
    Value attends;    // rows x 1: a constant, 1 where there is a slot, else 0
  };
  [[nodiscard]] Value out(const Over& over) const;  // rows x width

 private:
  Index width_;
  double dropout_;
  Value query_, query_bias_, key_, value_, value_bias_, edge_, skip_, skip_bias_;
};

}  // namespace cupel
