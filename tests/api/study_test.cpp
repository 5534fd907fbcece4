#include "cupel/api/study.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "lab/fake.h"

namespace cupel {
namespace {

TEST(Study, RefusesADeltaOfZeroBeforeAnythingRuns) {
  const made::TempFolder folder;
  StudyRequest request;
  request.protocol =
      parse_protocol("small", "small.toml", "[data]\ndatasets = ['one']\n[models.gcn]\n");
  request.sources = made::fake_sources();
  request.store = folder / "store";
  request.delta = 0;
  EXPECT_NE(error_of([&] { const Study study(request); }).find("delta is 0"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "store"));
  request.delta = 0.5;
  EXPECT_EQ(Study(request).plan().cells.size(), 1u);
}

}  // namespace
}  // namespace cupel
