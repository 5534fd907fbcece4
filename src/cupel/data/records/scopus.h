// Exports of Scopus as CSV.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/records/csv_rows.h"
#include "cupel/data/records/publication.h"

namespace cupel {

// Reads the rows of one file, plain or compressed, with or without a byte-order mark. Columns are
// known by their names in the first line, in any order; only Authors (or Author full names) and
// Year have to be there.
//   id        EID, else DOI
//   doi       DOI (doi.h); what is none is counted
//   year      Year, 2019.0 as well
//   title, abstract   Title, Abstract ("[No abstract available]" is none)
//   keywords  Author Keywords, then Index Keywords, between semicolons; repeats once
//   authors   Author full names ("Pan, Ying (57188...)"), else Authors, between semicolons or, in
//             older exports, commas: "Pan, Y., Yu, C." and "Pan Y., Yu C."; not "Anon"
//   ids       Author(s) ID, where there are as many as authors
//   affiliations  Authors with affiliations, a part between semicolons for each author: his name
//             (the one of Authors, else the full one) and then his affiliations, told apart by the
//             column Affiliations. Where the parts are not one for each author, nobody knows who
//             belongs where: none, and counted.
// A row of another number of fields is left out and counted, unless all are. Throws Error where
// quotes do not match (line), the file is not UTF-8, or no export of Scopus.
// Memory: one row of at most 16 MiB, several times.
class ScopusReader final : public PublicationReader {
 public:
  // Reads the first line. Throws Error if the file cannot be opened or has no such columns.
  explicit ScopusReader(const std::filesystem::path& path, ReadProgress progress = {});

  bool next(Publication& out) override;
  [[nodiscard]] std::string place() const override;

  const std::string& name() const { return rows_.name(); }
  std::uint64_t file_bytes() const { return rows_.file_bytes(); }
  const std::string& sha256() const { return rows_.sha256(); }  // after the last record

 private:
  enum Column {
    kAuthors,
    kFullNames,
    kIds,
    kTitle,
    kYear,
    kDoi,
    kEid,
    kAbstract,
    kAuthorKeywords,
    kIndexKeywords,
    kAffiliations,
    kWithAffiliations,
    kColumns
  };

  template <class Clean>
  std::string cleaned_cell(Column column, const Clean& clean);
  std::string cell(Column column);  // a text, made plain
  [[nodiscard]] std::string_view raw_cell(Column column) const;
  std::string list_cell(Column column);  // names, whose tags are left to tell what is a footnote
  void read_authors(Publication& out);
  void tell(const char* what, unsigned mends);

  CsvRows rows_;
  std::size_t fields_ = 0;                         // of a row
  std::vector<std::vector<std::size_t>> columns_;  // by Column: none or one
  std::int64_t read_ = 0, odd_ = 0;                // rows
};

// The names in Scopus' column Authors, each as printed. `parts` are those of Authors with
// affiliations, or empty. Thread-safe.
[[nodiscard]] std::vector<std::string_view> scopus_names(
    std::string_view authors, const std::vector<std::string_view>& parts);

}  // namespace cupel
