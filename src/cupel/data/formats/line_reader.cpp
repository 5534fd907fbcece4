#include "cupel/data/formats/line_reader.h"

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/data/formats/file_bytes.h"

namespace cupel {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 24;

}  // namespace

struct LineReader::Impl {
  FileBytes file;
  std::string_view block;  // what is not yet returned of it
  std::string joined;      // a line that more than one block has parts of
  std::uint64_t line = 0;
  bool ended = true;  // the line last returned had a line feed

  Impl(const std::filesystem::path& path, ReadProgress progress)
      : file(path, Threads{1}, std::move(progress),
             [this] { return fmt::format("line {}", line); }) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void check_length(std::size_t size) const {
    if (size <= kLongestLine) return;
    fail("{}: line {}: is longer than {} MiB; this is not a text file in this format", file.name(),
         line + 1, kLongestLine >> 20);
  }

  // With its carriage return.
  bool next(std::string_view& out) {
    joined.clear();
    while (true) {
      const std::size_t size = block.find('\n');
      const bool whole = size != std::string_view::npos;
      const std::string_view part = block.substr(0, size);
      block.remove_prefix(whole ? size + 1 : block.size());
      check_length(joined.size() + part.size());
      if (whole && joined.empty()) {
        out = part;
        return true;
      }
      joined += part;
      if (whole || !file.next(block)) {
        out = joined;
        const bool any = whole || !joined.empty();
        if (any) ended = whole;
        return any;
      }
    }
  }
};

LineReader::LineReader(const std::filesystem::path& path, ReadProgress progress)
    : impl_(std::make_unique<Impl>(path, std::move(progress))) {}
LineReader::~LineReader() = default;

bool LineReader::next(std::string_view& line) {
  if (!impl_->next(line)) return false;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (++impl_->line == 1) line = without_byte_order_mark(line);
  return true;
}

const std::string& LineReader::name() const { return impl_->file.name(); }
std::uint64_t LineReader::line_number() const { return impl_->line; }
std::uint64_t LineReader::text_bytes() const { return impl_->file.text_bytes(); }
bool LineReader::ends_within_line() const { return !impl_->ended; }
std::uint64_t LineReader::file_bytes() const { return impl_->file.file_bytes(); }

void LineReader::fail_here(std::string_view message) const {
  fail("{}: line {}: {}", name(), line_number(), message);
}

const std::string& LineReader::sha256() const { return impl_->file.sha256(); }

}  // namespace cupel
