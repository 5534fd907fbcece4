// A disk that fails on demand: a layer under SQLite that counts its calls and lets one of them go
// wrong.
#pragma once

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace cupel::made {

// Every SQLite file that is opened while it lives goes through it. One at a time.
class FaultVfs {
 public:
  enum class Fault {
    kNone,
    kError,  // a call fails with an I/O error, and the next ones work
    kFull,   // a write fails as the disk is full, and so do all that follow
    kTorn,   // half of a write is done, then nothing works any more
    kDead,   // nothing works any more from a call on
  };

  FaultVfs() {
    real_ = sqlite3_vfs_find(nullptr);
    vfs_ = *real_;
    vfs_.zName = "fault";
    vfs_.szOsFile = static_cast<int>(sizeof(File)) + real_->szOsFile;
    vfs_.xOpen = open;
    vfs_.xDelete = [](sqlite3_vfs*, const char* name, int sync) {
      const int code = one_->before(false, SQLITE_IOERR_DELETE);
      if (code == SQLITE_OK) one_->unsynced_.erase(name);
      return code == SQLITE_OK ? one_->real_->xDelete(one_->real_, name, sync) : code;
    };
    vfs_.xAccess = [](sqlite3_vfs*, const char* name, int flags, int* out) {
      const int code = one_->before(false, SQLITE_IOERR_ACCESS);
      return code == SQLITE_OK ? one_->real_->xAccess(one_->real_, name, flags, out) : code;
    };
    one_ = this;
    sqlite3_vfs_register(&vfs_, 1);
  }
  ~FaultVfs() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(real_, 1);
    one_ = nullptr;
  }
  FaultVfs(const FaultVfs&) = delete;
  FaultVfs& operator=(const FaultVfs&) = delete;

  // Lets the call of this number go wrong; they are counted from 0 from here on.
  void arm(Fault fault, long at) {
    fault_ = fault;
    at_ = at;
    calls_ = 0;
    fired_ = dead_ = tore_ = false;
    unsynced_.clear();
  }
  [[nodiscard]] bool fired() const { return fired_; }

  // What the power takes along: of all writes since each file was last synced only every `keep`th
  // stays, none for 0, so that they are also out of order.
  void lose_unsynced(std::size_t keep) {
    for (const auto& [path, writes] : unsynced_) {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      if (!file) continue;
      const auto put = [&](sqlite3_int64 at, const std::string& bytes) {
        file.seekp(at);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      };
      for (auto write = writes.rbegin(); write != writes.rend(); ++write)
        put(write->at, write->before);
      file.flush();
      std::filesystem::resize_file(path, static_cast<std::uintmax_t>(writes.front().size));
      for (std::size_t i = 0; i < writes.size(); ++i)
        if (keep > 0 && i % keep == keep - 1) put(writes[i].at, writes[i].after);
    }
    unsynced_.clear();
  }

 private:
  struct File {
    sqlite3_file base;
    sqlite3_file* real;  // behind this struct
    const char* path;    // may be null
  };
  struct Write {
    sqlite3_int64 at, size;  // where, and how large the file was
    std::string before, after;
  };

  static sqlite3_file* real(sqlite3_file* file) { return reinterpret_cast<File*>(file)->real; }

  // What the call about to be made must come to; SQLITE_OK: nothing special.
  int before(bool write, int code) {
    if (dead_) return code;
    const long call = calls_++;
    if (fault_ == Fault::kFull && call >= at_ && write) {
      fired_ = true;
      return SQLITE_FULL;
    }
    if (fault_ == Fault::kNone || fault_ == Fault::kFull || call < at_ || fired_) return SQLITE_OK;
    // The first write from there on is the one that is torn.
    if (fault_ == Fault::kTorn && !write) return SQLITE_OK;
    fired_ = true;
    dead_ = fault_ != Fault::kError;
    return code;
  }

  static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
    auto* own = reinterpret_cast<File*>(file);
    own->base.pMethods = nullptr;
    if (const int code = one_->before(false, SQLITE_CANTOPEN); code != SQLITE_OK) return code;
    own->real = reinterpret_cast<sqlite3_file*>(own + 1);
    own->path = name;
    const int code = one_->real_->xOpen(one_->real_, name, own->real, flags, out);
    if (own->real->pMethods != nullptr) own->base.pMethods = methods();
    return code;
  }

  static int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
    const auto* own = reinterpret_cast<File*>(file);
    const int code = one_->before(true, SQLITE_IOERR_WRITE);
    if (code != SQLITE_OK) {
      if (one_->fault_ == Fault::kTorn && one_->dead_ && !one_->tore_) {
        one_->tore_ = true;
        real(file)->pMethods->xWrite(real(file), data, size / 2, at);
      }
      return code;
    }
    if (own->path != nullptr) {
      Write done{at, 0, std::string(static_cast<std::size_t>(size), '\0'),
                 std::string(static_cast<const char*>(data), static_cast<std::size_t>(size))};
      real(file)->pMethods->xFileSize(real(file), &done.size);
      (void)real(file)->pMethods->xRead(real(file), done.before.data(), size, at);
      one_->unsynced_[own->path].push_back(std::move(done));
    }
    return real(file)->pMethods->xWrite(real(file), data, size, at);
  }

  static const sqlite3_io_methods* methods() {
    static const sqlite3_io_methods all = [] {
      sqlite3_io_methods m{};
      m.iVersion = 2;
      m.xClose = [](sqlite3_file* f) { return real(f)->pMethods->xClose(real(f)); };
      m.xRead = [](sqlite3_file* f, void* to, int size, sqlite3_int64 at) {
        const int code = one_->before(false, SQLITE_IOERR_READ);
        return code == SQLITE_OK ? real(f)->pMethods->xRead(real(f), to, size, at) : code;
      };
      m.xWrite = write;
      m.xTruncate = [](sqlite3_file* f, sqlite3_int64 size) {
        const int code = one_->before(false, SQLITE_IOERR_TRUNCATE);
        return code == SQLITE_OK ? real(f)->pMethods->xTruncate(real(f), size) : code;
      };
      m.xSync = [](sqlite3_file* f, int flags) {
        const int code = one_->before(false, SQLITE_IOERR_FSYNC);
        if (code != SQLITE_OK) return code;
        if (const char* path = reinterpret_cast<File*>(f)->path; path != nullptr)
          one_->unsynced_.erase(path);
        return real(f)->pMethods->xSync(real(f), flags);
      };
      m.xFileSize = [](sqlite3_file* f, sqlite3_int64* size) {
        const int code = one_->before(false, SQLITE_IOERR_FSTAT);
        return code == SQLITE_OK ? real(f)->pMethods->xFileSize(real(f), size) : code;
      };
      m.xLock = [](sqlite3_file* f, int level) {
        const int code = one_->before(false, SQLITE_IOERR_LOCK);
        return code == SQLITE_OK ? real(f)->pMethods->xLock(real(f), level) : code;
      };
      m.xUnlock = [](sqlite3_file* f, int level) {
        return real(f)->pMethods->xUnlock(real(f), level);
      };
      m.xCheckReservedLock = [](sqlite3_file* f, int* out) {
        const int code = one_->before(false, SQLITE_IOERR_CHECKRESERVEDLOCK);
        return code == SQLITE_OK ? real(f)->pMethods->xCheckReservedLock(real(f), out) : code;
      };
      m.xFileControl = [](sqlite3_file* f, int op, void* argument) {
        return real(f)->pMethods->xFileControl(real(f), op, argument);
      };
      m.xSectorSize = [](sqlite3_file* f) { return real(f)->pMethods->xSectorSize(real(f)); };
      m.xDeviceCharacteristics = [](sqlite3_file* f) {
        return real(f)->pMethods->xDeviceCharacteristics(real(f));
      };
      m.xShmMap = [](sqlite3_file* f, int region, int size, int extend, void volatile** out) {
        const int code = one_->before(false, SQLITE_IOERR_SHMMAP);
        if (code == SQLITE_OK)
          return real(f)->pMethods->xShmMap(real(f), region, size, extend, out);
        *out = nullptr;
        return code;
      };
      m.xShmLock = [](sqlite3_file* f, int offset, int n, int flags) {
        const int code = (flags & SQLITE_SHM_UNLOCK) != 0
                             ? SQLITE_OK
                             : one_->before(false, SQLITE_IOERR_SHMLOCK);
        return code == SQLITE_OK ? real(f)->pMethods->xShmLock(real(f), offset, n, flags) : code;
      };
      m.xShmBarrier = [](sqlite3_file* f) { real(f)->pMethods->xShmBarrier(real(f)); };
      m.xShmUnmap = [](sqlite3_file* f, int remove) {
        return real(f)->pMethods->xShmUnmap(real(f), remove);
      };
      return m;
    }();
    return &all;
  }

  static inline FaultVfs* one_ = nullptr;
  sqlite3_vfs vfs_{};
  sqlite3_vfs* real_ = nullptr;
  Fault fault_ = Fault::kNone;
  long at_ = 0, calls_ = 0;
  bool fired_ = false, dead_ = false, tore_ = false;
  std::map<std::string, std::vector<Write>> unsynced_;
};

}  // namespace cupel::made
