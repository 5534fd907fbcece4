#include "cupel/api/resolve.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cupel/api/facts_memory.h"
#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/json_text.h"
#include "cupel/base/paths.h"
#include "cupel/base/words.h"
#include "cupel/base/write_file.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/facts/facts_forecast.h"
#include "cupel/data/formats/build_account.h"
#include "cupel/data/formats/strict_json.h"
#include "cupel/data/resolve/decisions_file.h"
#include "cupel/data/resolve/egos.h"
#include "cupel/data/resolve/merge_groups.h"
#include "cupel/data/resolve/name_variants.h"
#include "cupel/data/resolve/propose.h"
#include "cupel/data/resolve/resolve_memory.h"
#include "cupel/data/resolve/resolved_folder.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

ProposeSettings settings_of(const ResolveRequest& request) {
  ProposeSettings out;
  if (request.threshold) out.threshold = *request.threshold;
  if (request.show) {
    out.show = *request.show;
  } else if (out.show > out.threshold) {
    out.show = out.threshold;
  }
  for (const auto& [option, value] :
       {std::pair{"--threshold", out.threshold}, std::pair{"--show", out.show}})
    if (!(value >= 0 && value <= 1))
      fail("resolve: {} {} is {}, and scores are from 0 to 1", option, value,
           value < 0 ? "below 0" : "above 1");
  if (out.show > out.threshold)
    fail("resolve: --show {} is above --threshold {}, from which pairs are accepted", out.show,
         out.threshold);
  if (!request.only.empty() && request.only != "scientists" && request.only != "institutions")
    fail("resolve: --only '{}' is neither scientists nor institutions", request.only);
  out.scientists = request.only != "institutions";
  out.institutions = request.only != "scientists";
  return out;
}

// What contradicts itself or cannot be written, found before anything is read.
void check(const ResolveRequest& request) {
  if (!request.proposals && request.decisions.empty())
    fail("resolve: --no-proposals goes with --decisions, whose lines alone are applied then");
  if (!request.gold_ids.empty() && request.gold.empty())
    fail("resolve: --gold-ids goes with --gold, whose authorships it adds to");
  if (!request.decisions.empty() && request.out.empty() && request.decisions_out.empty() &&
      request.gold.empty())
    fail("resolve: nothing is to be written; give --out FOLDER, where the decisions are applied");
  if (!request.out.empty()) {
    std::error_code problem;
    const fs::path beside = absolute_path(plain_path(request.out)).parent_path();
    for (fs::path at = fs::weakly_canonical(beside, problem); !problem && at != at.parent_path();
         at = at.parent_path())
      if (same_place(at, request.folder))
        fail("resolve: --out {} lies in {}, which is not changed; write the new folder elsewhere",
             request.out, request.folder);
    check_resolved_folder(request.out);
  }
  const fs::path decisions = decisions_path(request);
  if (decisions.empty()) return;
  std::error_code error;
  const bool goes_on =
      !request.decisions.empty() && fs::equivalent(request.decisions, decisions, error) && !error;
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
  DecidedPairs given, decided;  // by the file, and in the end
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
void tell_missing_facts(const std::string& folder, const TemporalFacts& facts,
                        const ResolveNote& note) {
  const BuildAccount account = read_build_account(folder);
  if (account.damaged)
    note(fmt::format("{}: provenance.json cannot be read; the folder is not as it was written",
                     folder));
  if (account.facts && *account.facts != facts.facts())
    note(fmt::format("{}: has {}, and provenance.json counts {}; `cupel audit {}` says more",
                     folder, counted(facts.facts(), "fact"), grouped(*account.facts), folder));
}

Work read(const ResolveRequest& request, const ResolveNote& note) {
  Work work;
  work.facts = read_facts(request.folder);
  tell_missing_facts(request.folder, work.facts, note);
  std::error_code error;
  if (fs::is_directory(request.folder, error)) {
    work.authorships = read_authorships(request.folder, work.facts);
    work.merged = read_merged_names(request.folder, work.facts);
  }
  return work;
}

// Facts and authorships are held all along, and once more where they are merged. `proposed`: pairs
// to come, if that is known.
ResolveNeeds needs_of(const ResolveRequest& request, const ProposeSettings& settings,
                      const Work& work, std::optional<std::int64_t> proposed, std::size_t limit) {
  ResolveNeeds out;
  out.folder = request.folder, out.limit = limit;
  out.entities = work.facts.entities(), out.facts = work.facts.facts();
  out.authorships = std::ssize(work.authorships.paper);
  if (proposed) out.pairs = *proposed + std::ssize(work.given.pairs);
  const std::size_t held = held_memory(work.facts, work.authorships);
  const std::int64_t pairs = out.pairs.value_or(std::ssize(work.given.pairs));
  std::size_t proposing = 0;
  if (request.proposals)
    proposing = propose_memory(work.facts, work.authorships, settings) + proposed_memory(pairs);
  const std::size_t deciding = decided_memory(pairs) + (request.out.empty() ? 0 : held);
  out.bytes = std::max(facts_forecast(request.folder).bytes, held + std::max(proposing, deciding));
  return out;
}

// As hold_against() says.
std::string note_of(const MemoryRoom& room, const ResolveNeeds& needs) {
  std::string work = fmt::format("{}: {}, {}", needs.folder, counted(needs.entities, "name"),
                                 counted(needs.facts, "fact"));
  if (needs.pairs) work += fmt::format(" and about {}", counted(*needs.pairs, "pair"));
  return hold_against(room, work, needs.bytes);
}

// What is known before all names are compared.
struct Begun {
  std::unique_ptr<Proposer> proposer;  // none: nothing is proposed, or what is known is too much
  ResolveNeeds needs;
};

// `work`: as it was read; it outlives what is returned, where it is.
Begun begin(const ResolveRequest& request, const ProposeSettings& settings, const MemoryRoom& room,
            Work& work) {
  if (!request.decisions.empty())
    work.given = read_decisions(request.decisions, work.facts, work.authorships, work.merged);
  if (request.proposals && type_named(work.facts, "scientist") < 0 &&
      type_named(work.facts, "institution") < 0)
    fail(
        "{}: has neither scientists nor institutions, whose names are compared; give a folder of "
        "`cupel build expert`, or --no-proposals with decisions of yours",
        request.folder);
  const auto needs = [&](std::optional<std::int64_t> proposed) {
    return needs_of(request, settings, work, proposed, room.bytes);
  };
  if (!request.proposals) return {nullptr, needs(0)};
  Begun out{nullptr, needs(std::nullopt)};
  if (out.needs.bytes > room.bytes) return out;
  out.proposer =
      std::make_unique<Proposer>(work.facts, work.authorships, settings,
                                 Threads{std::min(request.threads, available_processors())});
  out.needs = needs(out.proposer->expected());
  return out;
}

Work resolve(const ResolveRequest& request, const ProposeSettings& settings, const MemoryRoom& room,
             const ResolveNote& note) {
  Work work = read(request, note);
  Begun begun = begin(request, settings, room, work);
  if (const std::string told = note_of(room, begun.needs); !told.empty()) note(told);
  Proposals proposals;
  if (begun.proposer) proposals = std::move(*begun.proposer).propose();
  begun.proposer.reset();
  work.decided = decided_pairs(std::move(proposals.decisions), std::move(work.given));
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

Json provenance(const ResolveRequest& request, const ProposeSettings& settings, const Work& work,
                const std::string& hash) {
  Json chosen = Json::object(), counts = Json::object();
  if (request.proposals)
    chosen = {{"threshold", settings.threshold},
              {"show", settings.show},
              {"scientists", settings.scientists},
              {"institutions", settings.institutions}};
  chosen["proposals"] = request.proposals;
  for (const auto& [what, number] : work.counts) counts[what] = number;
  const Json given = request.decisions.empty()
                         ? Json()
                         : Json{{"file", fs::path(request.decisions).filename().string()},
                                {"sha256", sha256_file(request.decisions)}};
  return {{"command", "resolve"},
          {"title", "Entities that are one, merged"},
          {"source",
           {{"folder", work.facts.name},
            {"content_hash", content_hash(work.facts)},
            {"provenance", account_of(request.folder)}}},
          {"settings", chosen},
          {"decisions", {{"sha256", sha256(work.decisions)}, {"given", given}}},
          {"counts", counts},
          {"content_hash", hash}};
}

Gold gold_of(const ResolveRequest& request, const ResolveNote& note) {
  Gold gold = read_gold(request.gold);
  if (!request.gold_ids.empty()) {
    add_anthology_ids(gold, request.gold_ids);
  } else if (is_name_variants(request.gold)) {
    const fs::path beside = absolute_path(request.gold).parent_path() / "xml";
    std::error_code error;
    if (fs::is_directory(beside, error)) {
      note(fmt::format("authors' ids are taken from {}", beside.string()));
      add_anthology_ids(gold, beside);
    }
  }
  return gold;
}

ResolveScores judge(const ResolveRequest& request, Work& work, const Gold& gold,
                    const ResolveNote& note) {
  const bool scientists = gold.of() == Gold::Of::kScientists;
  if (scientists && work.authorships.paper.empty())
    fail("{}: has no authorships.csv, over which {} is to be judged", request.folder, request.gold);
  if (!work.merged.empty() && gold.goes_by_name())
    note(
        fmt::format("{} was merged before; gold by names cannot see through that, so judge "
                    "the folder from before with --decisions",
                    request.folder));
  ResolveScores out;
  out.mentions = gold.mentions(work.facts, work.authorships);
  const std::vector<Index>& entity = out.mentions.entity;
  out.before = cluster_scores(out.mentions.person, entity);
  if (out.before.mentions == 0)
    fail("{}: says nothing about the {} of {}; look at its names or paper ids", request.gold,
         scientists ? "authorships" : "institutions", request.folder);
  std::vector<Index> found;
  for (const Index k : entity) found.push_back(work.groups[static_cast<std::size_t>(k)]);
  out.after = cluster_scores(out.mentions.person, found);
  for (const auto& [what, number] : gold.counts) work.counts[what] += number;
  for (const auto& [what, number] :
       {std::pair{"gold: authorships that the folder does not have", out.mentions.absent_places},
        std::pair{"gold: names that the folder does not have", out.mentions.absent_names}})
    if (number > 0) work.counts[what] = number;
  if (!out.mentions.first_absent.empty())
    note(
        fmt::format("{}: does not have all that {} lists, beginning with {}; the counts say "
                    "how many",
                    request.folder, request.gold, out.mentions.first_absent));
  return out;
}

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json scores_json(const ClusterScores& scores) {
  const auto json = [](const Agreement& agreement) {
    return Json{{"precision", number_or_null(agreement.precision)},
                {"recall", number_or_null(agreement.recall)},
                {"f1", number_or_null(agreement.f1)}};
  };
  return {{"pairwise", json(scores.pairwise)},
          {"b_cubed", json(scores.b_cubed)},
          {"entities", scores.found_groups}};
}

Json scores_json(const ResolveScores& found) {
  Json out = scores_json(found.after);
  out["before"] = scores_json(found.before);
  out["mentions"] = found.after.mentions;
  out["persons"] = found.after.true_groups;
  out["known_by"] = {{"place", found.mentions.by_place},
                     {"name", found.mentions.by_name},
                     {"own_name", found.mentions.by_own_name},
                     {"unknown", found.mentions.unknown}};
  return out;
}

}  // namespace

fs::path decisions_path(const ResolveRequest& request) {
  if (!request.decisions_out.empty()) return request.decisions_out;
  const bool anything_else =
      !request.out.empty() || !request.gold.empty() || !request.decisions.empty();
  return anything_else ? fs::path() : fs::path("decisions.csv");
}

ResolveNeeds resolve_needs(const ResolveRequest& request, const ResolveNote& note) {
  const ProposeSettings settings = settings_of(request);
  check(request);
  (void)memory_for_facts(request.folder, 0);
  const MemoryRoom room = memory_room(request.memory_bytes);
  Work work = read(request, note);
  return begin(request, settings, room, work).needs;
}

ResolveOutcome resolve_entities(const ResolveRequest& request, const ResolveNote& note) {
  const ProposeSettings settings = settings_of(request);
  check(request);
  (void)memory_for_facts(request.folder, request.memory_bytes);  // told with all that it takes
  const MemoryRoom room = memory_room(request.memory_bytes);
  std::optional<Gold> gold;  // what is wrong with it shows before the long work
  if (!request.gold.empty()) gold = gold_of(request, note);
  Work work = resolve(request, settings, room, note);
  ResolveOutcome out;
  out.request = request;
  if (gold) out.scores = judge(request, work, *gold, note);
  if (!request.out.empty()) {
    ResolvedFacts resolved = apply_merges(work.facts, work.authorships, work.merged, work.groups,
                                          pair_rule(request.folder));
    work.counts.insert(resolved.counts.begin(), resolved.counts.end());
    out.content_hash = content_hash(resolved.facts);
    write_resolved_folder(resolved, work.decisions,
                          json_text(provenance(request, settings, work, out.content_hash)),
                          request.out);
  }
  if (out.decisions = decisions_path(request); !out.decisions.empty())
    write_file(out.decisions, work.decisions);
  out.pairs = std::ssize(work.decided.pairs);
  out.counts = std::move(work.counts);
  return out;
}

nlohmann::ordered_json outcome_json(const ResolveOutcome& outcome) {
  Json out = {{"folder", outcome.request.folder}};
  if (!outcome.content_hash.empty()) {
    out["path"] = outcome.request.out;
    out["content_hash"] = outcome.content_hash;
  }
  if (!outcome.decisions.empty()) out["decisions"] = outcome.decisions.string();
  out["counts"] = Json::object();
  for (const auto& [what, number] : outcome.counts) out["counts"][what] = number;
  if (outcome.scores) out.update(scores_json(*outcome.scores));
  return out;
}

nlohmann::ordered_json needs_json(const ResolveNeeds& needs) {
  return {{"folder", needs.folder},
          {"entities", needs.entities},
          {"facts", needs.facts},
          {"authorships", needs.authorships},
          {"pairs", needs.pairs ? Json(*needs.pairs) : Json()},
          {"memory_bytes", needs.bytes},
          {"memory_limit_bytes", needs.limit}};
}

}  // namespace cupel
