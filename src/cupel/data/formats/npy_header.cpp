#include "cupel/data/formats/npy_header.h"

#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

constexpr std::size_t kMostAxes = 32;  // NumPy's own limit
constexpr std::uint32_t kLongestText = 1u << 20;
constexpr char kMagic[] = "\x93NUMPY";
constexpr std::size_t kMagicSize = 6;
constexpr std::size_t kLongestHeader = 1 << 16;

// Reads the few forms of Python that such a header holds.
class Literal {
 public:
  Literal(const std::string& where, std::string_view text) : where_(where), text_(text) {}

  [[noreturn]] void broken(std::string_view what) const {
    fail("{}: its npy header {} ({}); save the array again with numpy.save", where_, what,
         in_quotes(text_));
  }

  bool take(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) broken(fmt::format("lacks '{}' after {} characters", c, at_));
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  char peek() {
    skip_blanks();
    return at_ == text_.size() ? '\0' : text_[at_];
  }

  std::string_view string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') broken("lacks a quoted text");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) broken("has a text without end");
    const std::string_view out = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return out;
  }
  bool boolean() {
    if (take_word("True")) return true;
    if (take_word("False")) return false;
    broken("has a fortran_order that is neither True nor False");
  }
  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> out;
    expect('(');
    while (!take(')')) {
      if (out.size() == kMostAxes) broken(fmt::format("has more than {} axes", kMostAxes));
      skip_blanks();
      std::int64_t length = 0;
      const char* from = text_.data() + at_;
      const auto [end, problem] = std::from_chars(from, text_.data() + text_.size(), length);
      if (problem != std::errc() || length < 0) broken("has a shape that is no list of lengths");
      at_ += static_cast<std::size_t>(end - from);
      if (at_ < text_.size() && text_[at_] == 'L') ++at_;
      out.push_back(length);
      if (!take(',') && peek() != ')') broken("has a shape that is no list of lengths");
    }
    return out;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  const std::string& where_;
  std::string_view text_;
  std::size_t at_ = 0;
};

[[noreturn]] void refuse_type(const std::string& where, std::string_view descr) {
  const bool floats = descr.size() > 1 && descr[1] == 'f';
  fail("{}: has dtype {}, which is not read here; save it as {}", where, in_quotes(descr),
       floats ? "float32 or float64" : "a bool, integer, float32, float64 or text array");
}

NpyType parse_descr(const std::string& where, std::string_view descr, bool& big_endian) {
  if (descr.starts_with("|O")) return {'O', 0};
  if (descr.size() < 3) refuse_type(where, descr);
  const char order = descr[0];
  if (order != '<' && order != '>' && order != '|' && order != '=') refuse_type(where, descr);
  big_endian = order == '>';
  NpyType type{descr[1], 0};
  const char *from = descr.data() + 2, *to = descr.data() + descr.size();
  const auto [end, problem] = std::from_chars(from, to, type.bytes);
  if (problem != std::errc() || end != to || type.bytes > kLongestText) refuse_type(where, descr);
  const std::uint32_t n = type.bytes;
  switch (type.kind) {
    case 'b':
      if (n == 1) return type;
      break;
    case 'i':
    case 'u':
      if (n == 1 || n == 2 || n == 4 || n == 8) return type;
      break;
    case 'f':
      if (n == 4 || n == 8) return type;
      break;
    case 'U':
      type.bytes *= 4;
      return type;
    case 'S':
      return type;
    default:
      break;
  }
  refuse_type(where, descr);
}

std::uint64_t data_bytes(const std::string& where, const NpyHeader& header) {
  if (header.type.kind == 'O') return 0;
  bool empty = false;
  for (const std::int64_t length : header.shape) empty |= length == 0;
  if (empty) return 0;
  if (header.type.bytes == 0) {
    fail("{}: claims {} texts without characters; save it again with numpy.save", where,
         fmt::join(header.shape, " x "));
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::uint64_t total = header.type.bytes;
  for (const std::int64_t length : header.shape) {
    if (static_cast<std::uint64_t>(length) > kMost / total) {
      fail("{}: claims the shape ({}), more than any file holds; the file is damaged, get it again",
           where, fmt::join(header.shape, ", "));
    }
    total *= static_cast<std::uint64_t>(length);
  }
  return total;
}

}  // namespace

std::string to_text(const NpyType& type) {
  if (type.kind == 'O') return "|O";
  const char order = type.bytes == 1 || type.kind == 'S' ? '|' : '<';
  return fmt::format("{}{}{}", order, type.kind, type.kind == 'U' ? type.bytes / 4 : type.bytes);
}

NpyHeader parse_npy_header(const std::string& where, std::string_view text) {
  Literal in(where, text);
  std::optional<std::string_view> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
  in.expect('{');
  while (!in.take('}')) {
    const std::string_view key = in.string();
    in.expect(':');
    if (key == "descr" && !descr) {
      if (in.peek() == '[') {
        fail("{}: is an array of records; save each field as an array of its own", where);
      }
      descr = in.string();
    } else if (key == "fortran_order" && !fortran_order) {
      fortran_order = in.boolean();
    } else if (key == "shape" && !shape) {
      shape = in.shape();
    } else {
      in.broken(fmt::format("has the key {} that is unknown or repeated", in_quotes(key)));
    }
    if (!in.take(',') && in.peek() != '}') in.broken("lacks a comma between keys");
  }
  if (!in.at_end()) in.broken("goes on after its end");
  if (!descr || !fortran_order || !shape) in.broken("lacks descr, fortran_order or shape");
  NpyHeader header;
  header.type = parse_descr(where, *descr, header.big_endian);
  header.fortran_order = *fortran_order;
  header.shape = std::move(*shape);
  header.data_bytes = data_bytes(where, header);
  return header;
}

NpyHeader read_npy_header(const std::string& where, std::uint64_t size, const ByteReader& read,
                          std::uint64_t& left) {
  unsigned char prefix[kMagicSize + 2 + 4];
  left = size;
  const auto take = [&](void* out, std::uint64_t count) {
    if (count > left) {
      fail("{}: has only {} bytes, too few for an npy array; the file is cut off, get it again",
           where, size);
    }
    read(out, static_cast<std::size_t>(count));
    left -= count;
  };
  take(prefix, kMagicSize + 2);
  if (std::memcmp(prefix, kMagic, kMagicSize) != 0) {
    fail("{}: is not an npy array; save it with numpy.save or numpy.savez", where);
  }
  const int version = prefix[kMagicSize];
  if (version < 1 || version > 3) {
    fail("{}: has npy version {}; versions 1 to 3 are read, save it with another NumPy", where,
         version);
  }
  const std::size_t length_size = version == 1 ? 2 : 4;
  unsigned char* length = prefix + kMagicSize + 2;
  take(length, length_size);
  std::size_t header_size = 0;
  for (std::size_t i = 0; i < length_size; ++i) header_size |= std::size_t{length[i]} << (8 * i);
  if (header_size > kLongestHeader) {
    fail(
        "{}: claims an npy header of {} bytes, at most {} are read; the file is damaged, get it "
        "again",
        where, header_size, kLongestHeader);
  }
  std::string text(header_size, '\0');
  take(text.data(), text.size());
  return parse_npy_header(where, text);
}

std::string npy_header_text(const NpyArray& array) {
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}{}), }}",
                     to_text(array.type), array.fortran_order ? "True" : "False",
                     fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : "");
}

}  // namespace cupel
