#include "cupel/data/facts/fact_times.h"

#include <algorithm>
#include <limits>

#include "cupel/base/calendar.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

// By form.
constexpr const char* kOne[] = {"a number", "a day", "a time of day"};
constexpr const char* kSeveral[] = {"numbers", "days", "times of day"};
constexpr const char* kUnits[] = {"", "day", "second"};

bool is_fraction(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<PointInTime> number_of(std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  PointInTime out;
  if (!whole_number(text.substr(0, point), out.value) || !is_fraction(fraction))
    return std::nullopt;
  out.cut = fraction.find_first_not_of('0') != std::string_view::npos;
  if (out.cut && text.front() == '-') {
    if (out.value == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
    --out.value;
  }
  return out;
}

}  // namespace

std::optional<PointInTime> point_in_time(std::string_view text) {
  if (const auto day = day_of(text)) return PointInTime{*day, TimeForm::kDay};
  bool cut = false;
  if (const auto second = second_of(text, &cut))
    return PointInTime{*second, TimeForm::kTimeOfDay, cut};
  return number_of(text);
}

std::string time_text(std::int64_t time, const std::string& unit) {
  const auto date = unit == "day"      ? text_of_day(time)
                    : unit == "second" ? text_of_second(time)
                                       : std::nullopt;
  return date ? fmt::format("{} ({})", time, *date) : std::to_string(time);
}

std::int64_t FactTimes::read(const LineReader& lines, std::string_view text) {
  const auto time = point_in_time(text);
  if (!time)
    lines.fail_here(
        fmt::format("{} is no point in time; times are numbers, days as 2019-01-31, or seconds as "
                    "2019-01-31T23:59:59",
                    in_quotes(text)));
  if (!form_) form_ = time->form;
  if (time->form != *form_)
    lines.fail_here(fmt::format("{} is {} where times before it are {}", in_quotes(text),
                                kOne[static_cast<int>(time->form)],
                                kSeveral[static_cast<int>(*form_)]));
  first_ = times_ == 0 ? time->value : std::min(first_, time->value);
  last_ = times_ == 0 ? time->value : std::max(last_, time->value);
  ++times_;
  cut_ += time->cut;
  return time->value;
}

const char* FactTimes::unit() const {
  return kUnits[static_cast<int>(form_.value_or(TimeForm::kNumber))];
}

void FactTimes::settle_fractions(const std::string& name, FactNotes* notes) const {
  if (cut_ == 0) return;
  // Unsigned: times may be as far apart as 64 bits allow.
  const std::uint64_t between =
      static_cast<std::uint64_t>(last_) - static_cast<std::uint64_t>(first_);
  if (between < static_cast<std::uint64_t>(times_) - 1)
    fail(
        "{}: {} facts lie from {} to {} and have times with a fraction, which would be lost; write "
        "{}, so that whole numbers tell them apart",
        name, times_, first_, last_,
        form_ == TimeForm::kNumber ? "times a thousandfold, say" : "milliseconds since 1970, say");
  if (notes != nullptr) (*notes)[kCutTimes] += cut_;
}

}  // namespace cupel
