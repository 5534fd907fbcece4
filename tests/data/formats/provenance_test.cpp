#include "cupel/data/formats/provenance.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "data/formats/made_files.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using made::file_content;
using made::write_file;

TEST(Provenance, StandsBesideFilesAndFolders) {
  EXPECT_EQ(provenance_path("a/roman.npz"), "a/roman.npz.provenance.json");
  EXPECT_EQ(provenance_path("a/set"), "a/set.provenance.json");
  EXPECT_EQ(provenance_path("a/set/"), "a/set.provenance.json");
}

// An older account goes before the data are touched, the new one comes after them.
TEST(Provenance, NeverStandsBesideOtherData) {
  const made::Folder folder;
  const fs::path data = folder / "d.npz", account = folder / "d.npz.provenance.json";
  write_file(data, "old data");
  write_file(account, "old account");
  write_with_provenance(data, "new account", [&] {
    EXPECT_FALSE(fs::exists(account));
    write_file(data, "new data");
  });
  EXPECT_EQ(file_content(account), "new account");
  EXPECT_EQ(file_content(data), "new data");
  EXPECT_THROW(write_with_provenance(data, "third", [&] { throw std::runtime_error("disk full"); }),
               std::runtime_error);
  EXPECT_FALSE(fs::exists(account));
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder.path())) files += entry.exists();
  EXPECT_EQ(files, 1) << "the data alone";
}

TEST(Provenance, NothingIsTouchedWhereItCannotBeWritten) {
  const made::Folder folder;
  bool touched = false;
  EXPECT_NE(error_of([&] {
              write_with_provenance(folder / "none" / "d.npz", "account", [&] { touched = true; });
            }),
            "");
  EXPECT_FALSE(touched);
}

}  // namespace
}  // namespace cupel
