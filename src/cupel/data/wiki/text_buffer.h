// A text that grows to some limit, without a value for bytes that are still to come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

namespace cupel {

// Keeps its memory when it is cleared: as much as the longest text took, rounded up to a power of
// two, of which the last part is never touched.
class TextBuffer {
 public:
  // Whoever fills it looks at `full` now and then and says `refusal`.
  TextBuffer(std::size_t limit, const char* refusal) : limit_(limit), refusal_(refusal) {}

  [[nodiscard]] std::string_view view() const { return {bytes_.get(), size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool full() const { return size_ > limit_; }
  [[nodiscard]] const char* refusal() const { return refusal_; }
  void clear() { size_ = 0; }

  // Room for `more` bytes behind the text; grow(n) makes the first n of them part of it.
  char* room(std::size_t more) {
    if (more > room_ - size_) enlarge(more);
    return bytes_.get() + size_;
  }
  void grow(std::size_t by) { size_ += by; }

  void append(std::string_view text) {
    if (text.empty()) return;
    std::memcpy(room(text.size()), text.data(), text.size());
    size_ += text.size();
  }
  void append(char byte) {
    *room(1) = byte;
    ++size_;
  }

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  void enlarge(std::size_t more) {
    const std::size_t wanted = std::max({size_ + more, 2 * room_, std::size_t{64}});
    void* grown = std::realloc(bytes_.get(), wanted);  // moves pages, where there are many
    if (grown == nullptr) throw std::bad_alloc();
    (void)bytes_.release();
    bytes_.reset(static_cast<char*>(grown));
    room_ = wanted;
  }

  std::size_t limit_;
  const char* refusal_;
  std::unique_ptr<char, Free> bytes_;
  std::size_t size_ = 0, room_ = 0;
};

}  // namespace cupel
