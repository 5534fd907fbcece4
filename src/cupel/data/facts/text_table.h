// Many texts in little memory, and their numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// A list of texts, 8 bytes each beside their own. Not thread-safe while it grows.
class TextTable {
 public:
  // Throws Error where there are 2^31 - 1 of them already.
  Index add(std::string_view text);
  // Requires 0 <= i < size(); valid until the next add().
  std::string_view operator[](Index i) const {
    const auto at = static_cast<std::size_t>(i);
    const std::uint64_t from = at == 0 ? 0 : ends_[at - 1];
    return std::string_view(bytes_).substr(from, ends_[at] - from);
  }
  Index size() const { return static_cast<Index>(ends_.size()); }
  bool empty() const { return ends_.empty(); }
  std::size_t bytes() const { return bytes_.size(); }  // of all texts

 private:
  std::string bytes_;
  std::vector<std::uint64_t> ends_;
};

// Texts numbered in the order of their first appearance; each once. Finding one takes the same time
// whoever chose the texts: the hash has a secret of this process, which no number depends on.
class TextIds {
 public:
  TextIds();
  // The text's number; a new one if it is not there.
  Index id(std::string_view text);
  // The same; -1 if it is not there.
  [[nodiscard]] Index find(std::string_view text) const;
  const TextTable& texts() const { return texts_; }
  Index size() const { return texts_.size(); }
  TextTable take() && { return std::move(texts_); }

 private:
  [[nodiscard]] std::uint64_t hash(std::string_view text) const;
  // The slot that holds the text, or the free one where it would stand.
  [[nodiscard]] std::size_t slot(std::string_view text) const;
  void widen();

  TextTable texts_;
  std::vector<Index> slots_;  // open addressing, a power of two; -1: free
  std::uint64_t secret_[2];
};

}  // namespace cupel
