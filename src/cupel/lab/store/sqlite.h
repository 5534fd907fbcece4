// A thin layer over SQLite's C interface: errors become Error, handles are owned.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "cupel/base/error.h"

namespace cupel {

// A file that is not as it was written: damaged, or edited by somebody.
class DamagedFile : public Error {
 public:
  using Error::Error;
};

// A file that no store ever was, or of which that cannot be told any more.
class NotAStore : public Error {
 public:
  using Error::Error;
};

// A store that is not there, or not any more.
class NoStore : public Error {
 public:
  using Error::Error;
};

// What is done with a file. One that is read is left as it is, to the byte, and may lie where
// nothing can be written, or on a disk that is full; there an empty log and its index may stay
// beside it, until it is read with room.
enum class Access { kRead, kWrite, kCreate };

// A disk that machines share has no write-ahead logs (write_ahead). A file that was moved there
// together with its log, or says that it keeps one, is held alone while it is opened: who reads it
// gets a copy in memory, and who writes turns it.
//
// Files are not trusted: triggers and views do nothing, schemas call no functions, nothing is
// attached, and a value of more than kLargestValue bytes is an error.
class Database {
 public:
  static constexpr int kLargestValue = 16 << 20;

  // Throws Error if there is no such file, or if it cannot be opened.
  Database(const std::filesystem::path& path, Access access);
  ~Database();
  // Runs statements that return nothing.
  void run(const std::string& sql);
  // From now on commits are appended to a log beside the file, of which the death of the process
  // loses nothing, that of the machine at most the last commits, and neither damages the file. On a
  // disk that machines share it is a rollback journal instead, which is slower and as safe as the
  // locks of that disk.
  void write_ahead();
  std::int64_t changes() const { return sqlite3_changes64(handle_.get()); }
  std::int64_t last_row() const { return sqlite3_last_insert_rowid(handle_.get()); }
  // Whether the file that is open is no longer the one at its path, or was cut short since the last
  // call: what is written then goes nowhere. The log beside it, which would be taken for one of
  // whatever is at that path by then, is brought to its end and removed with this object. False for
  // a database in memory.
  [[nodiscard]] bool lost();
  // Throws Error for an SQLite result code, in words a user can act on.
  [[noreturn]] void raise(int code) const;
  sqlite3* handle() const { return handle_.get(); }
  const std::string& name() const { return name_; }

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  void open(const std::filesystem::path& path, Access access);
  void connect(const std::filesystem::path& path, Access access, int flags, bool immutable);
  [[noreturn]] void disk_is_full() const;
  [[nodiscard]] bool hold_if_logged();
  void copy_to_memory();
  void harden();
  void give_up_log(bool overwritten);

  std::string name_;
  std::filesystem::path path_;  // absolute, where links lead; empty in memory
  std::uintmax_t size_ = 0;     // of the file, when it was looked at
  bool gave_up_log_ = false;
  bool read_ = false;  // opened to be read, from a file
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
  // Throws Error for what is beyond an int, rather than taking some of its bits.
  int number(int column) const;
  double real(int column) const { return sqlite3_column_double(handle_.get(), column); }
  std::optional<double> optional_real(int column) const;
  std::string text(int column) const;
  // SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_BLOB or SQLITE_NULL: a column holds what was
  // put into it, whatever its declaration says.
  int type(int column) const { return sqlite3_column_type(handle_.get(), column); }

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
