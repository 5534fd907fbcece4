// cupel sign: to answer for the results of a store.
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/api/verify.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"

namespace cupel::cli {
namespace {

struct Arguments {
  std::string store, key, name;
  bool text = false, json = false;
};

int perform(const Arguments& arguments) {
  const SignRequest request{arguments.store, arguments.key, arguments.name};
  check(request);
  if (arguments.text == !arguments.key.empty())
    fail("sign: give --key FILE to sign, or --text to see what would be signed");
  if (arguments.text) {
    print_out(text_to_sign(arguments.store));
    return kDone;
  }
  const SignedStore done = sign_store(request);
  if (arguments.json) {
    print_out(json_text(signed_json(done)));
    return kDone;
  }
  std::string out =
      labelled("Signed", fmt::format("{} of {}, with the {}", counted(done.runs, "run"), done.store,
                                     done.made.key)) +
      labelled("Signature", done.made.path.string());
  // Not wrapped: it is to be copied.
  if (!done.signers_line.empty())
    out += "For the file of signers of whoever checks it:\n" + done.signers_line + "\n";
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
