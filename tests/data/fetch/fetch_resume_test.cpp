// Downloads that are cut off, and go on or begin anew.
#include "data/fetch/fetch_place.h"

namespace cupel {
namespace {

TEST_F(Fetch, ContinuesWhatWasCutOff) {
  std::size_t asked_from = 0;
  mirror("/cut", [&](const Exchange& e, int nth) {
    if (nth == 1) asked_from = e.range_start();
    serve(e, body_, "\"v1\"", nth < 2 ? 120'000 : std::string::npos);
  });
  fetch(recipe_, folder_, options_);
  EXPECT_EQ(read_file(target()), body_);
  EXPECT_EQ(asked_from, 120'000u);
  EXPECT_EQ(server_.requests("/cut"), 3);
  expect_clean();
}

TEST_F(Fetch, ContinuesInALaterCall) {
  bool broken = true;
  std::size_t first_asked = 0;
  mirror("/later", [&](const Exchange& e, int) {
    if (broken) return serve(e, body_, "\"v1\"", e.range_start() > 0 ? 0 : 120'000);
    first_asked = e.range_start();
    serve(e, body_, "\"v1\"");
  });
  EXPECT_CONTAINS(error(), "120000 bytes so far");
  EXPECT_FALSE(fs::exists(target()));
  broken = false;
  fetch(recipe_, folder_, options_);
  EXPECT_EQ(first_asked, 120'000u);
  EXPECT_EQ(read_file(target()), body_);
}

TEST_F(Fetch, StartsAnewIfTheFileChangedMeanwhile) {
  const std::string old(300'000, 'x');
  mirror("/changed", [&](const Exchange& e, int nth) {
    if (nth == 0) return serve(e, old, "\"v0\"", 120'000);
    serve(e, body_, "\"v1\"");
  });
  fetch(recipe_, folder_, options_);
  EXPECT_EQ(read_file(target()), body_);
}

TEST_F(Fetch, StartsAnewIfTheRangeIsIgnored) {
  mirror("/ignores", [&](const Exchange& e, int nth) {
    e.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 300000\r\n\r\n" +
           body_.substr(0, nth == 0 ? 120'000 : 300'000));
  });
  fetch(recipe_, folder_, options_);
  EXPECT_EQ(read_file(target()), body_);
  EXPECT_EQ(server_.requests("/ignores"), 2);
}

// Two halves of different versions, and a server that cannot tell them apart.
TEST_F(Fetch, StartsAnewIfTheJoinedHalvesAreWrong) {
  const std::string old(300'000, 'x');
  mirror("/halves", [&](const Exchange& e, int nth) {
    if (nth == 0) return serve(e, old, "\"same\"", 120'000);
    serve(e, body_, "\"same\"");
  });
  fetch(recipe_, folder_, options_);
  EXPECT_EQ(read_file(target()), body_);
  EXPECT_EQ(server_.requests("/halves"), 3);
}

TEST_F(Fetch, StartsAnewIfThePartIsLongerThanTheFile) {
  mirror("/shrunk", [&](const Exchange& e, int nth) {
    if (nth == 0) return serve(e, body_ + body_, "\"v1\"", 400'000);
    serve(e, body_, "\"v1\"");
  });
  fetch(recipe_, folder_, options_);
  EXPECT_EQ(read_file(target()), body_);
}

TEST_F(Fetch, CancelledKeepsThePart) {
  int asked_from = -1;
  mirror("/slow", [&](const Exchange& e, int nth) {
    if (nth == 1) asked_from = static_cast<int>(e.range_start());
    if (nth == 1) return serve(e, body_, "\"v1\"");
    serve(e, body_, "\"v1\"", 120'000);
    e.stall();
  });
  EXPECT_THROW(fetch(recipe_, folder_, options_,
                     [](const FetchProgress& progress) { return progress.done < 120'000; }),
               Error);
  EXPECT_FALSE(fs::exists(target()));
  fetch(recipe_, folder_, options_);
  EXPECT_EQ(asked_from, 120'000);
  EXPECT_EQ(read_file(target()), body_);
}

}  // namespace
}  // namespace cupel
