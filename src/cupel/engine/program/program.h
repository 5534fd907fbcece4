// The traced tensor program: a list of values in the order they were written down.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

class Op;

// What the rows of a value stand for. Space 0 is static: a fixed number of rows (parameters). Any
// other space (nodes of a graph, entries of its adjacency, graphs of a batch) gets its rows when
// the program is bound, and a binding may compute only some of them.
using SpaceId = int;
inline constexpr SpaceId kStaticSpace = 0;

struct Space {
  std::string name;
  // An entry space has one row per stored entry of a sparse constant; its rows are demanded by
  // receiver: all entries of a row or none. -1: not an entry space.
  int entries_of = -1;  // value id of that constant
};

enum class Layout : std::uint8_t { kDense, kSparse };

struct Shape {
  Layout layout = Layout::kDense;
  SpaceId space = kStaticSpace;
  Index rows = 0;  // static space only
  Index cols = 0;
  friend bool operator==(const Shape&, const Shape&) = default;
};

[[nodiscard]] std::string to_text(const Shape& shape);

// How a parameter starts and how it is regularised.
struct Parameter {
  enum class Init : std::uint8_t { kGlorotUniform, kGlorotNormal, kUniform, kNormal, kFill };
  std::string name;
  Index rows = 0, cols = 0;
  Init init = Init::kGlorotUniform;
  std::vector<float> fill = {};  // kFill: one value for all, or rows * cols values
  double l2 = 0;                 // the loss gains l2 / 2 * sum of squares
  Index fan = 0;                 // Glorot: fan in + fan out where that is not rows + cols, because
                                 // several matrices are stacked in this one. kUniform: fan in
  double gain = 1;               // Glorot: factor of the limit or the standard deviation.
                                 // kNormal: the standard deviation
  bool trained = true;           // false: the optimiser leaves it alone; an op may write it, as a
                                 // batch norm its running moments
};

struct Node {
  enum class Kind : std::uint8_t { kConstant, kParameter, kOp };
  Kind kind = Kind::kOp;
  int slot = -1;                 // which constant or parameter
  std::shared_ptr<const Op> op;  // kOp only
  std::vector<int> inputs;       // value ids, all smaller than this one's
  Shape shape;
};

struct Constant {
  std::string name;
  Shape shape;
};

// Value i is nodes[i]. Immutable once traced; passes make new programs.
struct Program {
  std::vector<Space> spaces = {{"static", -1}};
  std::vector<Constant> constants;
  std::vector<Parameter> parameters;
  std::vector<Node> nodes;
  int output = -1;

  [[nodiscard]] std::string to_text() const;  // one line per value, for tests and debugging
};

}  // namespace cupel
