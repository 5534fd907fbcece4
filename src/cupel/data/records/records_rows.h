// The rows behind RecordsReader: what CSV and JSON have in common.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/records/records_table.h"

namespace cupel {

// A row's value in one column: a text, or a list of texts, or of affiliations by author.
struct RecordsValue {
  std::string text;
  std::optional<std::vector<std::string>> list = {};
  std::optional<std::vector<std::vector<std::string>>> by_author = {};
};

struct RecordsReader::Rows {
  enum Column {
    kId,
    kDoi,
    kYear,
    kTitle,
    kAbstract,
    kAuthors,
    kAuthorIds,
    kAffiliations,
    kKeywords
  };
  static constexpr std::size_t kColumns = 9;

  virtual ~Rows() = default;
  virtual bool next() = 0;  // fills `values`
  [[nodiscard]] virtual std::string place() const = 0;
  [[noreturn]] virtual void fail_here(std::string_view message) const = 0;
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual std::uint64_t file_bytes() const = 0;
  [[nodiscard]] virtual const std::string& sha256() const = 0;

  std::array<RecordsValue, kColumns> values;
  bool seems_cut_off = false;  // once next() has returned false
};

// Which of a table's columns, or of an object's keys, a name means.
class RecordsNames {
 public:
  explicit RecordsNames(const RecordsColumns& columns);
  [[nodiscard]] std::optional<std::size_t> column_of(std::string_view name) const;
  [[nodiscard]] const std::string& name(std::size_t column) const { return names_[column]; }
  // Whether ids are DOIs: both are read from one column, that of the ids.
  [[nodiscard]] bool ids_are_dois() const {
    return folded_[RecordsReader::Rows::kId] == folded_[RecordsReader::Rows::kDoi];
  }
  // Whether the table cannot be read without it.
  [[nodiscard]] bool needed(std::size_t column) const { return needed_[column]; }

 private:
  std::array<std::string, RecordsReader::Rows::kColumns> names_, folded_;
  std::array<bool, RecordsReader::Rows::kColumns> needed_{};
};

[[nodiscard]] std::unique_ptr<RecordsReader::Rows> read_records_csv(
    const std::filesystem::path& path, const RecordsNames& names, ReadProgress progress);
[[nodiscard]] std::unique_ptr<RecordsReader::Rows> read_records_json(
    const std::filesystem::path& path, const RecordsNames& names, ReadProgress progress);

}  // namespace cupel
