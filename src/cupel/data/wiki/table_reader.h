// What the readers of MediaWiki's tables share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/base/utf8.h"
#include "cupel/data/wiki/sql_dump.h"

namespace cupel {

// Rows of one table, value by value, checked. Not thread-safe.
class TableReader {
 public:
  const SqlDump& dump() const { return dump_; }

  // MediaWiki's titles are UTF-8, but the database does not see to it. A title that is not passes
  // as the bytes it is, as it can match no page, and is counted.
  std::int64_t titles_not_utf8() const { return titles_not_utf8_; }

 protected:
  TableReader(ByteSource& source, std::string table) : dump_(source, std::move(table)) {}

  // Values of the present row; k counts what the dump was told to want. They throw Error for a
  // value of another kind or out of range.
  std::int64_t number(std::size_t k, std::int64_t least) const {
    const SqlValue& value = dump_.value(k);
    if (value.kind != SqlValue::Kind::kInteger || value.integer < least) fail_number(k, least);
    return value.integer;
  }
  // May be negative: Special is -1.
  std::int32_t name_space(std::size_t k) const {
    const SqlValue& value = dump_.value(k);
    const auto name_space = static_cast<std::int32_t>(value.integer);
    if (value.kind != SqlValue::Kind::kInteger || value.integer != name_space) {
      fail_value(k, "the number of a namespace");
    }
    return name_space;
  }
  std::string_view text(std::size_t k) const {
    const SqlValue& value = dump_.value(k);
    if (value.kind != SqlValue::Kind::kText) fail_value(k, "a text");
    return value.text;
  }
  // Without its namespace, with underscores.
  std::string_view title(std::size_t k) {
    const std::string_view title = text(k);
    if (title.size() > kLongestTitle) fail_value(k, "a title of at most 255 bytes");
    if (!dump_.value(k).ascii && !is_utf8(title)) ++titles_not_utf8_;
    return title;
  }
  bool is_null(std::size_t k) const { return dump_.value(k).kind == SqlValue::Kind::kNull; }
  [[noreturn]] void fail_value(std::size_t k, std::string_view belongs) const;

  SqlDump dump_;

 private:
  static constexpr std::size_t kLongestTitle = 1024;  // which only a damaged one exceeds

  [[noreturn]] void fail_number(std::size_t k, std::int64_t least) const;

  std::int64_t titles_not_utf8_ = 0;
};

// A link names its target by namespace and title, or by a row of `linktarget`. While MediaWiki
// moved from one to the other (pagelinks 2023-24, categorylinks 2025), tables had both.
class TargetReader : public TableReader {
 public:
  // Whether all targets are ids of `linktarget`, so that links are nothing without it.
  bool needs_linktarget() const { return !by_title_; }
  bool may_use_linktarget() const { return by_id_; }
  // Throws Error that says so, and where to get it.
  [[noreturn]] void fail_without_linktarget() const;

 protected:
  // `titles` and `id` are the columns of the one and the other; at least one kind must be there.
  TargetReader(ByteSource& source, const char* table, const std::vector<std::string>& titles,
               std::string id);
  // Wants `first`, then the columns of targets that are there, then `last`.
  void want(std::vector<std::string> first, const std::vector<std::string>& last);
  // Whether the row may name its target; where there are ids too, it may have NULL instead.
  bool has_title() const { return by_title_ && !(by_id_ && is_null(title_at_)); }
  // The id of the row's target, 0 if its title says all. A title that is not empty goes before.
  std::int64_t target_id(std::string_view title) const {
    if (!by_id_ || !title.empty() || (by_title_ && is_null(id_at_))) return 0;
    return number(id_at_, by_title_ ? 0 : 1);
  }

  bool by_title_, by_id_;
  std::vector<std::string> titles_;
  std::size_t title_at_ = 0, id_at_ = 0;  // among what is wanted

 private:
  std::string id_;
};

}  // namespace cupel
