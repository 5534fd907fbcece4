#include "cupel/data/formats/unpacker.h"

#include <algorithm>

#include "cupel/base/error.h"

namespace cupel {

std::size_t piece_size(std::uint64_t text_at_most) {
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(text_at_most, 4096, std::uint64_t{1} << 20));
}

void Unpacker::fail_cut_off() const {
  fail(
      "{}: ends in the middle of its compressed text, after {}; the file is cut off, get it "
      "again",
      file_.name(), place_());
}

void Unpacker::fail_damaged(const char* format, std::string_view reason) const {
  fail("{}: is not valid {} after {} ({}); the file is damaged, get it again", file_.name(), format,
       place_(), reason);
}

}  // namespace cupel
