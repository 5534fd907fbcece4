// Who answers for the results of a store: signatures by OpenSSH's ssh-keygen.
//
// A seal has no key; a signature has one. It lies beside the store, in STORE.sig, and is of a short
// text that the results alone decide, so that a store from another machine with the same results
// has the same one. docs/leaderboard.md says what is in it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cupel/lab/store/store.h"

namespace cupel {

// By which ssh-keygen tells what a signature is for.
inline constexpr const char* kSignatureNamespace = "cupel-store";

// What is signed: how many protocols, cells, runs and conflicts there are, and a SHA-256 of each of
// these. Protocols are their texts and published values, cells what was asked for, runs their ids
// and outcomes (status, scores, losses, epochs). Time, memory, messages and isolation are of a
// machine and do not enter, nor does the order in which anything came. Throws DamagedFile if a run
// is not as it was kept.
[[nodiscard]] std::string results_text(const Store& store);

// STORE.sig.
[[nodiscard]] std::filesystem::path signature_path(const std::filesystem::path& store);

struct MadeSignature {
  std::filesystem::path path;
  std::string key;          // "ED25519 key SHA256:..."
  std::string public_line;  // "ssh-ed25519 AAAA...", where KEY.pub lies beside the key; else empty
};

// Signs `text` and writes the signature to `path`, whole. `key` is a private key, or the public one
// of a key that ssh-agent holds. Throws Error if ssh-keygen is not there or refuses the key, or if
// the file cannot be written.
MadeSignature sign_text(const std::string& text, const std::filesystem::path& key,
                        const std::filesystem::path& path);

// Throws Error, with the way out, where ssh-keygen is not there.
void check_ssh_keygen();
// Throws Error if the file cannot be read.
void check_signers(const std::filesystem::path& signers);

struct SignatureCheck {
  enum class State {
    kUnsigned,
    kTampered,  // there is a signature, and it is not of these results, or is none
    kUnknown,   // of these results, by nobody whom the signers list
    kSigned,
  };
  State state = State::kUnsigned;
  std::string signer;    // of kSigned: as the signers call the owner of the key
  std::string key;       // "ED25519 key SHA256:..." where the signature is of these results
  std::string sentence;  // what to tell; begins with the path of the store
};

[[nodiscard]] const char* to_word(SignatureCheck::State state);  // "unsigned", "tampered", ...

// Whether the signature beside the store is of its results, and by whom. `signers` is a file as of
// ssh-keygen(1), ALLOWED SIGNERS: a name and a public key in each line; without one every signature
// of these results is kUnknown. Results that are not as they were kept are nobody's. Throws Error
// if `signers` cannot be read, or if there is a signature and no store or no ssh-keygen.
[[nodiscard]] SignatureCheck check_signature(const std::filesystem::path& store,
                                             const std::optional<std::filesystem::path>& signers);

}  // namespace cupel
