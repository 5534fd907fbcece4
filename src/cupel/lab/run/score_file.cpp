#include "cupel/lab/run/score_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "cupel/base/error.h"
#include "cupel/data/formats/npy.h"

namespace cupel {
namespace {

constexpr std::int64_t kMostHeader = 1 << 16;  // of an array in a file, in bytes
constexpr std::int64_t kMostItem = 8;          // bytes of its widest number

[[noreturn]] void refuse_shape(const std::string& name, const std::vector<std::int64_t>& has,
                               const ScoreShape& shape) {
  const std::string begin = fmt::format("{}: has the shape ({})", name, fmt::join(has, ", "));
  if (shape.unit == Unit::kFact && shape.columns != 1)
    fail("{} instead of ({}, {}): one row for each query, one column for each entity", begin,
         shape.rows, shape.columns);
  if (shape.unit == Unit::kPair || shape.unit == Unit::kFact)
    fail("{} instead of ({}, 1) or ({}): one score for each {} asked for, in their order", begin,
         shape.rows, shape.rows, unit_name(shape.unit));
  fail("{} instead of ({}, {}): one row for each {} asked for, one column for each class", begin,
       shape.rows, shape.columns, unit_name(shape.unit));
}

template <class T>
T load(const std::byte* at) {
  T out;
  std::memcpy(&out, at, sizeof out);
  return out;
}

// Places of minus infinity, which become 0.
std::vector<std::size_t> take_unknown(NpyArray& array) {
  std::vector<std::size_t> out;
  const auto items = static_cast<std::size_t>(array.items());
  const auto take = [&]<class T>(T zero) {
    for (std::size_t i = 0; i < items; ++i) {
      std::byte* const at = array.bytes.data() + i * sizeof(T);
      if (load<T>(at) != -std::numeric_limits<T>::infinity()) continue;
      std::memcpy(at, &zero, sizeof zero);
      out.push_back(i);
    }
  };
  array.type.bytes == 8 ? take(0.0) : take(0.0f);
  return out;
}

// Where an item is in rows, of an array whose columns run fastest.
std::size_t in_rows(std::size_t at, const std::vector<std::int64_t>& shape) {
  const auto rows = static_cast<std::size_t>(shape[0]);
  return at % rows * static_cast<std::size_t>(shape[1]) + at / rows;
}

}  // namespace

std::int64_t most_score_bytes(const ScoreShape& shape) {
  return kMostHeader + shape.rows * shape.columns * kMostItem;
}

AlignedVector<float> scores_of(NpyArray array, const std::string& name, const ScoreShape& shape) {
  array.where = name;
  const bool one_each = shape.unit == Unit::kPair || shape.unit == Unit::kFact;
  const bool one_axis = one_each && shape.columns == 1 && array.shape == std::vector{shape.rows};
  if (!one_axis && array.shape != std::vector<std::int64_t>{shape.rows, shape.columns})
    refuse_shape(name, array.shape, shape);
  if (array.type.kind != 'f')
    fail("{}: must hold floats, not {}; save it as float32 or float64", name, to_text(array.type));
  std::vector<std::size_t> unknown;
  if (shape.unit == Unit::kFact) unknown = take_unknown(array);
  AlignedVector<float> out = to_floats(array);
  for (const std::size_t item : unknown)
    out[array.fortran_order && !one_axis ? in_rows(item, array.shape) : item] =
        -std::numeric_limits<float>::infinity();
  return out;
}

AlignedVector<float> scores_of(const std::string& bytes, const char* name,
                               const ScoreShape& shape) {
  std::size_t at = 0;
  return scores_of(read_npy(name, bytes.size(),
                            [&](void* out, std::size_t size) {
                              if (size > bytes.size() - at) fail("{}: ends too soon", name);
                              std::memcpy(out, bytes.data() + at, size);
                              at += size;
                            }),
                   name, shape);
}

std::optional<AlignedVector<float>> read_scores(const TaskFolder& folder, const char* name,
                                                const ScoreShape& shape) {
  const auto bytes = folder.read(name, most_score_bytes(shape));
  if (!bytes) return {};
  return scores_of(*bytes, name, shape);
}

void hand_rows(const AlignedVector<float>& scores, Index columns, ScoreSink& sink) {
  constexpr std::int64_t kBlock = 1 << 16;
  const std::int64_t rows = std::ssize(scores) / std::max<Index>(columns, 1);
  for (std::int64_t first = 0; first < rows; first += kBlock)
    sink.take({scores.data() + first * columns, static_cast<Index>(std::min(kBlock, rows - first)),
               columns, columns});
}

}  // namespace cupel
