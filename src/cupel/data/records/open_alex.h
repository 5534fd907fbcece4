// Works as OpenAlex publishes them (Priem et al. 2022, docs.openalex.org): JSON Lines, one work a
// line, gzip-compressed or plain; works/updated_date=.../part_000.gz are files of their own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/formats/line_reader.h"
#include "cupel/data/records/json_line.h"
#include "cupel/data/records/publication.h"

namespace cupel {

// Reads one file.
//   id        id, as written ("https://openalex.org/W2741809807")
//   doi       doi (doi.h); what is none is counted
//   year      publication_year
//   title     title, else display_name
//   abstract  abstract_inverted_index, its words in the order of their places
//   keywords  display_name (or keyword) of keywords, repeats once; not concepts and topics, which
//             OpenAlex gives to works by itself
//   authors   authorships: raw_author_name, as printed, else author.display_name; the id is
//             author.id, but for the ids of nobody (NULL author, deleted author), which are none
//             and counted; affiliations are the display_names of institutions, else
//             raw_affiliation_strings, else the raw_affiliation_string of each of affiliations
// Works that are retracted or paratext (a cover, a table of contents) are works like others, and
// counted. Left out and counted: a line that cannot be read, unless it is the first or last one,
// which is an Error; lines that are no work; authors and institutions without name; abstracts of
// over 1 MiB, or whose places are not one word's. A field that is of another kind than documented
// is left empty and counted. Throws Error where the file is cut off, is not UTF-8, or has other
// things than works. Memory: 16 MiB and ten times the longest line, which may have 16 MiB.
class OpenAlexReader final : public PublicationReader {
 public:
  // Throws Error if the file cannot be opened.
  explicit OpenAlexReader(const std::filesystem::path& path, ReadProgress progress = {});

  bool next(Publication& out) override;
  [[nodiscard]] std::string place() const override;

  const std::string& name() const { return lines_.name(); }
  std::uint64_t file_bytes() const { return lines_.file_bytes(); }
  const std::string& sha256() const { return lines_.sha256(); }  // after the last record

 private:
  void check_document(bool list);
  bool read_work(std::string_view line, Publication& out);
  void read_member(JsonLine& json, std::string_view key, Publication& out);
  std::size_t read_authors(JsonLine& json, Publication& out);
  bool read_author(JsonLine& json, Author& out);
  std::int64_t read_names(JsonLine& json, const char* key, std::vector<std::string>& out);
  void read_abstract(JsonLine& json, std::string& out);
  bool read_text(JsonLine& json, std::string& out);  // null: ""
  bool is(JsonLine& json, char first);
  static bool is_true(JsonLine& json);
  void tell(const char* what, unsigned mends);

  LineReader lines_;
  std::size_t line_bytes_ = 0;
  std::string scratch_, broken_;  // what is wrong with the last line, if anything is
  bool any_ = false;              // a work
  // Of the work that is read.
  bool retracted_ = false, paratext_ = false, truncated_ = false, odd_year_ = false;
  std::string other_title_, unescaped_, printed_, given_, one_;
  std::vector<std::string> raw_, listed_, institutions_;
  std::vector<std::string_view> words_;  // by place
};

}  // namespace cupel
