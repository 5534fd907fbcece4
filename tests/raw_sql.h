// What somebody does to a store with another program.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>

namespace cupel::made {

// Runs statements on a file; the first column of the last row.
inline std::string raw_sql(const std::filesystem::path& path, const std::string& sql) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  std::string out;
  char* error = nullptr;
  const auto keep = [](void* target, int, char** values, char**) {
    *static_cast<std::string*>(target) = values[0] == nullptr ? "" : values[0];
    return 0;
  };
  sqlite3_exec(db, sql.c_str(), keep, &out, &error);
  EXPECT_EQ(error, nullptr) << sql << ": " << (error == nullptr ? "" : error);
  sqlite3_free(error);
  sqlite3_close(db);
  return out;
}

// Makes a store one of schema 3, as it was before runs were sealed.
inline void to_schema_3(const std::filesystem::path& path) {
  raw_sql(
      path,
      "DROP TABLE seals; DROP TABLE isolation; DROP TABLE conflicts; DROP TABLE looks; DROP TABLE "
      "cell_seals;"
      "PRAGMA user_version = 3");
}

}  // namespace cupel::made
