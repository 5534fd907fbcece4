// The bytes of an XML document that are at hand, in a row and known to be characters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cupel/base/error.h"
#include "cupel/data/formats/byte_source.h"
#include "cupel/data/wiki/xml_characters.h"

namespace cupel {

// A window on a source that moves front to back. What is taken leaves it; what is left in it stays
// when more bytes come, so that a token is always in one piece. Memory: a block of the source and
// what is left. Time: linear, however small the blocks are. Not thread-safe.
class XmlWindow {
 public:
  explicit XmlWindow(ByteSource& source) : source_(source) {}
  XmlWindow(const XmlWindow&) = delete;
  XmlWindow& operator=(const XmlWindow&) = delete;

  [[nodiscard]] std::string_view bytes() const {
    return {at_, static_cast<std::size_t>(checked_ - at_)};
  }
  [[nodiscard]] const char* begin() const { return at_; }
  [[nodiscard]] const char* end() const { return checked_; }
  void take(std::size_t bytes) { at_ += bytes; }
  void take_to(const char* place) { at_ = place; }

  // Adds at least one byte behind the others; false at the end of the source. Bytes move: what
  // points at them is to be looked up again. Throws XmlProblem where bytes are no characters of
  // XML, once those before them are asked for no more, and what the source throws.
  bool more();

  // Of the first byte of the window in the document, from 0.
  [[nodiscard]] std::uint64_t offset() const {
    return came_ - static_cast<std::uint64_t>(end_ - at_);
  }
  [[nodiscard]] const std::string& name() const { return source_.name(); }

 private:
  bool fetch();
  void check();

  ByteSource& source_;
  std::string kept_;  // holds the bytes where a block ended within what was not taken
  const char *at_ = "", *checked_ = at_, *end_ = at_;
  std::uint64_t came_ = 0;  // bytes of the source so far
  bool owned_ = false;      // at_ points into kept_, not into a block
  bool faulty_ = false, ended_ = false;
};

// What is wrong with a document, and where. Whoever knows the context makes an Error of it.
struct XmlProblem {
  std::uint64_t offset;
  std::string message;
};

template <class... Args>
[[noreturn]] void xml_problem(std::uint64_t offset, fmt::format_string<Args...> format,
                              Args&&... args) {
  throw XmlProblem{offset, fmt::format(format, std::forward<Args>(args)...)};
}

}  // namespace cupel
