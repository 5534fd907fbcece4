// Tables as mysqldump and mariadb-dump write them: CREATE TABLE, then INSERT after INSERT.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/wiki/sql_lexer.h"
#include "cupel/data/wiki/sql_row.h"

namespace cupel {

// Reads the rows of one table front to back, columns by the names that CREATE TABLE gives them; an
// INSERT may name its columns itself. Comments and other statements are passed over, keys and
// options of the table as well. Several CREATE TABLE of the table, as in files put together, have
// to agree. Memory: a block of the source and three times the longest row, which may have 16 MiB.
// Not thread-safe.
//
// Throws Error naming file, row and byte (of the unpacked text): another table than the one asked
// for, no CREATE TABLE or an INSERT before it, a column that is not there, a row with other than
// its number of values or with a defect, a row of more than 16 MiB, a statement that does not end.
class SqlDump {
 public:
  // Reads up to the end of CREATE TABLE.
  SqlDump(ByteSource& source, std::string table);

  const std::string& name() const { return lexer_.window.name(); }  // of the source
  const std::string& table() const { return table_; }
  const std::vector<std::string>& columns() const { return columns_; }
  bool has(std::string_view column) const { return place_of(column).has_value(); }

  // To be called before the first row: which columns are wanted, each once.
  void want(std::vector<std::string> columns);
  // Moves to the next row; false at the end of the file.
  bool next();
  // Of the row, the k-th wanted value. Valid until the next call of next().
  const SqlValue& value(std::size_t k) const { return row_[k]; }
  const std::string& wanted(std::size_t k) const { return wanted_[k]; }

  std::uint64_t rows() const { return rows_; }  // so far, with the present one
  // Whether the last line of mysqldump was met; without it, statements may be missing at the end.
  bool completed() const { return lexer_.completed(); }

  // "FILE: row 7 (byte 1234)", for messages on the present row.
  std::string here() const;
  // Throws Error "FILE: row 7 (byte 1234): MESSAGE".
  [[noreturn]] void fail_here(std::string_view message) const;

 private:
  enum class State { kBetween, kValues, kAfterRow, kEnd };

  std::optional<std::size_t> place_of(std::string_view column) const;
  bool next_statement();
  void create();
  std::vector<std::string> read_columns();
  void insert();
  void expect(const std::vector<std::string>& order);
  bool find_row();
  void check_table(const std::string& name) const;

  SqlLexer lexer_;
  std::string table_;
  std::vector<std::string> columns_, wanted_;
  SqlRow row_;
  State state_ = State::kBetween;
  bool usual_order_ = false;  // row_ expects the order of CREATE TABLE
  std::uint64_t rows_ = 0, row_at_ = 0;
};

}  // namespace cupel
