#include "cupel/lab/store/sqlite.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <limits>
#include <thread>
#include <utility>

#include "cupel/base/paths.h"
#include "cupel/lab/store/shared_disk.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInMemory = ":memory:";
// Milliseconds. Other processes hold the lock for a fraction of one a run; a minute means trouble.
constexpr int kPatience = 60'000;

bool has_bytes(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return !error && size > 0;
}

bool has_write_ahead_log(const fs::path& path) { return has_bytes(path.string() + "-wal"); }

// Whether something that a process wrote and did not bring to an end lies beside the file: a
// write-ahead log, or the journal of a transaction.
bool has_log(const fs::path& path) {
  return has_write_ahead_log(path) || has_bytes(path.string() + "-journal");
}

bool writable(const fs::path& path) { return ::access(path.c_str(), W_OK) == 0; }

// The form of a path in which SQLite takes parameters.
std::string uri_of(const fs::path& path) {
  std::string out = "file:";
  for (const char c : path.string()) {
    if (c == '?' || c == '#' || c == '%')
      out += fmt::format("%{:02X}", c);
    else
      out += c;
  }
  return out;
}

[[noreturn]] void no_such_store(const std::string& name) {
  throw NoStore(fmt::format("{}: no such store; `cupel run` makes one", name));
}

// Whether a call failed for want of room, for the store or for the files that SQLite puts beside
// it: the shared index of a log fails to be begun or made longer for that reason alone.
bool wants_room(sqlite3* db, int code) {
  if (code == SQLITE_OK) return false;
  const int why = sqlite3_system_errno(db);
  return (code & 0xFF) == SQLITE_FULL || code == SQLITE_IOERR_SHMOPEN ||
         code == SQLITE_IOERR_SHMSIZE || why == ENOSPC || why == EDQUOT;
}

// Absolute, where links lead: beside that file SQLite puts others.
fs::path real_place(const fs::path& path) {
  std::error_code problem;
  const fs::path given = fs::absolute(path, problem);
  fs::path out = fs::weakly_canonical(given, problem);
  return problem ? given : out;
}

}  // namespace

Database::Database(const fs::path& path, Access access) : name_(path.string()) {
  std::error_code ignored;
  if (name_ != kInMemory) path_ = real_place(path);
  if (fs::is_directory(path, ignored)) fail("{}: is a folder, not a store", name_);
  if (access != Access::kCreate && !fs::exists(path, ignored)) no_such_store(name_);
  // A FIFO would be waited for.
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    fail("{}: is no file, so it is no store", name_);
  open(path, access);
  harden();
}

void Database::connect(const fs::path& path, Access access, int flags, bool immutable) {
  if (access == Access::kCreate) flags |= SQLITE_OPEN_CREATE;
  if (immutable) flags |= SQLITE_OPEN_URI;
  const std::string target = immutable ? uri_of(path_) + "?immutable=1" : path.string();
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(target.c_str(), &raw, flags | SQLITE_OPEN_FULLMUTEX, nullptr);
  handle_.reset(raw);
  if (raw == nullptr) throw std::bad_alloc();
  std::error_code ignored;
  if (code == SQLITE_CANTOPEN && access != Access::kCreate && !fs::exists(path_, ignored))
    no_such_store(name_);  // it was there a moment ago
  if (code != SQLITE_OK) raise(code);
  sqlite3_extended_result_codes(raw, 1);
  sqlite3_busy_timeout(raw, kPatience);
}

void Database::open(const fs::path& path, Access access) {
  read_ = access == Access::kRead && !path_.empty();
  const bool shared = !path_.empty() && is_shared_disk(path_);
  if (!read_) {
    connect(path, access, SQLITE_OPEN_READWRITE, false);
    if (shared) (void)hold_if_logged();
    return;
  }
  // A reader that may write leaves nothing behind: SQLite removes the files that it puts beside the
  // store. One that may not has to do without them: nobody writes where nobody can.
  const bool beside = writable(path_) && writable(path_.parent_path());
  const bool log = has_log(path_);
  if (shared && !beside && has_write_ahead_log(path_))
    fail(
        "{0}: the store lies on a disk that machines share and has a write-ahead log, which is "
        "read there only by who may write to both; copy '{1}' and '{1}-wal' to a disk of this "
        "machine",
        name_, path_.string());
  connect(path, access, beside ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, !beside && !log);
  // The log of a process that died stays where it is.
  if (log) sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  if (shared && beside && hold_if_logged()) copy_to_memory();
  if (beside && !log) {
    // Neither does anybody write where the disk is full. Where only we have no room (a quota), a
    // process that has some may write meanwhile; the read may then fail, and done again it reads
    // the log. Such a process may also have connected by the empty log and the index that SQLite
    // began here: they stay for the next who opens the store with room, and SQLite, to remove.
    const int code =
        sqlite3_exec(handle_.get(), "PRAGMA schema_version", nullptr, nullptr, nullptr);
    if (wants_room(handle_.get(), code) || code == SQLITE_IOERR_SHMMAP) {
      handle_.reset();
      connect(path, access, SQLITE_OPEN_READONLY, !has_log(path_));
    }
  }
  run("PRAGMA query_only = 1");
}

// The index of a write-ahead log is memory that the users of the file share, which machines do not.
// Who has the file for himself from the first look at it needs no such memory
// (https://sqlite.org/wal.html#noshm), and is refused while another machine has it open.
bool Database::hold_if_logged() {
  if (sqlite3_db_readonly(handle_.get(), "main") != 0) return false;
  run("PRAGMA locking_mode = EXCLUSIVE");
  bool logged = false;
  {
    Statement mode(*this, "PRAGMA journal_mode");
    logged = mode.step() && mode.text(0) == "wal";
  }
  if (!logged) run("PRAGMA locking_mode = NORMAL");
  return logged;
}

// So that a reader, who may be at it for hours, keeps nobody out.
void Database::copy_to_memory() {
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(
      kInMemory, &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nullptr);
  std::unique_ptr<sqlite3, Close> memory(raw);
  if (opened != SQLITE_OK) throw std::bad_alloc();
  sqlite3_backup* copy = sqlite3_backup_init(raw, "main", handle_.get(), "main");
  if (copy == nullptr) throw std::bad_alloc();
  const int code = sqlite3_backup_step(copy, -1);
  sqlite3_backup_finish(copy);
  if (code != SQLITE_DONE) raise(code);
  handle_ = std::move(memory);
}

void Database::harden() {
  sqlite3* db = handle_.get();
  constexpr std::array kOn = {SQLITE_DBCONFIG_DEFENSIVE};
  constexpr std::array kOff = {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                               SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_WRITABLE_SCHEMA};
  for (const int option : kOn) sqlite3_db_config(db, option, 1, nullptr);
  for (const int option : kOff) sqlite3_db_config(db, option, 0, nullptr);
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kLargestValue);
  sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(db, SQLITE_LIMIT_COLUMN, 100);
  sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 100);
  sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, 10);
}

bool Database::lost() {
  if (path_.empty()) return false;
  int moved = 0;
  sqlite3_file_control(handle_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  std::error_code error;
  const auto size = fs::file_size(path_, error);
  const bool there = moved == 0 && !error;
  if (there && size >= size_) {
    size_ = size;
    return false;
  }
  give_up_log(there);
  return true;
}

// What the log holds goes into the file that it is of, wherever that is now; not into what somebody
// wrote over it.
void Database::give_up_log(bool overwritten) {
  if (std::exchange(gave_up_log_, true)) return;
  if (!overwritten)
    sqlite3_wal_checkpoint_v2(handle_.get(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

Database::~Database() {
  handle_.reset();
  if (!gave_up_log_) return;
  for (const char* ending : {"-wal", "-shm"}) {
    std::error_code ignored;
    fs::remove(path_.string() + ending, ignored);
  }
}

void Database::run(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) raise(code);
}

void Database::write_ahead() {
  // The log wants memory that its users share, which machines do not; the locks of a rollback
  // journal are what such file systems offer.
  if (!path_.empty() && is_shared_disk(path_)) {
    run("PRAGMA journal_mode = DELETE");
    run("PRAGMA locking_mode = NORMAL");
    run("PRAGMA synchronous = FULL");
    return;
  }
  // Two that turn to the log of a new file at the same instant are both refused at once, as SQLite
  // sees that waiting would be for each other; who comes again finds it done.
  const auto last = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatience);
  const auto turn = [&] {
    return sqlite3_exec(handle_.get(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
  };
  int code = turn();
  while ((code & 0xFF) == SQLITE_BUSY && std::chrono::steady_clock::now() < last) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    code = turn();
  }
  if (code != SQLITE_OK) raise(code);
  run("PRAGMA synchronous = NORMAL");
}

void Database::disk_is_full() const {
  if (!read_) fail("{}: the disk is full; free some space and start again to resume", name_);
  if (has_log(path_))
    fail(
        "{0}: the disk is full, and the log that a process has left beside the store is not read "
        "without some room; free some, or copy '{1}' and '{1}-wal' (or '{1}-journal') to another "
        "disk",
        name_, path_.string());
  fail(
      "{0}: the disk is full, and the store is not read without some room; free some, or copy it "
      "to another disk",
      name_);
}

void Database::raise(int code) const {
  const char* said = sqlite3_errmsg(handle_.get());
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
      throw NotAStore(fmt::format(
          "{}: is not a store; give the path of one, as `cupel run` makes them", name_));
    case SQLITE_CORRUPT:
      throw DamagedFile(fmt::format(
          "{}: the store is damaged ({}); keep a copy, and recover it with `sqlite3 FILE .recover`",
          name_, said));
    case SQLITE_TOOBIG:
      throw DamagedFile(
          fmt::format("{}: the store holds or was given a text of more than {} MB, as no run has; "
                      "take a copy of the store from before",
                      name_, kLargestValue >> 20));
    case SQLITE_FULL:
      disk_is_full();
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      if (!path_.empty() && has_log(path_) && !writable(path_.parent_path()))
        fail(
            "{0}: the store cannot be opened without writing, as a process has left a log beside "
            "it; copy '{1}' and '{1}-wal' (or '{1}-journal') to a folder that can be written to",
            name_, path_.string());
      if ((code & 0xFF) == SQLITE_READONLY) fail("{}: the store is not writable", name_);
      if (!path_.empty() && ::access(path_.c_str(), R_OK) != 0 && errno == EACCES)
        fail("{}: the store may not be read by you; have its owner allow it (chmod)", name_);
      if (const int why = sqlite3_system_errno(handle_.get()); why != 0 && why != ENOENT)
        fail("{}: the store cannot be opened ({}); give a path where it can be, or take a copy",
             name_, std::generic_category().message(why));
      // SQLite tries once more without writing, and then says only that there is no file.
      if (const fs::path folder = path_.parent_path();
          !path_.empty() && ::access(folder.c_str(), W_OK) != 0 && errno != ENOENT) {
        const std::string why = std::generic_category().message(errno);
        fail("{}: the store cannot be {} ({}: {}); give a path where it can be", name_,
             is_there(path_) ? "written to" : "made", folder.string(), why);
      }
      fail("{}: the store cannot be opened; does its folder exist?", name_);
    case SQLITE_IOERR:
      if (wants_room(handle_.get(), code)) disk_is_full();
      fail("{}: the disk failed ({}, SQLite code {}); look after it and start again{}", name_, said,
           code, read_ ? "" : " to resume");
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

int Statement::number(int column) const {
  const std::int64_t value = integer(column);
  using Limits = std::numeric_limits<int>;
  if (value < Limits::min() || value > Limits::max())
    throw DamagedFile(
        fmt::format("{}: the store says {} in '{}', where such a number cannot stand; take a copy "
                    "of the store from before",
                    db_->name(), value, sqlite3_column_name(handle_.get(), column)));
  return static_cast<int>(value);
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
