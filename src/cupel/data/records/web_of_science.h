// Exports of Web of Science: tagged text ("plain text file", .txt, .isi) and tables ("tab delimited
// file", .txt). The first line tells which.
//
// Tagged text: a line is two characters of tag and a blank, or three blanks and more of the field
// before; PT begins a record, ER ends it, EF ends the file.
// Table: the first line has the tags of the columns, PT first, each other line is a record. Values
// of a list have a semicolon between them. Quotes around a cell, those in it doubled, are a
// spreadsheet's: they are taken away and counted, also where a title is in quotes itself.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/formats/line_reader.h"
#include "cupel/data/records/publication.h"

namespace cupel {

// Reads the records of one file, plain or compressed, with or without a byte-order mark; several
// exports in a row are one.
//   id        UT ("WOS:000351513500010"), else DI
//   doi       DI (doi.h); what is none is counted
//   year      PY, else that of early access: EY, else the end of EA ("NOV 2019"), which is counted
//   title, abstract   TI, AB
//   keywords  DE (the authors'), then ID (KeyWords Plus); repeats once
//   authors   AF (full names), else AU; not those of "[Anonymous]"
//   affiliations  C1 without its full stop: "[Name; Name] Address" is that of those names, as AF or
//             AU has them. Without names, the addresses are those of the only author; of several
//             nobody knows which.
//   ids       OI (ORCID), else RI (ResearcherID): "Name/id; Name/id" is that of the only author of
//             that name in AF or AU, in any case, else of the only one with that last name and
//             first initial; else it is nobody's, which is counted.
// Names, affiliations and texts are cleaned (names.h, record_text.h), which is counted.
// A line that is neither tag, more of a field nor blank is left out with the lines that go on from
// it, and counted. Left out and counted is a record that has no ER before the next begins, or a
// field twice, and a row of another number of fields than the first line. Throws Error where the
// file ends within a record, is not UTF-8, or neither form.
// Memory: one record of at most 16 MiB.
class WebOfScienceReader final : public PublicationReader {
 public:
  // Throws Error if the file cannot be opened.
  explicit WebOfScienceReader(const std::filesystem::path& path, ReadProgress progress = {});

  bool next(Publication& out) override;
  [[nodiscard]] std::string place() const override;

  const std::string& name() const { return lines_.name(); }
  std::uint64_t file_bytes() const { return lines_.file_bytes(); }
  const std::string& sha256() const { return lines_.sha256(); }  // after the last record

 private:
  struct Field {
    bool given = false;
    std::vector<std::string> lines = {};
  };

  bool read_line();
  bool read_record();
  bool read_tagged();
  bool begins_table();
  void read_columns();
  bool read_row();
  void check_begin() const;
  void begin_record();
  void begin_field(std::string_view tag, std::string_view rest);
  const std::vector<std::string>& lines_of(const char* tag) const;
  [[nodiscard]] std::string joined(const char* tag) const;
  std::string text_of(const char* tag);
  std::optional<int> year_of_record();
  void read_keywords(const char* tag, std::vector<std::string>& out);
  void take_list_ends();
  void read_authors(Publication& out);
  void read_addresses(Publication& out);
  void read_ids(Publication& out);
  void tell(const char* what, unsigned mends);

  LineReader lines_;
  std::string_view line_;
  bool held_ = false;    // line_ is to be read again
  bool within_ = false;  // a record
  bool ended_ = false;   // EF was read
  bool any_ = false;     // a line of the format
  bool broken_ = false;  // the record has a field twice
  std::size_t bytes_ = 0;
  std::uint64_t first_line_ = 0;  // of the record
  std::map<std::string, Field, std::less<>> fields_;
  std::vector<std::string>* open_ = nullptr;  // the field that goes on
  // Of a table: by column its field, none if nothing reads it. Empty: the file is tagged text.
  std::vector<decltype(fields_)::pointer> columns_;
};

}  // namespace cupel
