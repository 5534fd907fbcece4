// Values in a file that only the program that wrote it reads again: finished steps of a long build.
//
// Numbers stand as they do in memory, lists behind their lengths, and a SHA-256 of all that at the
// end. Nothing is kept in memory but a buffer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/matrix.h"
#include "cupel/data/formats/file.h"

namespace cupel {

// Takes values one after the other, as PackedReader gives them. The file appears with finish().
// Throws Error if it cannot be written.
class Packer {
 public:
  explicit Packer(const std::filesystem::path& path) : file_(path) {}

  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const T& value) { bytes(&value, sizeof value); }
  void operator()(const std::string& text) {
    (*this)(std::uint64_t{text.size()});
    bytes(text.data(), text.size());
  }
  void operator()(const std::vector<bool>& flags) {
    (*this)(std::string(flags.begin(), flags.end()));
  }
  template <class T, class Allocator>
  void operator()(const std::vector<T, Allocator>& list) {
    if constexpr (std::is_arithmetic_v<T>) {
      (*this)(std::uint64_t{list.size()});
      bytes(list.data(), list.size() * sizeof(T));
    } else {
      each(list, *this);
    }
  }
  // Calls visit(item) for each item, which gives its parts.
  template <class T, class Visit>
  void each(const std::vector<T>& list, Visit&& visit) {
    (*this)(std::uint64_t{list.size()});
    for (const T& item : list) visit(item);
  }
  void operator()(const Csr& matrix) {
    (*this)(matrix.rows), (*this)(matrix.cols), (*this)(matrix.row_ptr);
    (*this)(matrix.columns), (*this)(matrix.values);
  }
  void finish();

 private:
  void bytes(const void* data, std::size_t size);
  void flush();

  OutputFile file_;
  std::string pending_;
  Hasher hasher_;
};

// Gives them back in the same order. Throws Error if the file cannot be read, ends too early, or,
// by finish(), is not what was written.
class PackedReader {
 public:
  explicit PackedReader(const std::filesystem::path& path) : file_(path) {}

  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) { bytes(&value, sizeof value); }
  void operator()(std::string& text) {
    text.resize(size_of(1));
    bytes(text.data(), text.size());
  }
  void operator()(std::vector<bool>& flags) {
    std::string text;
    (*this)(text);
    flags.assign(text.begin(), text.end());
  }
  template <class T, class Allocator>
  void operator()(std::vector<T, Allocator>& list) {
    if constexpr (std::is_arithmetic_v<T>) {
      list.resize(size_of(sizeof(T)));
      bytes(list.data(), list.size() * sizeof(T));
    } else {
      each(list, *this);
    }
  }
  // Calls visit(item) for each item, which takes its parts. The list grows as it is read, so that a
  // damaged length costs no memory.
  template <class T, class Visit>
  void each(std::vector<T>& list, Visit&& visit) {
    list.clear();
    for (std::size_t left = size_of(1); left > 0; --left) visit(list.emplace_back());
  }
  void operator()(Csr& matrix) {
    (*this)(matrix.rows), (*this)(matrix.cols), (*this)(matrix.row_ptr);
    (*this)(matrix.columns), (*this)(matrix.values);
  }
  void finish();

 private:
  // A length, which is not believed beyond the end of the file.
  std::size_t size_of(std::size_t item);
  void bytes(void* data, std::size_t size);

  [[noreturn]] void fail_damaged() const;

  InputFile file_;
  std::string ahead_;       // of the file
  std::size_t at_ = 0;      // of the next value in it
  std::uint64_t read_ = 0;  // of the file, so far
  Hasher hasher_;
};

}  // namespace cupel
