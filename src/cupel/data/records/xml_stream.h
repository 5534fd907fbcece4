// XML from outside, element by element, read on only as far as its reader likes (expat).
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <string_view>

#include "cupel/data/formats/file_bytes.h"

struct XML_ParserStruct;

namespace cupel {

// Reads a file, plain or compressed, in any encoding that it declares and expat knows. What is not
// well-formed is refused, and so are document types (entities could expand without end), elements
// nested deeper than 256, a tag, comment or instruction of more than 1 MiB, and names of more than
// 1 KiB. Memory: that of FileBytes on one thread, 4 MiB, and every name of elements and attributes
// once (expat keeps them). Linear. Not thread-safe.
class XmlStream {
 public:
  // Of an element that begins; valid during the call.
  class Attributes {
   public:
    explicit Attributes(const char** list) : list_(list) {}
    // The value by the name with its prefix ("xml:id"); empty without one.
    [[nodiscard]] std::string_view operator[](std::string_view name) const;

   private:
    const char** list_;
  };

  // Told what is read, in order. Names are without prefix; all texts are UTF-8 and in pieces of
  // whole characters. What it throws ends the reading; Errors get file and line before them.
  class Handler {
   public:
    virtual void start_element(std::string_view name, const Attributes& attributes) = 0;
    virtual void end_element(std::string_view name) = 0;
    virtual void characters(std::string_view piece) = 0;

   protected:
    ~Handler() = default;
  };

  // `handler` lives as long as this. Throws Error if the file cannot be opened.
  XmlStream(const std::filesystem::path& file, ReadProgress progress, Handler& handler);
  ~XmlStream();
  XmlStream(const XmlStream&) = delete;
  XmlStream& operator=(const XmlStream&) = delete;

  // Reads on until the handler pauses: true; false at the end of a whole document, again and again.
  // Throws Error naming file and line. After that the stream is of no more use.
  bool read_on();

  // For the handler.
  void pause();                              // at the end of an element
  void want_characters(bool);                // at first not
  [[nodiscard]] std::uint64_t line() const;  // of the tag that is told, from 1

  [[nodiscard]] const FileBytes& bytes() const { return bytes_; }

 private:
  struct Calls;
  template <class Body>
  void guarded(const Body& body);
  int feed();
  [[noreturn]] void refuse();

  FileBytes bytes_;
  Handler& handler_;
  std::unique_ptr<XML_ParserStruct, void (*)(XML_ParserStruct*)> parser_;
  std::exception_ptr problem_;  // exceptions may not pass through the C library: they wait here
  std::string_view block_;      // of bytes_, not yet given to the parser
  std::string encoding_;        // that is declared, where expat does not know it
  std::uint64_t fed_ = 0;
  int depth_ = 0;
  bool last_ = false, paused_ = false, done_ = false;
};

}  // namespace cupel
