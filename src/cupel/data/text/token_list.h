// Tokens of a text, one after the other in one piece of memory.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace cupel {

// No token has a blank in it, so they are kept joined by blanks. Not thread-safe for writers.
class TokenList {
 public:
  class Iterator {
   public:
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;
    using pointer = const std::string_view*;
    using reference = std::string_view;

    Iterator() = default;
    explicit Iterator(std::string_view rest) : rest_(rest) { size_ = rest_.find(' '); }
    std::string_view operator*() const { return rest_.substr(0, size_); }
    Iterator& operator++() {
      rest_.remove_prefix(size_ + 1);
      size_ = rest_.find(' ');
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.rest_.size() == b.rest_.size();
    }

   private:
    std::string_view rest_;  // every token has a blank behind it
    std::size_t size_ = 0;
  };

  // Copies the token, which is not empty and has no blank.
  void push_back(std::string_view token) {
    text_.append(token);
    end_token();
  }
  // To write a token in place: append to text(), then end_token().
  std::string& text() { return text_; }
  void end_token() {
    text_ += ' ';
    ++size_;
  }
  void clear() {
    text_.clear();
    size_ = 0;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Iterator begin() const { return Iterator(text_); }
  Iterator end() const { return Iterator(); }
  // The tokens, each with a blank behind it.
  const std::string& joined() const { return text_; }

  // Calls visit(part) for what it is made of, to keep it or to make it anew.
  template <class Self, class Visit>
  static void each_part(Self& self, Visit&& visit) {
    visit(self.text_), visit(self.size_);
  }

  friend bool operator==(const TokenList&, const TokenList&) = default;

 private:
  std::string text_;
  std::size_t size_ = 0;
};

}  // namespace cupel
