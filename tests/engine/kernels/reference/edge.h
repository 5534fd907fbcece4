// Slow oracles of edge.h: sums in double, entries in order.
#pragma once

#include <cmath>
#include <vector>

#include "cupel/engine/kernels/edge.h"

namespace cupel::reference {

inline void add(float& to, double x) { to = static_cast<float>(to + x); }

// Calls f(r, e) for every entry.
template <class F>
void for_entries(const SparseView& a, F f) {
  for (Index r = 0; r < a.rows; ++r) {
    for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) f(r, static_cast<Index>(e));
  }
}

inline void edge_add(Threads, const SparseView& a, ConstDenseView receiver, ConstDenseView sender,
                     DenseView out) {
  for_entries(a, [&](Index r, Index e) {
    for (Index h = 0; h < out.cols; ++h) {
      out.row(e)[h] = receiver.row(r)[h] + sender.row(a.columns[e])[h];
    }
  });
}

inline void edge_sum_transposed(Threads, const SparseView& at, const Offset* entry,
                                ConstDenseView g, DenseView out) {
  for (Index c = 0; c < at.rows; ++c) {
    for (Index h = 0; h < g.cols; ++h) {
      double sum = 0;
      for (Offset k = at.row_ptr[c]; k < at.row_ptr[c + 1]; ++k) {
        sum += g.row(static_cast<Index>(entry != nullptr ? entry[k] : k))[h];
      }
      out.row(c)[h] = static_cast<float>(sum);
    }
  }
}

inline void edge_sum(Threads threads, const SparseView& a, ConstDenseView g, DenseView out) {
  edge_sum_transposed(threads, a, nullptr, g, out);
}

inline void edge_softmax(Threads, const SparseView& a, ConstDenseView in, DenseView out) {
  for (Index r = 0; r < a.rows; ++r) {
    for (Index h = 0; h < in.cols; ++h) {
      double most = -INFINITY, sum = 0;
      for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
        most = std::fmax(most, in.row(static_cast<Index>(e))[h]);
      }
      for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
        sum += std::exp(in.row(static_cast<Index>(e))[h] - most);
      }
      for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
        const auto i = static_cast<Index>(e);
        out.row(i)[h] = static_cast<float>(std::exp(in.row(i)[h] - most) / sum);
      }
    }
  }
}

// Sum over row r's entries of x(e, h) * y(e, h).
inline double row_dot(const SparseView& a, Index r, Index h, ConstDenseView x, ConstDenseView y) {
  double sum = 0;
  for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
    sum += double{x.row(static_cast<Index>(e))[h]} * y.row(static_cast<Index>(e))[h];
  }
  return sum;
}

inline void edge_softmax_backward(Threads, const SparseView& a, ConstDenseView out,
                                  ConstDenseView g, DenseView grad_in) {
  for_entries(a, [&](Index r, Index e) {
    for (Index h = 0; h < out.cols; ++h) {
      grad_in.row(e)[h] =
          static_cast<float>(out.row(e)[h] * (g.row(e)[h] - row_dot(a, r, h, out, g)));
    }
  });
}

inline void edge_normalise(Threads, const SparseView& a, float epsilon, ConstDenseView in,
                           DenseView out, DenseView sums) {
  for (Index r = 0; r < a.rows; ++r) {
    for (Index h = 0; h < in.cols; ++h) {
      double sum = epsilon;
      for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
        sum += in.row(static_cast<Index>(e))[h];
      }
      sums.row(r)[h] = static_cast<float>(sum);
      for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
        const auto i = static_cast<Index>(e);
        out.row(i)[h] = static_cast<float>(in.row(i)[h] / sum);
      }
    }
  }
}

inline void edge_normalise_backward(Threads, const SparseView& a, ConstDenseView out,
                                    ConstDenseView sums, ConstDenseView g, DenseView grad_in) {
  for_entries(a, [&](Index r, Index e) {
    for (Index h = 0; h < out.cols; ++h) {
      grad_in.row(e)[h] =
          static_cast<float>((g.row(e)[h] - row_dot(a, r, h, out, g)) / sums.row(r)[h]);
    }
  });
}

inline void edge_gather(Threads, const SparseView& a, ConstDenseView weight, ConstDenseView h,
                        bool sum_heads, DenseView out) {
  const Index heads = weight.cols, d = h.cols / heads;
  for (Index r = 0; r < a.rows; ++r) {
    std::vector<double> sum(static_cast<std::size_t>(out.cols));
    for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
      for (Index head = 0; head < heads; ++head) {
        const double w = weight.row(static_cast<Index>(e))[head];
        for (Index j = 0; j < d; ++j) {
          sum[static_cast<std::size_t>(sum_heads ? j : head * d + j)] +=
              w * h.row(a.columns[e])[head * d + j];
        }
      }
    }
    for (Index j = 0; j < out.cols; ++j) {
      out.row(r)[j] = static_cast<float>(sum[static_cast<std::size_t>(j)]);
    }
  }
}

inline void edge_gather_backward_values(Threads, const SparseView& at, const Offset* entry,
                                        ConstDenseView weight, ConstDenseView g, bool sum_heads,
                                        DenseView grad_h) {
  const Index heads = weight.cols, d = grad_h.cols / heads;
  for (Index c = 0; c < at.rows; ++c) {
    for (Index head = 0; head < heads; ++head) {
      for (Index j = 0; j < d; ++j) {
        double sum = 0;
        for (Offset k = at.row_ptr[c]; k < at.row_ptr[c + 1]; ++k) {
          sum += double{weight.row(static_cast<Index>(entry[k]))[head]} *
                 g.row(at.columns[k])[sum_heads ? j : head * d + j];
        }
        grad_h.row(c)[head * d + j] = static_cast<float>(sum);
      }
    }
  }
}

inline void edge_gather_backward_weights(Threads, const SparseView& a, ConstDenseView g,
                                         ConstDenseView h, bool sum_heads, DenseView grad_weight) {
  const Index heads = grad_weight.cols, d = h.cols / heads;
  for_entries(a, [&](Index r, Index e) {
    for (Index head = 0; head < heads; ++head) {
      double sum = 0;
      for (Index j = 0; j < d; ++j) {
        sum += double{g.row(r)[sum_heads ? j : head * d + j]} * h.row(a.columns[e])[head * d + j];
      }
      grad_weight.row(e)[head] = static_cast<float>(sum);
    }
  });
}

inline void head_dot(Threads, ConstDenseView h, ConstDenseView a, DenseView out) {
  for (Index i = 0; i < h.rows; ++i) {
    for (Index head = 0; head < a.rows; ++head) {
      double sum = 0;
      for (Index j = 0; j < a.cols; ++j)
        sum += double{h.row(i)[head * a.cols + j]} * a.row(head)[j];
      out.row(i)[head] = static_cast<float>(sum);
    }
  }
}

inline void head_dot_backward(Threads, ConstDenseView h, ConstDenseView a, ConstDenseView g,
                              DenseView grad_h, DenseView grad_a) {
  for (Index head = 0; head < a.rows; ++head) {
    for (Index j = 0; j < a.cols; ++j) {
      double sum = 0;
      for (Index i = 0; i < h.rows; ++i) {
        sum += double{g.row(i)[head]} * h.row(i)[head * a.cols + j];
        if (grad_h.data != nullptr)
          grad_h.row(i)[head * a.cols + j] = g.row(i)[head] * a.row(head)[j];
      }
      if (grad_a.data != nullptr) grad_a.row(head)[j] = static_cast<float>(sum);
    }
  }
}

inline void gaussian_kernels(Threads, ConstDenseView v, ConstDenseView mu, ConstDenseView sigma,
                             DenseView out) {
  for (Index i = 0; i < v.rows; ++i) {
    for (Index k = 0; k < mu.rows; ++k) {
      double sum = 0;
      for (Index q = 0; q < v.cols; ++q) {
        const double s = sigma.row(k)[q], x = double{v.row(i)[q]} - mu.row(k)[q];
        sum += x * x / (1e-14 + s * s);
      }
      out.row(i)[k] = static_cast<float>(std::exp(-0.5 * sum));
    }
  }
}

inline void gaussian_kernels_backward(ConstDenseView v, ConstDenseView mu, ConstDenseView sigma,
                                      ConstDenseView out, ConstDenseView g, DenseView grad_v,
                                      DenseView grad_mu, DenseView grad_sigma) {
  for (Index i = 0; i < v.rows; ++i) {
    for (Index k = 0; k < mu.rows; ++k) {
      const double weight = double{g.row(i)[k]} * out.row(i)[k];
      for (Index q = 0; q < v.cols; ++q) {
        const double s = sigma.row(k)[q], x = double{v.row(i)[q]} - mu.row(k)[q];
        const double inverse = 1.0 / (1e-14 + s * s);
        if (grad_v.data != nullptr) add(grad_v.row(i)[q], -weight * x * inverse);
        if (grad_mu.data != nullptr) add(grad_mu.row(k)[q], weight * x * inverse);
        if (grad_sigma.data != nullptr) {
          add(grad_sigma.row(k)[q], weight * x * x * s * inverse * inverse);
        }
      }
    }
  }
}

}  // namespace cupel::reference
