#include "cupel/data/fetch/fetch.h"

#include <atomic>
#include <thread>
#include <vector>

#include "cupel/data/formats/format.h"
#include "data/fetch/fetch_place.h"
#include "environment.h"

namespace cupel {
namespace {

TEST_F(Fetch, GetsVerifiesAndThenLeavesAlone) {
  good_mirror("/good");
  std::int64_t last = 0;
  const auto files = fetch(recipe_, folder_, options_, [&](const FetchProgress& progress) {
    EXPECT_GE(progress.done, last);
    last = progress.done;
    return true;
  });
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].path, target());
  EXPECT_EQ(files[0].mirror, server_.url("/good"));
  EXPECT_EQ(files[0].bytes, 300'000);
  EXPECT_EQ(last, 300'000);
  EXPECT_EQ(read_file(target()), body_);
  expect_clean();
  EXPECT_EQ(fetch(recipe_, folder_, options_)[0].mirror, "");
  EXPECT_EQ(server_.requests("/good"), 1);
}

// The server speaks no TLS, and is not asked: the certificates are read first.
TEST_F(Fetch, TakesCertificatesFromWhereItIsTold) {
  const cupel::made::Variable variable("SSL_CERT_FILE", "/nowhere/certificates");
  recipe_.files[0].mirrors = {"https" + server_.url("/good").substr(4)};
  EXPECT_CONTAINS(error(), "/nowhere/certificates");
}

TEST_F(Fetch, LeavesNoFolderWhereNothingCame) {
  recipe_.files[0].mirrors = {server_.url("/nothing-here")};
  EXPECT_CONTAINS(error(), "404");
  EXPECT_FALSE(fs::exists(folder_ / ".fetch" / "made"));
  EXPECT_FALSE(fs::exists(folder_ / "made"));
  // One that was there before is not ours to remove.
  fs::create_directory(folder_ / "made");
  EXPECT_CONTAINS(error(), "404");
  EXPECT_TRUE(fs::exists(folder_ / "made"));
}

TEST_F(Fetch, TriesMirrorsInOrderAndListsWhyEachFailed) {
  recipe_.files[0].bytes = 300'000;
  options_.idle_attempts = 1;
  mirror("/wrong", [&](const Exchange& e, int) { serve(e, std::string(300'000, 'x'), "\"v\""); });
  recipe_.files[0].mirrors.push_back(server_.url("/absent"));
  mirror("/loop", [&](const Exchange& e, int) {
    e.send(
        "HTTP/1.1 302 Found\r\nLocation: /loop\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  mirror("/endless", [&](const Exchange& e, int) {
    e.send("HTTP/1.1 200 OK\r\n\r\n");
    for (int i = 0; i < 1000 && e.send(std::string(65'536, 'x')); ++i) {
    }
  });
  mirror("/big", [&](const Exchange& e, int) {
    e.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 99999999999\r\n\r\nx");
  });
  mirror("/short", [&](const Exchange& e, int) { e.send("HTTP/1.1 200 OK\r\n\r\nhello"); });
  mirror("/empty", [&](const Exchange& e, int) {
    e.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  mirror("/stalled", [&](const Exchange& e, int) {
    e.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 300000\r\n\r\n");
    e.stall();
  });
  mirror("/busy", [&](const Exchange& e, int) {
    e.send("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  mirror("/file", [&](const Exchange& e, int) {
    e.send(
        "HTTP/1.1 302 Found\r\nLocation: file:///etc/hostname\r\nConnection: "
        "close\r\nContent-Length: 0\r\n\r\n");
  });
  mirror("/garbage", [&](const Exchange& e, int) { e.send("what is this?\r\n\r\n"); });
  mirror("/hangup", [&](const Exchange&, int) {});
  const std::string message = error();
  const auto reason = [&](const std::string& path) {
    const std::size_t at = message.find(server_.url(path) + ": ");
    EXPECT_NE(at, std::string::npos) << path << " is not in " << message;
    return at == std::string::npos ? "" : message.substr(at, message.find('\n', at) - at);
  };
  EXPECT_CONTAINS(reason("/wrong"), "sha256 is");
  EXPECT_CONTAINS(reason("/absent"), "HTTP 404");
  EXPECT_CONTAINS(reason("/loop"), "redirects");
  EXPECT_CONTAINS(reason("/endless"), "larger than 300000 bytes");
  EXPECT_CONTAINS(reason("/big"), "Maximum file size exceeded");
  EXPECT_CONTAINS(reason("/short"), "ended at byte 5 of 300000");
  EXPECT_CONTAINS(reason("/empty"), "ended at byte 0 of 300000");
  EXPECT_CONTAINS(reason("/stalled"), "too slow");
  EXPECT_CONTAINS(reason("/busy"), "HTTP 503");
  EXPECT_CONTAINS(reason("/file"), "file");
  EXPECT_FALSE(reason("/garbage").empty());
  EXPECT_FALSE(reason("/hangup").empty());
  EXPECT_EQ(server_.requests("/loop"), options_.max_redirects + 1);
  EXPECT_EQ(server_.requests("/absent"), 1);
  EXPECT_FALSE(fs::exists(target()));
  // One good mirror at the end of the row is enough.
  good_mirror("/good");
  EXPECT_EQ(fetch(recipe_, folder_, options_)[0].mirror, server_.url("/good"));
  EXPECT_EQ(read_file(target()), body_);
  expect_clean();
}

TEST_F(Fetch, FollowsARedirect) {
  server_.on("/there", [&](const Exchange& e, int) { serve(e, body_, "\"v1\""); });
  mirror("/here", [&](const Exchange& e, int) {
    e.send("HTTP/1.1 302 Found\r\nLocation: " + server_.url("/there") +
           "\r\nConnection: close\r\nContent-Length: 4\r\n\r\nmove");
  });
  fetch(recipe_, folder_, options_);
  EXPECT_EQ(read_file(target()), body_);
}

TEST_F(Fetch, EndlessBodyOfUnknownSizeIsBounded) {
  recipe_.files[0].sha256.clear();
  mirror("/endless", [&](const Exchange& e, int) {
    e.send("HTTP/1.1 200 OK\r\n\r\n");
    for (int i = 0; i < 1000 && e.send(std::string(65'536, 'x')); ++i) {
    }
  });
  EXPECT_CONTAINS(error(), "larger than 1000000 bytes");
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    if (entry.is_regular_file()) {
      EXPECT_LT(entry.file_size(), 1000u) << entry.path();
    }
  }
}

TEST_F(Fetch, TricklingServerEndsAtTheTimeLimit) {
  options_.file_timeout = 1500ms;
  options_.slowest = 1;
  mirror("/trickle", [&](const Exchange& e, int) {
    e.send("HTTP/1.1 200 OK\r\n\r\n");
    for (int i = 0; i < 200 && e.send(std::string(64, 'x')); ++i) std::this_thread::sleep_for(50ms);
  });
  EXPECT_CONTAINS(error(), "timed out");
}

TEST_F(Fetch, PlainHttpIsRefusedUnlessAskedFor) {
  good_mirror("/good");
  options_.allow_loopback_http = false;
  EXPECT_CONTAINS(error(), "http");
  EXPECT_EQ(server_.requests("/good"), 0);
}

TEST_F(Fetch, OfflineUsesWhatIsThereAndAsksNobody) {
  good_mirror("/good");
  options_.offline = true;
  EXPECT_CONTAINS(error(), "--offline");
  EXPECT_EQ(server_.requests("/good"), 0);
  fs::create_directories(folder_ / "made");
  std::ofstream(target(), std::ios::binary) << body_;
  EXPECT_EQ(error(), "no error");
  EXPECT_EQ(server_.requests("/good"), 0);
}

TEST_F(Fetch, NeverOverwritesAFileThatIsThere) {
  good_mirror("/good");
  fs::create_directories(folder_ / "made");
  std::ofstream(target()) << "mine";
  EXPECT_CONTAINS(error(), "move it away");
  EXPECT_EQ(read_file(target()), "mine");
}

TEST_F(Fetch, WithoutMirrorSaysWhereTheFileComesFrom) {
  recipe_.origin = "made by hand";
  EXPECT_CONTAINS(error(), "made by hand");
  EXPECT_CONTAINS(error(), target().string());
}

TEST_F(Fetch, AFolderThatCannotBeMadeIsNamed) {
  good_mirror("/good");
  std::ofstream(folder_ / "file") << "x";
  folder_ /= "file";
  EXPECT_CONTAINS(error(), (folder_ / ".fetch").string());
  folder_ = folder_.parent_path();
}

// Where only the content is known, the data set is read and compared.
TEST_F(Fetch, ComparesContentWhereNoBytesAreKnown) {
  Dataset dataset;
  dataset.adjacency = {3, 3, {0, 1, 2, 2}, {1, 0}, {}};
  dataset.features = Matrix(3, 1);
  dataset.labels() = {0, 1, 1};
  dataset.class_names() = {"0", "1"};
  const auto bytes_of = [&] {
    write_gnn_benchmark_npz(dataset, folder_ / "written.npz");
    return read_file(folder_ / "written.npz");
  };
  const std::string right = bytes_of();
  recipe_.files[0].sha256.clear();
  recipe_.content_hash = content_hash(dataset);
  recipe_.raw_facts = {{"nodes", 3}};
  recipe_.preparation = {"largest-component"};
  recipe_.facts = {{"nodes", 2}};
  dataset.labels() = {0, 1, 0};
  const std::string wrong = bytes_of();
  mirror("/page", [&](const Exchange& e, int) { serve(e, "<html>moved</html>", "\"a\""); });
  mirror("/wrong", [&](const Exchange& e, int) { serve(e, wrong, "\"b\""); });
  const std::string message = error();
  EXPECT_CONTAINS(message, "wrong content");
  EXPECT_CONTAINS(message, recipe_.content_hash);
  mirror("/right", [&](const Exchange& e, int) { serve(e, right, "\"c\""); });
  EXPECT_EQ(fetch(recipe_, folder_, options_)[0].mirror, server_.url("/right"));
  EXPECT_EQ(read_file(target()), right);
  // What is there is read again, and prepared facts count too.
  EXPECT_EQ(error(), "no error");
  recipe_.facts = {{"nodes", 3}};
  EXPECT_CONTAINS(error(), "2 nodes, expected 3");
}

TEST_F(Fetch, ProcessesThatFetchTheSameWaitForEachOther) {
  mirror("/slow", [&](const Exchange& e, int) {
    std::this_thread::sleep_for(300ms);
    serve(e, body_, "\"v1\"");
  });
  // Each fetcher opens the lock for itself, so threads exclude each other as processes do.
  std::vector<std::thread> fetchers;
  std::atomic<int> failures = 0;
  for (int i = 0; i < 4; ++i) {
    fetchers.emplace_back([&] {
      try {
        fetch(recipe_, folder_, options_);
      } catch (const Error&) {
        ++failures;
      }
    });
  }
  for (std::thread& fetcher : fetchers) fetcher.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(server_.requests("/slow"), 1);
  EXPECT_EQ(read_file(target()), body_);
  expect_clean();
}

TEST_F(Fetch, CheckAsksEveryMirrorForOneByte) {
  good_mirror("/good");
  recipe_.files[0].mirrors.push_back(server_.url("/absent"));
  mirror("/ignores", [&](const Exchange& e, int) {
    e.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 300000\r\n\r\n" + body_);
  });
  recipe_.files[0].bytes = 300'000;
  mirror("/other", [&](const Exchange& e, int) { serve(e, "other", "\"o\""); });
  const auto checks = check_mirrors(recipe_, options_);
  ASSERT_EQ(checks.size(), 4u);
  EXPECT_TRUE(checks[0].ok);
  EXPECT_EQ(checks[0].bytes, 300'000);
  EXPECT_FALSE(checks[1].ok);
  EXPECT_CONTAINS(checks[1].problem, "404");
  EXPECT_TRUE(checks[2].ok) << checks[2].problem;
  EXPECT_EQ(checks[2].bytes, 300'000);
  EXPECT_FALSE(checks[3].ok);
  EXPECT_CONTAINS(checks[3].problem, "5 bytes, expected 300000");
  EXPECT_FALSE(fs::exists(folder_ / "made"));
  options_.offline = true;
  EXPECT_THROW((void)check_mirrors(recipe_, options_), Error);
}

}  // namespace
}  // namespace cupel
