// Rows of an INSERT: values between parentheses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cupel {

// How much of what is wrong messages show.
inline constexpr std::size_t kShownBytes = 12;

struct SqlValue {
  enum class Kind : std::uint8_t {
    kNull,
    kInteger,  // whole and within 64 bits with a sign
    kNumber,   // any other number
    kText,     // bytes of any kind: '...', _binary '...', 0x..., x'...'
  };
  enum class Form : std::uint8_t { kPlain, kEscaped, kHex };

  Kind kind = Kind::kNull;
  Form form = Form::kPlain;  // how the text stands in the dump; kPlain for whoever is given a row
  bool ascii = false;        // of kText: true only if it is all ASCII
  std::int64_t integer = 0;  // of kInteger
  std::string_view text;     // of kText; a number as it is written
};

// Reads the values of one row at a time. Not thread-safe.
class SqlRow {
 public:
  // Of `columns` values, those at the places `wanted` are kept, in this order. Each at most once.
  void expect(std::size_t columns, const std::vector<std::size_t>& wanted);

  enum class Result { kDone, kUnfinished, kFault };
  // Reads what stands behind "(". [from, end) is followed by the bytes that SqlWindow puts there.
  // kDone: `stop` is behind ")", and there were as many values as expected. kUnfinished: the row
  // goes on behind `end`. kFault: `stop` is where, `fault` what, with at most kShownBytes of
  // what stands there. Time: linear.
  Result read(const char* from, const char* end);
  const char* stop = nullptr;
  std::string fault;

  // Brings texts into their plain form, where they stand. For a row that is done; `from` as before.
  void decode(char* from);

  const SqlValue& operator[](std::size_t k) const { return values_[k]; }
  std::size_t size() const { return values_.size() - 1; }

 private:
  const char* read_rest(const char* from, const char* at, const char* end, SqlValue& value);
  const char* read_other(const char* at, const char* end, SqlValue& value);
  const char* read_number(const char* at, const char* end, SqlValue& value);
  const char* read_hex(const char* at, const char* end, SqlValue& value, bool quoted);
  const char* fail_at(const char* at, std::string what);

  std::vector<std::uint16_t> slots_;  // of each column: where its value goes
  std::vector<SqlValue> values_;      // wanted ones, and one that takes all others
  bool decode_ = false;
  Result result_ = Result::kDone;
};

}  // namespace cupel
