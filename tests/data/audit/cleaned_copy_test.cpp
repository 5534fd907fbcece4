#include "cupel/data/audit/cleaned_copy.h"

#include <gtest/gtest.h>

#include "cupel/data/formats/format.h"
#include "data/audit/examples.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

CopyRequest request_of(const Dataset& data, const fs::path& out) {
  return {.name = "made",
          .content_hash = content_hash(data),
          .sources = {},
          .fixes = {"split-overlap", "self-loops"},
          .out = out,
          .tool = "test 1"};
}

TEST(CleanedCopy, OfAGraphReadsBackAndSaysWhatWasDone) {
  const made::Folder folder;
  const Dataset data = made::faulty_graph();
  const AuditSubject subject(data, {});
  const CleanedCopy copy = write_cleaned_copy(subject, request_of(data, folder / "good.npz"));
  EXPECT_EQ(copy.path, folder / "good.npz");
  EXPECT_EQ(copy.provenance_path, folder / "good.npz.provenance.json");
  EXPECT_EQ(Json::parse(made::file_content(copy.provenance_path)), copy.provenance);
  EXPECT_EQ(copy.provenance["tool"], "test 1");
  EXPECT_EQ(copy.provenance["source"]["content_hash"], content_hash(data));
  EXPECT_EQ(copy.provenance["operations"].size(), 2u);
  const Dataset read = read_dataset(copy.path, ReadMode::kForAudit);
  EXPECT_EQ(copy.provenance["result"]["content_hash"], content_hash(read));
  EXPECT_EQ(copy.provenance["result"]["nodes"], read.nodes());
  for (const Finding& finding : audit(AuditSubject(read, {})))
    EXPECT_TRUE(finding.id != "self-loops" && finding.id != "split-overlap") << finding.title;
}

TEST(CleanedCopy, OfASetOfGraphsIsAFolder) {
  const made::Folder folder;
  const Dataset data = made::faulty_set();
  const AuditSubject subject(data, {});
  CopyRequest request = request_of(data, folder / "set/");
  request.fixes = {};
  const CleanedCopy copy = write_cleaned_copy(subject, request);
  EXPECT_EQ(copy.path, folder / "set");
  EXPECT_EQ(copy.provenance["result"]["folder"], "set");
  EXPECT_EQ(copy.provenance["result"]["content_hash"],
            content_hash(read_dataset(copy.path, ReadMode::kForAudit)));
}

TEST(CleanedCopy, InMemoryIsTheOneThatIsWritten) {
  const made::Folder folder;
  for (const Dataset& data : {made::faulty_graph(), made::faulty_set()}) {
    const AuditSubject subject(data, {});
    CopyRequest request = request_of(data, folder / (data.graphs ? "set" : "good.npz"));
    request.fixes = {};
    const CleanedCopy written = write_cleaned_copy(subject, request);
    const CleanedCopy held = clean(subject, request);
    EXPECT_TRUE(held.path.empty() && held.provenance_path.empty());
    EXPECT_EQ(content_hash(held.dataset), content_hash(written.dataset));
    EXPECT_EQ(held.provenance["result"]["content_hash"], content_hash(held.dataset));
    EXPECT_EQ(held.provenance["operations"], written.provenance["operations"]);
    if (!data.graphs) {
      EXPECT_NE(content_hash(held.dataset), content_hash(data));
    }
    const Json& result = held.provenance["result"];
    EXPECT_FALSE(result.contains("file") || result.contains("folder") || result.contains("labels"));
  }
}

TEST(CleanedCopy, IsNotWrittenOverItsSource) {
  const made::Folder folder;
  const Dataset data = made::faulty_graph();
  const AuditSubject subject(data, {});
  made::write_file(folder / "raw.npz", "raw");
  fs::create_symlink("raw.npz", folder / "link.npz");
  CopyRequest request = request_of(data, folder / "link.npz");
  request.sources = {folder / "absent.npz", folder / "raw.npz"};
  EXPECT_NE(error_of([&] { (void)write_cleaned_copy(subject, request); }).find("another path"),
            std::string::npos);
  EXPECT_EQ(made::file_content(folder / "raw.npz"), "raw");
  // Nor is anything left of one that cannot be made.
  request = request_of(data, folder / "good.npz");
  request.fixes = {"selfloops-all"};
  EXPECT_NE(error_of([&] { (void)write_cleaned_copy(subject, request); }).find("selfloops-all"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "good.npz") || fs::exists(folder / "good.npz.provenance.json"));
}

}  // namespace
}  // namespace cupel
