#include "cupel/data/wiki/sql_window.h"

#include <cstring>

namespace cupel {

SqlWindow::SqlWindow(ByteSource& source) : source_(source), text_(kPadding) {
  at = end = text_.data();
  text_[1] = '\'';
}

bool SqlWindow::grow(std::size_t least) {
  const std::size_t before = size();
  std::memmove(text_.data(), at, before);
  const auto make_room = [&](std::size_t bytes) {
    if (text_.size() >= bytes) return;
    text_.reserve(bytes);  // and no more, as resize() alone would
    text_.resize(bytes);
  };
  make_room(least + kPadding);
  std::size_t have = before;
  std::string_view block;
  while (have < least && !ended_) {
    ended_ = !source_.next(block);
    if (ended_) break;
    make_room(have + block.size() + kPadding);
    std::memcpy(text_.data() + have, block.data(), block.size());
    have += block.size();
    read_ += block.size();
  }
  at = text_.data();
  end = at + have;
  std::memset(end, 0, kPadding);
  end[1] = '\'';
  return have > before;
}

}  // namespace cupel
