// cupel resolve: entities that are one become one, and how well that is done.
#include <filesystem>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/json_text.h"
#include "cupel/base/parallel.h"
#include "cupel/base/paths.h"
#include "cupel/cli/cards/resolve_scores.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/formats/build_account.h"
#include "cupel/data/formats/strict_json.h"
#include "cupel/data/resolve/decisions_file.h"
#include "cupel/data/resolve/egos.h"
#include "cupel/data/resolve/gold.h"
#include "cupel/data/resolve/merge_groups.h"
#include "cupel/data/resolve/name_variants.h"
#include "cupel/data/resolve/propose.h"
#include "cupel/data/resolve/resolved_folder.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Arguments {
  std::string folder, out, decisions, decisions_out, gold, gold_ids, only;
  std::optional<double> threshold, show;
  int threads = available_processors();
  bool no_proposals = false, json = false;
};

// Where the decisions go beside the folder; empty: nowhere.
fs::path decisions_path(const Arguments& arguments) {
  if (!arguments.decisions_out.empty()) return arguments.decisions_out;
  const bool anything_else =
      !arguments.out.empty() || !arguments.gold.empty() || !arguments.decisions.empty();
  return anything_else ? fs::path() : fs::path("decisions.csv");
}

ProposeSettings settings_of(const Arguments& arguments) {
  ProposeSettings out;
  if (arguments.threshold) out.threshold = *arguments.threshold;
  if (arguments.show) {
    out.show = *arguments.show;
  } else if (out.show > out.threshold) {
    out.show = out.threshold;
  }
  for (const auto& [option, value] :
       {std::pair{"--threshold", out.threshold}, std::pair{"--show", out.show}})
    if (!(value <= 1)) fail("resolve: {} {} is above 1, and scores are from 0 to 1", option, value);
  if (out.show > out.threshold)
    fail("resolve: --show {} is above --threshold {}, from which pairs are accepted", out.show,
         out.threshold);
  if (!arguments.only.empty() && arguments.only != "scientists" && arguments.only != "institutions")
    fail("resolve: --only '{}' is neither scientists nor institutions", arguments.only);
  out.scientists = arguments.only != "institutions";
  out.institutions = arguments.only != "scientists";
  return out;
}

// What contradicts itself or cannot be written, found before anything is read.
void check(const Arguments& arguments) {
  if (arguments.no_proposals && arguments.decisions.empty())
    fail("resolve: --no-proposals goes with --decisions, whose lines alone are applied then");
  if (!arguments.gold_ids.empty() && arguments.gold.empty())
    fail("resolve: --gold-ids goes with --gold, whose authorships it adds to");
  if (!arguments.decisions.empty() && arguments.out.empty() && arguments.decisions_out.empty() &&
      arguments.gold.empty())
    fail("resolve: nothing is to be written; give --out FOLDER, where the decisions are applied");
  if (!arguments.out.empty()) {
    std::error_code problem;
    const fs::path beside = absolute_path(plain_path(arguments.out)).parent_path();
    for (fs::path at = fs::weakly_canonical(beside, problem); !problem && at != at.parent_path();
         at = at.parent_path())
      if (same_place(at, arguments.folder))
        fail("resolve: --out {} lies in {}, which is not changed; write the new folder elsewhere",
             arguments.out, arguments.folder);
    check_resolved_folder(arguments.out);
  }
  const fs::path decisions = decisions_path(arguments);
  if (decisions.empty()) return;
  std::error_code error;
  const bool goes_on = !arguments.decisions.empty() &&
                       fs::equivalent(arguments.decisions, decisions, error) && !error;
  if (is_there(decisions) && !goes_on)
    fail(
        "{}: is there already, and may hold decisions of yours; go on from them with --decisions, "
        "or give another --decisions-out",
        decisions.string());
  check_writable(decisions);
}

// What is resolved, and what is said of it.
struct Work {
  TemporalFacts facts;
  Authorships authorships;
  MergedNames merged;
  DecidedPairs decided;
  std::vector<Index> groups;
  std::string decisions;  // the table
  std::map<std::string, std::int64_t> counts;
};

std::string count_name(MergeVerdict verdict, DecidedBy by) {
  const char* const verdicts[] = {"accepted", "rejected", "left open"};
  return fmt::format("pairs {} {}", verdicts[static_cast<std::size_t>(verdict)],
                     by == DecidedBy::kPerson ? "by a person" : "automatically");
}

// What is merged is a new folder with counts of its own, which would hide that facts are missing.
void tell_missing_facts(const std::string& folder, const TemporalFacts& facts) {
  const BuildAccount account = read_build_account(folder);
  if (account.damaged)
    print_note(fmt::format(
        "{}: provenance.json cannot be read; the folder is not as it was written", folder));
  if (account.facts && *account.facts != facts.facts())
    print_note(fmt::format("{}: has {}, and provenance.json counts {}; `cupel audit {}` says more",
                           folder, counted(facts.facts(), "fact"), grouped(*account.facts),
                           folder));
}

Work resolve(const Arguments& arguments, const ProposeSettings& settings) {
  Work work;
  work.facts = read_facts(arguments.folder);
  tell_missing_facts(arguments.folder, work.facts);
  std::error_code error;
  if (fs::is_directory(arguments.folder, error)) {
    work.authorships = read_authorships(arguments.folder, work.facts);
    work.merged = read_merged_names(arguments.folder, work.facts);
  }
  DecidedPairs file;
  if (!arguments.decisions.empty())
    file = read_decisions(arguments.decisions, work.facts, work.authorships, work.merged);
  if (!arguments.no_proposals && type_named(work.facts, "scientist") < 0 &&
      type_named(work.facts, "institution") < 0)
    fail(
        "{}: has neither scientists nor institutions, whose names are compared; give a folder of "
        "`cupel build expert`, or --no-proposals with decisions of yours",
        arguments.folder);
  Proposals proposals;
  if (!arguments.no_proposals)
    proposals = propose_merges(work.facts, work.authorships, settings,
                               {std::min(arguments.threads, available_processors())});
  work.decided = decided_pairs(std::move(proposals.decisions), std::move(file));
  work.groups = merge_groups(work.facts, work.authorships, work.decided);
  work.decisions = decisions_csv(work.facts, work.authorships, work.decided.pairs);
  for (const auto& [what, number] : proposals.counts) work.counts["proposals: " + what] += number;
  for (const auto& [what, number] : work.decided.counts) work.counts[what] += number;
  for (const DecidedPair& pair : work.decided.pairs)
    ++work.counts[count_name(pair.decision.verdict, pair.by)];
  return work;
}

// How the source came about, as far as it can be read.
Json account_of(const fs::path& folder) {
  const fs::path path = folder / "provenance.json";
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  try {
    return read_strict_json_in_order(path);
  } catch (const Error&) {
    return {{"sha256", sha256_file(path)}};
  }
}

// How the facts were built; nothing if the folder does not say.
std::optional<PairRule> pair_rule(const fs::path& folder) {
  const BuildAccount account = read_build_account(folder);
  const auto pairs = account.settings.find("pairs");
  if (pairs == account.settings.end()) return {};
  if (pairs->second == "paper") return PairRule::kPaper;
  if (pairs->second == "year") return PairRule::kYear;
  return {};
}

Json provenance(const Arguments& arguments, const ProposeSettings& settings, const Work& work,
                const std::string& hash) {
  Json chosen = Json::object(), counts = Json::object();
  if (!arguments.no_proposals)
    chosen = {{"threshold", settings.threshold},
              {"show", settings.show},
              {"scientists", settings.scientists},
              {"institutions", settings.institutions}};
  chosen["proposals"] = !arguments.no_proposals;
  for (const auto& [what, number] : work.counts) counts[what] = number;
  const Json given = arguments.decisions.empty()
                         ? Json()
                         : Json{{"file", fs::path(arguments.decisions).filename().string()},
                                {"sha256", sha256_file(arguments.decisions)}};
  return {{"command", "resolve"},
          {"title", "Entities that are one, merged"},
          {"source",
           {{"folder", work.facts.name},
            {"content_hash", content_hash(work.facts)},
            {"provenance", account_of(arguments.folder)}}},
          {"settings", chosen},
          {"decisions", {{"sha256", sha256(work.decisions)}, {"given", given}}},
          {"counts", counts},
          {"content_hash", hash}};
}

Gold gold_of(const Arguments& arguments) {
  Gold gold = read_gold(arguments.gold);
  if (!arguments.gold_ids.empty()) {
    add_anthology_ids(gold, arguments.gold_ids);
  } else if (is_name_variants(arguments.gold)) {
    const fs::path beside = absolute_path(arguments.gold).parent_path() / "xml";
    std::error_code error;
    if (fs::is_directory(beside, error)) {
      print_note(fmt::format("authors' ids are taken from {}", beside.string()));
      add_anthology_ids(gold, beside);
    }
  }
  return gold;
}

ResolveScores judge(const Arguments& arguments, Work& work, const Gold& gold) {
  const bool scientists = gold.of() == Gold::Of::kScientists;
  if (scientists && work.authorships.paper.empty())
    fail("{}: has no authorships.csv, over which {} is to be judged", arguments.folder,
         arguments.gold);
  if (!work.merged.empty() && gold.goes_by_name())
    print_note(
        fmt::format("{} was merged before; gold by names cannot see through that, so judge "
                    "the folder from before with --decisions",
                    arguments.folder));
  ResolveScores out;
  out.mentions = gold.mentions(work.facts, work.authorships);
  const std::vector<Index>& entity = out.mentions.entity;
  out.before = cluster_scores(out.mentions.person, entity);
  if (out.before.mentions == 0)
    fail("{}: says nothing about the {} of {}; look at its names or paper ids", arguments.gold,
         scientists ? "authorships" : "institutions", arguments.folder);
  std::vector<Index> found;
  for (const Index k : entity) found.push_back(work.groups[static_cast<std::size_t>(k)]);
  out.after = cluster_scores(out.mentions.person, found);
  for (const auto& [what, number] : gold.counts) work.counts[what] += number;
  for (const auto& [what, number] :
       {std::pair{"gold: authorships that the folder does not have", out.mentions.absent_places},
        std::pair{"gold: names that the folder does not have", out.mentions.absent_names}})
    if (number > 0) work.counts[what] = number;
  if (!out.mentions.first_absent.empty())
    print_note(
        fmt::format("{}: does not have all that {} lists, beginning with {}; the counts say "
                    "how many",
                    arguments.folder, arguments.gold, out.mentions.first_absent));
  return out;
}

int perform(const Arguments& arguments) {
  const ProposeSettings settings = settings_of(arguments);
  check(arguments);
  std::optional<Gold> gold;  // what is wrong with it shows before the long work
  if (!arguments.gold.empty()) gold = gold_of(arguments);
  Work work = resolve(arguments, settings);
  Json out = {{"folder", arguments.folder}};
  std::string text;
  std::optional<ResolveScores> found;
  if (gold) found = judge(arguments, work, *gold);
  if (!arguments.out.empty()) {
    ResolvedFacts resolved = apply_merges(work.facts, work.authorships, work.merged, work.groups,
                                          pair_rule(arguments.folder));
    work.counts.insert(resolved.counts.begin(), resolved.counts.end());
    const std::string hash = content_hash(resolved.facts);
    write_resolved_folder(resolved, work.decisions,
                          json_text(provenance(arguments, settings, work, hash)), arguments.out);
    out["path"] = arguments.out;
    out["content_hash"] = hash;
    text += fmt::format("{}  {}\n", arguments.out, hash.substr(0, 12));
  }
  if (const fs::path path = decisions_path(arguments); !path.empty()) {
    write_file(path, work.decisions);
    out["decisions"] = path.string();
    text += fmt::format("{}  {}\n", path.string(), counted(std::ssize(work.decided.pairs), "pair"));
  }
  Columns columns("rw");
  out["counts"] = Json::object();
  for (const auto& [what, number] : work.counts) {
    columns.row({grouped(number), what});
    out["counts"][what] = number;
  }
  text += columns.text();
  if (found) {
    out.update(resolve_scores_json(*found));
    text += "\n" + resolve_scores_text(*found);
  }
  print_out(arguments.json ? json_text(out) : text);
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("FOLDER", arguments->folder,
                  "Facts over time, as `cupel build expert` makes them");
  syntax.group("What is proposed");
  syntax.number("--threshold", "SCORE", arguments->threshold,
                fmt::format("Accept pairs of this score or above, up to 1\n(default: {})",
                            ProposeSettings().threshold));
  syntax.number(
      "--show", "SCORE", arguments->show,
      fmt::format("List pairs from this score on as open, for you to decide\n(default: {})",
                  ProposeSettings().show));
  syntax.text("--only", "TYPE", arguments->only, "Propose scientists or institutions alone");
  syntax.flag("--no-proposals", arguments->no_proposals,
              "Propose nothing: apply the lines of --decisions alone");
  syntax.count("--threads", arguments->threads, "Threads (default: one per processor)");
  syntax.group("What is decided");
  syntax.text(
      "--decisions", "FILE", arguments->decisions,
      "Decisions of yours: what this table accepts, rejects or\nleaves open holds, whatever "
      "is proposed");
  syntax.text("--decisions-out", "FILE", arguments->decisions_out,
              "Write the table of all pairs here (default:\ndecisions.csv if nothing else is asked "
              "for)");
  syntax.text("--out", "FOLDER", arguments->out,
              "Merge accepted pairs, and write the facts into this new\nfolder, the table of pairs "
              "with them");
  syntax.group("How good it is");
  syntax.text(
      "--gold", "FILE", arguments->gold,
      "Print precision, recall and F1 against this truth: a CSV\nof paper,position,person or "
      "name,person or alias,name,\nor name_variants.yaml of the ACL Anthology");
  syntax.text("--gold-ids", "DIR", arguments->gold_ids,
              "The Anthology's XML, whose id= tells namesakes apart\n(default: xml beside "
              "name_variants.yaml, if it is there)");
  add_json(syntax, arguments->json);
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_resolve;
const Command command_resolve = {Topic::kDataSets, "resolve",
                                 "Merge scientists and institutions that are one", declare};

}  // namespace cupel::cli
