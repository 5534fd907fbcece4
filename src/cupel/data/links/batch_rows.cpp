#include "cupel/data/links/batch_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/data/links/batch_rows.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::batch_rows::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A row of kBatch numbers in as many vectors as it takes.
template <class T>
struct Row {
  using Tag = hn::CappedTag<T, kBatch>;
  static constexpr std::size_t kLanes = hn::MaxLanes(Tag());
  static constexpr std::size_t kVectors = kBatch / kLanes;
  hn::Vec<Tag> part[kVectors];
};

// Calls body(v) for each vector of a row.
template <class T, class Body>
HWY_INLINE void Each(const Body& body) {
#pragma GCC unroll 8
  for (std::size_t v = 0; v < Row<T>::kVectors; ++v) body(v);
}

void Step(const Csr& links, const float* weight, const float* start, const float* from, float* to,
          float factor) {
  using R = Row<float>;
  const R::Tag d;
  const Offset* row_ptr = links.row_ptr.data();
  const Index* columns = links.columns.data();
  const auto f = hn::Set(d, factor);
  for (Index v = 0; v < links.rows; ++v) {
    R sum;
    Each<float>([&](std::size_t p) HWY_ATTR { sum.part[p] = hn::Zero(d); });
    for (Offset at = row_ptr[v]; at < row_ptr[v + 1]; ++at) {
      const float* row = from + static_cast<std::size_t>(columns[at]) * kBatch;
      Each<float>([&](std::size_t p) HWY_ATTR {
        sum.part[p] = hn::Add(sum.part[p], hn::Load(d, row + p * R::kLanes));
      });
    }
    const auto w = hn::Set(d, weight[v]);
    const std::size_t row = static_cast<std::size_t>(v) * kBatch;
    Each<float>([&](std::size_t p) HWY_ATTR {
      const std::size_t at = row + p * R::kLanes;
      const auto before = hn::Load(d, to + at);
      const auto wanted = hn::Add(hn::Mul(w, sum.part[p]), hn::Load(d, start + at));
      hn::Store(hn::Add(hn::Mul(f, hn::Sub(wanted, before)), before), d, to + at);
    });
  }
}

void Missing(const Csr& links, const double* weight, const float* of, float* missing) {
  using R = Row<double>;
  const R::Tag d;
  const hn::Rebind<float, R::Tag> df;
  const Offset* row_ptr = links.row_ptr.data();
  const Index* columns = links.columns.data();
  for (Index v = 0; v < links.rows; ++v) {
    R sum;
    Each<double>([&](std::size_t p) HWY_ATTR { sum.part[p] = hn::Zero(d); });
    for (Offset at = row_ptr[v]; at < row_ptr[v + 1]; ++at) {
      const float* row = of + static_cast<std::size_t>(columns[at]) * kBatch;
      Each<double>([&](std::size_t p) HWY_ATTR {
        sum.part[p] = hn::Add(sum.part[p], hn::PromoteTo(d, hn::Load(df, row + p * R::kLanes)));
      });
    }
    const auto w = hn::Set(d, weight[v]);
    const std::size_t row = static_cast<std::size_t>(v) * kBatch;
    Each<double>([&](std::size_t p) HWY_ATTR {
      const std::size_t at = row + p * R::kLanes;
      const auto there = hn::PromoteTo(d, hn::Load(df, of + at));
      hn::Store(hn::DemoteTo(df, hn::Sub(hn::Mul(w, sum.part[p]), there)), df, missing + at);
    });
  }
}

void Spread(Index rows, const Index* place, const double* outer, const double* inner,
            const float* a, const float* b, float* out) {
  using R = Row<double>;
  const R::Tag d;
  const hn::Rebind<float, R::Tag> df;
  for (Index i = 0; i < rows; ++i) {
    const std::size_t from = static_cast<std::size_t>(place[i]) * kBatch;
    const std::size_t to = static_cast<std::size_t>(i) * kBatch;
    const auto x = hn::Set(d, inner[i]), y = hn::Set(d, outer[i]);
    Each<double>([&](std::size_t p) HWY_ATTR {
      const std::size_t lane = p * R::kLanes;
      const auto sum = hn::Add(hn::PromoteTo(d, hn::Load(df, a + from + lane)),
                               hn::PromoteTo(d, hn::Load(df, b + from + lane)));
      hn::Store(hn::DemoteTo(df, hn::Mul(y, hn::Mul(x, sum))), df, out + to + lane);
    });
  }
}

Index FirstReaching(const float* rows, Index begin, Index end, const float* bounds) {
  using R = Row<float>;
  const R::Tag d;
  R least;
  Each<float>([&](std::size_t p) HWY_ATTR { least.part[p] = hn::Load(d, bounds + p * R::kLanes); });
  for (Index v = begin; v < end; ++v) {
    const float* row = rows + static_cast<std::size_t>(v) * kBatch;
    bool reached = false;
    Each<float>([&](std::size_t p) HWY_ATTR {
      reached |= !hn::AllFalse(d, hn::Ge(hn::Load(d, row + p * R::kLanes), least.part[p]));
    });
    if (reached) return v;
  }
  return end;
}

HWY_INLINE void AddProduct(double value, const double* asked, Row<double>& sum) {
  const Row<double>::Tag d;
  const auto x = hn::Set(d, value);
  Each<double>([&](std::size_t p) HWY_ATTR {
    const auto other = hn::Load(d, asked + p * Row<double>::kLanes);
    sum.part[p] = hn::Add(sum.part[p], hn::Mul(x, other));
  });
}

template <class Add>
HWY_INLINE void Products(Index rows, const double* scale, float* out, const Add& add) {
  using R = Row<double>;
  const R::Tag d;
  const hn::Rebind<float, R::Tag> df;
  for (Index v = 0; v < rows; ++v) {
    R sum;
    Each<double>([&](std::size_t p) HWY_ATTR { sum.part[p] = hn::Zero(d); });
    add(v, sum);
    const auto s = hn::Set(d, scale[v]);
    Each<double>([&](std::size_t p) HWY_ATTR {
      hn::Store(hn::DemoteTo(df, hn::Mul(sum.part[p], s)), df,
                out + static_cast<std::size_t>(v) * kBatch + p * R::kLanes);
    });
  }
}

void SparseProducts(const Csr& x, const double* asked, const double* scale, float* out) {
  const Offset* row_ptr = x.row_ptr.data();
  const Index* columns = x.columns.data();
  const float* values = x.is_pattern() ? nullptr : x.values.data();
  Products(x.rows, scale, out, [&](Index v, Row<double>& sum) HWY_ATTR {
    for (Offset at = row_ptr[v]; at < row_ptr[v + 1]; ++at)
      AddProduct(values == nullptr ? 1.0 : double{values[at]},
                 asked + static_cast<std::size_t>(columns[at]) * kBatch, sum);
  });
}

void DenseProducts(const Matrix& x, const double* asked, const double* scale, float* out) {
  Products(x.rows, scale, out, [&](Index v, Row<double>& sum) HWY_ATTR {
    const float* row = x.row(v);
    for (Index f = 0; f < x.cols; ++f)
      AddProduct(double{row[f]}, asked + static_cast<std::size_t>(f) * kBatch, sum);
  });
}

}  // namespace cupel::batch_rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::batch_rows {

HWY_EXPORT(Step);
HWY_EXPORT(Missing);
HWY_EXPORT(Spread);
HWY_EXPORT(FirstReaching);
HWY_EXPORT(SparseProducts);
HWY_EXPORT(DenseProducts);

void step(const Csr& links, const float* weight, const float* start, const float* from, float* to,
          float factor) {
  HWY_DYNAMIC_DISPATCH(Step)(links, weight, start, from, to, factor);
}

void missing(const Csr& links, const double* weight, const float* of, float* missing) {
  HWY_DYNAMIC_DISPATCH(Missing)(links, weight, of, missing);
}

void spread(Index rows, const Index* place, const double* outer, const double* inner,
            const float* a, const float* b, float* out) {
  HWY_DYNAMIC_DISPATCH(Spread)(rows, place, outer, inner, a, b, out);
}

Index first_reaching(const float* rows, Index begin, Index end, const float* bounds) {
  return HWY_DYNAMIC_DISPATCH(FirstReaching)(rows, begin, end, bounds);
}

void products(const Csr& x, const double* asked, const double* scale, float* out) {
  HWY_DYNAMIC_DISPATCH(SparseProducts)(x, asked, scale, out);
}

void products(const Matrix& x, const double* asked, const double* scale, float* out) {
  HWY_DYNAMIC_DISPATCH(DenseProducts)(x, asked, scale, out);
}

}  // namespace cupel::batch_rows
#endif
