// The ACL Anthology's XML: a collection of volumes of papers.
//
// Source: the files of the Anthology's repository, data/xml/NAME.xml, as they are since 2019.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cupel/data/records/xml_publications.h"

namespace cupel {

// Reads the papers of one collection, plain or compressed, in the order of the file.
//   id        collection, volume and paper as the Anthology puts them together: "P18-1001",
//             "W00-0102" (two digits of each), "2020.acl-main.1"; empty where one is not there
//   doi       the first <doi> that is one (doi.h); what is none is counted
//   year      that of the volume's <meta>
//   title, abstract   the first of each, with the text of all markup in it, formulas too
//   authors   <first> and <last> with a blank between, or what there is of them; an author's
//             attribute "id"; <affiliation>s. Other ways to write a name (<variant>) are left out.
// Frontmatter and talks are no papers, and editors are no authors. Papers without authors are kept,
// and so is an author who stands twice on a paper. Names and texts are cleaned (names.h), which is
// counted; authors without a letter in their name are left out and counted.
// Memory: that of XmlPublicationReader.
class AclAnthologyReader final : public XmlPublicationReader {
 public:
  // Throws Error if the file cannot be opened.
  explicit AclAnthologyReader(const std::filesystem::path& file, ReadProgress progress = {})
      : XmlPublicationReader(file, std::move(progress)) {}

 private:
  enum class In { kOther, kMeta, kPaper };

  void start(std::string_view name, const Attributes& attributes) override;
  void end(std::string_view name) override;
  void gathered(std::string_view name) override;
  void begin_part(std::string_view name, const Attributes& attributes);
  void finish_paper();
  void finish_author();
  [[nodiscard]] std::string id_of(std::string_view paper) const;

  std::string collection_, volume_;
  std::optional<int> year_;
  std::string first_, last_;
  Author author_;
  In in_ = In::kOther;
  bool in_volume_ = false, in_author_ = false;
  bool dated_ = false;  // the volume has a year, or what should be one
  bool titled_ = false, summarised_ = false;
};

}  // namespace cupel
