#include "cupel/engine/program/parameters.h"

#include <algorithm>
#include <cmath>

namespace cupel {

ParameterSet::ParameterSet(const std::vector<Parameter>& parameters) {
  constexpr std::size_t kLine = kAlignment / sizeof(float);
  std::size_t size = 0;
  for (const Parameter& p : parameters) {
    shapes_.emplace_back(p.rows, p.cols);
    offsets_.push_back(size);
    size += (static_cast<std::size_t>(p.rows) * p.cols + kLine - 1) / kLine * kLine;
  }
  block_.assign(size, 0.0f);
}

DenseView ParameterSet::view(int slot) {
  const auto [rows, cols] = shapes_[slot];
  return {block_.data() + offsets_[slot], rows, cols, cols};
}

void initialise(const std::vector<Parameter>& parameters, StreamKey key, ParameterSet& values) {
  for (int slot = 0; slot < static_cast<int>(parameters.size()); ++slot) {
    const Parameter& p = parameters[slot];
    const DenseView view = values.view(slot);
    if (p.init == Parameter::Init::kFill) {
      for (Index r = 0; r < view.rows; ++r)
        for (Index c = 0; c < view.cols; ++c)
          view.row(r)[c] =
              p.fill.size() == 1 ? p.fill[0] : p.fill[static_cast<std::size_t>(r) * view.cols + c];
      continue;
    }
    const double fan = p.fan > 0 ? p.fan : static_cast<double>(p.rows) + p.cols;
    const bool normal =
        p.init == Parameter::Init::kGlorotNormal || p.init == Parameter::Init::kNormal;
    const double scale = p.init == Parameter::Init::kNormal ? p.gain
                         : p.init == Parameter::Init::kUniform
                             ? 1.0 / std::sqrt(fan)
                             : p.gain * std::sqrt((normal ? 2.0 : 6.0) / fan);
    for (Index r = 0; r < view.rows; ++r) {
      Stream stream(key, 0, static_cast<std::uint32_t>(slot), static_cast<std::uint32_t>(r));
      for (Index c = 0; c < view.cols; ++c) {
        const double drawn = normal ? stream.next_normal() : 2.0 * stream.next_unit() - 1.0;
        view.row(r)[c] = static_cast<float>(scale * drawn);
      }
    }
  }
}

}  // namespace cupel
