// Records of publications, whatever source they come from.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cupel {

struct Author {
  std::string name;  // as printed, but for markup, entities and marks of footnotes
  std::string id;    // the source's own for this person; empty: none
  std::vector<std::string> affiliations = {};  // as printed; none: not known
  std::string with_marks = {};  // the name with its marks of footnotes; empty: it had none
  // From 0 in the source's list, where those before may have been left out; -1: as they stand here.
  std::int64_t position = -1;
};

// Texts are UTF-8, without markup, white space as single blanks. What a source does not have is
// empty.
struct Publication {
  std::string id;   // the source's own: "P18-1001"
  std::string doi;  // as read_doi() writes it (doi.h)
  std::optional<int> year;
  std::string title, abstract;
  std::vector<std::string> keywords;
  std::vector<Author> authors;  // in the order of the paper
};

// Reads the publications of one file, front to back. Not thread-safe.
class PublicationReader {
 public:
  virtual ~PublicationReader() = default;

  // The next publication, in place of what `out` held; false at the end. Throws Error naming file
  // and line (or byte) where the file is cut off, is of another form, or not UTF-8 where it must
  // be.
  virtual bool next(Publication& out) = 0;
  // Where the last one stands: "FILE: line 7".
  [[nodiscard]] virtual std::string place() const = 0;
  // What was left out or mended so far, by reason: "papers that were rejected".
  [[nodiscard]] const std::map<std::string, std::int64_t>& counts() const { return counts_; }

 protected:
  void count(const std::string& what, std::int64_t more = 1) { counts_[what] += more; }
  // Of the whole file.
  void note(const std::string& what) { counts_[what] = 1; }

 private:
  std::map<std::string, std::int64_t> counts_;
};

// What readers of tables count where the last line of a file has no end: as a cut-off file has it,
// and one whose writer leaves it out.
inline constexpr const char* kNoLineEnd =
    "files whose last line has no end, as if they were cut off";

}  // namespace cupel
