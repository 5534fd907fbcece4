#include "cupel/data/formats/hashed_file.h"

#include <algorithm>
#include <stdexcept>

namespace cupel {

HashedFile::HashedFile(const std::filesystem::path& path, ReadProgress progress)
    : file_(path), progress_(std::move(progress)) {}

std::size_t HashedFile::read(void* out, std::size_t most) {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(most, file_.size() - done_));
  if (size == 0) return 0;
  file_.read(done_, out, size);
  hasher_.bytes(out, size);
  done_ += size;
  if (progress_) progress_(done_, file_.size());
  return size;
}

std::string HashedFile::sha256() {
  if (done_ != file_.size()) throw std::logic_error("hash of a file that is not read to its end");
  return hasher_.hex();
}

}  // namespace cupel
