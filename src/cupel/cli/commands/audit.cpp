// cupel audit: what is wrong with a data set, and a cleaned copy of it.
#include <algorithm>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "cupel/api/audit.h"
#include "cupel/api/fact_audit.h"
#include "cupel/api/link_audit.h"
#include "cupel/api/load.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/paths.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/command.h"
#include "cupel/cli/findings.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/data/audit/fix.h"
#include "cupel/data/catalog/catalog.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Arguments {
  std::string name, store, fix, out, directed, fail_on, rule;
  LinkAuditRequest links;
  DataArgument data;
  FactsMemoryArgument memory;
  bool json = false;
};

// Arguments that contradict each other, found before anything is read.
void check(const Arguments& arguments) {
  (void)fail_severity(arguments.fail_on);
  (void)read_copy_rule(arguments.rule);
  check(arguments.links);
  if (!arguments.links.split.empty()) {
    const std::pair<const char*, const std::string*> others[] = {
        {"--store", &arguments.store},
        {"--fix", &arguments.fix},
        {"--directed", &arguments.directed},
        {"--rule", &arguments.rule}};
    for (const auto& [option, value] : others)
      if (!value->empty())
        fail("audit: {} is of the data set, and --split is of links; audit them one by one",
             option);
  }
  if (!arguments.fix.empty() && arguments.out.empty())
    fail("audit: --fix needs --out FILE, the file that the cleaned copy is written to");
  if (arguments.fix.empty() && !arguments.out.empty())
    fail("audit: --out goes with --fix; without it nothing is written");
  // What is written, a file or a folder, is known once the data set is.
  std::error_code ignored;
  if (!arguments.out.empty() && !fs::is_directory(arguments.out, ignored))
    check_writable(plain_path(arguments.out));
}

// Once it is known what the data set is.
void check(const Arguments& arguments, const Dataset& dataset) {
  if (dataset.graphs && !arguments.directed.empty())
    fail("audit: --directed goes with one graph, and {} is a set of {} graphs", arguments.name,
         dataset.graphs->size());
  if (!arguments.out.empty()) check_copy_path(dataset, arguments.out);
}

// ---- the cleaned copy ---------------------------------------------------------------------------

std::vector<std::string> wanted_fixes(const std::string& text) {
  if (text.empty() || text == "true") return {};
  return split_list({text});
}

std::string fixed_text(const CleanedCopy& copy) {
  const Json& provenance = copy.provenance;
  std::string out = fmt::format("\nWrote {}\n", copy.path.string());
  Columns columns("lrw");
  columns.row({"FIX", "COUNT", ""});
  for (const Json& operation : provenance["operations"])
    columns.row({operation["id"], grouped(operation["count"]), operation["what"]});
  out += columns.text();
  const Json& first = provenance["operations"].front();
  const Json& result = provenance["result"];
  out += wrap(fmt::format("{}{} of {}, {} of {}; what was done is in {}",
                          result.contains("graphs")
                              ? fmt::format("{} of {}, ", counted(result["graphs"], "graph"),
                                            grouped(first["graphs_before"]))
                              : "",
                          counted(result["nodes"], "node"), grouped(first["nodes_before"]),
                          counted(result["arcs"], "arc"), grouped(first["arcs_before"]),
                          copy.provenance_path.string()),
              2);
  if (result.contains("not_written"))
    out += wrap(fmt::format("The copy lacks {}.", result["not_written"][0].get<std::string>()), 2);
  for (const Json& operation : provenance["operations"]) {
    if (operation.contains("dropped_splits"))
      out +=
          wrap(fmt::format("{} left a part empty in splits {}, which are dropped",
                           operation["id"].get<std::string>(), operation["dropped_splits"].dump()),
               2);
    if (operation.contains("lost_classes"))
      out += wrap(fmt::format("{} left nothing of the classes {}",
                              operation["id"].get<std::string>(), operation["lost_classes"].dump()),
                  2);
  }
  return out;
}

// ---- the command --------------------------------------------------------------------------------

AuditRequest request_of(const Arguments& arguments) {
  return {.name = arguments.name,
          .data_folder = arguments.data.folder(),
          .directed = arguments.directed,
          .rule = arguments.rule,
          .store = arguments.store};
}

// Facts over time: of the options, --split, --fail-on and --json are about them.
int perform_on_facts(const Arguments& arguments, const fs::path& place) {
  refuse_what_is_of_graphs(arguments.name, request_of(arguments), arguments.links,
                           {{"--fix", !arguments.fix.empty()}, {"--out", !arguments.out.empty()}});
  (void)fail_severity(arguments.fail_on);
  arguments.memory.hold_against(place);
  const AuditReport report = audit_facts_of(place, arguments.links.split);
  print_out(arguments.json ? json_text(report_json(report)) : report_text(report));
  return exit_code(report.findings, arguments.fail_on);
}

int perform(const Arguments& arguments) {
  if (const auto place = place_of_facts(arguments.name, arguments.data.folder()))
    return perform_on_facts(arguments, *place);
  check_name(arguments.name);  // which options there are depends on what it is
  if (!arguments.memory.given.empty())
    fail("audit: --memory is about facts over time, and {} is none; leave it out", arguments.name);
  check(arguments);
  const Dataset dataset =
      load_dataset(arguments.name, arguments.data.folder(), ReadMode::kForAudit);
  check(arguments, dataset);
  AuditReport report;
  std::optional<CleanedCopy> copy;
  if (arguments.fix.empty()) {
    report = audit_of(dataset, request_of(arguments), arguments.links);
  } else {
    const DatasetAudit audited(dataset, request_of(arguments));
    report = audited.report();
    copy = audited.fixed(wanted_fixes(arguments.fix), arguments.out, "cupel " CUPEL_VERSION);
  }
  if (arguments.json) {
    Json out = report_json(report);
    if (copy) out["fixed"] = {{"path", arguments.out}, {"provenance", copy->provenance}};
    print_out(json_text(out));
  } else {
    print_out(report_text(report) + (copy ? fixed_text(*copy) : ""));
  }
  return exit_code(report.findings, arguments.fail_on);
}

std::string checks_footer() {
  const auto listed = [](const std::vector<FixKind>& kinds) {
    Columns columns("llw");
    for (const FixKind& kind : kinds) columns.row({kind.safe ? "*" : "", kind.id, kind.doc});
    return columns.text();
  };
  return "Fixes; those with * are done unless others are named:\n" + listed(fix_kinds()) +
         "\nFixes of a set of graphs:\n" + listed(set_fix_kinds());
}

void add_link_audit(Syntax& syntax, LinkAuditRequest& arguments) {
  syntax.group("Links")
      .text("--split", "SCHEME|FILE", arguments.split,
            "Audit splits of links instead: \"links\",\n\"links:train=85;valid=5;test=10\", or a "
            "JSON\nfile of pairs. Of facts over time: the last times\nof training, validation and "
            "test, "
            "2018,2019,2021,\nor shares of the facts, 0.7,0.85")
      .text("--negatives", "KIND", arguments.negatives,
            "What links are ranked against (default:\nuniform): \"heart:count=500\"; `cupel list "
            "negatives`\nhas the kinds")
      .count("--members", arguments.members,
             "How many splits of the scheme (default: 1; of a\nfile all)")
      .text("--hits", "K,K", arguments.hits, "Tell whether hits@K can be measured")
      .text("--prepare", "STEPS", arguments.prepare,
            "Steps to do first, with commas (default: those of\nthe catalog)");
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("NAME|FILE", arguments->name, "A data set by name or path");
  syntax.text("--store", "FILE", arguments->store, "A store with runs on it: does the graph help?");
  syntax.text("--fail-on", "SEVERITY", arguments->fail_on,
              "End with exit code 1 if there is a finding of\nthis severity (error, warning or "
              "info) or above");
  syntax.text("--directed", "NAME|FILE", arguments->directed,
              "The same graph with the direction of its arcs,\nwhich duplicate-nodes needs "
              "(default: the\ncatalog's)");
  syntax.text(
      "--rule", "NAME", arguments->rule,
      "Which nodes duplicate-nodes calls copies:\nbeyond-chance (default), or wikipedia: all "
      "that\nthe rule of Platonov et al. (2023) takes");
  syntax.flag_or_text("--fix", arguments->fix,
                      "Write a cleaned copy; --fix=ID,ID does these\nfixes only");
  syntax.text("--out", "FILE", arguments->out,
              "The copy: an npz file, or of a set of graphs a\nfolder; and FILE.provenance.json "
              "with what was\ndone");
  add_facts_memory(syntax, arguments->memory);
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  add_link_audit(syntax, arguments->links);
  syntax.footer(checks_footer());
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_audit;
const Command command_audit = {Topic::kDataSets, "audit",
                               "What is wrong with a data set; a cleaned copy", declare};

}  // namespace cupel::cli
