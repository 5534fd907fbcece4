// Points in time as files of facts write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cupel/data/facts/fact_lines.h"

namespace cupel {

// How a text writes its time.
enum class TimeForm { kNumber, kDay, kTimeOfDay };

struct PointInTime {
  std::int64_t value = 0;
  TimeForm form = TimeForm::kNumber;
  bool cut = false;  // its fraction was left out
};

// A number of 64 bits, whole or taken down to a whole one (12, 12.0, 12.7); a day, 2019-01-31, as
// the days since 1970-01-01; a time of day, 2019-01-31T23:59:59Z (base/calendar.h), as the seconds
// since then. None for anything else.
[[nodiscard]] std::optional<PointInTime> point_in_time(std::string_view text);

// A time for people, by what 1 is: "15046 (2011-03-13)" of days since 1970, "60 (1970-01-01
// 00:01:00)" of seconds; else the number alone.
[[nodiscard]] std::string time_text(std::int64_t time, const std::string& unit);

// The times of one source, which are all of one form. Not thread-safe.
class FactTimes {
 public:
  // What the text stands for. Throws Error naming file and line where it is no point in time, or
  // one of another form than those before it.
  std::int64_t read(const LineReader& lines, std::string_view text);
  // What 1 is: "day", "second"; "" where times are numbers.
  [[nodiscard]] const char* unit() const;
  // Notes how many times had a fraction. Throws Error naming the file, `name`, where fractions
  // would have told facts apart: where there are more of these than whole numbers between first and
  // last.
  void settle_fractions(const std::string& name, FactNotes* notes) const;

 private:
  std::optional<TimeForm> form_;
  std::int64_t times_ = 0, first_ = 0, last_ = 0;
  std::int64_t cut_ = 0;
};

}  // namespace cupel
