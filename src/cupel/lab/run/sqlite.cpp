#include "cupel/lab/run/sqlite.h"

#include "cupel/base/error.h"

namespace cupel {

Database::Database(const std::filesystem::path& path, bool create) : name_(path.string()) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("{}: is a folder, not a store", name_);
  if (!create && !std::filesystem::exists(path, ignored))
    fail("{}: no such store; `cupel run` makes one", name_);
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  handle_.reset(raw);
  if (raw == nullptr) throw std::bad_alloc();
  if (code != SQLITE_OK) raise(code);
  sqlite3_extended_result_codes(raw, 1);
  // Other processes hold the lock for a fraction of a millisecond a run; a minute means trouble.
  sqlite3_busy_timeout(raw, 60'000);
}

void Database::run(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) raise(code);
}

void Database::raise(int code) const {
  const char* said = sqlite3_errmsg(handle_.get());
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
      fail("{}: is not a store; choose another file with --store", name_);
    case SQLITE_CORRUPT:
      fail(
          "{}: the store is damaged ({}); keep a copy, and recover it with `sqlite3 FILE .recover`",
          name_, said);
    case SQLITE_FULL:
      fail("{}: the disk is full; free some space and start again to resume", name_);
    case SQLITE_READONLY:
      fail("{}: the store is not writable", name_);
    case SQLITE_CANTOPEN:
      fail("{}: the store cannot be opened; does its folder exist?", name_);
    case SQLITE_BUSY:
      fail("{}: another process has held the store for a minute; end it and start again", name_);
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    default:
      fail("{}: the store failed: {} (SQLite code {})", name_, said, code);
  }
}

Statement::Statement(const Database& db, const std::string& sql) : db_(&db) {
  sqlite3_stmt* raw = nullptr;
  const int code =
      sqlite3_prepare_v2(db.handle(), sql.c_str(), static_cast<int>(sql.size()), &raw, nullptr);
  handle_.reset(raw);
  check(code);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) db_->raise(code);
}

Statement& Statement::bind(std::int64_t value) {
  check(sqlite3_bind_int64(handle_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind(double value) {
  check(sqlite3_bind_double(handle_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind(const std::string& value) {
  check(sqlite3_bind_text(handle_.get(), ++bound_, value.data(), static_cast<int>(value.size()),
                          SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind(const std::optional<double>& value) {
  if (value) return bind(*value);
  check(sqlite3_bind_null(handle_.get(), ++bound_));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  sqlite3_reset(handle_.get());
  db_->raise(code);
}

void Statement::execute() {
  step();
  reset();
}

void Statement::reset() {
  sqlite3_reset(handle_.get());
  sqlite3_clear_bindings(handle_.get());
  bound_ = 0;
}

std::optional<double> Statement::optional_real(int column) const {
  if (sqlite3_column_type(handle_.get(), column) == SQLITE_NULL) return {};
  return real(column);
}

std::string Statement::text(int column) const {
  const auto* data = sqlite3_column_text(handle_.get(), column);
  const int size = sqlite3_column_bytes(handle_.get(), column);
  return data == nullptr
             ? std::string()
             : std::string(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
}

Transaction::Transaction(Database& db) : db_(db) { db_.run("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  if (open_) sqlite3_exec(db_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  db_.run("COMMIT");
  open_ = false;
}

}  // namespace cupel
