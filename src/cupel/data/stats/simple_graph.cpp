#include "cupel/data/stats/simple_graph.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <stdexcept>

#include "cupel/base/huge_pages.h"
#include "cupel/data/graph/parallel_rows.h"

namespace cupel {
namespace {

constexpr Offset kEntriesEach = 1 << 16;

template <class T>
T add(T& counter, T value) {
  return std::atomic_ref<T>(counter).fetch_add(value, std::memory_order_relaxed);
}

}  // namespace

SimpleGraph::SimpleGraph(const Csr& stored, Threads threads) {
  if (stored.rows != stored.cols) throw std::logic_error("a graph's matrix must be square");
  std::vector<Index> new_id(static_cast<std::size_t>(stored.rows));
  number_nodes(stored, new_id, threads);
  place_entries(stored, new_id, threads);
  new_id = {};
  sort_rows(threads);
}

// Sets original_, new_id, row_ptr_ (with room for both directions of each entry) and what is
// counted of the stored matrix.
void SimpleGraph::number_nodes(const Csr& stored, std::span<Index> new_id, Threads threads) {
  const auto nodes = static_cast<std::size_t>(stored.rows);
  std::vector<std::uint32_t> ends(nodes);  // at most 2^32 - 2: a row and a column
  looped_.assign(nodes, 0);
  parallel_rows(threads, stored.row_ptr, stored.rows, kEntriesEach, [&](Index begin, Index end) {
    Offset loops = 0, distinct = 0;
    Index looped = 0;
    for (Index i = begin; i < end; ++i) {
      std::uint32_t own = 0;
      Index before = -1;
      for (const Index j : stored.row_columns(i)) {
        if (i == j) continue;
        ++own;
        distinct += j != before;
        before = j;
        add(ends[j], std::uint32_t{1});
      }
      const Offset loops_here = stored.row_size(i) - own;
      loops += loops_here;
      looped += loops_here > 0;
      looped_[static_cast<std::size_t>(i)] = loops_here > 0;
      add(ends[i], own);
    }
    add(self_loops_, loops);
    add(looped_nodes_, looped);
    add(distinct_, distinct);
  });
  const std::uint32_t most = nodes == 0 ? 0 : *std::ranges::max_element(ends);
  std::vector<Index> place(static_cast<std::size_t>(most) + 2);
  for (const std::uint32_t count : ends) ++place[most - count + 1];
  for (std::size_t k = 1; k < place.size(); ++k) place[k] += place[k - 1];
  connected_ = place[most];  // `most` is where a count of 0 begins
  original_.resize(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    new_id[i] = place[most - ends[i]]++;
    original_[static_cast<std::size_t>(new_id[i])] = static_cast<Index>(i);
  }
  row_ptr_.resize(nodes + 1);
  for (std::size_t v = 0; v < nodes; ++v) row_ptr_[v + 1] = row_ptr_[v] + ends[original_[v]];
}

void SimpleGraph::place_entries(const Csr& stored, std::span<const Index> new_id, Threads threads) {
  const auto bytes = static_cast<std::size_t>(entries()) * sizeof(Index);
  columns_.reset(static_cast<Index*>(std::malloc(std::max<std::size_t>(bytes, 1))));
  if (!columns_) throw std::bad_alloc();
  advise_huge_pages(columns_.get(), bytes);
  std::vector<Offset> next(row_ptr_.begin(), row_ptr_.end() - 1);
  parallel_rows(threads, stored.row_ptr, stored.rows, kEntriesEach, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto columns = stored.row_columns(i);
      const Index u = new_id[i];
      const auto [loops, after] = std::equal_range(columns.begin(), columns.end(), i);
      const auto own = std::ssize(columns) - (after - loops);
      Offset at = add(next[u], own);
      for (const Index j : columns) {
        if (i == j) continue;
        const Index v = new_id[j];
        columns_[at++] = v;
        columns_[add(next[v], Offset{1})] = u;
      }
    }
  });
}

// Sorts each row and merges the entries of pairs that are stored in both directions or repeatedly.
void SimpleGraph::sort_rows(Threads threads) {
  const Offset placed = entries();
  const Offset kept = sort_and_merge_rows(row_ptr_, columns_.get(), connected_, threads);
  reciprocal_ = distinct_ - kept / 2;
  if (kept == placed) return;
  // Gives the pages behind the end back; it does not matter if it cannot.
  const auto bytes = std::max<std::size_t>(static_cast<std::size_t>(kept) * sizeof(Index), 1);
  Index* const old = columns_.release();
  void* const smaller = std::realloc(old, bytes);
  columns_.reset(smaller ? static_cast<Index*>(smaller) : old);
}

}  // namespace cupel
