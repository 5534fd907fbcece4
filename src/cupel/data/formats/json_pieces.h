// Writing JSON of any size: a text that is given in pieces, in the form of Python's json.dump.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace cupel {

// Takes a text piece by piece.
using PutText = std::function<void(std::string_view)>;

// Appends the number as Python's repr() writes it: the fewest digits that are read back as the same
// value, a point or an exponent in all of them. A float is read back the same by those who read a
// double and round it, as most do. Requires that it is finite.
void append_json_number(std::string& out, double value);
void append_json_number(std::string& out, float value);

// Appends the text in double quotes. Line ends, controls and characters that cannot be seen
// (base/visible.h) are escaped; other characters stand as they are, and bytes that are no UTF-8
// become U+FFFD.
void append_json_text(std::string& out, std::string_view text);

// Keeps what is written until there is enough of it to be given on: 64 KiB, and what one call adds.
class JsonPieces {
 public:
  explicit JsonPieces(const PutText& put) : put_(put) {}

  JsonPieces& raw(std::string_view text) {
    buffer_ += text;
    return given();
  }
  JsonPieces& number(std::int64_t value) { return raw(std::to_string(value)); }
  JsonPieces& number(double value) {
    append_json_number(buffer_, value);
    return given();
  }
  JsonPieces& number(float value) {
    append_json_number(buffer_, value);
    return given();
  }
  JsonPieces& text(std::string_view value) {
    append_json_text(buffer_, value);
    return given();
  }
  // Each item with ", " before it but the first: write(k).
  template <class Write>
  JsonPieces& list(std::size_t items, const Write& write) {
    raw("[");
    for (std::size_t k = 0; k < items; ++k) {
      if (k > 0) raw(", ");
      write(k);
    }
    return raw("]");
  }
  void finish() {
    if (!buffer_.empty()) put_(buffer_);
    buffer_.clear();
  }

 private:
  JsonPieces& given() {
    if (buffer_.size() >= (std::size_t{1} << 16)) finish();
    return *this;
  }

  const PutText& put_;
  std::string buffer_;
};

}  // namespace cupel
