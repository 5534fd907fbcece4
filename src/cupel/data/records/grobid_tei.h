// The TEI XML that GROBID makes of the PDF of a publication.
//
// Source: https://grobid.readthedocs.io (processFulltextDocument, processHeaderDocument), 0.5 to
// 0.8; the TEI Guidelines P5.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/records/xml_publications.h"

namespace cupel {

// Reads the <TEI> of one file, plain or compressed; each of several in a <teiCorpus>. Of all there
// is in one, the header counts alone:
//   id        the file's name without .gz, .bz2, .xml, .tei, .grobid and .pdf at its end; of
//             several in a file, the second has "#2" behind it
//   doi       the first <idno> of type DOI, in biblStruct or its analytic part, that is one
//             (doi.h); what is none is counted
//   year      of the date of publication (attribute "when") in publicationStmt, else that in
//             monogr/imprint
//   title     the first in titleStmt that is not empty, else in biblStruct/analytic
//   abstract  all of it, heads too; paragraphs are parted by a blank
//   keywords  each <term>
//   authors   those of biblStruct/analytic: forenames, surname and what follows a name ("Jr"), in
//             this order, without titles ("Dr."). The id is the ORCID.
//   affiliations  the institutions of an <affiliation>, each by itself; without any, its other
//             organisations as one, with commas between them; without any, nothing, and counted
// Titles and so on are told by where they stand, so that the references of the text, which have
// authors too, do not count. An <author> without these parts is left out and counted. Names and
// texts are cleaned (names.h), which is counted. Memory: that of XmlPublicationReader.
class GrobidTeiReader final : public XmlPublicationReader {
 public:
  // Throws Error if the file cannot be opened.
  explicit GrobidTeiReader(const std::filesystem::path& file, ReadProgress progress = {});

 private:
  void start(std::string_view name, const Attributes& attributes) override;
  void end(std::string_view name) override;
  void gathered(std::string_view name) override;
  [[nodiscard]] bool stands_apart(std::string_view name) const override;
  void check_root(std::string_view name) const;
  void begin_tei();
  void finish_tei();
  void start_in_author(std::string_view part, const Attributes& attributes);
  void gathered_in_author(std::string_view name);
  void read_date(const Attributes& attributes, std::optional<int>& year);
  void finish_affiliation();
  void finish_author();

  std::string stem_;
  std::string path_;  // of open elements below <TEI>: "/teiHeader/fileDesc"; empty outside of one
  int tei_ = 0;       // the depth of the <TEI>; 0 outside of one
  int skipped_ = 0;   // the depth of an element of which nothing is wanted
  int made_ = 0;      // publications so far

  std::optional<int> published_, imprint_;
  bool odd_date_ = false;
  std::string other_title_;
  Author author_;
  std::string forenames_, surname_, suffix_;
  std::string organisations_;  // of an affiliation, those that are no institutions
  bool institutions_ = false;  // it has some
  std::string type_;           // of the element whose text is gathered
};

}  // namespace cupel
