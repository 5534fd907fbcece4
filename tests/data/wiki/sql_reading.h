// Rows of a made dump as lists of texts.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cupel/data/wiki/sql_dump.h"
#include "data/wiki/sql_text.h"

namespace cupel::test::sql {

using Rows = std::vector<std::vector<std::string>>;

inline std::string shown(const SqlValue& value) {
  if (value.kind == SqlValue::Kind::kText) return "'" + std::string(value.text);
  if (value.kind == SqlValue::Kind::kInteger) {
    EXPECT_EQ(std::to_string(value.integer), value.text);
  }
  return std::string(value.text);
}

inline Rows read(const std::string& text, const std::vector<std::string>& wanted, std::size_t block,
                 const std::string& table = "t") {
  Blocks source(text, block);
  SqlDump dump(source, table);
  dump.want(wanted);
  Rows rows;
  while (dump.next()) {
    rows.emplace_back();
    for (std::size_t k = 0; k < wanted.size(); ++k) rows.back().push_back(shown(dump.value(k)));
  }
  EXPECT_EQ(dump.rows(), rows.size());
  return rows;
}

// Rows read in blocks of every size, which agree.
inline Rows rows_of(const std::string& text, const std::vector<std::string>& wanted) {
  const Rows first = read(text, wanted, 1);
  for (const std::size_t block : kBlockSizes) EXPECT_EQ(read(text, wanted, block), first) << block;
  return first;
}

}  // namespace cupel::test::sql
