// JSON files of any size, read value by value by a caller who knows what is to come.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/formats/file.h"

namespace cupel {

// Reads a file once, front to back, by RFC 8259 to the letter: UTF-8, no NaN, no comments, no comma
// before a bracket. Nothing is nested deeper than the caller asks, so that depth is no concern.
// Memory: 1 MiB, whatever the file holds, and what the caller keeps.
//
// Every function but fail_here() reads one value and throws Error if that is something else, in a
// sentence that names the file, the place ('links'[3][17], and the byte), the value and what is
// needed. Not thread-safe.
class JsonPull {
 public:
  static constexpr std::size_t kMostKept = std::size_t{1} << 16;  // bytes of a text or key
  static constexpr std::size_t kLongestNumber = 1024;             // characters

  // Throws Error if the file cannot be opened.
  explicit JsonPull(const std::filesystem::path& path);
  JsonPull(const JsonPull&) = delete;
  JsonPull& operator=(const JsonPull&) = delete;

  const std::string& name() const { return file_.name(); }
  std::uint64_t file_bytes() const { return file_.size(); }
  std::uint64_t read_bytes() const { return read_ - static_cast<std::uint64_t>(end_ - at_); }

  // A list: item(k) reads its k-th value. Returns their number.
  template <class Item>
  std::int64_t list(const Item& item) {
    open('[', "a list");
    if (taken(']')) return 0;
    const std::size_t level = path_.size();
    path_.emplace_back();
    std::int64_t items = 0;
    do {
      path_[level].index = items;
      item(items++);
    } while (more(']'));
    path_.resize(level);
    return items;
  }

  // An object of known keys, each given once at most: member(k) reads the value of the k-th of
  // them.
  template <class Member>
  void object(std::initializer_list<const char*> known, const Member& member) {
    std::uint64_t given = 0;
    entries([&](const std::string& key) { member(which(key, known, given)); });
  }

  // An object of any keys, which may come again: member(key) reads the value of one.
  template <class Member>
  void entries(const Member& member) {
    open('{', "an object");
    if (taken('}')) return;
    const std::size_t level = path_.size();
    path_.emplace_back();
    do {
      path_[level].key.clear();
      std::string name = key();
      path_[level].key = name;
      member(name);
    } while (more('}'));
    path_.resize(level);
  }

  // The first character of the value that comes next, '\0' at the end of the file.
  char peek();
  // As the nearest double; what is larger than any is infinite, what is too small is 0.
  double number();
  std::int64_t integer();
  bool flag();         // true or false, 1 or 0
  std::string text();  // at most kMostKept bytes
  void skip_text();    // of any length, and UTF-8 all the same
  // Nothing but blanks may follow.
  void end();

  // Throws Error "FILE: PLACE: MESSAGE".
  [[noreturn]] void fail_here(std::string_view message) const;
  // What an error calls the place of the value that is being read: 'links'[3].
  [[nodiscard]] std::string place() const;

 private:
  struct Step {
    std::string key;          // of an object's member
    std::int64_t index = -1;  // of a list's item
  };

  void need(std::size_t bytes);  // unless the file ends before
  void skip_blanks();
  void open(char bracket, const char* what);
  bool taken(char bracket);
  bool more(char bracket);
  std::string key();
  std::size_t which(const std::string& key, std::initializer_list<const char*> known,
                    std::uint64_t& given) const;
  template <class Kept>
  void read_text(const Kept& kept);
  char32_t escape();
  char32_t four_digits();
  const char* number_end() const;
  std::string shown();
  [[noreturn]] void fail_value(const char* needed);

  InputFile file_;
  std::vector<char> buffer_;  // ends with a '\0' behind what was read
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::uint64_t read_ = 0;  // bytes of the file
  std::vector<Step> path_;
};

}  // namespace cupel
