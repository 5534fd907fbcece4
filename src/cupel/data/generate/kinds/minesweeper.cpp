// The minesweeper graph: which cells of a grid are mines, told from the counts around them.
//
// Source: Platonov, Kuznedelev, Diskin, Babenko, Prokhorenkova, "A critical look at the evaluation
// of GNNs under heterophily", ICLR 2023, section 4. What the paper leaves open is taken from its
// released file: node = row * columns + column, each edge once with the smaller node first, exact
// numbers of mines and unknown cells, counts shown on mines too, and the seven feature columns
//   unknown, 0 mines around, 1, 2, 3, 4, 5 or more
// of which every row has exactly one. The paper's seed is not known, so the released instance is
// not among those drawn here.
//
// Time and memory are linear in cells.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/base/shuffle.h"
#include "cupel/data/generate/generator.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/split/stratified.h"

namespace cupel {
namespace {

enum Purpose : std::uint32_t { kMines = 1, kUnknown = 2 };

constexpr std::int64_t kMostCells = 200'000'000;  // 13 GB of graph and features
constexpr std::int64_t kMostSplitIds = 2'000'000'000;
constexpr Index kColumns = 7, kLastCount = 5;

struct Settings {
  Index rows, columns, cells, mines, unknown;
  int splits;
};

// Below 1 a share of the cells, from 2 on their number.
Index read_amount(const Options& options, const char* name, Index cells) {
  const double amount = options.real(name);
  if (amount < 1) return static_cast<Index>(std::llround(amount * cells));
  if (amount == 1) {
    fail("minesweeper: {} = 1 could mean one cell or all; for all give their number, {}", name,
         cells);
  }
  if (amount != std::floor(amount)) {
    fail("minesweeper: {} = {} is neither a share below 1 nor a whole number of cells", name,
         amount);
  }
  if (amount > cells) {
    fail("minesweeper: {} = {} is more than the {} cells of the grid", name, amount, cells);
  }
  return static_cast<Index>(amount);
}

Settings read(const Options& options) {
  Settings s{};
  s.rows = static_cast<Index>(options.integer("rows"));
  s.columns = static_cast<Index>(options.integer("columns"));
  if (const std::int64_t cells = std::int64_t{s.rows} * s.columns; cells > kMostCells) {
    fail("minesweeper: {} rows of {} columns are {} cells; the limit is {}", s.rows, s.columns,
         cells, kMostCells);
  }
  s.cells = s.rows * s.columns;
  s.mines = read_amount(options, "mines", s.cells);
  s.unknown = read_amount(options, "unknown", s.cells);
  if (s.mines == 0 || s.mines == s.cells) {
    fail(
        "minesweeper: mines = {} makes {} of the {} cells mines; there must be cells of both kinds",
        options.real("mines"), s.mines, s.cells);
  }
  s.splits = static_cast<int>(options.integer("splits"));
  if (std::int64_t{s.splits} * s.cells > kMostSplitIds) {
    fail("minesweeper: {} splits of {} cells hold {} numbers; the limit is {}", s.splits, s.cells,
         std::int64_t{s.splits} * s.cells, kMostSplitIds);
  }
  return s;
}

// One flag per cell, `count` of them set (the start of a Fisher-Yates shuffle).
std::vector<char> draw_cells(Index cells, Index count, StreamKey key, Purpose purpose) {
  std::vector<Index> order(static_cast<std::size_t>(cells));
  std::iota(order.begin(), order.end(), 0);
  std::vector<char> chosen(order.size(), 0);
  Stream stream(key, purpose);
  draw_to_front(order, static_cast<std::size_t>(count), stream);
  for (Index i = 0; i < count; ++i)
    chosen[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = 1;
  return chosen;
}

// Calls visit(neighbour) for the up to eight cells around a cell, in ascending order.
template <class Visit>
void for_each_neighbour(const Settings& s, Index cell, Visit visit) {
  const Index row = cell / s.columns, column = cell % s.columns;
  for (Index r = std::max(row - 1, 0); r <= std::min(row + 1, s.rows - 1); ++r) {
    for (Index c = std::max(column - 1, 0); c <= std::min(column + 1, s.columns - 1); ++c) {
      if (r != row || c != column) visit(r * s.columns + c);
    }
  }
}

Csr grid(const Settings& s) {
  Csr graph;
  graph.rows = graph.cols = s.cells;
  graph.columns.reserve(4 * static_cast<std::size_t>(s.cells));
  graph.row_ptr.reserve(static_cast<std::size_t>(s.cells) + 1);
  for (Index cell = 0; cell < s.cells; ++cell) {
    for_each_neighbour(s, cell, [&](Index other) {
      if (other > cell) graph.columns.push_back(other);
    });
    graph.row_ptr.push_back(static_cast<Offset>(graph.columns.size()));
  }
  return graph;
}

Matrix features(const Settings& s, const std::vector<Index>& mine,
                const std::vector<char>& unknown) {
  Matrix out(s.cells, kColumns);
  for (Index cell = 0; cell < s.cells; ++cell) {
    Index around = 0;
    for_each_neighbour(s, cell,
                       [&](Index other) { around += mine[static_cast<std::size_t>(other)]; });
    const bool hidden = unknown[static_cast<std::size_t>(cell)] != 0;
    out(cell, hidden ? 0 : 1 + std::min(around, kLastCount)) = 1.0f;
  }
  return out;
}

Dataset make(const Options& options) {
  const Settings s = read(options);
  const StreamKey key = stream_key(fmt::format("generate/minesweeper/{}", options.integer("seed")));
  Dataset dataset;
  const std::vector<char> mines = draw_cells(s.cells, s.mines, key, kMines);
  dataset.labels().assign(mines.begin(), mines.end());
  dataset.class_names() = {"free", "mine"};
  dataset.adjacency = grid(s);
  dataset.features = features(s, dataset.labels(), draw_cells(s.cells, s.unknown, key, kUnknown));
  const StreamKey split_key =
      stream_key(fmt::format("generate/minesweeper/{}/splits", options.integer("seed")));
  dataset.stored_splits = stored_stratified_splits(dataset, s.splits, split_key, "minesweeper");
  return dataset;
}

}  // namespace

extern const Generator generator_minesweeper;
const Generator generator_minesweeper = {
    "minesweeper",
    "Minesweeper",
    "A grid of cells, each joined to the up to eight around it. The class is whether the cell is a "
    "mine; the features are the one-hot number of mines around it (5 and more together), or that "
    "this number is unknown. Undirected, each edge stored once; splits of 50, 25 and 25 percent of "
    "each class are stored with it. The defaults are the paper's.",
    "O. Platonov, D. Kuznedelev, M. Diskin, A. Babenko, L. Prokhorenkova: A critical look at the "
    "evaluation of GNNs under heterophily: are we really making progress? ICLR 2023.",
    {{"rows", std::int64_t{100}, "cells from top to bottom", 1, 1e8, {}},
     {"columns", std::int64_t{100}, "cells from left to right", 1, 1e8, {}},
     {"mines", 0.2, "mines: below 1 a share of the cells, from 2 on their number", 0, 1e9, {}},
     {"unknown", 0.5, "cells whose count is unknown: a share or a number", 0, 1e9, {}},
     {"splits", std::int64_t{10}, "stratified splits stored with the data", 0, 10'000, {}},
     {"seed", std::int64_t{0}, "which member of the family", 0, 4294967295.0, {}}},
    {"symmetrise"},
    make,
    true};

}  // namespace cupel
