// Whether a store says what was computed, who answers for it, and what is drawn of it to be done
// again.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cupel/lab/plan/sources.h"
#include "cupel/lab/verify/signature.h"
#include "cupel/lab/verify/verify.h"

namespace cupel {

// Which runs are done again, in the spelling of users.
struct RerunRequest {
  int runs = 0;        // how many; 0: none
  std::string seed;    // of the draw; empty: one that nobody knows beforehand
  int jobs = 0;        // at a time; 0: one per processor
  std::string memory;  // limit for all together, "8G"; empty: four fifths of what is free
};
// Nothing for no runs. Throws Error, in the name of a command, for what is no size, and where
// something is said of runs and there are none.
[[nodiscard]] std::optional<RerunOptions> rerun_options(const std::string& command,
                                                        const RerunRequest& request);

struct Verification {
  std::string store;    // as it was named
  std::string signers;  // the file of those who may sign; empty: nobody asked
  StoreCheck check;
  std::optional<SignatureCheck> signature;
  std::string unchecked;  // why a signature that is there was not checked
  std::optional<Rerun> rerun;
  RerunOptions asked;    // of `rerun`
  bool stopped = false;  // before all runs were done again
};

// Looks at all of a store, and at the signature beside it: whether that is of these results needs
// no list of who may sign. Where there is none and no ssh-keygen either, `unchecked` says so.
// Throws Error as check_store() and check_signature() do.
[[nodiscard]] Verification verify_store(const std::string& store, const std::string& signers = {});

// Does runs of it again, unless something is wrong already: then that is not worth doing. The store
// is not changed.
void verify_runs(Verification& found, const PlanSources& sources, const RerunOptions& options);

// The end of it in a sentence.
struct VerificationVerdict {
  bool holds = false;  // nothing was found that does not
  bool all = false;    // and everything was looked at that was to be
  std::string sentence;
};
[[nodiscard]] VerificationVerdict verdict_of(const Verification& found);

// As `cupel verify --json` prints it.
[[nodiscard]] nlohmann::ordered_json verification_json(const Verification& found);

struct SignRequest {
  std::string store;
  std::string key;   // a private key, or the public one of a key that ssh-agent holds
  std::string name;  // what the line for files of signers calls its owner; empty: NAME
};
// Throws Error for a name that such a file cannot hold.
void check(const SignRequest& request);

// What would be signed: results_text(). Throws Error for a store that is not whole: who signs
// answers for what is there.
[[nodiscard]] std::string text_to_sign(const std::string& store);

struct SignedStore {
  std::string store;
  std::int64_t runs = 0;
  MadeSignature made;
  std::string
      signers_line;  // for the file of signers of whoever checks it; empty: see MadeSignature
};
// Signs a store, into STORE.sig. Throws Error as check(), text_to_sign() and sign_text() do.
[[nodiscard]] SignedStore sign_store(const SignRequest& request);

// As `cupel sign --json` prints it.
[[nodiscard]] nlohmann::ordered_json signed_json(const SignedStore& done);

}  // namespace cupel
