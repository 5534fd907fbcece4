#include "cupel/learn/events/edge_window.h"

#include <algorithm>

namespace cupel {

void RunningQuantile::add(std::int64_t time) {
  times_.push_back(time);
  ++facts_;
  const auto low = static_cast<Offset>(place());
  for (; dropped_ < low; ++dropped_) times_.pop_front();
}

std::int64_t RunningQuantile::first_within() const {
  if (times_.size() == 1) return times_.front();
  // As numpy rounds, so that an interpolation may fall onto the earlier fact.
  const auto from = static_cast<double>(times_[0]), to = static_cast<double>(times_[1]);
  const double part = place() - static_cast<double>(dropped_);
  const double value = part >= 0.5 ? to - (to - from) * (1 - part) : from + (to - from) * part;
  return value <= from ? times_[0] : times_[1];
}

std::uint64_t share_of_span(std::uint64_t span, double share) {
  const auto length = static_cast<double>(span);
  const double window = length - length * (1 - share);
  return window >= length ? span : std::min(span, static_cast<std::uint64_t>(window));
}

MeanGap::Wide MeanGap::mean(std::uint64_t span, Offset gaps) {
  const auto n = static_cast<std::uint64_t>(gaps);
  if (span < std::uint64_t{1} << 31 && n < std::uint64_t{1} << 31)
    return ((span << 32) + n - 1) / n;  // the usual case, and a much faster division
  return ((static_cast<Wide>(span) << 32) + n - 1) / n;
}

void MeanGap::extend(std::uint64_t before, std::uint64_t now, Offset count) {
  if (count > 2) sum_ -= mean(before, count - 2);
  sum_ += mean(now, count - 1);
}

std::uint64_t MeanGap::over(Offset pairs) const {
  if (pairs == 0) return 0;
  return static_cast<std::uint64_t>(sum_ / static_cast<Wide>(pairs) >> 32);
}

}  // namespace cupel
