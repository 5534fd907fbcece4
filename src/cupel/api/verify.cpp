#include "cupel/api/verify.h"

#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cupel/api/how.h"
#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/base/words.h"
#include "cupel/lab/run/executor.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

// For draws that nobody may know beforehand, who made what is drawn from.
std::string random_seed() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

std::optional<SignatureCheck> signature_of(const std::string& store, const std::string& signers,
                                           std::string& unchecked) {
  if (!signers.empty()) return check_signature(store, signers);
  if (!is_there(signature_path(store))) return std::nullopt;
  try {
    check_ssh_keygen();
  } catch (const Error& error) {
    unchecked = fmt::format("not checked: {}", error.what());
    return std::nullopt;
  }
  return check_signature(store, std::nullopt);
}

bool unsealed(const StoreCheck& check) { return check.unsealed + check.unsealed_cells > 0; }

// Without a file of signers, nobody asked who it was.
bool is_signed(const Verification& found) {
  return found.signers.empty() || found.signature->state == SignatureCheck::State::kSigned;
}

bool nothing_is_wrong(const Verification& found) {
  if (!found.check.problems.empty() || found.check.conflicts > 0) return false;
  if (found.signature && found.signature->state == SignatureCheck::State::kTampered) return false;
  if (!found.rerun) return true;
  for (const RerunRun& run : found.rerun->runs)
    if (!run.same) return false;
  return found.rerun->misplaced.empty();
}

Json rerun_json(const Verification& found) {
  const Rerun& rerun = *found.rerun;
  Json runs = Json::array();
  for (const RerunRun& run : rerun.runs)
    runs.push_back({{"id", run.id},
                    {"dataset", run.dataset},
                    {"model", run.model},
                    {"split", run.split},
                    {"init", run.init},
                    {"in_conflict", run.in_conflict},
                    {"same", run.same},
                    {"difference", run.difference}});
  return {{"seed", found.asked.seed},
          {"runs", runs},
          {"misplaced", rerun.misplaced},
          {"enough", rerun.enough},
          {"left_out",
           {{"programs", rerun.programs},
            {"unfinished", rerun.unfinished},
            {"searches", rerun.searches},
            {"unreachable", rerun.unreachable},
            {"reasons", rerun.reasons}}},
          {"stopped", found.stopped}};
}

void check_whole(const std::string& store) {
  const StoreCheck found = check_store(store);
  if (!found.problems.empty())
    fail("sign: {} is not as it was kept: {}", store, found.problems.front());
  if (found.conflicts > 0)
    fail("sign: {} has {} in conflict; `cupel run` does them again first", store,
         counted(found.conflicts, "run"));
}

}  // namespace

std::optional<RerunOptions> rerun_options(const std::string& command, const RerunRequest& request) {
  if (request.runs == 0) {
    if (!request.seed.empty() || request.jobs > 0 || !request.memory.empty())
      fail("{}: --seed, --jobs and --memory go with --rerun N; nothing is done again", command);
    return std::nullopt;
  }
  RerunOptions out;
  out.runs = request.runs;
  out.seed = request.seed.empty() ? random_seed() : request.seed;
  out.execute.jobs = request.jobs;
  if (!request.memory.empty()) out.execute.memory_bytes = parse_size("--memory", request.memory);
  return out;
}

Verification verify_store(const std::string& store, const std::string& signers) {
  Verification out;
  out.store = store;
  out.signers = signers;
  out.check = check_store(store);
  out.signature = signature_of(store, signers, out.unchecked);
  return out;
}

void verify_runs(Verification& found, const PlanSources& sources, const RerunOptions& options) {
  if (!found.check.problems.empty()) return;
  const Store store(found.store, Store::Mode::kOpen);
  found.rerun = rerun(store, sources, *make_executor(), options);
  found.asked = options;
  const std::atomic<bool>* const interrupt = options.execute.interrupt;
  found.stopped = !found.rerun->enough && interrupt != nullptr && *interrupt;
}

VerificationVerdict verdict_of(const Verification& found) {
  if (!nothing_is_wrong(found)) return {false, false, "It does not hold."};
  std::vector<std::string> but;
  if (found.rerun && !found.rerun->enough) {
    const auto& runs = found.rerun->runs;
    but.push_back(fmt::format("{} of the {} that were to be done again {} done",
                              runs.empty() ? "none" : grouped(std::ssize(runs)),
                              counted(found.asked.runs, "run"), runs.size() == 1 ? "was" : "were"));
  }
  if (found.signature && !is_signed(found))
    but.push_back(fmt::format("nobody whom {} lists has signed it", found.signers));
  const bool all = !unsealed(found.check);
  const char* const what = all ? "All of it" : "What is sealed";
  if (but.empty()) return {true, all, fmt::format("{} holds.", what)};
  return {true, false, fmt::format("{} holds, but {}.", what, fmt::join(but, ", and "))};
}

Json verification_json(const Verification& found) {
  const StoreCheck& check = found.check;
  const VerificationVerdict verdict = verdict_of(found);
  Json out = {{"kind", "verification"},
              {"store", found.store},
              {"holds", verdict.holds},
              {"verdict", verdict.sentence},
              {"runs", check.runs},
              {"unsealed", check.unsealed},
              {"unsealed_cells", check.unsealed_cells},
              {"conflicts", check.conflicts},
              {"problems", check.problems},
              {"other_published", check.other_published}};
  if (found.signature)
    out["signature"] = {{"state", to_word(found.signature->state)},
                        {"signer", found.signature->signer},
                        {"key", found.signature->key},
                        {"text", found.signature->sentence}};
  if (!found.unchecked.empty())
    out["signature"] = {{"state", "unchecked"}, {"text", found.unchecked}};
  if (found.rerun) out["rerun"] = rerun_json(found);
  return out;
}

// A name in a file of signers ends at a blank, and some characters mean something there.
void check(const SignRequest& request) {
  const std::string& name = request.name;
  if (name.empty()) return;
  if (name.front() == '#' || name.find_first_of(" \t\r\n\"',*?!") != name.npos)
    fail("sign: --as '{}': a name of a signer has no blank, comma, quote, *, ? or !; give another",
         name);
}

std::string text_to_sign(const std::string& store) {
  check_whole(store);
  return results_text(Store(store, Store::Mode::kOpen));
}

SignedStore sign_store(const SignRequest& request) {
  check(request);
  check_whole(request.store);
  const Store store(request.store, Store::Mode::kOpen);
  SignedStore out;
  out.store = request.store;
  out.runs = store.run_count();
  out.made = sign_text(results_text(store), request.key, signature_path(request.store));
  if (!out.made.public_line.empty())
    out.signers_line =
        fmt::format("{} namespaces=\"{}\" {}", request.name.empty() ? "NAME" : request.name,
                    kSignatureNamespace, out.made.public_line);
  return out;
}

Json signed_json(const SignedStore& done) {
  return {{"kind", "signature"}, {"store", done.store},  {"signature", done.made.path.string()},
          {"runs", done.runs},   {"key", done.made.key}, {"signers_line", done.signers_line}};
}

}  // namespace cupel
