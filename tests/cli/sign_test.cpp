// Who signed a store, and what a signature does not survive. OpenSSH itself makes keys, and checks
// signatures beside us.
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "cli/signers.h"
#include "cupel/lab/store/store.h"
#include "programs.h"
#include "raw_sql.h"

namespace cupel::test {
namespace {

using cupel::made::raw_sql;
using nlohmann::json;

class SignTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = made::needs_program("ssh-keygen"); !why.empty())
      GTEST_SKIP() << why;
    place_.write("small.toml", kSmallProtocol);
    ASSERT_EQ(place_.run({"run", "small.toml", "--no-report"}).code, 0);
    alice_ = make_key(place_, "alice");
    place_.write("signers", "alice@example.org " + alice_ + "\n");
  }
  void sign(const std::string& store = "small.sqlite", const std::string& key = "alice") const {
    const Outcome outcome = place_.run({"sign", store, "--key", key});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  json verified(const std::string& store, int code) const {
    const Outcome outcome = place_.run({"verify", store, "--signers", "signers", "--json"});
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    const json card = json::parse(outcome.out, nullptr, false);
    return card.is_object() && card.contains("signature") ? card["signature"] : json::object();
  }
  std::string state(const std::string& store, int code) const {
    return verified(store, code).value("state", "nothing");
  }
  std::string edit(const std::string& sql) const {
    return raw_sql(place_.path("small.sqlite"), sql);
  }
  // Puts the run of this id anew, changed and sealed, as somebody does who has this program.
  template <class Change>
  void forge(const Change& change) const {
    const std::string id = edit("SELECT id FROM runs WHERE test_score > 0 ORDER BY id LIMIT 1");
    RunRecord record = *Store(place_.path("small.sqlite"), Store::Mode::kOpen).find(id);
    const json identity = json::parse(record.identity);
    const std::string whole = record.identity;
    const std::size_t from = std::string(R"({"family":)").size();
    edit("DELETE FROM runs WHERE id = '" + id + "'");
    edit(
        "DELETE FROM seals WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE r.family = seals.family "
        "AND r.split = seals.split AND r.init = seals.init)");
    for (const char* table : {"other_scores", "strata"})
      edit(std::string("DELETE FROM ") + table +
           " AS t WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE r.family = t.family AND r.split = "
           "t.split AND r.init = t.init)");
    if (!change(record)) return;
    Store(place_.path("small.sqlite"))
        .put(whole.substr(from, whole.rfind(R"(,"init":)") - from), identity["split"],
             identity["init"], record);
  }

  Workplace place_;
  std::string alice_;
};

TEST_F(SignTest, SignedStoresSayWhoSigned) {
  const Outcome signing =
      place_.run({"sign", "small.sqlite", "--key", "alice", "--as", "alice@example.org"});
  ASSERT_EQ(signing.code, 0) << signing.err;
  EXPECT_TRUE(contains(signing.out, "10 runs")) << signing.out;
  // The line that is printed is one that ssh-keygen reads.
  const std::size_t at = signing.out.find("alice@example.org namespaces=\"cupel-store\" ");
  ASSERT_NE(at, std::string::npos) << signing.out;
  place_.write("signers", signing.out.substr(at));
  const Outcome text = place_.run({"verify", "small.sqlite", "--signers", "signers"});
  EXPECT_EQ(text.code, 0) << text.out << text.err;
  EXPECT_TRUE(contains(text.out, "signed by alice@example.org (ED25519 key")) << text.out;
  EXPECT_TRUE(contains(text.out, "All of it holds")) << text.out;
  EXPECT_EQ(verified("small.sqlite", 0)["signer"], "alice@example.org");
  EXPECT_EQ(place_.run({"verify", "small.sqlite"}).code, 0) << "nobody asked";
}

TEST_F(SignTest, OpensshChecksTheSameTextByItself) {
  sign();
  const Outcome text = place_.run({"sign", "small.sqlite", "--text"});
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "cupel store results, 1\nprotocols 1 ")) << text.out;
  EXPECT_TRUE(contains(text.out, "\nruns 10 ")) << text.out;
  place_.write("text", text.out);
  const std::string check = "cd '" + place_.path("").string() +
                            "' && ssh-keygen -Y verify -f signers -I alice@example.org -n "
                            "cupel-store -s small.sqlite.sig < text > /dev/null 2>&1";
  EXPECT_EQ(std::system(check.c_str()), 0);
  place_.write("text", text.out + " ");
  EXPECT_NE(std::system(check.c_str()), 0) << "or the check checks nothing";
}

TEST_F(SignTest, UnsignedAndUnknownAreNoEdit) {
  EXPECT_EQ(state("small.sqlite", 1), "unsigned");
  std::filesystem::copy_file(place_.path("small.sqlite"), place_.path("edited.sqlite"));
  raw_sql(place_.path("edited.sqlite"), "UPDATE runs SET test_score = 0.99");
  EXPECT_EQ(state("edited.sqlite", 3), "unsigned") << "it does not hold, and nobody signed it";
  make_key(place_, "mallory");
  sign("small.sqlite", "mallory");
  const json unknown = verified("small.sqlite", 1);
  EXPECT_EQ(unknown["state"], "unknown");
  EXPECT_TRUE(contains(unknown["text"], "signed by somebody unknown")) << unknown;
  EXPECT_TRUE(contains(place_.run({"verify", "small.sqlite", "--signers", "signers"}).out,
                       "All of it holds, but nobody whom signers lists has signed it."));
  EXPECT_TRUE(contains(unknown["key"], "SHA256:")) << unknown;
  // One key, of which another line or another name allows this.
  sign();
  for (const auto& [lines, signer] : std::vector<std::pair<std::string, std::string>>{
           {"alice@git namespaces=\"git\" " + alice_ + "\nalice@example.org " + alice_ + "\n",
            "alice@example.org"},
           {"# hers\n\n  \"alice a\" namespaces=\"git\" " + alice_ + "\n\"alice b\" " + alice_ +
                "\n",
            "alice b"},
           {"!bob@x,*@example.org " + alice_ + "\n", "*@example.org"}}) {
    place_.write("signers", lines);
    const json listed = verified("small.sqlite", 0);
    EXPECT_EQ(listed["state"], "signed") << listed;
    EXPECT_EQ(listed["signer"], signer) << listed;
  }
  // Listed, but for other things.
  place_.write("signers", "alice@example.org namespaces=\"git\" " + alice_ + "\n");
  sign();
  const json elsewhere = verified("small.sqlite", 1);
  EXPECT_EQ(elsewhere["state"], "unknown") << elsewhere;
}

TEST_F(SignTest, TheSameResultsOfAnotherMachineHaveTheSameSignature) {
  sign();
  // Done elsewhere in another order and in two parts, with other times, and put together.
  const std::vector<std::vector<std::string>> commands = {
      {"run", "small.toml", "--no-report", "--models", "majority,labelprop", "--store", "a.sqlite"},
      {"run", "small.toml", "--no-report", "--splits", "1", "--store", "b.sqlite"},
      {"run", "small.toml", "--no-report", "--jobs", "1", "--store", "b.sqlite"},
      {"merge", "there.sqlite", "a.sqlite", "b.sqlite"},
  };
  for (const auto& command : commands) ASSERT_EQ(place_.run(command).code, 0) << command[0];
  std::filesystem::copy_file(place_.path("small.sqlite.sig"), place_.path("there.sqlite.sig"));
  EXPECT_EQ(state("there.sqlite", 0), "signed");
  EXPECT_EQ(place_.run({"sign", "there.sqlite", "--text"}).out,
            place_.run({"sign", "small.sqlite", "--text"}).out);
}

TEST_F(SignTest, AnEditedScoreIsNotWhatWasSigned) {
  sign();
  edit("UPDATE runs SET test_score = 0.99 WHERE id = (SELECT id FROM runs ORDER BY id LIMIT 1)");
  EXPECT_EQ(state("small.sqlite", 3), "tampered");
  const Outcome text = place_.run({"verify", "small.sqlite", "--signers", "signers"});
  EXPECT_TRUE(contains(text.out, "It does not hold")) << text.out;
}

TEST_F(SignTest, ASignatureThatDoesNotHoldIsToldWithoutAListOfSigners) {
  sign();
  const Outcome good = place_.run({"verify", "small.sqlite", "--json"});
  EXPECT_EQ(good.code, 0) << good.out;
  EXPECT_EQ(json::parse(good.out)["signature"]["state"], "unknown") << "nobody said whose it is";
  const std::string whole = place_.read("small.sqlite.sig");
  place_.write("small.sqlite.sig", whole.substr(0, 100));
  const Outcome cut = place_.run({"verify", "small.sqlite"});
  EXPECT_EQ(cut.code, 3) << cut.out;
  EXPECT_TRUE(contains(cut.out, "It does not hold")) << cut.out;
  // Another store's.
  place_.write("small.sqlite.sig", whole);
  forge([](RunRecord& record) { return record.test_score = *record.test_score / 2, true; });
  const Outcome edited = place_.run({"verify", "small.sqlite", "--json"});
  EXPECT_EQ(edited.code, 3) << edited.out;
  EXPECT_EQ(json::parse(edited.out)["signature"]["state"], "tampered");
}

// Whoever is told that a store was changed looks for another store.
TEST_F(SignTest, ASignatureThatIsNoneIsToldFromOneOfOtherResults) {
  sign();
  const std::string whole = place_.read("small.sqlite.sig");
  std::string windows;
  for (const char c : whole) windows += c == '\n' ? "\r\n" : std::string(1, c);
  place_.write("text", place_.run({"sign", "small.sqlite", "--text"}).out);
  const std::string other = "cd '" + place_.path("").string() +
                            "' && ssh-keygen -q -Y sign -f alice -n file < text > other 2> "
                            "/dev/null";
  ASSERT_EQ(std::system(other.c_str()), 0);
  std::string less = whole;
  less.erase(less.find('\n', 40) + 1, 71);  // a line amid it
  for (const auto& [text, why] : std::vector<std::pair<std::string, std::string>>{
           {whole.substr(0, 100), "it is cut off"},
           {"", "it is empty"},
           {windows, "its lines end as those of Windows do"},
           {"hello\n", "does not begin as a signature"},
           {place_.read("other"), "namespace"},
           {less, "ssh-keygen says"}}) {
    place_.write("small.sqlite.sig", text);
    const json signature = verified("small.sqlite", 3);
    EXPECT_EQ(signature["state"], "tampered") << why;
    EXPECT_TRUE(contains(signature["text"], why)) << signature;
    EXPECT_FALSE(contains(signature["text"], "a copy from before")) << signature;
  }
  // A whole one without its last line end is one.
  place_.write("small.sqlite.sig", whole.substr(0, whole.size() - 1));
  EXPECT_EQ(state("small.sqlite", 0), "signed");
  forge([](RunRecord& record) { return record.test_score = *record.test_score / 2, true; });
  EXPECT_TRUE(contains(verified("small.sqlite", 3)["text"], "is not as it was signed"));
}

TEST_F(SignTest, AnEditThatIsSealedAnewIsNotWhatWasSigned) {
  sign();
  forge([](RunRecord& record) { return record.test_score = *record.test_score / 2, true; });
  std::filesystem::copy_file(place_.path("small.sqlite"), place_.path("alone.sqlite"));
  EXPECT_EQ(place_.run({"verify", "alone.sqlite"}).code, 0) << "a seal has no key";
  const json signature = verified("small.sqlite", 3);
  EXPECT_EQ(signature["state"], "tampered");
  EXPECT_TRUE(contains(signature["text"], "not as it was signed")) << signature;
}

TEST_F(SignTest, TimesOfAMachineMaySaySomethingElse) {
  sign();
  forge([](RunRecord& record) { return record.seconds = 1e6, record.message = "slow", true; });
  EXPECT_EQ(state("small.sqlite", 0), "signed");
}

TEST_F(SignTest, ARunLessOrMoreIsNotWhatWasSigned) {
  sign();
  std::filesystem::copy_file(place_.path("small.sqlite"), place_.path("more.sqlite"));
  std::filesystem::copy_file(place_.path("small.sqlite.sig"), place_.path("more.sqlite.sig"));
  forge([](RunRecord&) { return false; });
  EXPECT_EQ(state("small.sqlite", 3), "tampered");
  ASSERT_EQ(place_
                .run({"run", "small.toml", "--datasets", "csbm:nodes=120", "--models", "majority",
                      "--no-report", "--store", "more.sqlite"})
                .code,
            0);
  EXPECT_EQ(state("more.sqlite", 3), "tampered");
}

TEST_F(SignTest, ARowUnderAnotherNameIsNotWhatWasSigned) {
  sign();
  edit(
      "CREATE TEMP TABLE f AS SELECT at, family FROM cells WHERE model IN ('labelprop', "
      "'majority'); UPDATE cells SET family = (SELECT family FROM f WHERE f.at != cells.at) WHERE "
      "at IN (SELECT at FROM f)");
  edit("UPDATE cell_seals SET hash = ''");
  std::filesystem::copy_file(place_.path("small.sqlite"), place_.path("alone.sqlite"));
  EXPECT_EQ(place_.run({"verify", "alone.sqlite"}).code, 1) << "each row is possible";
  EXPECT_EQ(state("small.sqlite", 3), "tampered");
}

TEST_F(SignTest, ASignatureOfSomethingElseIsNone) {
  place_.write("small.sqlite.sig", "not a signature\n");
  EXPECT_EQ(state("small.sqlite", 3), "tampered");
  // A good one, for another purpose.
  place_.write("text", place_.run({"sign", "small.sqlite", "--text"}).out);
  const std::string other = "cd '" + place_.path("").string() +
                            "' && ssh-keygen -q -Y sign -f alice -n file < text > "
                            "small.sqlite.sig 2> /dev/null";
  ASSERT_EQ(std::system(other.c_str()), 0);
  EXPECT_EQ(state("small.sqlite", 3), "tampered");
}

TEST_F(SignTest, MistakesAreSentences) {
  const std::vector<std::vector<std::string>> commands = {
      {"sign", "small.sqlite"},
      {"sign", "small.sqlite", "--key", "nowhere"},
      {"sign", "small.sqlite", "--key", "small.toml"},
      {"sign", "small.sqlite", "--key", "alice", "--text"},
      {"sign", "small.sqlite", "--key", "alice", "--as", "two words"},
      {"sign", "none.sqlite", "--key", "alice"},
      {"verify", "small.sqlite", "--signers", "nowhere"},
  };
  for (const auto& command : commands) {
    const Outcome outcome = place_.run(command);
    EXPECT_EQ(outcome.code, 2) << command[0] << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_GT(outcome.err.size(), 20u);
  }
  EXPECT_FALSE(std::filesystem::exists(place_.path("small.sqlite.sig")));
  const std::string locked =
      "ssh-keygen -q -t ed25519 -N secret1 -f '" + place_.path("locked").string() + "' > /dev/null";
  ASSERT_EQ(std::system(locked.c_str()), 0);
  const Outcome outcome = place_.run({"sign", "small.sqlite", "--key", "locked"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "ssh-add locked")) << outcome.err;
  edit("UPDATE runs SET test_score = 0.99");
  const Outcome damaged = place_.run({"sign", "small.sqlite", "--key", "alice"});
  EXPECT_EQ(damaged.code, 2);
  EXPECT_TRUE(contains(damaged.err, "not as it was kept")) << damaged.err;
}

TEST_F(SignTest, WithoutSshKeygenThereIsAWayOut) {
  sign();
  place_.set("PATH", "/nowhere");
  for (const auto& command :
       {std::vector<std::string>{"sign", "small.sqlite", "--key", "alice"},
        std::vector<std::string>{"verify", "small.sqlite", "--signers", "signers"}}) {
    const Outcome outcome = place_.run(command);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_TRUE(contains(outcome.err, "apt-get install openssh-client")) << outcome.err;
  }
  const Outcome unasked = place_.run({"verify", "small.sqlite"});
  EXPECT_EQ(unasked.code, 0);
  EXPECT_TRUE(contains(unasked.out, "not checked: ssh-keygen")) << unasked.out;
}

}  // namespace
}  // namespace cupel::test
