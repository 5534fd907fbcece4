// The conversions of npy.h.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include "cupel/base/error.h"
#include "cupel/base/utf8.h"
#include "cupel/data/formats/npy.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

struct Bool {};  // stands for one byte that is zero or not

// Calls body with a value of the item type; false if items are no numbers.
template <class Body>
bool with_number_type(const NpyType& type, Body body) {
  switch (type.kind) {
    case 'b':
      body(Bool{});
      return true;
    case 'f':
      type.bytes == 4 ? body(float{}) : body(double{});
      return true;
    case 'i':
      switch (type.bytes) {
        case 1:
          body(std::int8_t{});
          return true;
        case 2:
          body(std::int16_t{});
          return true;
        case 4:
          body(std::int32_t{});
          return true;
        default:
          body(std::int64_t{});
          return true;
      }
    case 'u':
      switch (type.bytes) {
        case 1:
          body(std::uint8_t{});
          return true;
        case 2:
          body(std::uint16_t{});
          return true;
        case 4:
          body(std::uint32_t{});
          return true;
        default:
          body(std::uint64_t{});
          return true;
      }
    default:
      return false;
  }
}

template <class T>
auto load(const std::byte* at) {
  if constexpr (std::is_same_v<T, Bool>) {
    return static_cast<std::uint8_t>(*at != std::byte{0});
  } else {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
}

// The items with the last axis running fastest. `space` holds them if they must be moved.
const std::byte* row_major(const NpyArray& array, std::vector<std::byte>& space) {
  const std::size_t axes = array.shape.size(), unit = array.type.bytes;
  if (!array.fortran_order || axes < 2 || array.items() == 0) return array.bytes.data();
  space.resize(array.bytes.size());
  std::vector<std::size_t> stride(axes), index(axes, 0);
  stride[axes - 1] = unit;
  for (std::size_t k = axes - 1; k > 0; --k) {
    stride[k - 1] = stride[k] * static_cast<std::size_t>(array.shape[k]);
  }
  std::size_t to = 0;
  for (std::size_t from = 0; from < array.bytes.size(); from += unit) {
    std::memcpy(space.data() + to, array.bytes.data() + from, unit);
    for (std::size_t k = 0; k < axes; ++k) {  // the first axis runs fastest in the file
      to += stride[k];
      if (++index[k] < static_cast<std::size_t>(array.shape[k])) break;
      to -= stride[k] * index[k];
      index[k] = 0;
    }
  }
  return space.data();
}

// "cora.npz: member 'x'[3, 5]" for the k-th item in row-major order, from `first` on.
std::string item_name(const NpyArray& array, std::int64_t k, std::int64_t first = 0) {
  std::vector<std::int64_t> index(array.shape.size());
  for (std::size_t axis = index.size(); axis-- > 0;) {
    index[axis] = k % array.shape[axis];
    k /= array.shape[axis];
  }
  if (!index.empty()) index[0] += first;
  return fmt::format("{}[{}]", array.where, fmt::join(index, ", "));
}

[[noreturn]] void wrong_type(const NpyArray& array, std::string_view wanted) {
  fail("{}: has dtype {} where {} are needed; convert it and save it again", array.where,
       to_text(array.type), wanted);
}

std::u32string decode(const std::string& text, const std::string& where) {
  std::optional<std::u32string> out = decode_utf8(text);
  if (!out) fail("{}: the text {} is not UTF-8; write it as UTF-8", where, in_quotes(text));
  return *std::move(out);
}

// Calls take(k, value) for every integer in row-major order.
template <class Take>
void each_integer(const NpyArray& array, Take take, std::int64_t first = 0) {
  std::vector<std::byte> space;
  const std::byte* at = row_major(array, space);
  const std::int64_t items = array.items();
  const bool numbers = with_number_type(array.type, [&]<class T>(T) {
    if constexpr (std::is_floating_point_v<T>) {
      wrong_type(array, "whole numbers");
    } else {
      for (std::int64_t k = 0; k < items; ++k, at += array.type.bytes) {
        const auto value = load<T>(at);
        if (!std::in_range<std::int64_t>(value)) {
          fail("{} is {}, larger than any whole number here; correct it",
               item_name(array, k, first), value);
        }
        take(k, static_cast<std::int64_t>(value));
      }
    }
  });
  if (!numbers) wrong_type(array, "whole numbers");
}

}  // namespace

std::vector<std::int64_t> to_integers(const NpyArray& array) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(array.items()));
  each_integer(array, [&](std::int64_t k, std::int64_t value) { out[k] = value; });
  return out;
}

std::vector<Index> to_indices(const NpyArray& array, std::int64_t limit, const std::string& what,
                              std::int64_t first) {
  std::vector<Index> out(static_cast<std::size_t>(array.items()));
  each_integer(
      array,
      [&](std::int64_t k, std::int64_t value) {
        if (value < 0 || value >= limit) {
          fail("{} is {}, which is none of {} (numbered from 0); correct it",
               item_name(array, k, first), value, what);
        }
        out[k] = static_cast<Index>(value);
      },
      first);
  return out;
}

AlignedVector<float> to_floats(const NpyArray& array) {
  std::vector<std::byte> space;
  const std::byte* at = row_major(array, space);
  AlignedVector<float> out(static_cast<std::size_t>(array.items()));
  const bool numbers = with_number_type(array.type, [&]<class T>(T) {
    for (std::size_t k = 0; k < out.size(); ++k, at += array.type.bytes) {
      const auto value = load<T>(at);
      out[k] = static_cast<float>(value);
      if (!std::isfinite(out[k])) {
        fail("{} is {}, which is not a finite float32; replace it with a number",
             item_name(array, static_cast<std::int64_t>(k)), value);
      }
    }
  });
  if (!numbers) wrong_type(array, "numbers");
  return out;
}

std::vector<std::uint8_t> to_flags(const NpyArray& array) {
  std::vector<std::uint8_t> out(static_cast<std::size_t>(array.items()));
  each_integer(array, [&](std::int64_t k, std::int64_t value) {
    if (value != 0 && value != 1) {
      fail("{} is {} where False (0) or True (1) is needed; correct it", item_name(array, k),
           value);
    }
    out[k] = static_cast<std::uint8_t>(value);
  });
  return out;
}

std::vector<std::string> to_texts(const NpyArray& array) {
  if (array.type.kind != 'U' && array.type.kind != 'S') wrong_type(array, "texts");
  std::vector<std::byte> space;
  const std::byte* at = row_major(array, space);
  std::vector<std::string> out(static_cast<std::size_t>(array.items()));
  for (std::size_t k = 0; k < out.size(); ++k, at += array.type.bytes) {
    std::string& text = out[k];
    if (array.type.kind == 'S') {
      text.assign(reinterpret_cast<const char*>(at), array.type.bytes);
      text.erase(text.find_last_not_of('\0') + 1);
      static_cast<void>(decode(text, array.where));
      continue;
    }
    std::u32string codes(array.type.bytes / 4, U'\0');
    std::memcpy(codes.data(), at, array.type.bytes);
    codes.erase(codes.find_last_not_of(U'\0') + 1);
    for (const char32_t code : codes) {
      if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
        fail("{} holds the number {:#x}, which is no character; correct it",
             item_name(array, static_cast<std::int64_t>(k)), static_cast<std::uint32_t>(code));
      }
      append_utf8(text, code);
    }
  }
  return out;
}

NpyArray make_npy(std::span<const std::string> texts) {
  std::vector<std::u32string> decoded;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    decoded.push_back(decode(text, "an array of texts"));
    longest = std::max(longest, decoded.back().size());
  }
  NpyArray out;
  out.type = {'U', static_cast<std::uint32_t>(4 * longest)};
  out.shape = {static_cast<std::int64_t>(texts.size())};
  out.bytes.resize(4 * longest * texts.size());
  for (std::size_t k = 0; k < texts.size(); ++k) {
    std::memcpy(out.bytes.data() + 4 * longest * k, decoded[k].data(), 4 * decoded[k].size());
  }
  return out;
}

}  // namespace cupel
