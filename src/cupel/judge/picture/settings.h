// The settings of a picture by name, with the published ones as defaults.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/judge/picture/layout.h"
#include "cupel/judge/picture/lens.h"
#include "cupel/judge/picture/mapper.h"

namespace cupel {

struct PictureSettings {
  LensSettings lens;
  MapperSettings mapper;
  PictureLayout layout = PictureLayout::kStress;
  std::int64_t seed = 0;
};

// Their declarations. Defaults of "epsilon" and "smallest" are those of appendix A.3 of "Wiki-CS"
// for a data set that is called "cora", "citeseer", "pubmed" or "wiki-cs", also in Planetoid's
// form, and 0.05 and 8 for any other.
[[nodiscard]] std::vector<OptionSpec> picture_options(const std::string& dataset);

// Of options that are declared so.
[[nodiscard]] PictureSettings picture_settings(const Options& options);

}  // namespace cupel
