// Whether programs are kept apart, what is said of it, and what of the machine they see.
#include "cupel/lab/isolation/isolation.h"

#include "build_paths.h"
#include "cupel/lab/isolation/environment.h"
#include "cupel/lab/isolation/visible_paths.h"
#include "cupel/lab/run/external.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/refusal.h"
#include "error_of.h"
#include "gone_folder.h"
#include "lab/isolation/attack.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using made::Attack;
using made::TempFolder;
using made::Variable;
using made::write_text;

Plan plan_of(const std::string& keys, const std::string& data = "'ring'") {
  const Protocol protocol = parse_protocol(
      "x", "x.toml",
      fmt::format("[data]\ndatasets=[{}]\n[split]\ntrain=2\nvalid=3\ncount=1\n[models.mine]\n"
                  "command=['sh', '-c', 'exit 1']\n{}\n",
                  data, keys),
      {}, "/");
  PlanSources sources = made::fake_sources();
  sources.load = [](const std::string& name) { return made::ring(name, 34); };
  return make_plan(protocol, {}, sources);
}

void make_program(const fs::path& path, const std::string& text) {
  write_text(path, text);
  fs::permissions(path, fs::perms::owner_all);
}

TEST(Isolation, IsNoneWithoutBubblewrapAndSaysSo) {
  TempFolder folder;
  const Variable path("PATH", (folder / "").string());
  const Plan plan = plan_of("");
  const Isolation found = isolation_of(*plan.cells[0].family->external);
  EXPECT_EQ(found.name, "none");
  EXPECT_NE(found.reason.find("bubblewrap is not installed"), std::string::npos) << found.reason;
  Store store(":memory:");
  EXPECT_EQ(isolation_note(pending_runs(plan, store)).find("not isolated: mine: bubblewrap is not"),
            0u);
  EXPECT_EQ(isolation_refusal(*plan.cells[0].family->external), "");
  EXPECT_EQ(Attack("auto").shell("exit 1").isolation, "none");
}

TEST(Isolation, IsNoneWhereBubblewrapDoesNotWork) {
  TempFolder folder;
  make_program(folder / "bwrap", "#!/bin/sh\necho 'bwrap: setting up uid map: no' >&2\nexit 1\n");
  const Variable path("PATH", (folder / "").string());
  const Isolation found = isolation_of(ExternalCommand{});
  EXPECT_EQ(found.name, "none");
  EXPECT_NE(found.reason.find("does not work here: bwrap: setting up uid map: no"),
            std::string::npos)
      << found.reason;
}

TEST(Isolation, RefusesWhereItIsRequired) {
  TempFolder folder;
  const Variable path("PATH", (folder / "").string());
  const Plan plan = plan_of("isolation = 'required'");
  Store store(":memory:");
  const auto executor = make_executor();
  const Pending pending = pending_runs(plan, store);
  const std::string refusal = executor->refusal(pending.groups.at(0));
  EXPECT_EQ(refusal.find("isolation = \"required\", and there is none on this machine: "), 0u);
  EXPECT_EQ(isolation_note(pending), "");  // it is not run, which is told instead
  const ExecuteSummary summary = execute(plan, store, *executor, {});
  EXPECT_EQ(summary.not_started, 1);
  EXPECT_EQ(summary.done, 0);
  EXPECT_EQ(store.run_count(), 0);
  EXPECT_EQ(summary.not_started_rows.at(0).reason, refusal);
}

TEST(Isolation, IsBubblewrapWhereItWorks) {
  const Bubblewrap found = find_bubblewrap();
  if (found.program.empty()) GTEST_SKIP() << found.reason;
  EXPECT_EQ(Attack("auto").shell("exit 1").isolation, "bubblewrap");
  Store store(":memory:");
  EXPECT_EQ(isolation_note(pending_runs(plan_of(""), store)), "");
  EXPECT_NE(isolation_note(pending_runs(plan_of("isolation = 'none'"), store)), "");
}

TEST(Isolation, LeavesIdentitiesAlone) {
  const auto id = [](const std::string& keys) { return plan_of(keys).cells[0].family->id; };
  EXPECT_EQ(id(""), id("isolation = 'required'"));
  EXPECT_EQ(id(""), id("isolation = 'none'\nreadable = ['/opt']"));
  EXPECT_EQ(id(""), id("network = false"));
  EXPECT_NE(id(""), id("network = true"));
  EXPECT_EQ(plan_of("").cells[0].family->identity.find("network"), std::string::npos);
}

TEST(Isolation, KeysAreChecked) {
  EXPECT_THROW(plan_of("isolation = 'maybe'"), Error);
  EXPECT_THROW(plan_of("network = 1"), Error);
  EXPECT_THROW(plan_of("readable = '/opt'"), Error);
}

TEST(Isolation, HidesDataSetsThatAreGivenByPath) {
  TempFolder folder;
  const auto data = (folder / "mine.npz").string();
  write_text(data, "x");
  const Plan plan = plan_of("", "'" + data + "'");
  EXPECT_EQ(plan.cells[0].family->external->hidden, std::vector<fs::path>{data});
}

// ---- what a program sees
// -------------------------------------------------------------------------

class Visible : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"home/work/data", "home/.local/bin", "home/.local/lib",
                             "home/.local/share", "home/env/bin", "home/env/lib", "home/tools/bin",
                             "python/bin", "python/lib", "secret/in"})
      fs::create_directories(root_ / name);
    make_program(root_ / "python/bin/python3.99", "");
    fs::create_symlink(root_ / "python/bin/python3.99", root_ / "home/env/bin/python");
    write_text(root_ / "home/work/own.py", "");
    write_text(root_ / "home/loose.py", "");
    write_text(root_ / "secret/in/file", "");
  }

  VisiblePaths see(const std::vector<std::string>& command, const std::string& folder,
                   const std::vector<fs::path>& readable = {}) const {
    return visible_paths(command, find_program(command[0], root_ / folder), root_ / folder,
                         readable, {root_ / "home/work/data", root_ / "secret"});
  }

  bool shows(const VisiblePaths& paths, const std::string& name) const {
    return std::count(paths.readable.begin(), paths.readable.end(), root_ / name) > 0;
  }

  TempFolder root_;
  Variable home_{"HOME", (root_ / "home").string()};
  Variable path_{"PATH", (root_ / "home/.local/bin").string() + ":" +
                             (root_ / "home/tools/bin").string() + ":relative:/usr/bin:/bin"};
};

TEST_F(Visible, InstallationsAndTheProtocolsFolder) {
  const VisiblePaths paths = see({"../env/bin/python", "own.py", "{task}"}, "home/work");
  for (const char* name :
       {"home/env", "python", "home/work", "home/tools/bin", "home/.local/bin", "home/.local/lib"})
    EXPECT_TRUE(shows(paths, name)) << name;
  for (const char* name : {"home", "home/.local", "home/tools", "", "secret"})
    EXPECT_FALSE(shows(paths, name)) << name;
  EXPECT_EQ(paths.masked, std::vector<fs::path>{root_ / "home/work/data"});
}

TEST_F(Visible, WideFoldersAreNotShown) {
  const VisiblePaths paths = see({"sh", "loose.py"}, "home");
  EXPECT_FALSE(shows(paths, "home"));
  EXPECT_TRUE(shows(paths, "home/loose.py"));
  for (const char* folder : {"/", "/tmp", "/home", "/var"}) {
    const VisiblePaths wide = visible_paths({"sh"}, "/bin/sh", folder, {}, {});
    EXPECT_EQ(std::count(wide.readable.begin(), wide.readable.end(), folder), 0) << folder;
  }
}

TEST_F(Visible, HiddenPlacesStayHidden) {
  EXPECT_THROW(see({"sh", "../../secret/in/file"}, "home/work"), Error);
  EXPECT_THROW(see({"sh"}, "home/work", {"../../secret/in"}), Error);
  EXPECT_THROW(see({"sh"}, "home/work", {"../absent"}), Error);
  // Other runs have their tasks there, and training labels of one split are test labels of
  // another.
  EXPECT_THROW(see({"sh"}, "home/work", {fs::temp_directory_path()}), Error);
  EXPECT_THROW(see({"sh"}, "home/work", {".."}), Error);
  // Seen by another name, they are masked there.
  fs::create_directory_symlink(root_ / "home/work", root_ / "alias");
  const VisiblePaths paths = see({"sh"}, "home/env", {root_ / "alias"});
  EXPECT_TRUE(shows(paths, "alias"));
  EXPECT_EQ(std::count(paths.masked.begin(), paths.masked.end(), root_ / "alias/data"), 1);
  EXPECT_EQ(std::count(paths.masked.begin(), paths.masked.end(), root_ / "home/work/data"), 1);
}

// A folder of data sets is often one of links to where they lie.
TEST_F(Visible, WhatLinksInHiddenPlacesLeadToIsHidden) {
  fs::create_directories(root_ / "home/work/sets/cora");
  fs::create_directories(root_ / "disk/wiki");
  write_text(root_ / "home/work/sets/cora/cora.npz", "");
  write_text(root_ / "disk/wiki/data.json", "");
  write_text(root_ / "disk/loose.npz", "");
  fs::create_directory_symlink(root_ / "home/work/sets/cora", root_ / "home/work/data/cora");
  fs::create_directory(root_ / "home/work/data/wiki");
  fs::create_symlink(root_ / "disk/wiki/data.json", root_ / "home/work/data/wiki/data.json");
  fs::create_symlink(root_ / "disk/loose.npz", root_ / "home/work/data/loose.npz");
  // Neither the programs' own folders nor those above are taken for data.
  fs::create_directory_symlink("/usr", root_ / "home/work/data/system");
  fs::create_directory_symlink("..", root_ / "home/work/data/up");
  const VisiblePaths paths = see({"sh"}, "home/work", {root_ / "disk"});
  const auto masks = [&](const fs::path& path) {
    return std::count(paths.masked.begin(), paths.masked.end(), path) > 0;
  };
  EXPECT_TRUE(masks(root_ / "home/work/sets/cora"));
  EXPECT_TRUE(masks(root_ / "disk/wiki/data.json"));
  EXPECT_TRUE(masks(root_ / "disk/loose.npz"));
  EXPECT_TRUE(masks(root_ / "home/work/data"));
  EXPECT_FALSE(masks(root_ / "home/work"));
  EXPECT_FALSE(masks("/usr"));
  EXPECT_THROW(see({"sh"}, "home/work", {"sets/cora"}), Error);
  EXPECT_THROW(see({"sh"}, "home/work", {root_ / "disk/loose.npz"}), Error);
}

// What is to be hidden cannot be found then, so nothing may be shown.
TEST_F(Visible, ACurrentFolderThatIsGoneIsAnError) {
  const GoneFolder here;
  const auto see = [&](const fs::path& hidden) {
    return error_of(
        [&] { (void)visible_paths({"sh"}, "/bin/sh", root_ / "home/work", {}, {hidden}); });
  };
  EXPECT_EQ(see("data").find("the current folder cannot be told"), 0u) << see("data");
  EXPECT_EQ(see(root_ / "secret"), "no error");
}

TEST_F(Visible, ScriptsBringTheirInterpreter) {
  fs::create_directory(root_ / "scripts");
  make_program(root_ / "scripts/run", "#! " + (root_ / "home/env/bin/python").string() + " -u\n");
  const VisiblePaths paths = see({"./run"}, "scripts");
  EXPECT_TRUE(shows(paths, "scripts") && shows(paths, "home/env") && shows(paths, "python"));
}

// Through the real thing: an interpreter in the home folder, reached by a link.
TEST_F(Visible, AnInterpreterAtHomeRuns) {
  if (find_bubblewrap().program.empty()) GTEST_SKIP() << find_bubblewrap().reason;
  fs::remove(root_ / "python/bin/python3.99");
  fs::copy_file("/bin/sh", root_ / "python/bin/python3.99");
  write_text(root_ / "python/lib/part", "a part of it");
  Attack attack("required");
  const std::string python = (root_ / "home/env/bin/python").string();
  const RunRecord record =
      attack.runs(python, "cat " + (root_ / "python/lib/part").string() + "; exit 1").at(0);
  EXPECT_NE(record.message.find("a part of it"), std::string::npos) << record.message;
  const auto extra = attack.outside("extra");
  write_text(extra, "an extra part");
  const RunRecord more = attack.shell("cat ../extra; exit 1", "readable = ['../extra']");
  EXPECT_NE(more.message.find("an extra part"), std::string::npos) << more.message;
}

}  // namespace
}  // namespace cupel
