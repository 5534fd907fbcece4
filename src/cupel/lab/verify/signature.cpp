#include "cupel/lab/verify/signature.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/paths.h"
#include "cupel/base/regular_file.h"
#include "cupel/base/write_file.h"
#include "cupel/lab/isolation/process.h"
#include "cupel/lab/isolation/visible_paths.h"
#include "cupel/lab/store/sqlite.h"
#include "cupel/lab/store/store_rows.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostSignature = 1 << 16;  // bytes; those of RSA keys have 3 000
constexpr std::uint64_t kMostSigners = 1 << 22;
constexpr std::string_view kBegin = "-----BEGIN SSH SIGNATURE-----";
constexpr std::string_view kEnd = "-----END SSH SIGNATURE-----";

// --- the text ---

std::string outcome_of(const std::string& family, int split, int init, const RunRecord& record) {
  Row row;
  row.run = {split, init, record};
  row.loss = record.valid_loss;
  return outcome_hash(family, row);
}

// Stores that asked for the same runs in one request or in several say the same: what lies within
// another request says nothing.
std::vector<std::pair<int, int>> outermost(const std::vector<std::pair<int, int>>& asked) {
  std::vector<std::pair<int, int>> out;
  for (const auto& one : asked) {
    const auto holds = [&](const std::pair<int, int>& other) {
      return other != one && other.first >= one.first && other.second >= one.second;
    };
    if (std::ranges::none_of(asked, holds)) out.push_back(one);
  }
  std::ranges::sort(out);
  return out;
}

std::string hash_of(const Store& store, const std::string& version, const StoredCell& cell) {
  Hasher hasher;
  hasher.field(version).field(cell.table).field(cell.dataset).field(cell.model);
  hasher.field(cell.metric).field(cell.family).field(cell.configuration).field(cell.stratum);
  for (const int number :
       {cell.first_split, int{cell.deterministic}, cell.full_splits, cell.full_inits, cell.classes})
    hasher.field(std::int64_t{number});
  for (const auto& [splits, inits] : outermost(cell.asked))
    hasher.field(std::int64_t{splits}).field(std::int64_t{inits});
  if (const auto looks = store.looks(version, {cell.table, cell.dataset, cell.model}))
    hasher.field("looks").field(std::int64_t{looks->splits}).field(std::int64_t{looks->inits});
  return hasher.hex();
}

// "runs 10 SHA256", whatever order they came in.
std::string line_of(const char* what, std::vector<std::string> hashes) {
  std::ranges::sort(hashes);
  Hasher hasher;
  for (const std::string& hash : hashes) hasher.field(hash);
  return fmt::format("{} {} {}\n", what, hashes.size(), hasher.hex());
}

// --- ssh-keygen ---

// What stands on a program's standard input, and what it writes to its standard output.
class TextTalk : public Talk {
 public:
  explicit TextTalk(std::string text) : text_(std::move(text)) {}
  Reply begin() override { return {text_, true}; }
  Reply hear(const std::string& line) override {
    lines.push_back(line);
    return {};
  }
  std::vector<std::string> lines;

 private:
  std::string text_;
};

struct Said {
  int code = 0;
  std::vector<std::string> lines;  // of its standard output
  std::string first, last;         // of the lines that it said, for messages
  bool too_open = false;           // it refuses a key that others may read
};

// What finds keys that an agent holds, and asks for a passphrase where there is a desktop.
std::vector<std::string> environment() {
  std::vector<std::string> out = {"LC_ALL=C"};
  for (const char* name : {"PATH", "HOME", "SSH_AUTH_SOCK", "SSH_ASKPASS", "DISPLAY",
                           "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"})
    if (const char* value = std::getenv(name)) out.push_back(fmt::format("{}={}", name, value));
  return out;
}

fs::path program_there() {
  fs::path out = find_program("ssh-keygen", "/");
  if (out.empty())
    fail(
        "ssh-keygen is not there, by which stores are signed and signatures are checked; install "
        "the client of OpenSSH 8.2 or later (Debian: apt-get install openssh-client)");
  return out;
}

Said ssh_keygen(const std::vector<std::string>& arguments, const std::string& input) {
  const fs::path program = program_there();
  TextTalk talk(input);
  ProcessRequest request;
  request.command = {program.string()};
  request.command.insert(request.command.end(), arguments.begin(), arguments.end());
  request.environment = environment();
  request.talk = &talk;
  const ProcessResult result = run_process(request);
  if (result.end != ProcessResult::End::kExit)
    fail("{}: cannot be run; run `{} -Y` to see why", program.string(), program.string());
  Said out{result.code, std::move(talk.lines),
           result.output.substr(0, result.output.find_first_of("\r\n")), result.output,
           result.output.find("are too open") != std::string::npos};
  while (!out.last.empty() && (out.last.back() == '\n' || out.last.back() == '\r'))
    out.last.pop_back();
  out.last.erase(0, out.last.find_last_of("\r\n") + 1);
  return out;
}

std::string full_path(const fs::path& path) { return absolute_path(path).string(); }

Said checked_by_itself(const std::string& text, const fs::path& signature) {
  return ssh_keygen(
      {"-Y", "check-novalidate", "-n", kSignatureNamespace, "-s", full_path(signature)}, text);
}

// The key in `Good "cupel-store" signature with ED25519 key SHA256:...`; empty if it is not good.
std::string key_of(const Said& said) {
  if (said.code != 0) return "";
  constexpr std::string_view kWith = " with ";
  for (const std::string& line : said.lines)
    if (const auto at = line.find(kWith); at != line.npos) return line.substr(at + kWith.size());
  return "key";
}

// What is wrong with a file that is no signature of any store, whatever the store holds: a phrase;
// empty if it is one. By PROTOCOL.sshsig of OpenSSH: the base64 of "SSHSIG", a version, a key and a
// namespace, in armour.
std::string fault_of_signature(const std::string& text, const Said& said) {
  if (text.empty()) return "it is empty";
  if (text.find('\r') != text.npos)
    return "its lines end as those of Windows do; `sed -i 's/\\r$//'` mends that";
  if (!text.starts_with(kBegin)) return "it does not begin as a signature of ssh-keygen does";
  if (text.find(fmt::format("\n{}", kEnd)) == text.npos) return "it is cut off";
  // ssh-keygen tells a wrong text by these words, in all versions so far, and all else by others.
  if (said.first.find("incorrect signature") != said.first.npos) return "";
  return fmt::format("ssh-keygen says: {}", said.first);
}

// The text without its lines up to the first whose names are these, written as in the file.
std::string after_line_of(const std::string& names, const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::size_t first = std::min(text.find_first_not_of(" \t\"", begin), end);
    if (std::string_view(text).substr(first).starts_with(names)) return text.substr(end);
    begin = end;
  }
  return "";
}

// The names that lines of the signers have for the key, each once; none if no line has it.
// ssh-keygen tells those of the first line with the key, so that it is asked again without that.
std::vector<std::string> principals_of(const fs::path& signature, const fs::path& signers) {
  std::vector<std::string> out;
  for (std::string text = read_small_file(signers, kMostSigners); !text.empty();) {
    const Said said =
        ssh_keygen({"-Y", "find-principals", "-s", full_path(signature), "-f", "/dev/stdin"}, text);
    if (said.code != 0 || said.lines.empty()) break;
    const std::string names = fmt::format("{}", fmt::join(said.lines, ","));
    std::istringstream each(names);
    for (std::string name; std::getline(each, name, ',');)
      // What begins with '!' is who is left out of a pattern.
      if (!name.starts_with('!') && std::ranges::find(out, name) == out.end()) out.push_back(name);
    text = after_line_of(names, text);
  }
  return out;
}

std::string public_line_of(const fs::path& key) {
  const fs::path path = key.extension() == ".pub" ? key : fs::path(key.string() + ".pub");
  if (!is_there(path)) return "";
  const std::string text = read_small_file(path, kMostSignature);
  // Type and key; a comment comes after them.
  const auto type = text.find(' ');
  const auto end = text.find_first_of(" \r\n", type == text.npos ? type : type + 1);
  return type == text.npos ? "" : text.substr(0, end);
}

}  // namespace

std::string results_text(const Store& store) {
  std::vector<std::string> protocols, cells, runs, conflicts;
  for (const StoredProtocol& protocol : store.protocols()) {
    protocols.push_back(Hasher()
                            .field(protocol.name)
                            .field(protocol.version)
                            .field(protocol.text)
                            .field(protocol.published_text)
                            .hex());
    for (const StoredCell& cell : store.cells(protocol.version))
      cells.push_back(hash_of(store, protocol.version, cell));
  }
  for (const std::string& family : store.families())
    for (const StoredRun& run : store.runs(family))
      runs.push_back(outcome_of(family, run.split, run.init, run.record));
  for (const StoredConflict& conflict : store.conflicts())
    for (const ConflictSide& side : conflict.sides)
      conflicts.push_back(outcome_of(conflict.family, conflict.split, conflict.init, side.record));
  return "cupel store results, 1\n" + line_of("protocols", std::move(protocols)) +
         line_of("cells", std::move(cells)) + line_of("runs", std::move(runs)) +
         line_of("conflicts", std::move(conflicts));
}

void check_ssh_keygen() { (void)program_there(); }

void check_signers(const fs::path& signers) { (void)read_small_file(signers, kMostSigners); }

fs::path signature_path(const fs::path& store) { return store.string() + ".sig"; }

MadeSignature sign_text(const std::string& text, const fs::path& key, const fs::path& path) {
  if (!is_there(key))
    fail("key {}: there is no such file; `ssh-keygen -t ed25519 -f {}` makes one", key.string(),
         key.string());
  check_writable(path);
  const Said said =
      ssh_keygen({"-Y", "sign", "-f", full_path(key), "-n", kSignatureNamespace}, text);
  if (said.too_open)
    fail("key {}: others may read it, so that ssh-keygen does not sign with it; `chmod 600 {}`",
         key.string(), key.string());
  const auto begin = std::ranges::find(said.lines, kBegin);
  const auto end = std::find(begin, said.lines.end(), kEnd);
  if (said.code != 0 || end == said.lines.end())
    fail(
        "key {}: ssh-keygen does not sign with it ({}); of a key with a passphrase, `ssh-add {}` "
        "first and give its .pub file",
        key.string(), said.last, key.string());
  MadeSignature out{path, "", public_line_of(key)};
  write_file(path, fmt::format("{}\n", fmt::join(begin, end + 1, "\n")));
  out.key = key_of(checked_by_itself(text, path));
  return out;
}

const char* to_word(SignatureCheck::State state) {
  switch (state) {
    case SignatureCheck::State::kTampered:
      return "tampered";
    case SignatureCheck::State::kUnknown:
      return "unknown";
    case SignatureCheck::State::kSigned:
      return "signed";
    case SignatureCheck::State::kUnsigned:
      break;
  }
  return "unsigned";
}

SignatureCheck check_signature(const fs::path& store, const std::optional<fs::path>& signers) {
  using State = SignatureCheck::State;
  const std::string name = store.string();
  const fs::path path = signature_path(store);
  if (signers) check_signers(*signers);
  if (!is_there(path))
    return {State::kUnsigned, "", "",
            fmt::format("{} is unsigned: there is no {}; `cupel sign {} --key FILE` makes it", name,
                        path.string(), name)};
  const std::string signature = read_small_file(path, kMostSignature);
  SignatureCheck out;
  std::string text;
  try {
    text = results_text(Store(store, Store::Mode::kOpen));
  } catch (const DamagedFile&) {
    out.state = State::kTampered;
    out.sentence = fmt::format(
        "{} is not as it was kept, so that no signature is of it; take a copy from before", name);
    return out;
  }
  const Said said = checked_by_itself(text, path);
  out.key = key_of(said);
  if (out.key.empty()) {
    out.state = State::kTampered;
    const std::string fault = fault_of_signature(signature, said);
    if (!fault.empty()) {
      out.sentence = fmt::format(
          "{} is not known to be as it was signed: {} is no signature of a store ({}); get that "
          "file again, or ask who signed the store to sign again",
          name, path.string(), fault);
      return out;
    }
    out.sentence = fmt::format(
        "{} is not as it was signed: {} is no signature of the results that it holds now; take a "
        "copy from before, or ask who signed it to sign again",
        name, path.string());
    return out;
  }
  out.state = State::kUnknown;
  if (!signers) {
    out.sentence = fmt::format("{} is signed with {}; no file says whose that is", name, out.key);
    return out;
  }
  const std::vector<std::string> names = principals_of(path, *signers);
  if (names.empty()) {
    out.sentence = fmt::format(
        "{} is signed by somebody unknown: {} has no line that holds now for {} (none, or one "
        "that has expired or says what ssh-keygen does not know); add one if you know whose it is",
        name, signers->string(), out.key);
    return out;
  }
  // One key may have several lines, of which one allows this.
  std::string refusal;
  for (const std::string& signer : names) {
    const Said said = ssh_keygen({"-Y", "verify", "-f", full_path(*signers), "-I", signer, "-n",
                                  kSignatureNamespace, "-s", full_path(path)},
                                 text);
    if (said.code == 0) {
      out.state = State::kSigned;
      out.signer = signer;
      out.sentence = fmt::format("{} is signed by {} ({})", name, signer, out.key);
      return out;
    }
    refusal = said.last;
  }
  out.sentence = fmt::format(
      "{} is signed with the {} of {}, which {} does not allow for this ({}); mend its line", name,
      out.key, fmt::join(names, ", "), signers->string(), refusal);
  return out;
}

}  // namespace cupel
