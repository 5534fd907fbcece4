// cupel sign: to answer for the results of a store.
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/lab/verify/signature.h"
#include "cupel/lab/verify/verify.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string store, key, name;
  bool text = false, json = false;
};

// Who signs answers for what is there: that must be whole.
void check_whole(const std::string& store) {
  const StoreCheck check = check_store(store);
  if (!check.problems.empty())
    fail("sign: {} is not as it was kept: {}", store, check.problems.front());
  if (check.conflicts > 0)
    fail("sign: {} has {} in conflict; `cupel run` does them again first", store,
         counted(check.conflicts, "run"));
}

// A name in a file of signers ends at a blank, and some characters mean something there.
void check_name(const std::string& name) {
  if (name.empty()) return;
  if (name.front() == '#' || name.find_first_of(" \t\r\n\"',*?!") != name.npos)
    fail("sign: --as '{}': a name of a signer has no blank, comma, quote, *, ? or !; give another",
         name);
}

std::string signers_line(const std::string& name, const std::string& public_line) {
  if (public_line.empty()) return "";
  return fmt::format("{} namespaces=\"{}\" {}", name.empty() ? "NAME" : name, kSignatureNamespace,
                     public_line);
}

int perform(const Arguments& arguments) {
  check_name(arguments.name);
  if (arguments.text == !arguments.key.empty())
    fail("sign: give --key FILE to sign, or --text to see what would be signed");
  check_whole(arguments.store);
  const Store store(arguments.store, Store::Mode::kOpen);
  const std::string text = results_text(store);
  if (arguments.text) {
    print_out(text);
    return kDone;
  }
  const MadeSignature made = sign_text(text, arguments.key, signature_path(arguments.store));
  const std::string line = signers_line(arguments.name, made.public_line);
  if (arguments.json) {
    print_out(json_text(Json{{"kind", "signature"},
                             {"store", arguments.store},
                             {"signature", made.path.string()},
                             {"runs", store.run_count()},
                             {"key", made.key},
                             {"signers_line", line}}));
    return kDone;
  }
  std::string out =
      labelled("Signed", fmt::format("{} of {}, with the {}", counted(store.run_count(), "run"),
                                     arguments.store, made.key)) +
      labelled("Signature", made.path.string());
  // Not wrapped: it is to be copied.
  if (!line.empty()) out += "For the file of signers of whoever checks it:\n" + line + "\n";
  print_out(out);
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("STORE", arguments->store, "The file of a store")
      .text("--key", "FILE", arguments->key,
            "A private key of OpenSSH, or the .pub file of one\nthat ssh-agent holds")
      .text("--as", "NAME", arguments->name, "What the line for files of signers calls you")
      .flag("--text", arguments->text, "Print what is signed, and sign nothing");
  add_json(syntax, arguments->json);
  syntax.footer(
      wrap("The signature goes into STORE.sig; `cupel verify STORE --signers FILE` checks it. "
           "docs/leaderboard.md says what a signature covers."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_sign;
const Command command_sign = {Topic::kStores, "sign", "Answer for the results of a store", declare};

}  // namespace cupel::cli
