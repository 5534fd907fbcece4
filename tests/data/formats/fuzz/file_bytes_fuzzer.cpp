// Bytes of a file, plain or compressed, on one thread and on several, and as libbz2 and zlib give
// them.
#include "cupel/data/formats/file_bytes.h"

#include <zlib.h>

#include "data/formats/fuzz/fuzz.h"
#include "data/formats/made_bzip2.h"

namespace cupel::fuzz {
namespace {

constexpr std::size_t kMost = std::size_t{4} << 20;  // more is slow and shows nothing new

struct Got {
  std::string text, error;
  bool too_much = false;
  bool operator==(const Got&) const = default;
};

Got read_with(const std::filesystem::path& path, int threads) {
  Got got;
  try {
    FileBytes file(path, {threads});
    std::string_view block;
    while (file.next(block)) {
      demand(!block.empty(), "a block has bytes");
      got.text += block;
      demand(file.text_bytes() == got.text.size(), "bytes are counted");
      if ((got.too_much = got.text.size() > kMost)) return got;
    }
    demand(file.sha256() == sha256_file(path), "the file is hashed");
  } catch (const Error& error) {
    got.error = error.what();
  }
  return got;
}

// Nothing where zlib complains or the members are not whole.
std::optional<std::string> gunzip(std::string_view packed) {
  z_stream stream{};
  inflateInit2(&stream, 16 + MAX_WBITS);
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text, piece(1 << 16, '\0');
  int status = Z_OK;
  while (text.size() <= kMost && (status == Z_OK || stream.avail_in > 0)) {
    if (status == Z_STREAM_END) inflateReset(&stream);
    stream.next_out = reinterpret_cast<unsigned char*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(piece.data(), piece.size() - stream.avail_out);
    if (status != Z_OK && status != Z_STREAM_END) break;
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END && text.size() <= kMost ? std::optional(text) : std::nullopt;
}

}  // namespace

void fuzz_one(std::string_view input) {
  const auto path = folder() / "input";
  write(path, input);
  const Got got = read_with(path, 1);
  demand(read_with(path, 3) == got, "threads change nothing");
  if (got.too_much) return;
  refuse_or([&] {
    if (!got.error.empty()) throw Error(got.error);
  });
  std::optional<std::string> expected = std::string(input);
  if (input.starts_with("\x1f\x8b")) {
    expected = gunzip(input);
  } else if (input.starts_with("BZh") && input.size() > 3 && input[3] >= '1' && input[3] <= '9') {
    expected = test::bunzip2(std::string(input), kMost);
  }
  demand(got.error.empty() == expected.has_value(), "libbz2 and zlib refuse the same");
  if (expected) demand(got.text == *expected, "libbz2 and zlib give the same");
}

}  // namespace cupel::fuzz
