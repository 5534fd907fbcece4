#include "cupel/data/formats/file_bytes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/unpacker.h"

namespace cupel {

struct FileBytes::Impl {
  HashedFile file;
  std::unique_ptr<Unpacker> unpacker;  // none: the file is given as it is
  std::vector<char> piece;
  std::uint64_t text_bytes = 0;
  bool ended = false;
  std::string digest;

  Impl(const std::filesystem::path& path, Threads threads, ReadProgress progress, ReadPlace place)
      : file(path, std::move(progress)) {
    if (!place) place = [this] { return fmt::format("{} bytes of text", text_bytes); };
    std::array<unsigned char, 4> head{};
    file.file().read(0, head.data(), std::min<std::uint64_t>(head.size(), file.size()));
    if (head[0] == 0x1f && head[1] == 0x8b) {
      unpacker = unpack_gzip(file, place);
    } else if (std::memcmp(head.data(), "BZh", 3) == 0 && head[3] >= '1' && head[3] <= '9') {
      unpacker = unpack_bzip2(file, place, threads);
    } else {
      piece.resize(piece_size(file.size()));
    }
  }

  std::string_view next() {
    if (!unpacker) return {piece.data(), file.read(piece.data(), piece.size())};
    const std::string_view text = unpacker->next();
    check_unpacked(file.name(), text_bytes + text.size(), unpacker->packed(), unpacker->way_out());
    return text;
  }
};

FileBytes::FileBytes(const std::filesystem::path& path, Threads threads, ReadProgress progress,
                     ReadPlace place)
    : impl_(std::make_unique<Impl>(path, threads, std::move(progress), std::move(place))) {}
FileBytes::~FileBytes() = default;

bool FileBytes::next(std::string_view& block) {
  if (impl_->ended) return false;
  block = impl_->next();
  impl_->text_bytes += block.size();
  if (!block.empty()) return true;
  impl_->ended = true;
  impl_->digest = impl_->file.sha256();
  impl_->unpacker.reset();
  impl_->piece = {};
  return false;
}

const std::string& FileBytes::name() const { return impl_->file.name(); }
std::uint64_t FileBytes::file_bytes() const { return impl_->file.size(); }
std::uint64_t FileBytes::text_bytes() const { return impl_->text_bytes; }

const std::string& FileBytes::sha256() const {
  if (!impl_->ended) throw std::logic_error("hash of a file that is not read to its end");
  return impl_->digest;
}

}  // namespace cupel
