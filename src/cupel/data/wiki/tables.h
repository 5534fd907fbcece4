// MediaWiki's tables of pages and links, in every schema since 2005. What a column is called says
// what it holds; its place says nothing, as columns came and went (mediawiki.org, "Manual:Database
// layout"). Columns that are not named here are passed over.
//
// Readers stream: rows come in the order of the file, views are valid until the next call of
// next(), and nothing is kept. Several files of one table are several readers. All throw Error
// naming file and row: what SqlDump and TableReader name, and what is said below.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cupel/data/wiki/table_reader.h"

namespace cupel {

// Where a page's row says that it is a redirect: in page_is_redirect, or in the sixth column, which
// is what the released code of Wiki-CS looks at. That one is page_is_redirect in tables that have
// page_counter (until 2015), page_is_new without it, page_random without page_restrictions (since
// 2022).
enum class RedirectFlag { kNamed, kFifth };

// page: page_id, page_namespace, page_title, page_is_redirect.
struct PageRow {
  std::int64_t id = 0;  // from 1
  std::int32_t name_space = 0;
  std::string_view title;
  // The released code asks for '1' of a redirect and for '0' of a redirect's target; a sixth column
  // may hold neither.
  enum class Redirect : std::uint8_t { kNo, kYes, kNeither } redirect = Redirect::kNo;
};

class PageReader : public TableReader {
 public:
  // kFifth: a table of fewer columns, or one whose sixth is id, namespace or title, is refused.
  explicit PageReader(ByteSource& source, RedirectFlag flag = RedirectFlag::kNamed);
  bool next(PageRow& row);

 private:
  RedirectFlag flag_;
};

// redirect: rd_from, rd_namespace, rd_title, and rd_interwiki where it is (since 2009).
struct RedirectRow {
  std::int64_t from = 0;
  std::int32_t name_space = 0;
  std::string_view title;
  std::string_view interwiki;  // prefix of another wiki; empty for a page of this one
};

class RedirectReader : public TableReader {
 public:
  explicit RedirectReader(ByteSource& source);
  bool next(RedirectRow& row);

 private:
  bool interwiki_;
};

// pagelinks: pl_from, pl_from_namespace where it is (since 2015), and pl_namespace with pl_title
// (until 2024) or pl_target_id (since 2024).
struct PageLinkRow {
  std::int64_t from = 0;
  std::optional<std::int32_t> from_space;
  std::int64_t target_id = 0;  // of linktarget; 0 if namespace and title are here
  std::int32_t name_space = 0;
  std::string_view title;
};

class PageLinkReader : public TargetReader {
 public:
  explicit PageLinkReader(ByteSource& source);
  bool next(PageLinkRow& row);

 private:
  bool from_space_;
};

// categorylinks: cl_from, cl_to (until 2025) or cl_target_id (since 2025), and cl_type where it is
// (since 2011). The target is in the namespace of categories.
struct CategoryLinkRow {
  std::int64_t from = 0;
  std::int64_t target_id = 0;  // of linktarget; 0 if the title is here
  std::string_view title;
  enum class Type : std::uint8_t { kUnknown, kPage, kSubcategory, kFile } type = Type::kUnknown;
};

class CategoryLinkReader : public TargetReader {
 public:
  explicit CategoryLinkReader(ByteSource& source);
  bool next(CategoryLinkRow& row);

 private:
  bool type_;
};

// linktarget: lt_id, lt_namespace, lt_title.
struct LinkTargetRow {
  std::int64_t id = 0;  // from 1
  std::int32_t name_space = 0;
  std::string_view title;
};

class LinkTargetReader : public TableReader {
 public:
  explicit LinkTargetReader(ByteSource& source);
  bool next(LinkTargetRow& row);
};

}  // namespace cupel
