#include "cupel/data/build/packed.h"

#include <algorithm>

namespace cupel {
namespace {

constexpr std::uint64_t kBuffer = std::uint64_t{1} << 20;
constexpr std::uint64_t kHashBytes = 64;  // hexadecimal

}  // namespace

void Packer::bytes(const void* data, std::size_t size) {
  pending_.append(static_cast<const char*>(data), size);
  if (pending_.size() >= kBuffer) flush();
}

void Packer::flush() {
  hasher_.bytes(pending_.data(), pending_.size());
  file_.write(pending_.data(), pending_.size());
  pending_.clear();
}

void Packer::finish() {
  flush();
  const std::string hash = hasher_.hex();
  file_.write(hash.data(), hash.size());
  file_.commit();
}

std::size_t PackedReader::size_of(std::size_t item) {
  std::uint64_t count = 0;
  (*this)(count);
  if (count > file_.size() / item) fail_damaged();
  return static_cast<std::size_t>(count);
}

void PackedReader::bytes(void* data, std::size_t size) {
  auto* out = static_cast<char*>(data);
  while (size > 0) {
    if (at_ == ahead_.size()) {
      const std::uint64_t left = file_.size() - std::min(file_.size(), read_ + kHashBytes);
      ahead_.resize(std::min(left, kBuffer));
      if (ahead_.empty()) fail_damaged();
      file_.read(read_, ahead_.data(), ahead_.size());
      hasher_.bytes(ahead_.data(), ahead_.size());
      read_ += ahead_.size();
      at_ = 0;
    }
    const std::size_t part = std::min(size, ahead_.size() - at_);
    std::copy_n(ahead_.data() + at_, part, out);
    out += part, at_ += part, size -= part;
  }
}

void PackedReader::finish() {
  std::string hash(kHashBytes, ' ');
  if (at_ != ahead_.size() || read_ + kHashBytes != file_.size()) fail_damaged();
  file_.read(read_, hash.data(), hash.size());
  if (hash != hasher_.hex()) fail_damaged();
}

void PackedReader::fail_damaged() const { fail("{}: is damaged; remove it", file_.name()); }

}  // namespace cupel
