// A thin layer over SQLite's C interface: errors become Error, handles are owned.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace cupel {

class Database {
 public:
  Database(const std::filesystem::path& path, bool create);
  // Runs statements that return nothing.
  void run(const std::string& sql);
  std::int64_t changes() const { return sqlite3_changes64(handle_.get()); }
  std::int64_t last_row() const { return sqlite3_last_insert_rowid(handle_.get()); }
  // Throws Error for an SQLite result code, in words a user can act on.
  [[noreturn]] void raise(int code) const;
  sqlite3* handle() const { return handle_.get(); }
  const std::string& name() const { return name_; }

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  std::string name_;
  std::unique_ptr<sqlite3, Close> handle_;
};

// A prepared statement. Bind in order, then step; reset() makes it ready for the next use.
class Statement {
 public:
  Statement(const Database& db, const std::string& sql);

  Statement& bind(std::int64_t value);
  Statement& bind(int value) { return bind(static_cast<std::int64_t>(value)); }
  Statement& bind(double value);
  Statement& bind(const std::string& value);
  Statement& bind(const std::optional<double>& value);

  // True if there is a row.
  bool step();
  // Runs a statement that returns no row, and makes it ready for the next use.
  void execute();
  void reset();

  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  int number(int column) const { return sqlite3_column_int(handle_.get(), column); }
  double real(int column) const { return sqlite3_column_double(handle_.get(), column); }
  std::optional<double> optional_real(int column) const;
  std::string text(int column) const;

 private:
  void check(int code) const;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  const Database* db_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  int bound_ = 0;
};

// BEGIN IMMEDIATE ... COMMIT; rolled back if not committed.
class Transaction {
 public:
  explicit Transaction(Database& db);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& db_;
  bool open_ = true;
};

}  // namespace cupel
