// Lists of papers of a venue in a year, as Paperlists collects them
// (https://github.com/papercopilot/paperlists): a JSON list of objects, as iclr2021.json.
//
// Used are id, title, status, author (or authors), authorids, aff, keywords, abstract and year;
// whatever else an object holds is left alone.
#pragma once

#include <filesystem>
#include <string>

#include "cupel/data/records/json_objects.h"
#include "cupel/data/records/publication.h"

namespace cupel {

// One list, plain or compressed, or its objects as JSON Lines.
// Year: the field `year`, else the last four digits in the file's name that are a year (1900-2099).
// Papers count by `status`, in any letter case: those of which it says reject, withdraw, active
// (not interactive), workshop or journal are left out; all others are in, and so is a paper without
// status. Statuses are counted, those left out and those that are not known.
// Names stand between semicolons; where there is none, between commas, with or without "and" behind
// one. What follows a comma and is no name (Jr., III) stays with the name before it.
// Affiliations go by author, `;` between authors and `+` between several of one.
// Memory: that of JsonObjects. Not thread-safe.
class PaperlistsReader final : public PublicationReader {
 public:
  // Throws Error if the file cannot be opened.
  explicit PaperlistsReader(const std::filesystem::path& path, ReadProgress progress = {});

  bool next(Publication& out) override;
  [[nodiscard]] std::string place() const override { return objects_.place(); }

  const std::string& name() const { return objects_.name(); }
  std::uint64_t file_bytes() const { return objects_.file_bytes(); }
  const std::string& sha256() const { return objects_.sha256(); }  // when next() was false

 private:
  [[nodiscard]] std::string text(const nlohmann::json& paper, const char* key) const;
  std::string list(const nlohmann::json& paper, const char* key);
  bool counts_as_paper(const nlohmann::json& paper);
  std::optional<int> year_of_paper(const nlohmann::json& paper) const;
  void take_authors(const nlohmann::json& paper, Publication& out);

  JsonObjects objects_;
  std::optional<int> year_;  // by the file's name
  bool any_ = false;
};

}  // namespace cupel
