#include "cupel/data/features/features.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/base/random.h"
#include "cupel/base/registry.h"
#include "cupel/data/features/parts.h"

namespace cupel {

#include "feature_registry.inc"

namespace {

constexpr float kOfConstant = 0.01f;  // what a standardised constant column holds

const char* rows_of(bool of_graphs) { return of_graphs ? "graphs" : "nodes"; }

struct Term {
  const FeatureKind* kind;
  std::string text;
  Options settings;
};

std::vector<std::string> parted(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (;;) {
    const std::size_t at = std::min(text.find(separator, from), text.size());
    std::string part = text.substr(from, at - from);
    const std::size_t first = part.find_first_not_of(' ');
    part = first == std::string::npos ? ""
                                      : part.substr(first, part.find_last_not_of(' ') - first + 1);
    parts.push_back(std::move(part));
    if (at == text.size()) return parts;
    from = at + 1;
  }
}

const FeatureKind& find_kind(const std::string& name, bool of_graphs) {
  std::vector<std::string> known;
  bool elsewhere = false;
  for (const FeatureKind* kind : feature_kinds()) {
    if (kind->of_graphs != of_graphs) {
      elsewhere = elsewhere || kind->name == name;
      continue;
    }
    if (kind->name == name) return *kind;
    known.push_back(kind->name);
  }
  if (elsewhere) {
    fail("features: '{}' belongs to {}, and here features of {} are wanted; there are {}", name,
         rows_of(!of_graphs), rows_of(of_graphs), fmt::join(known, ", "));
  }
  fail("features: no feature of {} is called '{}'{}", rows_of(of_graphs), name,
       near_or_all(name, known));
}

Term parse_term(const std::string& text, const std::string& composition, bool of_graphs) {
  if (text.empty()) {
    fail("features: '{}' has an empty term; write names with commas between, as in '{}'",
         composition, of_graphs ? "average-degree,size" : "labels,degree");
  }
  const std::size_t colon = text.find(':');
  const FeatureKind& kind = find_kind(text.substr(0, colon), of_graphs);
  std::vector<OptionSpec> settings = kind.settings;
  settings.push_back({.name = "standardise",
                      .fallback = std::string("none"),
                      .doc = "centre and scale each column within each graph, or over all rows",
                      .choices = of_graphs ? std::vector<std::string>{"none", "all"}
                                           : std::vector<std::string>{"none", "graph", "all"}});
  settings.push_back({"shuffle",
                      std::int64_t{-1},
                      "seed with which rows are drawn, with replacement; -1: not shuffled",
                      -1,
                      4294967295.0,
                      {}});
  const std::vector<std::string> given =
      colon == std::string::npos ? std::vector<std::string>{} : parted(text.substr(colon + 1), ';');
  return {&kind, text, parse_options("feature '" + text + "'", settings, given)};
}

Features shuffled(const Features& features, std::int64_t seed) {
  Stream stream(stream_key(fmt::format("features/shuffle/{}", seed)), 1);
  if (const auto* dense = std::get_if<Matrix>(&features)) {
    Matrix out(dense->rows, dense->cols);
    for (Index i = 0; i < out.rows; ++i) {
      const auto from = static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(out.rows)));
      std::copy_n(dense->row(from), out.cols, out.row(i));
    }
    return out;
  }
  const auto& sparse = std::get<Csr>(features);
  Csr out;
  out.rows = sparse.rows;
  out.cols = sparse.cols;
  out.row_ptr.reserve(sparse.row_ptr.size());
  for (Index i = 0; i < out.rows; ++i) {
    const auto from = static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(out.rows)));
    for (Offset at = sparse.row_ptr[from]; at < sparse.row_ptr[from + 1]; ++at) {
      out.columns.push_back(sparse.columns[static_cast<std::size_t>(at)]);
      if (!sparse.is_pattern()) out.values.push_back(sparse.value(at));
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

// Rows [begin, end). Sums in double, mean first: what is constant comes out as exactly constant.
void standardise(Matrix& m, Index begin, Index end) {
  const double rows = end - begin;
  for (Index j = 0; j < m.cols; ++j) {
    double sum = 0, squares = 0;
    for (Index i = begin; i < end; ++i) sum += m(i, j);
    const double mean = sum / rows;
    bool constant = true;
    for (Index i = begin; i < end; ++i) {
      squares += (m(i, j) - mean) * (m(i, j) - mean);
      constant = constant && m(i, j) == m(begin, j);
    }
    const double deviation = std::sqrt(squares / rows);
    for (Index i = begin; i < end; ++i)
      m(i, j) = constant ? kOfConstant : static_cast<float>((m(i, j) - mean) / deviation);
  }
}

Matrix dense(const Features& features, const std::string& text) {
  if (const auto* matrix = std::get_if<Matrix>(&features)) return *matrix;
  const auto& sparse = std::get<Csr>(features);
  check_dense(sparse.rows, sparse.cols, fmt::format("feature '{}'", text), "use it alone");
  Matrix out(sparse.rows, sparse.cols);
  for (Index i = 0; i < sparse.rows; ++i) {
    for (Offset at = sparse.row_ptr[i]; at < sparse.row_ptr[i + 1]; ++at)
      out(i, sparse.columns[static_cast<std::size_t>(at)]) = sparse.value(at);
  }
  return out;
}

// Sums and products of finite numbers may be larger than a float32 holds.
void check_finite(const Features& features, const std::string& text) {
  const auto values = std::visit([](const auto& m) { return std::span(m.values); }, features);
  const auto bad = std::ranges::find_if_not(values, [](float v) { return std::isfinite(v); });
  if (bad != values.end()) {
    fail(
        "feature '{}': it has {} for a value, and features are finite as float32; leave it out or "
        "scale what it is made from",
        text, *bad);
  }
}

Features make_term(const FeatureSource& source, const Term& term) {
  Features made = term.kind->make(source, term.settings);
  check_finite(made, term.text);
  if (const std::int64_t seed = term.settings.integer("shuffle"); seed >= 0)
    made = shuffled(made, seed);
  const std::string& how = term.settings.text("standardise");
  if (how == "none") return made;
  Matrix m = dense(made, term.text);
  if (how == "all") {
    standardise(m, 0, m.rows);
  } else {
    const std::vector<Index> start = graph_starts(source);
    for (std::size_t g = 0; g + 1 < start.size(); ++g) standardise(m, start[g], start[g + 1]);
  }
  return m;
}

Features side_by_side(std::vector<Features> parts, const std::vector<Term>& terms) {
  if (parts.size() == 1) return std::move(parts[0]);
  const bool sparse = std::ranges::all_of(
      parts, [](const Features& part) { return std::holds_alternative<Csr>(part); });
  std::int64_t columns = 0;
  Index rows = 0;
  for (const Features& part : parts) {
    columns += feature_count(part);
    rows = std::visit([](const auto& m) { return m.rows; }, part);
  }
  if (sparse) {
    Csr out;
    out.rows = rows;
    const bool pattern = std::ranges::all_of(
        parts, [](const Features& part) { return std::get<Csr>(part).is_pattern(); });
    for (Index i = 0; i < rows; ++i) {
      Index before = 0;
      for (const Features& each : parts) {
        const Csr& part = std::get<Csr>(each);
        for (Offset at = part.row_ptr[i]; at < part.row_ptr[i + 1]; ++at) {
          out.columns.push_back(before + part.columns[static_cast<std::size_t>(at)]);
          if (!pattern) out.values.push_back(part.value(at));
        }
        before += part.cols;
      }
      out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
    }
    out.cols = static_cast<Index>(columns);
    return out;
  }
  check_dense(rows, columns, "features", "leave out a wide term");
  Matrix out(rows, static_cast<Index>(columns));
  Index before = 0;
  for (std::size_t t = 0; t < parts.size(); ++t) {
    const Matrix part = dense(parts[t], terms[t].text);
    for (Index i = 0; i < rows; ++i) std::copy_n(part.row(i), part.cols, out.row(i) + before);
    before += part.cols;
  }
  return out;
}

std::vector<Term> terms_of(const std::string& composition, bool of_graphs) {
  std::vector<Term> terms;
  for (const std::string& text : parted(composition, ','))
    terms.push_back(parse_term(text, composition, of_graphs));
  return terms;
}

Features composed(const FeatureSource& source, const std::string& composition, bool of_graphs) {
  const std::vector<Term> terms = terms_of(composition, of_graphs);
  std::vector<Features> parts;
  for (const Term& term : terms) parts.push_back(make_term(source, term));
  return side_by_side(std::move(parts), terms);
}

}  // namespace

const std::vector<const FeatureKind*>& feature_kinds() {
  static const std::vector<const FeatureKind*> all =
      sorted_entries(feature_registry(), [](const FeatureKind* kind) {
        return std::pair<const std::string&, bool>(kind->name, kind->of_graphs);
      });
  return all;
}

void check_node_features(const std::string& composition) { (void)terms_of(composition, false); }

void check_graph_features(const std::string& composition) { (void)terms_of(composition, true); }

Features node_features(const FeatureSource& source, const std::string& composition) {
  return composed(source, composition, false);
}

Matrix graph_features(const FeatureSource& source, const std::string& composition) {
  return dense(composed(source, composition, true), composition);
}

}  // namespace cupel
