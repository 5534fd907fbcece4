#include "cupel/data/records/records_rows.h"

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/data/formats/strict_json.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/records/csv_rows.h"
#include "cupel/data/records/json_objects.h"
#include "cupel/data/records/record_text.h"

namespace cupel {
namespace {

using Rows = RecordsReader::Rows;

std::string folded(std::string_view name) {
  std::string out(trimmed_text(name));
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    if (c == ' ' || c == '-') c = '_';
  }
  return out;
}

class CsvTable final : public Rows {
 public:
  CsvTable(const std::filesystem::path& path, const RecordsNames& names, ReadProgress progress)
      : rows_(path, std::move(progress)) {
    if (!rows_.next()) fail("{}: is empty; its first line names the columns", rows_.name());
    header_.assign(rows_.fields().begin(), rows_.fields().end());
    for (std::size_t k = 0; k < header_.size(); ++k) {
      const std::optional<std::size_t> column = names.column_of(header_[k]);
      if (!column) continue;
      if (places_[*column])
        rows_.fail_here(fmt::format("two columns are called {}; rename one of them",
                                    in_quotes(names.name(*column))));
      places_[*column] = k;
    }
    for (std::size_t column = 0; column < kColumns; ++column) {
      if (!names.needed(column) || places_[column]) continue;
      rows_.fail_here(
          fmt::format("no column is called {}, there are {}; name it by the setting columns, as "
                      "columns=authors:Names",
                      in_quotes(names.name(column)), quoted_list(header_)));
    }
  }

  bool next() override {
    if (!rows_.next()) {
      seems_cut_off = rows_.seems_cut_off();
      return false;
    }
    const auto& fields = rows_.fields();
    if (fields.size() != header_.size())
      rows_.fail_here(
          fmt::format("has {} fields where the first line has {}; give one for each "
                      "column, in quotes where it holds a {}",
                      fields.size(), header_.size(), rows_.separator()));
    for (std::size_t column = 0; column < kColumns; ++column) {
      if (places_[column]) values[column].text = trimmed_text(fields[*places_[column]]);
    }
    return true;
  }
  std::string place() const override { return fmt::format("{}: line {}", name(), rows_.line()); }
  void fail_here(std::string_view message) const override { rows_.fail_here(message); }
  const std::string& name() const override { return rows_.name(); }
  std::uint64_t file_bytes() const override { return rows_.file_bytes(); }
  const std::string& sha256() const override { return rows_.sha256(); }

 private:
  CsvRows rows_;
  std::vector<std::string> header_;
  std::array<std::optional<std::size_t>, kColumns> places_;
};

class JsonTable final : public Rows {
 public:
  JsonTable(const std::filesystem::path& path, const RecordsNames& names, ReadProgress progress)
      : objects_(path, std::move(progress)), names_(names) {}

  bool next() override {
    nlohmann::json object;
    if (!objects_.next(object)) {
      for (std::size_t column = 0; column < kColumns; ++column) {
        if (names_.needed(column) && !seen_[column])
          fail(
              "{}: no object has the key {}; name it by the setting columns, as "
              "columns=authors:Names",
              name(), in_quotes(names_.name(column)));
      }
      return false;
    }
    values = {};
    std::array<bool, kColumns> given{};
    for (const auto& [key, value] : object.items()) {
      const std::optional<std::size_t> column = names_.column_of(key);
      if (!column) continue;
      if (given[*column])
        objects_.fail_here(
            fmt::format("two keys mean {}; rename one of them", in_quotes(names_.name(*column))));
      given[*column] = seen_[*column] = true;
      take(key, value, *column);
    }
    return true;
  }
  std::string place() const override { return objects_.place(); }
  void fail_here(std::string_view message) const override { objects_.fail_here(message); }
  const std::string& name() const override { return objects_.name(); }
  std::uint64_t file_bytes() const override { return objects_.file_bytes(); }
  const std::string& sha256() const override { return objects_.sha256(); }

 private:
  void take(const std::string& key, const nlohmann::json& value, std::size_t column) {
    const bool may_be_list = column >= kAuthors;
    if (!value.is_array()) {
      values[column].text = column == kYear && value.is_number() ? value.dump() : text(key, value);
      return;
    }
    if (!may_be_list)
      objects_.fail_here(
          fmt::format("{} holds a list where a text is needed; write one text", in_quotes(key)));
    if (column != kAffiliations) {
      auto& list = values[column].list.emplace();
      for (const nlohmann::json& one : value) list.push_back(text(key, one));
      return;
    }
    auto& by_author = values[column].by_author.emplace();
    for (const nlohmann::json& one : value) {
      std::vector<std::string>& of_author = by_author.emplace_back();
      for (const nlohmann::json& part : one.is_array() ? one : nlohmann::json::array({one}))
        if (std::string name = text(key, part); !name.empty()) of_author.push_back(std::move(name));
    }
  }

  std::string text(const std::string& key, const nlohmann::json& value) const {
    if (value.is_null()) return {};
    if (value.is_string()) return std::string(trimmed_text(value.get_ref<const std::string&>()));
    if (value.is_number_integer()) return value.dump();
    objects_.fail_here(fmt::format("{} holds {} where a text is needed; {}", in_quotes(key),
                                   shown_json(value),
                                   value.is_structured() ? "write the text alone, as \"Ann Lee\""
                                                         : "write it in double quotes"));
  }

  JsonObjects objects_;
  RecordsNames names_;
  std::array<bool, kColumns> seen_{};
};

}  // namespace

RecordsNames::RecordsNames(const RecordsColumns& columns)
    : names_({columns.id, columns.doi, columns.year, columns.title, columns.abstract,
              columns.authors, columns.author_ids, columns.affiliations, columns.keywords}) {
  const RecordsColumns usual;
  const std::array<const std::string*, Rows::kColumns> defaults = {
      &usual.id,      &usual.doi,        &usual.year,         &usual.title,   &usual.abstract,
      &usual.authors, &usual.author_ids, &usual.affiliations, &usual.keywords};
  for (std::size_t k = 0; k < Rows::kColumns; ++k) {
    folded_[k] = folded(names_[k]);
    needed_[k] = k == Rows::kAuthors || folded_[k] != *defaults[k];
    for (std::size_t other = 0; other < k; ++other) {
      if (folded_[k] == folded_[other] && !(k == Rows::kDoi && other == Rows::kId))
        fail("{} and {} are both read from the column {}; name one for each", *defaults[other],
             *defaults[k], in_quotes(names_[k]));
    }
  }
}

std::optional<std::size_t> RecordsNames::column_of(std::string_view name) const {
  const std::string wanted = folded(name);
  for (std::size_t k = 0; k < Rows::kColumns; ++k) {
    if (folded_[k] == wanted) return k;
  }
  return std::nullopt;
}

std::unique_ptr<Rows> read_records_csv(const std::filesystem::path& path, const RecordsNames& names,
                                       ReadProgress progress) {
  return std::make_unique<CsvTable>(path, names, std::move(progress));
}

std::unique_ptr<Rows> read_records_json(const std::filesystem::path& path,
                                        const RecordsNames& names, ReadProgress progress) {
  return std::make_unique<JsonTable>(path, names, std::move(progress));
}

}  // namespace cupel
