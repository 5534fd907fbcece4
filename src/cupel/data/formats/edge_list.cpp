#include "cupel/data/formats/edge_list.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <numeric>
#include <string_view>
#include <vector>

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/base/huge_pages.h"
#include "cupel/base/sort_unique.h"
#include "cupel/data/formats/file.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/graph/parallel_rows.h"

namespace cupel {
namespace {

constexpr std::uint64_t kPiece = 1 << 22;    // bytes of the file
constexpr std::uint64_t kFirst = 1 << 16;    // of the first piece, which is read before the others
constexpr std::uint64_t kMore = 1 << 16;     // read on for the end of the last line
constexpr std::uint64_t kLongest = 1 << 20;  // bytes of a line; longer ones are no text
constexpr std::int64_t kLargest = 0x7ffffffe;  // so that there are at most 2^31 - 1 nodes

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The lines that begin in one piece of the file.
struct Piece {
  std::vector<Edge> edges;
  std::int64_t lines = 0;
  std::string problem;  // of line number `lines`, after which nothing was read
  Index largest = -1;
};

// Reads the lines of a text. The text ends with a newline.
class LineParser {
 public:
  explicit LineParser(Piece& piece) : piece_(piece) {}

  void parse(const char* at, const char* end) {
    while (at < end) {
      ++piece_.lines;
      const char* const line = at;
      while (is_blank(*at)) ++at;
      if (*at == '#' || *at == '%') {
        at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      } else if (*at != '\n') {
        Edge edge;
        const bool good = number(at, edge.source) && between(at) && number(at, edge.target);
        while (is_blank(*at)) ++at;
        if (!good || *at != '\n') return explain(line, end);
        piece_.largest = std::max({piece_.largest, edge.source, edge.target});
        piece_.edges.push_back(edge);
      }
      ++at;
    }
  }

 private:
  static bool number(const char*& at, Index& out) {
    const char* const start = at;
    std::int64_t value = 0;
    for (; *at >= '0' && *at <= '9'; ++at) {
      value = value * 10 + (*at - '0');
      if (value > kLargest) return false;
    }
    out = static_cast<Index>(value);
    return at != start;
  }

  static bool between(const char*& at) {
    const char* const start = at;
    while (is_blank(*at)) ++at;
    if (*at == ',') ++at;
    while (is_blank(*at)) ++at;
    return at != start;
  }

  void explain(const char* line, const char* end) {
    const auto* stop =
        static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
    std::string_view text(line, static_cast<std::size_t>(stop - line));
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    std::vector<std::string_view> fields;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t from = text.find_first_not_of(" \t\r,", at);
      if (from == std::string_view::npos) break;
      at = std::min(text.find_first_of(" \t\r,", from), text.size());
      fields.push_back(text.substr(from, at - from));
    }
    const auto whole = [](std::string_view field) {
      return field.find_first_not_of("0123456789") == std::string_view::npos;
    };
    for (const std::string_view field : fields) {
      if (fields.size() != 2 || !whole(field)) continue;
      const std::size_t first = std::min(field.find_first_not_of('0'), field.size());
      const std::string_view digits = field.substr(first);
      if (digits.size() < 10 || (digits.size() == 10 && digits <= "2147483646")) continue;
      piece_.problem = fmt::format(
          "node {} is too large, the largest number possible is {}; number the nodes from 0",
          in_quotes(field), kLargest);
      return;
    }
    if (fields.size() > 2 && std::ranges::all_of(fields, whole)) {
      piece_.problem = fmt::format(
          "{} has {} numbers where two are needed; keep the columns of the nodes, or of "
          "facts over time those of source, target and time",
          in_quotes(text), fields.size());
      return;
    }
    if (text.starts_with("\x1f\x8b")) {
      piece_.problem = "begins as gzip does, and edges are read unpacked; unpack it with gunzip";
      return;
    }
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
      piece_.problem = "begins as UTF-16 does, and texts are read in UTF-8; save it as that";
      return;
    }
    piece_.problem = fmt::format(
        "{} is not an edge; write two whole numbers, or # before a comment", in_quotes(text));
    // What is in no format that is known arrives here.
    if (fields.empty() || !whole(fields[0]))
      piece_.problem += ", or give a file in a format of docs/formats.md";
    // Of those who have facts over time, some arrive here by what one field holds.
    if (fields.size() > 2)
      piece_.problem +=
          ". Facts over time are lines of three whole numbers (source, target and time), or csv "
          "whose header names 'timestamp', 'source' and 'target'";
  }

  Piece& piece_;
};

// Lines that begin in [begin, end).
void read_piece(const InputFile& file, std::uint64_t begin, std::uint64_t end, Piece& piece) {
  const std::uint64_t size = file.size();
  // One byte more in front tells whether a line begins at `begin`.
  const std::uint64_t from = begin == 0 ? 0 : begin - 1;
  std::vector<char> text(end - from);
  file.read(from, text.data(), text.size());
  std::size_t first = 0;
  if (begin == 0) {
    const std::string_view whole(text.data(), text.size());
    first = whole.size() - without_byte_order_mark(whole).size();
  } else {
    const auto newline = std::find(text.begin(), text.end(), '\n');
    if (newline == text.end()) return;  // inside a line of an earlier piece
    first = static_cast<std::size_t>(newline - text.begin()) + 1;
    if (first == text.size()) return;
  }
  std::uint64_t at = end;
  while (text.back() != '\n') {
    if (at == size) {
      text.push_back('\n');
      break;
    }
    if (at - end > kLongest) {
      // The lines before it are whole, and one of them may be wrong.
      while (text.size() > first && text.back() != '\n') text.pop_back();
      LineParser(piece).parse(text.data() + first, text.data() + text.size());
      if (!piece.problem.empty()) return;
      piece.problem = fmt::format("goes on for more than {} bytes; is this a text file?", kLongest);
      ++piece.lines;
      return;
    }
    const std::size_t had = text.size(), more = std::min(kMore, size - at);
    text.resize(had + more);
    file.read(at, text.data() + had, more);
    at += more;
    const auto newline =
        std::find(text.begin() + static_cast<std::ptrdiff_t>(had), text.end(), '\n');
    if (newline != text.end()) text.resize(static_cast<std::size_t>(newline - text.begin()) + 1);
  }
  piece.edges.reserve((text.size() - first) / 8);
  LineParser(piece).parse(text.data() + first, text.data() + text.size());
  piece.edges.shrink_to_fit();
}

std::vector<Piece> read_pieces(const InputFile& file, Threads threads) {
  const std::uint64_t size = file.size();
  if (size == 0) return {};
  // What lies behind a line that is wrong need not be read, and most that is no list of edges shows
  // at its beginning, which is read alone.
  std::vector<Piece> pieces(1);
  read_piece(file, 0, std::min(kFirst, size), pieces[0]);
  if (size > kFirst && pieces[0].problem.empty())
    pieces.resize(1 + (size - kFirst + kPiece - 1) / kPiece);
  std::atomic<std::int64_t> wrong = std::ssize(pieces);
  parallel_blocks(threads, std::ssize(pieces) - 1, 1, [&](std::int64_t i, std::int64_t) {
    const std::int64_t k = i + 1;
    if (k > wrong) return;
    Piece& piece = pieces[static_cast<std::size_t>(k)];
    const std::uint64_t begin = kFirst + static_cast<std::uint64_t>(i) * kPiece;
    read_piece(file, begin, std::min(begin + kPiece, size), piece);
    if (piece.problem.empty()) return;
    std::int64_t before = wrong;
    while (k < before && !wrong.compare_exchange_weak(before, k)) {
    }
  });
  std::int64_t line = 0;
  for (const Piece& piece : pieces) {
    line += piece.lines;
    if (!piece.problem.empty()) fail("{}: line {}: {}", file.name(), line, piece.problem);
  }
  return pieces;
}

// The numbers that occur, and how many there are below each: in a field of bits where many of the
// numbers up to the largest occur, else in a list.
class Numbers {
 public:
  Numbers(const std::vector<Piece>& pieces, Threads threads) {
    Index largest = -1;
    std::size_t ends = 0;
    for (const Piece& piece : pieces) {
      largest = std::max(largest, piece.largest);
      ends += 2 * piece.edges.size();
    }
    const auto words = (static_cast<std::size_t>(largest) + 64) / 64;
    if (words > ends) {
      list(pieces, ends);
      return;
    }
    present_.resize(words);
    parallel_blocks(threads, std::ssize(pieces), 1, [&](std::int64_t k, std::int64_t) {
      for (const Edge& edge : pieces[static_cast<std::size_t>(k)].edges) {
        mark(edge.source);
        mark(edge.target);
      }
    });
    below_.resize(words + 1);
    for (std::size_t w = 0; w < words; ++w) below_[w + 1] = below_[w] + std::popcount(present_[w]);
  }

  Index count() const {
    return below_.empty() ? static_cast<Index>(sorted_.size()) : below_.back();
  }
  Index place(Index number) const {
    if (below_.empty())
      return static_cast<Index>(std::ranges::lower_bound(sorted_, number) - sorted_.begin());
    const std::uint64_t lower = (std::uint64_t{1} << (number & 63)) - 1;
    return below_[number >> 6] + std::popcount(present_[number >> 6] & lower);
  }

 private:
  void list(const std::vector<Piece>& pieces, std::size_t ends) {
    sorted_.reserve(ends);
    for (const Piece& piece : pieces) {
      for (const Edge& edge : piece.edges)
        sorted_.insert(sorted_.end(), {edge.source, edge.target});
    }
    sort_unique(sorted_);
  }

  void mark(Index number) {
    const std::uint64_t bit = std::uint64_t{1} << (number & 63);
    const std::atomic_ref word(present_[number >> 6]);
    if ((word.load(std::memory_order_relaxed) & bit) == 0)
      word.fetch_or(bit, std::memory_order_relaxed);
  }

  std::vector<std::uint64_t> present_;
  std::vector<Index> below_;   // bits of the words before each; empty where there is a list
  std::vector<Index> sorted_;  // the list
};

// Frees the pieces on the way.
Csr arcs_of(std::vector<Piece>& pieces, Threads threads) {
  const Numbers numbers(pieces, threads);
  Csr out;
  out.rows = out.cols = numbers.count();
  out.row_ptr.assign(static_cast<std::size_t>(out.rows) + 1, 0);
  const auto each_piece = [&](const auto& body) {
    parallel_blocks(threads, std::ssize(pieces), 1, [&](std::int64_t k, std::int64_t) {
      body(pieces[static_cast<std::size_t>(k)]);
    });
  };
  each_piece([&](Piece& piece) {
    for (Edge& edge : piece.edges) {
      edge = {numbers.place(edge.source), numbers.place(edge.target)};
      std::atomic_ref(out.row_ptr[edge.source + 1]).fetch_add(1, std::memory_order_relaxed);
    }
  });
  std::partial_sum(out.row_ptr.begin(), out.row_ptr.end(), out.row_ptr.begin());
  std::vector<Offset> next(out.row_ptr.begin(), out.row_ptr.end() - 1);
  out.columns.reserve(static_cast<std::size_t>(out.entries()));
  advise_huge_pages(out.columns.data(), out.columns.capacity() * sizeof(Index));
  out.columns.resize(static_cast<std::size_t>(out.entries()));
  each_piece([&](Piece& piece) {
    for (const Edge& edge : piece.edges) {
      const Offset to = std::atomic_ref(next[edge.source]).fetch_add(1, std::memory_order_relaxed);
      out.columns[to] = edge.target;
    }
    piece.edges = {};
  });
  next = {};

  const Offset kept = sort_and_merge_rows(out.row_ptr, out.columns.data(), out.rows, threads);
  out.columns.resize(static_cast<std::size_t>(kept));
  return out;
}

}  // namespace

Dataset read_edge_list(const std::filesystem::path& path, Threads threads) {
  try {
    const InputFile file(path);
    Dataset dataset;
    dataset.name = path.stem().string();
    std::vector<Piece> pieces = read_pieces(file, threads);
    dataset.adjacency = arcs_of(pieces, threads);
    if (dataset.nodes() == 0) fail("{}: holds no edge; write two numbers per line", file.name());
    dataset.features = Matrix(dataset.nodes(), 0);
    return dataset;
  } catch (const std::bad_alloc&) {
    fail("{}: is too large for the memory that is free; close programs or use a larger machine",
         path.string());
  }
}

}  // namespace cupel
