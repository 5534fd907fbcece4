#include "cupel/engine/program/row_sets.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <type_traits>

#include "cupel/base/error.h"

namespace cupel {
namespace {

// Rows named by the columns of `groups`' rows, and `extra` if it is one.
void mark_columns(const Csr& adjacency, const std::vector<Index>& groups, Index extra,
                  std::vector<char>& marks) {
  for (const Index row : groups)
    for (const Index column : adjacency.row_columns(row)) marks[column] = 1;
  if (extra >= 0) marks[extra] = 1;
}

std::vector<Index> marked(const std::vector<char>& marks) {
  std::vector<Index> groups;
  groups.reserve(marks.size() - static_cast<std::size_t>(std::ranges::count(marks, 0)));
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i] != 0) groups.push_back(static_cast<Index>(i));
  return groups;
}

// Nearly all rows are all rows: to compute the few that nobody reads costs less than to copy the
// others for a reader of fewer.
bool nearly_all(const std::vector<char>& marks) {
  const auto left_out = static_cast<std::size_t>(std::count(marks.begin(), marks.end(), 0));
  return left_out * 32 < marks.size();
}

std::size_t bytes_of_entry(bool valued) { return sizeof(Index) + (valued ? sizeof(float) : 0); }

}  // namespace

RowSets::RowSets(const Program& program, const std::vector<ConstantMatrix>& constants,
                 const std::vector<Index>& groups, bool prune,
                 const std::vector<const RowClasses*>& equal)
    : program_(program),
      constants_(constants),
      group_counts_(program.spaces.size(), 0),
      all_of_(program.spaces.size(), nullptr),
      sets_(program.nodes.size(), nullptr),
      reads_(program.nodes.size()) {
  for (const Node& node : program.nodes) {
    if (node.kind != Node::Kind::kConstant || node.shape.space == kStaticSpace) continue;
    if (program.spaces[node.shape.space].entries_of >= 0) continue;
    const ConstantMatrix& c = constants[node.slot];
    group_counts_[node.shape.space] = c.sparse != nullptr ? c.sparse->rows : c.dense->rows;
  }
  for (std::size_t s = 0; s < program.spaces.size(); ++s) {
    const int entries_of = program.spaces[s].entries_of;
    if (entries_of < 0) continue;
    group_counts_[s] = group_counts_[program.nodes[entries_of].shape.space];
    const Offset entries = constants[program.nodes[entries_of].slot].sparse->entries();
    if (entries > std::numeric_limits<Index>::max())
      fail(
          "the graph has {} arcs, and values on arcs are numbered up to {} only; take a model that "
          "keeps no values on arcs, or a smaller graph",
          entries, std::numeric_limits<Index>::max());
  }

  if (!prune) {
    take_all(equal);
    return;
  }
  // Rows that join the demand of a value; grows until a walk adds nothing.
  std::vector<std::vector<char>> joined(program.nodes.size());
  while (!walk(groups, joined)) {
    std::fill(sets_.begin(), sets_.end(), nullptr);
    std::fill(all_of_.begin(), all_of_.end(), nullptr);
    owned_.clear();
    owned_space_.clear();
  }
}

void RowSets::take_all(const std::vector<const RowClasses*>& equal) {
  std::map<const RowClasses*, const RowSet*> made;
  for (std::size_t id = 0; id < program_.nodes.size(); ++id) {
    const Node& node = program_.nodes[id];
    if (node.kind != Node::Kind::kOp) continue;
    const SpaceId space = node.shape.space;
    if (space != kStaticSpace) {
      const RowClasses* classes = equal.empty() ? nullptr : equal[id];
      if (classes == nullptr) {
        sets_[id] = all_of(space);
      } else {
        const RowSet*& set = made[classes];
        if (set == nullptr) {
          auto fresh = std::make_unique<RowSet>();
          fresh->groups = fresh->ids = classes->first;
          fresh->place = classes->of;
          fresh->behind = classes->behind;
          set = add(space, std::move(fresh));
        }
        sets_[id] = set;
      }
    }
    reads_[id].assign(node.inputs.size(), nullptr);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const Node& input = program_.nodes[node.inputs[i]];
      const SpaceId read = input.shape.space;
      if (read == kStaticSpace) continue;
      const bool same = node.op->reads(static_cast<int>(i)) == Reads::kSameRows;
      // Same-row readers want their own rows, column readers can read any superset.
      if (same && read == space)
        reads_[id][i] = sets_[id];
      else if (same || input.kind == Node::Kind::kConstant)
        reads_[id][i] = all_of(read);
    }
  }
}

const RowSet* RowSets::all_of(SpaceId space) {
  if (all_of_[space] == nullptr) {
    std::vector<Index> all(group_counts_[space]);
    std::iota(all.begin(), all.end(), 0);
    all_of_[space] = intern(space, std::move(all));
  }
  return all_of_[space];
}

bool RowSets::walk(const std::vector<Index>& groups, std::vector<std::vector<char>>& joined) {
  const Program& program = program_;
  const auto is_constant = [&](int id) { return program.nodes[id].kind == Node::Kind::kConstant; };
  std::vector<std::vector<char>> needed = joined;
  const auto marks_of = [&](int id) -> std::vector<char>& {
    if (needed[id].empty()) needed[id].assign(group_counts_[program.nodes[id].shape.space], 0);
    return needed[id];
  };

  for (const Index group : groups) marks_of(program.output)[group] = 1;
  for (int id = static_cast<int>(program.nodes.size()) - 1; id >= 0; --id) {
    const Node& node = program.nodes[id];
    if (node.kind != Node::Kind::kOp) continue;
    if (node.shape.space != kStaticSpace)
      sets_[id] = node.op->needs_all_rows() || nearly_all(marks_of(id))
                      ? all_of(node.shape.space)
                      : intern(node.shape.space, marked(marks_of(id)));
    reads_[id].assign(node.inputs.size(), nullptr);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const int input = node.inputs[i];
      const SpaceId space = program.nodes[input].shape.space;
      if (space == kStaticSpace) continue;
      std::vector<char> wanted(group_counts_[space], 0);
      const Reads how = node.op->reads(static_cast<int>(i));
      if (how == Reads::kAllRows || sets_[id] == nullptr) {
        wanted.assign(wanted.size(), 1);
      } else if (how == Reads::kSameRows) {
        for (const Index group : sets_[id]->groups) wanted[group] = 1;
      } else {
        mark_columns(*constants_[program.nodes[node.inputs[0]].slot].sparse, sets_[id]->groups,
                     node.op->extra_row(static_cast<int>(i)), wanted);
      }
      if (is_constant(input)) {
        reads_[id][i] = intern(space, marked(wanted));
      } else {
        std::vector<char>& marks = marks_of(input);
        for (std::size_t k = 0; k < wanted.size(); ++k) marks[k] |= wanted[k];
        // Same-row readers want their own rows, column readers can read any superset.
        if (how == Reads::kSameRows) reads_[id][i] = intern(space, marked(wanted));
      }
    }
  }

  // Inputs read by the columns of one constant need the same rows, since its columns name places
  // in them: the fewer take on the rows of the more.
  bool done = true;
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const Node& node = program.nodes[id];
    if (node.kind != Node::Kind::kOp) continue;
    std::vector<std::size_t> tied;
    std::vector<char> rows;
    for (std::size_t i = 1; i < node.inputs.size(); ++i) {
      const int input = node.inputs[i];
      if (node.op->reads(static_cast<int>(i)) != Reads::kColumnRows) continue;
      tied.push_back(i);
      rows.resize(group_counts_[program.nodes[input].shape.space]);
      for (const Index group : read(static_cast<int>(id), static_cast<int>(i))->groups)
        rows[group] = 1;
    }
    if (tied.size() < 2) continue;
    const std::vector<Index> all = marked(rows);
    for (const std::size_t i : tied) {
      const int input = node.inputs[i];
      const RowSet*& own = reads_[id][i];
      if (read(static_cast<int>(id), static_cast<int>(i))->groups == all) continue;
      if (own != nullptr) {
        own = intern(program.nodes[input].shape.space, all);
      } else {
        joined[input] = rows;
        done = false;
      }
    }
  }
  return done;
}

const RowSet* RowSets::read(int reader, int input) const {
  const RowSet* own = reads_[reader][input];
  return own != nullptr ? own : sets_[program_.nodes[reader].inputs[input]];
}

const RowSet* RowSets::intern(SpaceId space, std::vector<Index> groups) {
  for (std::size_t i = 0; i < owned_.size(); ++i)
    if (owned_space_[i] == space && owned_[i]->behind.empty() && owned_[i]->groups == groups)
      return owned_[i].get();
  auto set = std::make_unique<RowSet>();
  set->all = static_cast<Index>(groups.size()) == group_counts_[space];
  set->place.assign(static_cast<std::size_t>(group_counts_[space]), -1);
  for (std::size_t i = 0; i < groups.size(); ++i) set->place[groups[i]] = static_cast<Index>(i);
  set->groups = std::move(groups);
  const int entries_of = program_.spaces[space].entries_of;
  if (entries_of < 0) {
    set->ids = set->groups;
  } else {
    const Csr& matrix = *constants_[program_.nodes[entries_of].slot].sparse;
    set->ids.reserve(static_cast<std::size_t>(entries_in(matrix, *set)));
    set->group_ptr.reserve(set->groups.size() + 1);
    set->group_ptr.push_back(0);
    for (const Index row : set->groups) {
      for (Offset e = matrix.row_ptr[row]; e < matrix.row_ptr[row + 1]; ++e)
        set->ids.push_back(static_cast<Index>(e));
      set->group_ptr.push_back(static_cast<Offset>(set->ids.size()));
    }
  }
  return add(space, std::move(set));
}

std::size_t RowSets::bytes() const {
  std::size_t bytes = 0;
  for (const auto& set : owned_)
    bytes += (set->groups.size() + set->place.size() + set->ids.size()) * sizeof(Index) +
             set->group_ptr.size() * sizeof(Offset) + set->behind.size() * sizeof(float);
  return bytes;
}

const RowSet* RowSets::add(SpaceId space, std::unique_ptr<RowSet> set) {
  owned_.push_back(std::move(set));
  owned_space_.push_back(space);
  return owned_.back().get();
}

BoundSparse cut(const Csr& matrix, const RowSet& rows, const RowSet* columns, Turned turned) {
  BoundSparse bound;
  bound.whole = &matrix;
  const Index* const place = columns != nullptr && !columns->all ? columns->place.data() : nullptr;
  const Csr* source = &matrix;
  if (!rows.all || place != nullptr) {
    Csr& m = bound.matrix;
    m.rows = static_cast<Index>(rows.groups.size());
    m.cols = columns != nullptr ? static_cast<Index>(columns->groups.size()) : matrix.cols;
    m.row_ptr.resize(rows.groups.size() + 1);
    for (std::size_t i = 0; i < rows.groups.size(); ++i)
      m.row_ptr[i + 1] = m.row_ptr[i] + matrix.row_size(rows.groups[i]);
    m.columns.resize(static_cast<std::size_t>(m.row_ptr.back()));
    if (!matrix.is_pattern()) m.values.resize(m.columns.size());
    Index* to = m.columns.data();
    float* value = m.values.data();
    for (const Index row : rows.groups) {
      const Offset begin = matrix.row_ptr[row], end = matrix.row_ptr[row + 1];
      const Index* const from = matrix.columns.data();
      for (Offset e = begin; e < end; ++e) *to++ = place != nullptr ? place[from[e]] : from[e];
      if (!matrix.is_pattern())
        value = std::copy(matrix.values.data() + begin, matrix.values.data() + end, value);
    }
    source = &m;
  }
  bound.view = view(*source);
  add_transpose(bound, turned);
  return bound;
}

std::size_t bytes_of(const Csr& matrix) {
  return matrix.row_ptr.size() * sizeof(Offset) + matrix.columns.size() * sizeof(Index) +
         matrix.values.size() * sizeof(float);
}

Offset entries_in(const Csr& matrix, const RowSet& rows) {
  if (rows.all) return matrix.entries();
  Offset entries = 0;
  for (const Index row : rows.groups) entries += matrix.row_size(row);
  return entries;
}

std::size_t bytes_of_cut(const Csr& matrix, const RowSet& rows, const RowSet* columns) {
  if (rows.all && (columns == nullptr || columns->all)) return sizeof(Offset);  // a view
  return (rows.groups.size() + 1) * sizeof(Offset) +
         static_cast<std::size_t>(entries_in(matrix, rows)) * bytes_of_entry(!matrix.is_pattern());
}

std::size_t bytes_of_transpose(const Csr& matrix, const RowSet& rows, const RowSet* columns,
                               Turned turned) {
  const Index columns_kept = columns != nullptr && !columns->all
                                 ? static_cast<Index>(columns->groups.size())
                                 : matrix.cols;
  return bytes_of_transpose(columns_kept, entries_in(matrix, rows), !matrix.is_pattern(), turned);
}

std::size_t bytes_of_transpose(Index rows, Offset entries, bool valued, Turned turned) {
  if (turned == Turned::kNone) return sizeof(Offset);
  const std::size_t number = turned == Turned::kWithEntries ? sizeof(Offset) : 0;
  return (static_cast<std::size_t>(rows) + 1) * sizeof(Offset) +
         static_cast<std::size_t>(entries) * (bytes_of_entry(valued) + number);
}

void add_transpose(BoundSparse& bound, Turned turned) {
  bound.turned = turned;
  if (turned == Turned::kNone) return;
  const SparseView& a = bound.view;
  const Offset entries = a.entries();
  Csr& t = bound.transposed;
  t.rows = a.cols;
  t.cols = a.rows;
  // Counted two places ahead: filled in, what was the beginning of a row has become its end, which
  // is the beginning of the next.
  t.row_ptr.assign(static_cast<std::size_t>(t.rows) + 2, 0);
  Offset* const next = t.row_ptr.data() + 1;
  for (Offset e = 0; e < entries; ++e) ++next[a.columns[e] + 1];
  std::partial_sum(t.row_ptr.begin(), t.row_ptr.end(), t.row_ptr.begin());
  t.columns.resize(static_cast<std::size_t>(entries));
  if (a.values != nullptr) t.values.resize(t.columns.size());
  if (turned == Turned::kWithEntries) bound.entry.resize(t.columns.size());
  const auto fill = [&](auto valued, auto numbered) {
    Index* const column = t.columns.data();
    for (Index r = 0; r < a.rows; ++r) {
      for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
        const Offset to = next[a.columns[e]]++;
        column[to] = r;
        if constexpr (valued()) t.values.data()[to] = a.values[e];
        if constexpr (numbered()) bound.entry.data()[to] = e;
      }
    }
  };
  using Yes = std::true_type;
  using No = std::false_type;
  if (turned == Turned::kWithEntries)
    a.values != nullptr ? fill(Yes(), Yes()) : fill(No(), Yes());
  else
    a.values != nullptr ? fill(Yes(), No()) : fill(No(), No());
  t.row_ptr.pop_back();
  bound.transposed_view = view(t);
}

Matrix cut(const Matrix& matrix, const RowSet& rows) {
  Matrix out(rows.size(), matrix.cols);
  for (Index r = 0; r < out.rows; ++r)
    std::copy_n(matrix.row(rows.ids[r]), matrix.cols, out.row(r));
  return out;
}

}  // namespace cupel
