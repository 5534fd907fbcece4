#include "cupel/data/wiki/sql_window.h"

#include <algorithm>
#include <cstring>

namespace cupel {

SqlWindow::SqlWindow(ByteSource& source) : source_(source), text_(kPadding) {
  at = end = text_.data();
  text_[1] = '\'';
}

bool SqlWindow::grow(std::size_t least) {
  std::size_t have = size();
  const std::size_t before = have;
  std::memmove(text_.data(), at, have);
  std::string_view block;
  while (have < least && !ended_) {
    if (!source_.next(block)) {
      ended_ = true;
      break;
    }
    const std::size_t needed = have + block.size() + kPadding;
    if (text_.size() < needed) text_.resize(std::max(needed, have < least ? have * 3 / 2 : needed));
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
