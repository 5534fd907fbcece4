// cupel fetch: get the files of data sets.
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/api/fetched.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::vector<std::string> names, tables;
  DataArgument data;
  bool offline = false, check = false, json = false;
};

std::string files_text(const std::vector<FetchedOf>& fetched) {
  std::string out;
  for (const auto& [recipe, file] : fetched)
    out +=
        fmt::format("{}  {}  {}\n", file.path.string(), byte_text(static_cast<double>(file.bytes)),
                    file.mirror.empty() ? "was there" : "from " + file.mirror);
  return out;
}

int fetch_files(const Arguments& arguments, const FetchList& list,
                const std::filesystem::path& folder) {
  const Interrupt interrupt("");
  StatusLine status;
  FetchOptions options;
  options.offline = arguments.offline;
  std::vector<FetchedOf> fetched;
  try {
    fetched = fetch_all(list, folder, options, [&](const FetchProgress& now) {
      status.show(fetch_text(now));
      return !interrupt.flag();
    });
  } catch (const Error&) {
    if (!interrupt.flag()) throw;
    status.clear();
    print_note("stopped; what was downloaded is kept, and the same command again goes on");
    return interrupt.exit_code();
  }
  status.clear();
  print_out(arguments.json ? json_text(fetched_json(fetched)) : files_text(fetched));
  return kDone;
}

int check_all(const Arguments& arguments, const std::vector<const Recipe*>& wanted) {
  FetchOptions options;
  options.offline = arguments.offline;
  Json list = Json::array();
  std::string text;
  bool all = true;
  for (const Recipe* recipe : wanted) {
    bool any = false;
    for (const MirrorCheck& check : check_mirrors(*recipe, options)) {
      any = any || check.ok;
      text += fmt::format("{}  {}  {}\n", check.ok ? "ok " : "bad", check.mirror,
                          !check.ok         ? check.problem
                          : check.bytes > 0 ? byte_text(static_cast<double>(check.bytes))
                                            : "size not told");
      list.push_back({{"dataset", recipe->name},
                      {"file", check.file},
                      {"mirror", check.mirror},
                      {"ok", check.ok},
                      {"bytes", check.bytes},
                      {"problem", check.problem}});
    }
    all = all && any;
  }
  print_out(arguments.json ? json_text(list) : text);
  if (all) return kDone;
  print_error("no mirror of at least one data set answers");
  return kBadInput;
}

int perform(const Arguments& arguments) {
  // Not DataArgument::folder(): a folder that is to be filled need not be there yet.
  const std::filesystem::path folder = data_folder(arguments.data.given);
  const FetchList list =
      fetch_list(split_list(arguments.names), split_list(arguments.tables), folder);
  for (const std::string& text : list.left) print_note("not fetched: " + text);
  if (list.recipes.empty()) print_note("there is nothing to fetch");
  return arguments.check ? check_all(arguments, list.recipes)
                         : fetch_files(arguments, list, folder);
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("NAME", arguments->names,
                  "Data sets of the catalog, or protocols: all that their\ntables need");
  add_list(syntax, "--tables", arguments->tables,
           "Only what these tables of a protocol need, by id");
  syntax.flag("--offline", arguments->offline, "Open no connection: verify what is there");
  syntax.flag("--check", arguments->check, "Only ask each mirror whether it has the files");
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  syntax.footer(
      wrap("A name of both is the data set's; a protocol in a file is given by its path. What a "
           "protocol needs and nobody offers is named, with where it comes from."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_fetch;
const Command command_fetch = {Topic::kDataSets, "fetch", "Download data sets and verify them",
                               declare};

}  // namespace cupel::cli
