// An XML document tag by tag, at the speed of memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/wiki/text_buffer.h"
#include "cupel/data/wiki/xml_window.h"

namespace cupel {

// Reads XML 1.0 in UTF-8 and sees to it that it is well-formed: characters, references, tags and
// their nesting, attributes, comments, processing instructions, CDATA. Stricter than XML: no
// document type (entities could expand without end), tags of at most 64 KiB with at most 64
// attributes, nesting 256 deep, references of at most 64 bytes. Laxer: any character beyond ASCII
// may be in a name, prefixes need no declaration. Memory: that of the window and of a tag. Linear.
// Not thread-safe.
//
// Throws XmlProblem, and what the source throws.
class XmlPull {
 public:
  enum class Event { kStart, kEnd, kDone };

  explicit XmlPull(ByteSource& source) : window_(source) {}

  // The next tag; an element without content has a start and an end. Character data before it is
  // appended to what collects. kDone at the end of a whole document, again and again.
  Event next();

  // Of the element that began, without its prefix; valid until the next call of next().
  [[nodiscard]] std::string_view name() const { return local_; }
  // The value of its attribute of that name (with prefix); false if it has none.
  bool attribute(std::string_view name, std::string& value) const;
  [[nodiscard]] int depth() const { return static_cast<int>(starts_.size()); }

  // Goes on to the end of the element that began; nothing is collected.
  void skip();
  // To the end of the element that began: its character data, without that of elements in it.
  void read_text(TextBuffer& into);

  // Where the last tag begins.
  [[nodiscard]] std::uint64_t offset() const { return window_.offset(); }
  [[nodiscard]] const std::string& source_name() const { return window_.name(); }

 private:
  struct Attribute {
    std::string_view name, raw;
  };

  bool to_markup();
  void take_text(std::string_view run, bool whole);
  void begin_document();
  void read_declaration(std::string_view tag);
  std::string_view whole_tag();
  void start_tag();
  void end_tag();
  void read_attributes(std::string_view tag, std::size_t at, std::size_t end);
  void comment();
  void instruction();
  void cdata();
  bool begins_with(std::string_view markup);
  [[noreturn]] void cut_off();
  void more_or_cut_off() {
    if (!window_.more()) cut_off();
  }
  [[nodiscard]] std::string_view innermost() const {
    return std::string_view(names_).substr(starts_.back());
  }
  void pop();

  XmlWindow window_;
  TextBuffer* into_ = nullptr;
  std::uint64_t from_ = 0;  // of the element that is collected
  TextBuffer unused_{static_cast<std::size_t>(-1), ""};
  std::string_view local_;
  std::vector<Attribute> attributes_;
  std::string value_;
  std::string names_;                // of the elements that are open, one after the other
  std::vector<std::size_t> starts_;  // of each in names_
  std::size_t tag_ = 0;              // bytes of the last tag, which is still in the window
  bool begun_ = false, root_ = false, empty_ = false;
};

}  // namespace cupel
