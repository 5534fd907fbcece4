// cupel check-model: what is wrong with a program that is to be a model.
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/shell.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"
#include "cupel/data/formats/text.h"
#include "cupel/lab/verify/check_model.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string protocol;
  std::vector<std::string> models;
  std::optional<double> timeout;
  DataArgument data;
  bool json = false;
};

// The programs of the protocol, or those that were named.
std::vector<const ModelRow*> rows_of(const Protocol& protocol, const Arguments& arguments) {
  std::vector<const ModelRow*> out;
  for (const std::string& name : split_list(arguments.models)) {
    const ModelRow* row = protocol.find_model(name);
    if (row == nullptr || !row->external)
      fail("check-model: {} has no row '{}' with a command", arguments.protocol, name);
    out.push_back(row);
  }
  if (!out.empty()) return out;
  for (const ModelRow& row : protocol.models)
    if (row.external) out.push_back(&row);
  if (out.empty())
    fail("check-model: no row of {} has a command; docs/protocols.md tells how a program is a row",
         arguments.protocol);
  return out;
}

// What cannot be started is bad; rows after it are still looked at.
std::vector<ModelCheck> checks_of(const Protocol& protocol, const ModelRow& row,
                                  const PlanSources& sources, const Executor& executor,
                                  const RunLimits& limits, const std::optional<double>& timeout) {
  try {
    return check_model(protocol, row, sources, executor, limits, timeout);
  } catch (const NotStarted& error) {
    return {{ModelCheck::Outcome::kBad, error.what()}};
  }
}

// Whether all is good; prints each row as it comes.
bool check_all(const Arguments& arguments, const std::atomic<bool>& interrupt) {
  if (arguments.protocol.ends_with(".py"))
    fail(
        "check-model: {} is Python; `python -m cupel check-model {}` looks at its functions, and a "
        "program is looked at by the protocol that has it as a row",
        in_quotes(arguments.protocol), shell_word(arguments.protocol));
  const Protocol protocol = load_protocol(arguments.protocol);
  const PlanSources sources = plan_sources(arguments.data.folder());
  const std::unique_ptr<Executor> executor = make_executor({arguments.data.folder()});
  bool bad = false;
  Json rows = Json::array();
  for (const ModelRow* row : rows_of(protocol, arguments)) {
    Columns columns("lw");
    const std::vector<ModelCheck> checks =
        checks_of(protocol, *row, sources, *executor, {{}, &interrupt}, arguments.timeout);
    for (const ModelCheck& check : checks) {
      bad = bad || check.outcome == ModelCheck::Outcome::kBad;
      columns.row({word_of(check.outcome), check.text});
    }
    rows.push_back({{"model", row->name}, {"checks", checks_json(checks)}});
    if (!arguments.json) print_out(row->name + "\n" + columns.text());
  }
  if (arguments.json) print_out(json_text(rows));
  return !bad;
}

int perform(const Arguments& arguments) {
  const Interrupt interrupt("\ncupel: stopping; once more to quit at once\n");
  try {
    return check_all(arguments, interrupt.flag()) ? kDone : kRunsFailed;
  } catch (const Interrupted&) {
    return interrupt.exit_code();
  }
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("PROTOCOL", arguments->protocol, "A file with rows that have a command");
  add_list(syntax, "--models", arguments->models, "Only these rows");
  syntax.number("--timeout", "SECONDS", arguments->timeout,
                "Limit of one run (default: 20, or the row's where it\nis less)");
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  syntax.footer(wrap(
      "Each program is run some times on made data, as a run and as a search do it, which takes "
      "seconds. Ends with 1 if one of them fails. `python -m cupel check-model FILE.py` does the "
      "same with functions of Python."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_check_model;
const Command command_check_model = {Topic::kRuns, "check-model",
                                     "What is wrong with a program as a model", declare};

}  // namespace cupel::cli
