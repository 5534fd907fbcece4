#include "cupel/engine/program/equal_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <span>
#include <unordered_map>

#include "cupel/base/hash.h"
#include "cupel/engine/program/op.h"

namespace cupel {
namespace {

// Numbers sequences by first appearance. Equal hashes are compared in full.
class Numbering {
 public:
  Index number(std::span<const std::uint64_t> key) {
    std::uint64_t hash = key.size();
    for (const std::uint64_t word : key) {
      hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
      hash ^= hash >> 29;
    }
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto it = first; it != last; ++it)
      if (std::ranges::equal(known(it->second), key)) return it->second;
    const Index fresh = count();
    by_hash_.emplace(hash, fresh);
    words_.insert(words_.end(), key.begin(), key.end());
    start_.push_back(words_.size());
    return fresh;
  }
  Index count() const { return static_cast<Index>(start_.size()) - 1; }

 private:
  std::span<const std::uint64_t> known(Index number) const {
    return std::span(words_).subspan(start_[number], start_[number + 1] - start_[number]);
  }
  std::unordered_multimap<std::uint64_t, Index> by_hash_;
  std::vector<std::uint64_t> words_;
  std::vector<std::size_t> start_ = {0};
};

class Refinement {
 public:
  Refinement(const Program& program, const std::vector<ConstantMatrix>& constants,
             const KeptPartitions& kept)
      : program_(program), constants_(constants), kept_(kept) {
    found_.of_value.assign(program.nodes.size(), -1);
  }

  EqualRows run() {
    for (std::size_t id = 0; id < program_.nodes.size(); ++id)
      if (program_.nodes[id].kind == Node::Kind::kOp && has_rows(static_cast<int>(id)))
        found_.of_value[id] = of_op(static_cast<int>(id));
    for (const Node& node : program_.nodes) unfold_what_is_read_whole(node);
    return only_used();
  }

 private:
  bool has_rows(int id) const {
    const SpaceId space = program_.nodes[id].shape.space;
    return space != kStaticSpace && program_.spaces[space].entries_of < 0;
  }

  // The partition of what an op reads; -1: all rows differ.
  int of_input(int id) {
    const Node& node = program_.nodes[id];
    if (node.kind != Node::Kind::kConstant) return found_.of_value[id];
    const auto [at, fresh] = of_constant_.try_emplace(node.slot, -1);
    if (!fresh) return at->second;
    const ConstantMatrix& constant = constants_[node.slot];
    const Index rows = constant.sparse != nullptr ? constant.sparse->rows : constant.dense->rows;
    return at->second = partition(node.shape.space, constant_name(id), rows, [&](Index row) {
             if (constant.dense != nullptr) {
               for (Index j = 0; j < constant.dense->cols; ++j)
                 key_.push_back(std::bit_cast<std::uint32_t>(constant.dense->row(row)[j]));
               return;
             }
             const Csr& sparse = *constant.sparse;
             for (Offset e = sparse.row_ptr[row]; e < sparse.row_ptr[row + 1]; ++e)
               key_.push_back(entry(sparse, e, sparse.columns[e]));
           });
  }

  int of_op(int id) {
    const Node& node = program_.nodes[id];
    if (!node.op->folds_rows()) return -1;
    std::vector<int> same, columns;  // partitions of what is read
    const bool names_columns = reads(node, Reads::kColumnRows);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (program_.nodes[node.inputs[i]].shape.space == kStaticSpace) continue;
      // Of a constant whose columns name rows, what they name is read, and not their numbers.
      if (i == 0 && names_columns) continue;
      const bool by_column = node.op->reads(static_cast<int>(i)) == Reads::kColumnRows;
      (by_column ? columns : same).push_back(of_input(node.inputs[i]));
      if ((by_column ? columns : same).back() < 0) return -1;
    }
    if (columns.size() > 1 || same.size() + columns.size() == 0) return -1;
    if (columns.empty() && std::ranges::adjacent_find(same, std::not_equal_to()) == same.end())
      return same.front();
    const Csr* arcs =
        columns.empty() ? nullptr : constants_[program_.nodes[node.inputs[0]].slot].sparse;
    const auto part = [&](int p) -> const EqualRows::Partition& {
      return *found_.partitions[p].rows;
    };
    const Index rows =
        arcs != nullptr ? arcs->rows : static_cast<Index>(part(same.front()).of.size());
    std::string description = "rows of";
    for (const int p : same) description += fmt::format(" ({})", descriptions_[p]);
    if (arcs != nullptr)
      description += fmt::format(" neighbours by ({}) of ({})", constant_name(node.inputs[0]),
                                 descriptions_[columns.front()]);
    return partition(node.shape.space, description, rows, [&](Index row) {
      for (const int p : same) key_.push_back(static_cast<std::uint64_t>(part(p).of[row]));
      if (arcs == nullptr) return;
      const std::vector<Index>& of = part(columns.front()).of;
      const auto own = static_cast<std::ptrdiff_t>(key_.size());
      for (Offset e = arcs->row_ptr[row]; e < arcs->row_ptr[row + 1]; ++e)
        key_.push_back(entry(*arcs, e, of[arcs->columns[e]]));
      std::sort(key_.begin() + own, key_.end());
    });
  }

  const std::string& constant_name(int id) const {
    return program_.constants[program_.nodes[id].slot].name;
  }

  static std::uint64_t entry(const Csr& matrix, Offset e, Index what) {
    const std::uint32_t value = std::bit_cast<std::uint32_t>(matrix.value(e));
    return static_cast<std::uint64_t>(what) << 32 | value;
  }

  static bool reads(const Node& node, Reads how) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (node.op->reads(static_cast<int>(i)) == how) return true;
    return false;
  }

  static constexpr Index kEnough = 1 << 15;

  // `describe(row)` appends to key_ what rows are told apart by, `description` says it in words.
  template <class Describe>
  int partition(SpaceId space, std::string description, Index rows, const Describe& describe) {
    // Descriptions hold those of what is read, and would grow with the depth of a program.
    if (description.size() > 200) description = sha256(description);
    const auto make = [&] { return refined(rows, describe); };
    // Constants on arcs may differ from program to program.
    const bool keep = kept_ != nullptr && program_.spaces[space].entries_of < 0;
    std::shared_ptr<const EqualRows::Partition> p =
        keep ? kept_(description, make) : std::make_shared<const EqualRows::Partition>(make());
    if (p->classes == 0) return -1;
    found_.partitions.push_back({space, std::move(p)});
    descriptions_.push_back(std::move(description));
    return static_cast<int>(found_.partitions.size()) - 1;
  }

  template <class Describe>
  EqualRows::Partition refined(Index rows, const Describe& describe) {
    Numbering numbering;
    EqualRows::Partition p{std::vector<Index>(static_cast<std::size_t>(rows)), 0};
    const auto hopeless = [&](Index seen) {
      return nearly_all_differ(static_cast<std::size_t>(numbering.count()),
                               static_cast<std::size_t>(seen));
    };
    for (Index row = 0; row < rows; ++row) {
      key_.clear();
      describe(row);
      p.of[row] = numbering.number(key_);
      // What differs among so many differs in a batch; to know the rest would only take memory.
      if (row + 1 == kEnough && hopeless(kEnough)) return {};
    }
    if (hopeless(rows)) return {};
    p.classes = numbering.count();
    return p;
  }

  // An op that cannot fold rows reads whatever its columns name, or all rows, one by one.
  void unfold_what_is_read_whole(const Node& node) {
    if (node.kind != Node::Kind::kOp) return;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const Reads how = node.op->reads(static_cast<int>(i));
      if (how == Reads::kAllRows || (how == Reads::kColumnRows && !node.op->folds_rows()))
        found_.of_value[node.inputs[i]] = -1;
    }
  }

  // Without partitions that no value has: those of constants, and of what was unfolded.
  EqualRows only_used() {
    EqualRows used;
    std::map<int, int> number;
    for (const int p : found_.of_value) {
      if (p >= 0 && number.try_emplace(p, static_cast<int>(used.partitions.size())).second)
        used.partitions.push_back(std::move(found_.partitions[p]));
      used.of_value.push_back(p < 0 ? -1 : number[p]);
    }
    return used;
  }

  const Program& program_;
  const std::vector<ConstantMatrix>& constants_;
  const KeptPartitions& kept_;
  EqualRows found_;
  std::vector<std::string> descriptions_;  // of what is found
  std::map<int, int> of_constant_;         // by slot
  std::vector<std::uint64_t> key_;
};

}  // namespace

void take_classes(const EqualRows::Partition& partition,
                  std::span<const std::pair<Offset, Offset>> ranges, RowClasses& out) {
  thread_local std::vector<Index> here;  // number of a class in `out`; -1, as it is left behind
  if (here.size() < static_cast<std::size_t>(partition.classes))
    here.resize(static_cast<std::size_t>(partition.classes), -1);
  thread_local std::vector<Index> seen;     // classes, as they are numbered in `out`
  thread_local std::vector<Index> rows_of;  // and how many rows each has
  std::size_t rows = 0;
  for (const auto& [begin, end] : ranges) rows += static_cast<std::size_t>(end - begin);
  out.first.resize(rows + 1);
  out.of.resize(rows);
  seen.resize(rows + 1);
  // Whether a class is new is no branch: nobody could predict it. What is written of one that is
  // not is overwritten by the next.
  const Index* const class_of = partition.of.data();
  Index *const number_of = here.data(), *const first = out.first.data(), *const of = out.of.data(),
               *const classes = seen.data();
  // Ranges may be short and far apart, and a processor foresees neither them nor their classes.
  constexpr std::size_t kRowsAhead = 8, kClassesAhead = 4;
  constexpr Offset kLine = 64 / sizeof(Index);
  Index at = 0, count = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (i + kRowsAhead < ranges.size())
      for (auto [row, last] = ranges[i + kRowsAhead]; row < last; row += kLine)
        __builtin_prefetch(class_of + row);
    if (i + kClassesAhead < ranges.size())
      for (auto [row, last] = ranges[i + kClassesAhead]; row < last; ++row)
        __builtin_prefetch(number_of + class_of[row]);
    const auto [begin, end] = ranges[i];
    for (Offset row = begin; row < end; ++row, ++at) {
      const Index what = class_of[row], known = number_of[what];
      const Index number = known < 0 ? count : known;
      number_of[what] = number;
      classes[count] = what;
      first[count] = at;
      of[at] = number;
      count += known < 0;
    }
  }
  out.first.resize(static_cast<std::size_t>(count));
  // Counted as whole numbers: rows of one class often follow each other, and wait for each other's
  // sum.
  rows_of.assign(static_cast<std::size_t>(count), 0);
  Index* const counts = rows_of.data();
  for (const Index number : out.of) ++counts[number];
  out.behind.assign(rows_of.begin(), rows_of.end());
  for (Index number = 0; number < count; ++number) number_of[classes[number]] = -1;
}

EqualRows find_equal_rows(const Program& program, const std::vector<ConstantMatrix>& constants,
                          const KeptPartitions& kept) {
  return Refinement(program, constants, kept).run();
}

}  // namespace cupel
