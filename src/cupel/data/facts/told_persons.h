// Whose the authorships of a name are, where a person has looked: what takes a name apart that
// several people have.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/data/records/publication.h"

namespace cupel {

// A table with the columns paper (the source's own id, as authorships.csv has it), position (in the
// paper's list of authors, from 0) and person (any text; lines with the same one are one person's),
// and name if it should be checked that the author there is called so (compared_name). Other
// columns are passed over. Authorships that no line names are nobody's here.
// Memory: the table. Not thread-safe.
class ToldPersons {
 public:
  // Tells nothing.
  ToldPersons() = default;
  // Throws Error naming file and line of what cannot be read, or of a line that gives the author
  // of another line to another person.
  explicit ToldPersons(const std::filesystem::path& file);

  // The line about the author of that name at that position of the paper; -1: there is none. Throws
  // Error naming file and line if it was about an author of another name before: papers of one id.
  [[nodiscard]] Index find(std::string_view paper, std::int64_t position, const Author& author);
  [[nodiscard]] const std::string& person(Index line) const { return at(line).person; }

  // The author of the line stands on a paper that counts, which got this number. Throws Error
  // naming file and line if another paper of that id has had it.
  void take(Index line, Index paper);
  // A paper that does not count.
  void leave_out(std::string_view paper);
  // After the last paper. Throws Error naming file and line where there is no such paper, or none
  // that has such an author.
  void check() const;
  // Lines about papers that count, and about others.
  [[nodiscard]] std::int64_t taken() const;
  [[nodiscard]] std::int64_t left_out() const;

 private:
  struct Line {
    std::int64_t position = 0;
    std::string paper, person, name = {};  // `name` as printed in the table; empty: any
    std::uint64_t number = 0;              // in the file
    Index paper_number = -1;               // that take() had
    bool left_out = false;
    std::string compared = {};    // the name of the author it is about, as names are compared
    std::string other_name = {};  // of the author who stands there instead
  };
  const Line& at(Index line) const { return lines_[static_cast<std::size_t>(line)]; }
  [[noreturn]] void fail_at(const Line& line, const std::string& what) const;
  [[noreturn]] void fail_of_several(const Line& line) const;

  std::string file_;
  std::vector<Line> lines_;
  std::map<std::string, std::vector<Index>, std::less<>> of_paper_;
};

}  // namespace cupel
