// A user's own records of publications: a table with named columns, as CSV or as JSON Lines.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "cupel/data/formats/hashed_file.h"
#include "cupel/data/records/publication.h"

namespace cupel {

// Which columns, or keys, hold what. Letter case does not matter, and blanks and hyphens are '_'.
// A column that is named otherwise than here must be there; of those here only that of the authors.
struct RecordsColumns {
  std::string id = "id", year = "year", title = "title", abstract = "abstract", doi = "doi";
  std::string authors = "authors", author_ids = "author_ids", affiliations = "affiliations";
  std::string keywords = "keywords";  // `id` and `doi` may be one column
  char separator = ';';       // between authors, their ids, their affiliations, and keywords
  std::string within = "+|";  // any of these between several affiliations of one author, in texts
};

// CSV (csv_rows.h: the first row has the names of the columns, quoted fields may hold line ends,
// and tabs or semicolons may stand in place of commas), or JSON: objects one after the other, or a
// list of them. What it is the first character tells. Plain or compressed.
// - Year: 2019, 2019.0, or a date that begins with the year (2019-05-03). Empty, null, NA, NaN and
//   None are no year; anything else is an Error.
// - A DOI that is none (doi.h) is counted.
// - The same words as a whole field of ids, authors, affiliations or keywords are an empty one, and
//   counted.
// - JSON has lists as lists or as texts with separators; affiliations may be a list by author of
//   texts or lists, whose texts are one affiliation each.
// - Affiliations of a text that are taken apart at a character of `within` are counted.
// - Ids and affiliations go by author. Where there are more or fewer of them than of authors, they
//   are not known, and counted.
// - Lists of authors without a separator but with commas, '|', '/' or line ends are one name, and
//   counted. Where commas are the separator, what is no name (Jr., III) stays with the name before
//   it.
// Memory: the longest row or object (16 MiB), twenty times. Not thread-safe.
class RecordsReader final : public PublicationReader {
 public:
  // Throws Error if the file cannot be opened, is empty, or has no column of authors.
  explicit RecordsReader(const std::filesystem::path& path, RecordsColumns columns = {},
                         ReadProgress progress = {});
  ~RecordsReader() override;

  bool next(Publication& out) override;
  [[nodiscard]] std::string place() const override;

  const std::string& name() const;
  std::uint64_t file_bytes() const;
  const std::string& sha256() const;  // when next() was false

  struct Rows;  // of CSV or JSON

 private:
  std::optional<int> year_of_row();
  std::vector<std::string> list(int column, bool open_end);
  std::vector<std::vector<std::string>> affiliations(bool open_end);
  void take_authors(Publication& out);

  RecordsColumns columns_;
  std::unique_ptr<Rows> rows_;
  bool ids_are_dois_ = false;
};

}  // namespace cupel
