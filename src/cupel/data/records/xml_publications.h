// What readers of publications in XML share.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "cupel/data/records/gathered_text.h"
#include "cupel/data/records/publication.h"
#include "cupel/data/records/xml_stream.h"

namespace cupel {

// A kind of file says what its elements are: start() and end() fill publication(), and finish() is
// called where it is complete. Memory: that of XmlStream and of one publication, which may have
// 16 MiB of text and 100,000 authors, affiliations and keywords.
class XmlPublicationReader : public PublicationReader, private XmlStream::Handler {
 public:
  bool next(Publication& out) final;
  [[nodiscard]] std::string place() const final;

  [[nodiscard]] const std::string& name() const { return stream_.bytes().name(); }
  [[nodiscard]] std::uint64_t file_bytes() const { return stream_.bytes().file_bytes(); }
  // After the last publication.
  [[nodiscard]] const std::string& sha256() const { return stream_.bytes().sha256(); }

 protected:
  using Attributes = XmlStream::Attributes;

  XmlPublicationReader(const std::filesystem::path& file, ReadProgress progress)
      : stream_(file, std::move(progress), *this) {}

  // Of elements in one whose text is gathered nobody is told.
  virtual void start(std::string_view name, const Attributes& attributes) = 0;
  virtual void end(std::string_view name) = 0;
  // The text of what an element held; `name` of that element.
  virtual void gathered(std::string_view name) = 0;
  // Whether the element within a text is a word or more of its own.
  [[nodiscard]] virtual bool stands_apart(std::string_view) const { return false; }

  // Of elements that are open, the last one included.
  [[nodiscard]] int depth() const { return depth_; }
  [[nodiscard]] Publication& publication() { return publication_; }

  // In start(): a publication begins.
  void begin();
  // In end(): it is complete.
  void finish();
  // In start(): all text in this element, with that of elements in it, behind what was gathered.
  void gather();
  // The text as it is.
  [[nodiscard]] std::string take_raw();
  // The same as title, abstract or keyword, and as the name of an institution, which has a letter
  // or is empty. What was mended is counted.
  [[nodiscard]] std::string take_text(const char* what);
  [[nodiscard]] std::string take_affiliation();
  // The text as a part of the name of the author who is added next.
  [[nodiscard]] std::string take_name_part();
  // Cleans the author's name and keeps those that have a letter, the others are counted;
  // "et al." is nobody (list_ends.h).
  void add(Author author);

 private:
  void start_element(std::string_view name, const Attributes& attributes) final;
  void end_element(std::string_view name) final;
  void characters(std::string_view piece) final;
  void weigh(std::size_t bytes, std::size_t pieces);
  void tell(const char* what, unsigned mends);

  XmlStream stream_;
  Publication publication_;
  GatheredText text_;
  std::uint64_t line_ = 0;  // where the publication begins
  std::size_t bytes_ = 0, pieces_ = 0;
  std::int64_t authors_ = 0;  // of this publication, those that were left out among them
  bool cut_ = false;          // "et al." ended them
  unsigned name_mends_ = 0;
  int depth_ = 0, gathering_ = 0;  // the depth of the element whose text is gathered
};

}  // namespace cupel
