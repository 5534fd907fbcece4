#include "cupel/data/build/expert/forecast.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cupel {
namespace {

constexpr double kGoldenRatio = 0.6180339887498949;

std::int64_t grown(std::int64_t number, double factor) {
  return std::llround(static_cast<double>(number) * factor);
}

// The power of papers by which a number grew; 1 where nothing is known of it.
double growth(std::int64_t half, std::int64_t whole, double papers) {
  if (half <= 0 || papers <= 1) return 1;
  return std::clamp(
      std::log(static_cast<double>(whole) / static_cast<double>(half)) / std::log(papers), 0.0,
      1.0);
}

}  // namespace

std::vector<FilePart> spread_sample(std::span<const std::uint64_t> sizes, std::uint64_t bytes) {
  constexpr std::uint64_t kLeast = 12, kMost = 1024;
  std::vector<std::uint64_t> ends(sizes.size());
  std::partial_sum(sizes.begin(), sizes.end(), ends.begin());
  if (ends.empty() || ends.back() == 0) return {};
  const std::uint64_t all = ends.back();
  const std::uint64_t parts = std::clamp(bytes * sizes.size() / all, kLeast, kMost);
  std::vector<FilePart> out;
  for (std::uint64_t k = 0; k < parts; ++k) {
    const double share = std::fmod((static_cast<double>(k) + 0.5) * kGoldenRatio, 1.0);
    const auto place =
        std::min(static_cast<std::uint64_t>(share * static_cast<double>(all)), all - 1);
    const auto file =
        static_cast<std::size_t>(std::ranges::upper_bound(ends, place) - ends.begin());
    const auto had = std::ranges::find(out, file, &FilePart::file);
    if (had == out.end())
      out.push_back({file, bytes / parts});
    else
      had->bytes += bytes / parts;
  }
  return out;
}

AcademicSize extrapolated(std::span<const AcademicSize> sample, double times) {
  if (sample.empty()) return {};
  const AcademicSize& whole = sample.back();
  const auto far_from_half = [&](const AcademicSize& part) {
    return std::abs(2 * part.papers - whole.papers);
  };
  const AcademicSize& half = *std::ranges::min_element(sample, {}, far_from_half);
  const double papers =
      half.papers > 0 ? static_cast<double>(whole.papers) / static_cast<double>(half.papers) : 1;
  const double entities = std::pow(times, growth(half.entities, whole.entities, papers)),
               others = std::pow(times, growth(half.other_names, whole.other_names, papers));
  AcademicSize out;
  out.facts = grown(whole.facts, times);
  out.of_largest_year = grown(whole.of_largest_year, times);
  out.entities = grown(whole.entities, entities);
  out.name_bytes = grown(whole.name_bytes, entities);
  out.other_names = grown(whole.other_names, others);
  out.other_bytes = grown(whole.other_bytes, others);
  out.papers = grown(whole.papers, times);
  out.id_bytes = grown(whole.id_bytes, times);
  out.authorships = grown(whole.authorships, times);
  return out;
}

}  // namespace cupel
