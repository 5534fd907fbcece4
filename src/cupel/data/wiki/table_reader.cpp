#include "cupel/data/wiki/table_reader.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

std::string described(const SqlValue& value) {
  switch (value.kind) {
    case SqlValue::Kind::kNull:
      return "NULL";
    case SqlValue::Kind::kText:
      return "the text " + in_quotes(value.text);
    default:
      return "the number " + in_quotes(value.text);
  }
}

}  // namespace

void TableReader::fail_value(std::size_t k, std::string_view belongs) const {
  dump_.fail_here(
      fmt::format("{} is {}, where {} belongs; this is no table of MediaWiki, or damaged",
                  in_quotes(dump_.wanted(k)), described(dump_.value(k)), belongs));
}

void TableReader::fail_number(std::size_t k, std::int64_t least) const {
  fail_value(k, fmt::format("a whole number from {}", least));
}

TargetReader::TargetReader(ByteSource& source, const char* table,
                           const std::vector<std::string>& titles, std::string id)
    : TableReader(source, table), titles_(titles), id_(std::move(id)) {
  by_id_ = dump_.has(id_);
  // A table that has some of the columns of titles and no id lacks the others: want() says so.
  by_title_ = !by_id_ || std::all_of(titles.begin(), titles.end(),
                                     [&](const std::string& column) { return dump_.has(column); });
}

void TargetReader::want(std::vector<std::string> first, const std::vector<std::string>& last) {
  title_at_ = first.size();
  if (by_title_) first.insert(first.end(), titles_.begin(), titles_.end());
  id_at_ = first.size();
  if (by_id_) first.push_back(id_);
  first.insert(first.end(), last.begin(), last.end());
  dump_.want(std::move(first));
}

void TargetReader::fail_without_linktarget() const {
  fail(
      "{}: table {} has its targets as ids ({}), which only table 'linktarget' of the same dump "
      "explains; give that too, the file whose name ends in -linktarget.sql.gz",
      dump_.name(), in_quotes(dump_.table()), in_quotes(id_));
}

}  // namespace cupel
