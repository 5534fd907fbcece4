// A text in memory as a source of bytes.
#pragma once

#include <string>
#include <string_view>

#include "cupel/data/formats/byte_source.h"
#include "cupel/data/formats/file_bytes.h"

namespace cupel::bench {

// Gives the text in blocks as a file's are. The text must stay where it is.
class Blocks final : public ByteSource {
 public:
  explicit Blocks(std::string_view text) : text_(text) {}
  bool next(std::string_view& block) override {
    constexpr std::size_t kBlock = std::size_t{1} << 18;
    block = text_.substr(0, kBlock);
    text_.remove_prefix(block.size());
    return !block.empty();
  }
  const std::string& name() const override { return name_; }

 private:
  std::string_view text_;
  std::string name_ = "the repeated text";
};

// The whole file, unpacked.
inline std::string unpacked(const std::string& path) {
  std::string text;
  FileBytes file(path, {1});
  for (std::string_view block; file.next(block);) text += block;
  return text;
}

}  // namespace cupel::bench
