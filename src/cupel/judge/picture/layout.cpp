#include "cupel/judge/picture/layout.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace cupel {
namespace {

constexpr int kMostSweeps = 200;
constexpr double kStill = 1e-3;  // edge lengths; a sweep that moves nothing further is the last

// The clusters of a component that is drawn, and who is joined to whom among them.
struct Piece {
  std::vector<Index> clusters;  // ascending
  std::vector<std::vector<int>> neighbours;
  std::vector<LensPoint> places;
};

std::vector<Piece> pieces_of(const MapperGraph& graph) {
  std::map<int, std::size_t> number;
  std::vector<Piece> out;
  std::vector<int> within(graph.clusters.size(), -1);
  for (std::size_t c = 0; c < graph.clusters.size(); ++c) {
    const Cluster& cluster = graph.clusters[c];
    if (!cluster.drawn) continue;
    const auto [found, fresh] = number.emplace(cluster.component, out.size());
    if (fresh) out.emplace_back();
    Piece& piece = out[found->second];
    within[c] = static_cast<int>(piece.clusters.size());
    piece.clusters.push_back(static_cast<Index>(c));
  }
  for (Piece& piece : out) piece.neighbours.resize(piece.clusters.size());
  for (const ClusterEdge& edge : graph.edges) {
    const auto source = static_cast<std::size_t>(edge.source);
    const auto target = static_cast<std::size_t>(edge.target);
    if (within[source] < 0) continue;
    Piece& piece = out[number.at(graph.clusters[source].component)];
    piece.neighbours[static_cast<std::size_t>(within[source])].push_back(within[target]);
    piece.neighbours[static_cast<std::size_t>(within[target])].push_back(within[source]);
  }
  return out;
}

// Edges on shortest paths, clusters x clusters.
std::vector<float> hops_of(const Piece& piece) {
  const std::size_t size = piece.clusters.size();
  std::vector<float> out(size * size, -1);
  std::vector<int> queue;
  for (std::size_t start = 0; start < size; ++start) {
    float* const row = out.data() + start * size;
    row[start] = 0;
    queue.assign(1, static_cast<int>(start));
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const auto v = static_cast<std::size_t>(queue[next]);
      for (const int w : piece.neighbours[v]) {
        if (row[w] >= 0) continue;
        row[w] = row[v] + 1;
        queue.push_back(w);
      }
    }
  }
  return out;
}

// Brings a piece to the size of its distances, and puts apart what lies on one spot: on a spiral,
// which needs no chance.
void spread(Piece& piece, const std::vector<float>& hops) {
  const std::size_t size = piece.clusters.size();
  double wanted = 0, found = 0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      wanted += hops[i * size + j];
      found += std::hypot(piece.places[i][0] - piece.places[j][0],
                          piece.places[i][1] - piece.places[j][1]);
    }
  }
  const double scale = found > 1e-9 ? wanted / found : 1;
  for (std::size_t i = 0; i < size; ++i) {
    const double angle = 2.399963 * static_cast<double>(i);
    const double away = 1e-3 * std::sqrt(static_cast<double>(i));
    piece.places[i][0] = scale * piece.places[i][0] + away * std::cos(angle);
    piece.places[i][1] = scale * piece.places[i][1] + away * std::sin(angle);
  }
}

// Cluster by cluster to the minimum of the majorant, given all others.
void majorise(Piece& piece) {
  const std::size_t size = piece.clusters.size();
  if (size < 2) return;
  const std::vector<float> hops = hops_of(piece);
  spread(piece, hops);
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double furthest = 0;
    for (std::size_t i = 0; i < size; ++i) {
      LensPoint& own = piece.places[i];
      double x = 0, y = 0, weights = 0;
      for (std::size_t j = 0; j < size; ++j) {
        if (j == i) continue;
        const double wanted = hops[i * size + j], weight = 1 / (wanted * wanted);
        const LensPoint& other = piece.places[j];
        const double dx = own[0] - other[0], dy = own[1] - other[1];
        const double apart = std::sqrt(dx * dx + dy * dy);
        const double stretch = apart > 1e-12 ? wanted / apart : 0;
        x += weight * (other[0] + stretch * dx);
        y += weight * (other[1] + stretch * dy);
        weights += weight;
      }
      x /= weights;
      y /= weights;
      furthest = std::max({furthest, std::abs(x - own[0]), std::abs(y - own[1])});
      own = {x, y};
    }
    if (furthest < kStill) return;
  }
}

// ---- packing ------------------------------------------------------------------------------------

using Square = std::pair<int, int>;  // of one edge length

int square_of(double value) { return static_cast<int>(std::floor(value)); }

// What a piece covers: squares around clusters, and those its edges pass.
std::set<Square> squares_of(const Piece& piece) {
  std::set<Square> out;
  constexpr double kRoom = 0.7;
  for (std::size_t i = 0; i < piece.places.size(); ++i) {
    const auto [x, y] = piece.places[i];
    for (int column = square_of(x - kRoom); column <= square_of(x + kRoom); ++column)
      for (int row = square_of(y - kRoom); row <= square_of(y + kRoom); ++row)
        out.insert({column, row});
    for (const int j : piece.neighbours[i]) {
      const auto [to_x, to_y] = piece.places[static_cast<std::size_t>(j)];
      const int steps = 1 + static_cast<int>(3 * std::hypot(to_x - x, to_y - y));
      for (int s = 0; s <= steps; ++s) {
        const double part = static_cast<double>(s) / steps;
        out.insert({square_of(x + part * (to_x - x)), square_of(y + part * (to_y - y))});
      }
    }
  }
  return out;
}

void centre(Piece& piece) {
  LensPoint low = piece.places.front(), high = low;
  for (const LensPoint& place : piece.places) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], place[axis]);
      high[axis] = std::max(high[axis], place[axis]);
    }
  }
  for (LensPoint& place : piece.places)
    for (std::size_t axis = 0; axis < 2; ++axis) place[axis] -= (low[axis] + high[axis]) / 2;
}

bool is_free(const std::set<Square>& taken, const std::set<Square>& squares, Square shift) {
  return std::ranges::none_of(squares, [&](const Square& square) {
    return taken.contains({square.first + shift.first, square.second + shift.second});
  });
}

// The largest piece in the middle, each other one where it is nearest to that; pages are wide.
void pack(std::vector<Piece>& pieces) {
  std::ranges::stable_sort(
      pieces, [](const Piece& a, const Piece& b) { return a.clusters.size() > b.clusters.size(); });
  std::set<Square> taken;
  int single_ring =
      0;  // where the last piece of one cluster found its place: the next is no nearer
  for (Piece& piece : pieces) {
    centre(piece);
    const std::set<Square> squares = squares_of(piece);
    const bool single = piece.clusters.size() == 1;
    for (int ring = single ? single_ring : 0;; ++ring) {
      Square best{};
      double nearest = INFINITY;
      for (int dx = -ring; dx <= ring; ++dx) {
        const int step = std::abs(dx) == ring ? 1 : std::max(1, 2 * ring);
        for (int dy = -ring; dy <= ring; dy += step) {
          const double far = dx * dx + 1.7 * dy * dy;
          if (far >= nearest || !is_free(taken, squares, {dx, dy})) continue;
          nearest = far;
          best = {dx, dy};
        }
      }
      if (nearest == INFINITY) continue;
      if (single) single_ring = ring;
      for (const Square& square : squares)
        taken.insert({square.first + best.first, square.second + best.second});
      for (LensPoint& place : piece.places) {
        place[0] += best.first;
        place[1] += best.second;
      }
      break;
    }
  }
}

}  // namespace

PlacedClusters lay_out(const MapperGraph& graph, PictureLayout wanted) {
  PlacedClusters out{wanted, std::vector<LensPoint>(graph.clusters.size())};
  for (std::size_t c = 0; c < graph.clusters.size(); ++c) out.places[c] = graph.clusters[c].mean;
  const auto drawn = std::ranges::count_if(graph.clusters, &Cluster::drawn);
  if (drawn > kMostByStress) out.kind = PictureLayout::kLens;
  if (out.kind == PictureLayout::kLens) return out;
  std::vector<Piece> pieces = pieces_of(graph);
  for (Piece& piece : pieces) {
    for (const Index c : piece.clusters)
      piece.places.push_back(out.places[static_cast<std::size_t>(c)]);
    majorise(piece);
  }
  pack(pieces);
  for (const Piece& piece : pieces)
    for (std::size_t i = 0; i < piece.clusters.size(); ++i)
      out.places[static_cast<std::size_t>(piece.clusters[i])] = piece.places[i];
  return out;
}

}  // namespace cupel
