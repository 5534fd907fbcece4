// cupel report: tables and figures from a store.
#include <cctype>
#include <memory>
#include <vector>

#include "cupel/judge/report/report.h"

#include "cupel/base/error.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/judge/report/figures/figures.h"
#include "cupel/lab/run/results_loader.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string what, store, protocol, format, out, figures;
  std::optional<double> delta;
  std::vector<std::string> tables, datasets, models;
  bool json = false;
};

bool is_store(const std::string& what) {
  const fs::path path(what);
  if (path.extension() == ".toml") return false;
  std::error_code error;
  return path.extension() == ".sqlite" || fs::exists(path, error);
}

// The format that was asked for, else the one that the file's name means.
const Format& chosen_format(const Arguments& arguments) {
  if (arguments.json && !arguments.format.empty() && arguments.format != "json")
    fail("report: --json and --format {} contradict each other", arguments.format);
  if (arguments.json) return find_format("json");
  if (!arguments.format.empty()) return find_format(arguments.format);
  std::string extension = fs::path(arguments.out).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::vector<std::string> known;
  for (const Format* format : formats()) {
    known.push_back(std::string(".") + format->extension);
    if (extension == known.back()) return *format;
  }
  if (!extension.empty())
    fail(
        "report: --out {}: there is no format for '{}'; known are {}; --format FORMAT takes any "
        "name",
        arguments.out, extension, fmt::join(known, ", "));
  return find_format("text");
}

Results results_of(const Arguments& arguments) {
  if (is_store(arguments.what)) {
    if (!arguments.store.empty())
      fail("report: '{}' is a store already; --store goes with the name of a protocol",
           arguments.what);
    return load_results(Store(arguments.what, Store::Mode::kOpen), arguments.protocol);
  }
  if (!arguments.protocol.empty())
    fail("report: '{}' is a protocol already; --protocol goes with a store", arguments.what);
  const Protocol protocol = load_protocol(arguments.what);
  const std::string path = arguments.store.empty() ? protocol.name + ".sqlite" : arguments.store;
  return load_results(Store(path, Store::Mode::kOpen), protocol);
}

int perform(const Arguments& arguments) {
  const Format& format = chosen_format(arguments);
  if (!arguments.out.empty()) check_writable(arguments.out);
  Results results = narrowed(
      results_of(arguments),
      {split_list(arguments.tables), split_list(arguments.datasets), split_list(arguments.models)});
  if (arguments.delta) set_delta(results, *arguments.delta);
  const std::string text = render(results, format);
  if (!arguments.figures.empty()) {
    for (const fs::path& path : write_figures(results, arguments.figures))
      print_note("wrote " + path.string());
  }
  if (arguments.out.empty()) {
    print_out(text);
  } else {
    write_file(arguments.out, text);
    print_note("wrote " + arguments.out);
  }
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  std::vector<std::string> names;
  for (const Format* format : formats()) names.push_back(format->name);
  syntax.required("STORE|PROTOCOL", arguments->what,
                  "The file of a store, or a protocol (its store is\nPROTOCOL.sqlite)");
  syntax.text("--store", "FILE", arguments->store, "The store, where PROTOCOL is given");
  syntax.text("--protocol", "NAME", arguments->protocol,
              "Which protocol of STORE, or an older version of it,\nNAME@VERSION (default: the "
              "last run)");
  add_list(syntax, "--tables", arguments->tables, "Only these tables, by id");
  add_list(syntax, "--datasets", arguments->datasets, "Only these columns");
  add_list(syntax, "--models", arguments->models, "Only these rows");
  syntax.text("--format", "FORMAT", arguments->format,
              fmt::format("{}\n(default: what FILE ends in, else text)", fmt::join(names, ", ")));
  syntax.text("--out", "FILE", arguments->out, "Write to this file instead of standard output");
  syntax.text("--figures", "DIR", arguments->figures, "Also write box plots into this folder");
  syntax.number("--delta", "POINTS", arguments->delta,
                "A gap within it is equivalent to none (default: what the\nprotocol says)");
  add_json(syntax, arguments->json);
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_report;
const Command command_report = {10, "report", "Tables and figures from a store", declare};

}  // namespace cupel::cli
