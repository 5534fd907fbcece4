// Slow oracles of attention.h: edge tensors in double, softmax written out.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "cupel/engine/kernels/attention.h"

namespace cupel::reference {

// Attention with any score of (row, column, head), and gradients of out, scores and values.
struct Attention {
  const SparseView& a;
  ConstDenseView values;
  Index heads;
  std::vector<double> alpha;  // entries x heads

  Attention(const SparseView& pattern, ConstDenseView v, Index h,
            const std::function<double(Index, Index, Index)>& score)
      : a(pattern), values(v), heads(h), alpha(static_cast<std::size_t>(a.entries() * h)) {
    for (Index r = 0; r < a.rows; ++r) {
      for (Index head = 0; head < heads; ++head) {
        double most = -INFINITY, sum = 0;
        for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
          at(e, head) = score(r, a.columns[e], head);
          if (std::isnan(at(e, head)) || at(e, head) > most) most = at(e, head);
        }
        for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
          sum += at(e, head) = std::exp(at(e, head) - most);
        }
        for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) at(e, head) /= sum;
      }
    }
  }
  double& at(Offset e, Index head) { return alpha[static_cast<std::size_t>(e * heads + head)]; }

  void forward(DenseView out) {
    const Index d = out.cols / heads;
    for (Index r = 0; r < a.rows; ++r) {
      for (Index j = 0; j < out.cols; ++j) {
        double sum = 0;
        for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
          sum += at(e, j / d) * values.row(a.columns[e])[j];
        }
        out.row(r)[j] = static_cast<float>(sum);
      }
    }
  }

  // Calls f(r, c, head, gradient of the score); adds to the gradient of the values.
  template <class F>
  void backward(ConstDenseView g, std::vector<double>* grad_values, const F& f) {
    const Index d = values.cols / heads;
    grad_values->assign(static_cast<std::size_t>(values.rows) * values.cols, 0.0);
    for (Index r = 0; r < a.rows; ++r) {
      for (Index head = 0; head < heads; ++head) {
        std::vector<double> grad_alpha;
        double mean = 0;
        for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
          double dot = 0;
          for (Index j = head * d; j < (head + 1) * d; ++j) {
            const std::size_t to = static_cast<std::size_t>(a.columns[e]) * values.cols + j;
            (*grad_values)[to] += at(e, head) * g.row(r)[j];
            dot += double{g.row(r)[j]} * values.row(a.columns[e])[j];
          }
          grad_alpha.push_back(dot);
          mean += at(e, head) * dot;
        }
        for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
          const double dot = grad_alpha[static_cast<std::size_t>(e - a.row_ptr[r])];
          f(r, a.columns[e], head, at(e, head) * (dot - mean));
        }
      }
    }
  }
};

inline void put(const std::vector<double>& from, const DenseView& to) {
  if (to.data == nullptr) return;
  for (Index r = 0; r < to.rows; ++r) {
    for (Index j = 0; j < to.cols; ++j) {
      to.row(r)[j] = static_cast<float>(from[static_cast<std::size_t>(r) * to.cols + j]);
    }
  }
}

inline Attention additive(const SparseView& a, ConstDenseView receiver, ConstDenseView sender,
                          ConstDenseView values, float slope) {
  return {a, values, receiver.cols, [=](Index r, Index c, Index head) {
            const double x = double{receiver.row(r)[head]} + sender.row(c)[head];
            return x > 0 ? x : slope * x;
          }};
}

inline Attention dot(const SparseView& a, ConstDenseView receiver, ConstDenseView sender,
                     ConstDenseView values, Index heads, float factor) {
  const Index d = values.cols / heads;
  return {a, values, heads, [=](Index r, Index c, Index head) {
            double sum = 0;
            for (Index j = head * d; j < (head + 1) * d; ++j) {
              sum += double{receiver.row(r)[j]} * sender.row(c)[j];
            }
            return factor * sum;
          }};
}

inline void additive_attention(const SparseView& a, ConstDenseView receiver, ConstDenseView sender,
                               ConstDenseView values, float slope, DenseView out) {
  additive(a, receiver, sender, values, slope).forward(out);
}

inline void additive_attention_backward(const SparseView& a, ConstDenseView receiver,
                                        ConstDenseView sender, ConstDenseView values, float slope,
                                        ConstDenseView g,
                                        const kernels::AdditiveAttentionGradients& gradients) {
  const auto heads = static_cast<std::size_t>(receiver.cols);
  std::vector<double> of_receiver(a.rows * heads), of_sender(a.cols * heads), of_values;
  additive(a, receiver, sender, values, slope)
      .backward(g, &of_values, [&](Index r, Index c, Index head, double grad) {
        if (receiver.row(r)[head] + sender.row(c)[head] <= 0) grad *= slope;
        of_receiver[static_cast<std::size_t>(r) * heads + head] += grad;
        of_sender[static_cast<std::size_t>(c) * heads + head] += grad;
      });
  put(of_receiver, gradients.receiver);
  put(of_sender, gradients.sender);
  put(of_values, gradients.values);
}

inline void dot_attention(const SparseView& a, ConstDenseView receiver, ConstDenseView sender,
                          ConstDenseView values, Index heads, float factor, DenseView out) {
  dot(a, receiver, sender, values, heads, factor).forward(out);
}

inline void dot_attention_backward(const SparseView& a, ConstDenseView receiver,
                                   ConstDenseView sender, ConstDenseView values, Index heads,
                                   float factor, ConstDenseView g,
                                   const kernels::DotAttentionGradients& gradients) {
  const auto cols = static_cast<std::size_t>(values.cols);
  const Index d = values.cols / heads;
  std::vector<double> of_receiver(a.rows * cols), of_sender(a.cols * cols), of_values;
  dot(a, receiver, sender, values, heads, factor)
      .backward(g, &of_values, [&](Index r, Index c, Index head, double grad) {
        for (Index j = head * d; j < (head + 1) * d; ++j) {
          of_receiver[static_cast<std::size_t>(r) * cols + j] += factor * grad * sender.row(c)[j];
          of_sender[static_cast<std::size_t>(c) * cols + j] += factor * grad * receiver.row(r)[j];
        }
      });
  put(of_receiver, gradients.receiver);
  put(of_sender, gradients.sender);
  put(of_values, gradients.values);
}

}  // namespace cupel::reference
