// A copy of a store that is in use.
#include "cupel/lab/store/store_impl.h"

namespace cupel {
namespace {

// SQLite's own copying of pages: it sees one moment of the source.
void copy_pages(const Database& from, Database& to) {
  sqlite3_backup* backup = sqlite3_backup_init(to.handle(), "main", from.handle(), "main");
  if (backup == nullptr) to.raise(sqlite3_errcode(to.handle()));
  const int code = sqlite3_backup_step(backup, -1);
  const int end = sqlite3_backup_finish(backup);
  if (code != SQLITE_DONE) to.raise(code);
  if (end != SQLITE_OK) to.raise(end);
}

}  // namespace

void Store::copy_to(const std::filesystem::path& path) const {
  const std::lock_guard lock(impl_->mutex);
  try {
    Database copy(path, Access::kCreate);
    copy_pages(impl_->db, copy);
    copy.run("PRAGMA journal_mode = DELETE");
  } catch (...) {
    std::error_code ignored;
    for (const char* end : {"", "-wal", "-shm", "-journal"})
      std::filesystem::remove(path.string() + end, ignored);
    throw;
  }
}

}  // namespace cupel
