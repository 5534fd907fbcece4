// What became of a data set that was written and read again.
#include <algorithm>
#include <map>
#include <set>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/export/graph_formats.h"
#include "cupel/data/facts/facts.h"

namespace cupel {
namespace {

bool same_matrix(const Csr& a, const Csr& b) {
  if (a.rows != b.rows || a.cols != b.cols || a.row_ptr != b.row_ptr || a.columns != b.columns)
    return false;
  for (Offset at = 0; at < a.entries(); ++at) {
    if (a.value(at) != b.value(at)) return false;
  }
  return true;
}

bool same_matrix(const Matrix& a, const Matrix& b) {
  return a.rows == b.rows && a.cols == b.cols && std::ranges::equal(a.values, b.values);
}

// Zeros that are stored are none.
bool same_row(const Csr& sparse, const Matrix& dense, Index i) {
  Index c = 0;
  for (Offset at = sparse.row_ptr[i]; at < sparse.row_ptr[i + 1]; ++at) {
    for (; c < sparse.columns[static_cast<std::size_t>(at)]; ++c) {
      if (dense(i, c) != 0) return false;
    }
    if (dense(i, c++) != sparse.value(at)) return false;
  }
  for (; c < dense.cols; ++c) {
    if (dense(i, c) != 0) return false;
  }
  return true;
}

bool same_values(const Features& a, const Features& b) {
  const auto* sparse = std::get_if<Csr>(&a);
  const auto* dense = std::get_if<Matrix>(&b);
  if (sparse && !dense) return same_matrix(*sparse, std::get<Csr>(b));
  if (!sparse && dense) return same_matrix(std::get<Matrix>(a), *dense);
  if (!sparse) return same_values(b, a);
  if (sparse->rows != dense->rows || sparse->cols != dense->cols) return false;
  for (Index i = 0; i < sparse->rows; ++i) {
    if (!same_row(*sparse, *dense, i)) return false;
  }
  return true;
}

// Whether the classes are the same sets of examples, whatever their numbers.
bool same_partition(const std::vector<Index>& a, const std::vector<Index>& b) {
  if (a.size() != b.size()) return false;
  std::map<Index, Index> forth, back;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] < 0) != (b[i] < 0)) return false;
    if (forth.emplace(a[i], b[i]).first->second != b[i]) return false;
    if (back.emplace(b[i], a[i]).first->second != a[i]) return false;
  }
  return true;
}

std::vector<Index> sorted(std::vector<Index> ids) {
  std::ranges::sort(ids);
  return ids;
}

void compare_splits(const Dataset& a, const Dataset& b, Losses& out) {
  if (a.stored_splits.size() != b.stored_splits.size()) {
    out.values.push_back("its " + counted(std::ssize(a.stored_splits), "stored split"));
    return;
  }
  bool ordered = true, same = true;
  for (std::size_t s = 0; s < a.stored_splits.size(); ++s) {
    const Split &x = a.stored_splits[s], &y = b.stored_splits[s];
    for (std::size_t p = 0; p < x.parts().size(); ++p) {
      const std::vector<Index>&of_x = *x.parts()[p], &of_y = *y.parts()[p];
      ordered = ordered && of_x == of_y;
      same = same && sorted(of_x) == sorted(of_y);
    }
  }
  if (!same) {
    out.values.push_back("its stored splits");
  } else if (!ordered) {
    out.forms.push_back("the order of nodes in parts of splits");
  }
}

void compare_sets(const GraphSet& a, const GraphSet& b, Losses& out) {
  if (a.start != b.start) out.values.push_back("the sizes of its graphs");
  if (!same_matrix(a.node_attributes, b.node_attributes))
    out.values.push_back("the attributes of its nodes");
  if (!same_matrix(a.arc_attributes, b.arc_attributes))
    out.values.push_back("the attributes of its edges");
  if (a.scaffolds != b.scaffolds)
    out.forms.push_back("scaffolds, which the split scheme \"scaffold\" needs");
}

bool same_answers(const BinaryTasks& a, const BinaryTasks& b) {
  return a.answers.rows == b.answers.rows && a.answers.cols == b.answers.cols &&
         std::ranges::equal(a.answers.values, b.answers.values, [](float x, float y) {
           return x == y || (x != x && y != y);  // not known: NaN
         });
}

void compare_targets(const Target& a, const Target& b, Losses& out) {
  if (a.index() != b.index()) {
    out.values.push_back("whether classes or tasks are asked");
  } else if (const auto* tasks = std::get_if<BinaryTasks>(&a)) {
    if (!same_answers(*tasks, std::get<BinaryTasks>(b))) out.values.push_back("its tasks");
  } else {
    const auto &one = std::get<Classes>(a), &other = std::get<Classes>(b);
    if (!same_partition(one.labels, other.labels)) {
      out.values.push_back("its labels");
    } else if (one.labels != other.labels) {
      out.forms.push_back("the numbers of its classes");
    } else if (one.names != other.names) {
      out.forms.push_back("the names of its classes");
    }
  }
}

bool same_names(const TemporalFacts& a, const TemporalFacts& b) {
  if (a.types != b.types || a.relations != b.relations || a.time_unit != b.time_unit) return false;
  for (Index k = 0; k < a.entities(); ++k) {
    if (a.entity_name(k) != b.entity_name(k)) return false;
  }
  return true;
}

void compare_facts(const TemporalFacts& a, const TemporalFacts& b, Losses& out) {
  if (content_hash(a) != content_hash(b))
    out.values.push_back("its facts");
  else if (!same_names(a, b))
    out.values.push_back("the names of its entities, types, relations or time");
}

}  // namespace

Losses losses_between(const Dataset& a, const Dataset& b) {
  Losses out;
  if (a.facts && b.facts) compare_facts(*a.facts, *b.facts, out);
  if (!same_matrix(a.adjacency, b.adjacency)) out.values.push_back("its edges and their values");
  if (!same_values(a.features, b.features)) {
    out.values.push_back("its features");
  } else if (a.features.index() != b.features.index()) {
    out.forms.push_back(std::holds_alternative<Csr>(a.features)
                            ? "sparse features (the same values are read as a dense matrix)"
                            : "dense features (the same values are read as a sparse matrix)");
  }
  compare_targets(a.target, b.target, out);
  compare_splits(a, b, out);
  if (a.graphs && b.graphs) compare_sets(*a.graphs, *b.graphs, out);
  if (a.graphs.has_value() != b.graphs.has_value()) out.values.push_back("that it is a set");
  return out;
}

}  // namespace cupel
