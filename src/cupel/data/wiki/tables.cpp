#include "cupel/data/wiki/tables.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

using Columns = std::vector<std::string>;

// The column that tells redirects.
std::string flag_of(const SqlDump& dump, RedirectFlag flag, const Columns& others) {
  constexpr std::size_t kFifth = 5;
  if (flag == RedirectFlag::kNamed) return "page_is_redirect";
  const Columns& columns = dump.columns();
  if (columns.size() > kFifth &&
      std::find(others.begin(), others.end(), columns[kFifth]) == others.end()) {
    return columns[kFifth];
  }
  fail(
      "{}: table 'page' has no flag in a sixth column, its columns are {}; set redirect-flag=named",
      dump.name(), quoted_list(columns));
}

}  // namespace

PageReader::PageReader(ByteSource& source, RedirectFlag flag)
    : TableReader(source, "page"), flag_(flag) {
  Columns columns = {"page_id", "page_namespace", "page_title"};
  columns.push_back(flag_of(dump_, flag, columns));
  dump_.want(columns);
}

bool PageReader::next(PageRow& row) {
  if (!dump_.next()) return false;
  row.id = number(0, 1);
  row.name_space = name_space(1);
  row.title = title(2);
  const SqlValue& flag = dump_.value(3);
  if (flag_ == RedirectFlag::kNamed && flag.kind != SqlValue::Kind::kInteger) {
    fail_value(3, "0 or 1");
  }
  if (flag.text == "0" || flag.text == "1") {  // as the released code compares
    row.redirect = flag.text == "1" ? PageRow::Redirect::kYes : PageRow::Redirect::kNo;
  } else {
    if (flag_ == RedirectFlag::kNamed) fail_value(3, "0 or 1");
    row.redirect = PageRow::Redirect::kNeither;
  }
  return true;
}

RedirectReader::RedirectReader(ByteSource& source)
    : TableReader(source, "redirect"), interwiki_(dump_.has("rd_interwiki")) {
  Columns columns = {"rd_from", "rd_namespace", "rd_title"};
  if (interwiki_) columns.push_back("rd_interwiki");
  dump_.want(columns);
}

bool RedirectReader::next(RedirectRow& row) {
  if (!dump_.next()) return false;
  row.from = number(0, 0);
  row.name_space = name_space(1);
  row.title = title(2);
  row.interwiki = interwiki_ && !is_null(3) ? text(3) : std::string_view();
  return true;
}

PageLinkReader::PageLinkReader(ByteSource& source)
    : TargetReader(source, "pagelinks", {"pl_namespace", "pl_title"}, "pl_target_id"),
      from_space_(dump_.has("pl_from_namespace")) {
  want({"pl_from"}, from_space_ ? Columns{"pl_from_namespace"} : Columns{});
}

bool PageLinkReader::next(PageLinkRow& row) {
  if (!dump_.next()) return false;
  row.from = number(0, 0);
  row.name_space = has_title() ? name_space(title_at_) : 0;
  row.title = has_title() ? title(title_at_ + 1) : std::string_view();
  row.target_id = target_id(row.title);
  if (from_space_) row.from_space = name_space(id_at_ + (by_id_ ? 1 : 0));
  return true;
}

CategoryLinkReader::CategoryLinkReader(ByteSource& source)
    : TargetReader(source, "categorylinks", {"cl_to"}, "cl_target_id"),
      type_(dump_.has("cl_type")) {
  want({"cl_from"}, type_ ? Columns{"cl_type"} : Columns{});
}

bool CategoryLinkReader::next(CategoryLinkRow& row) {
  if (!dump_.next()) return false;
  row.from = number(0, 0);
  row.title = has_title() ? title(title_at_) : std::string_view();
  row.target_id = target_id(row.title);
  if (!type_) return true;
  const std::size_t k = id_at_ + (by_id_ ? 1 : 0);
  const std::string_view type = text(k);
  if (type == "page") {
    row.type = CategoryLinkRow::Type::kPage;
  } else if (type == "subcat") {
    row.type = CategoryLinkRow::Type::kSubcategory;
  } else if (type == "file") {
    row.type = CategoryLinkRow::Type::kFile;
  } else {
    fail_value(k, "'page', 'subcat' or 'file'");
  }
  return true;
}

LinkTargetReader::LinkTargetReader(ByteSource& source) : TableReader(source, "linktarget") {
  dump_.want({"lt_id", "lt_namespace", "lt_title"});
}

bool LinkTargetReader::next(LinkTargetRow& row) {
  if (!dump_.next()) return false;
  row.id = number(0, 1);
  row.name_space = name_space(1);
  row.title = title(2);
  return true;
}

}  // namespace cupel
