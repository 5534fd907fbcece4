// cupel audit: what is wrong with a data set, and a cleaned copy of it.
#include <algorithm>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/paths.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/fix.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/formats/heterophilous_writer.h"
#include "cupel/data/formats/tu_writer.h"
#include "cupel/judge/audit/store_audit.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Arguments {
  std::string name, store, fix, out, directed, fail_on, rule;
  DataArgument data;
  bool json = false;
};

constexpr Severity kSeverities[] = {Severity::kError, Severity::kWarning, Severity::kInfo};

std::optional<Severity> fail_severity(const std::string& text) {
  if (text.empty()) return std::nullopt;
  for (const Severity severity : kSeverities) {
    if (to_text(severity) == text) return severity;
  }
  fail("audit: --fail-on '{}' is none of error, warning, info", text);
}

CopyRule rule_of(const std::string& text) {
  if (text.empty()) return CopyRule::kBeyondChance;
  if (const auto rule = copy_rule_of(text)) return *rule;
  fail("audit: --rule '{}' is none of beyond-chance, wikipedia", text);
}

// Without a '/' at the end.
fs::path plain_path(const fs::path& path) {
  return path.has_filename() || path.empty() ? path : path.parent_path();
}

// Arguments that contradict each other, found before anything is read.
void check(const Arguments& arguments) {
  (void)fail_severity(arguments.fail_on);
  (void)rule_of(arguments.rule);
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
  if (!dataset.graphs) {
    if (!arguments.out.empty()) check_writable(arguments.out);
    return;
  }
  if (!arguments.directed.empty())
    fail("audit: --directed goes with one graph, and {} is a set of {} graphs", arguments.name,
         dataset.graphs->size());
  std::error_code ignored;
  if (!arguments.fix.empty() && fs::is_regular_file(arguments.out, ignored))
    fail("audit: --out {} is a file, and a set of graphs is written as a folder; give another path",
         arguments.out);
}

// ---- the data set and its relatives in the catalog ----------------------------------------------

// The recipe of a name, or of a file with the same content.
const Recipe* recipe_of(const std::string& name, const std::string& hash) {
  if (name.find('/') == std::string::npos) {
    if (const Recipe* recipe = find_recipe(name)) return recipe;
  }
  for (const Recipe& recipe : recipes()) {
    if (!recipe.content_hash.empty() && recipe.content_hash == hash) return &recipe;
  }
  return nullptr;
}

// Its directed version: the one named, or that of the catalog if its files are there.
std::optional<Dataset> directed_version(const Arguments& arguments, const Recipe* recipe) {
  if (!arguments.directed.empty())
    return load_dataset(arguments.directed, arguments.data.folder(), ReadMode::kForAudit);
  const Recipe* directed = recipe ? find_recipe(recipe->name + "-directed") : nullptr;
  if (!directed || !files_present(*directed, arguments.data.folder())) return std::nullopt;
  return load_recipe(*directed, arguments.data.folder() / directed->name);
}

// The files that the data set was read from, as far as they are known.
std::vector<fs::path> sources_of(const Arguments& arguments) {
  if (arguments.name.find('/') == std::string::npos) {
    if (const Recipe* recipe = find_recipe(arguments.name)) {
      std::vector<fs::path> out = {arguments.data.folder() / recipe->name};
      for (const RecipeFile& file : recipe->files)
        out.push_back(arguments.data.folder() / recipe->name / file.name);
      return out;
    }
  }
  std::vector<fs::path> out = {arguments.name};
  std::error_code ignored;
  if (fs::is_directory(arguments.name, ignored)) {
    for (fs::directory_iterator at(arguments.name, ignored), end; !ignored && at != end;
         at.increment(ignored))
      out.push_back(at->path());
  }
  return out;
}

// ---- output -------------------------------------------------------------------------------------

Json finding_json(const Finding& finding) {
  Json evidence = {{"text", finding.evidence}};
  for (const auto& [key, value] : finding.details.items()) evidence[key] = value;
  Json out = {{"id", finding.id}};
  out["severity"] = to_text(finding.severity);
  out["count"] = finding.count;
  out["title"] = finding.title;
  out["evidence"] = evidence;
  out["advice"] = finding.advice;
  return out;
}

std::string summary(const std::string& name, const std::vector<Finding>& findings) {
  if (findings.empty()) return fmt::format("{}: nothing found\n", name);
  std::string counts;
  for (const Severity severity : kSeverities) {
    const auto n = std::count_if(findings.begin(), findings.end(),
                                 [&](const Finding& f) { return f.severity == severity; });
    if (n == 0) continue;
    counts += (counts.empty() ? "" : ", ") + counted(n, to_text(severity));
  }
  return fmt::format("{}: {}\n", name, counts);
}

std::string finding_text(const Finding& finding) {
  std::string severity = to_text(finding.severity);
  std::transform(severity.begin(), severity.end(), severity.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format("\n{} {}\n{}{}{}", severity, finding.id, wrap(finding.title, 2),
                     wrap(finding.evidence, 4), wrap("-> " + finding.advice, 4));
}

// ---- the cleaned copy ---------------------------------------------------------------------------

std::vector<std::string> wanted_fixes(const std::string& text) {
  if (text.empty() || text == "true") return {};
  return split_list({text});
}

Json operation_json(const FixOperation& operation) {
  Json out = {{"id", operation.id}, {"what", operation.doc}, {"count", operation.count}};
  if (operation.graphs_before > 0) {
    out["graphs_before"] = operation.graphs_before;
    out["graphs_after"] = operation.graphs_after;
  }
  out["nodes_before"] = operation.nodes_before;
  out["nodes_after"] = operation.nodes_after;
  out["arcs_before"] = operation.arcs_before;
  out["arcs_after"] = operation.arcs_after;
  if (!operation.dropped_splits.empty()) out["dropped_splits"] = operation.dropped_splits;
  if (!operation.lost_classes.empty()) out["lost_classes"] = operation.lost_classes;
  return out;
}

fs::path provenance_path(const fs::path& out) {
  return plain_path(out).string() + ".provenance.json";
}

// What the classes are in the copy.
Json labels_written(const Dataset& fixed) {
  Json mapping = Json::object();
  if (fixed.graphs) {
    const std::vector<std::string> labels = tu_label_texts(fixed);
    for (std::size_t c = 0; c < labels.size(); ++c) mapping[fixed.class_names[c]] = labels[c];
    return mapping;
  }
  const std::vector<std::int64_t> labels = stored_labels(fixed);
  for (std::size_t c = 0; c < labels.size(); ++c) mapping[fixed.class_names[c]] = labels[c];
  return mapping;
}

// What the copy's format has no place for.
Json not_written(const Dataset& fixed) {
  Json out = Json::array();
  if (fixed.graphs && !fixed.graphs->scaffolds.empty())
    out.push_back("scaffolds, which the split \"scaffold\" needs");
  return out;
}

void write_copy(const Dataset& fixed, const fs::path& out) {
  if (!fixed.graphs) {
    write_heterophilous_npz(fixed, out);
    return;
  }
  write_tu_dataset(fixed, out);
  const Dataset read =
      load_dataset(absolute_path(out).string(), {}, ReadMode::kForAudit);  // a path: it has a '/'
  if (content_hash(read) != content_hash(fixed))
    fail("audit: {} reads back as another data set than was written; use the files that were read",
         out.string());
}

Json write_fixed(const Arguments& arguments, const AuditSubject& subject, const std::string& hash) {
  const fs::path out = plain_path(arguments.out);
  for (const fs::path& source : sources_of(arguments)) {
    std::error_code error;
    if (fs::equivalent(source, out, error) && !error)
      fail("audit: --out {} is what is audited; write to another path", out.string());
  }
  Fixed fixed = fix(subject, wanted_fixes(arguments.fix));
  Json operations = Json::array();
  for (const FixOperation& operation : fixed.operations)
    operations.push_back(operation_json(operation));
  Json result = {{fixed.dataset.graphs ? "folder" : "file", out.filename().string()},
                 {"content_hash", content_hash(fixed.dataset)}};
  if (fixed.dataset.graphs) result["graphs"] = fixed.dataset.graphs->size();
  result["nodes"] = fixed.dataset.nodes();
  result["arcs"] = fixed.dataset.adjacency.entries();
  result["splits"] = fixed.dataset.stored_splits.size();
  result["labels"] = labels_written(fixed.dataset);
  if (const Json lost = not_written(fixed.dataset); !lost.empty()) result["not_written"] = lost;
  const Json provenance = {
      {"tool", "cupel " CUPEL_VERSION},
      {"source", {{"name", arguments.name}, {"content_hash", hash}}},
      {"rule", to_text(subject.copy_rule)},
      {"directed_version", subject.directed_name.empty() ? Json() : Json(subject.directed_name)},
      {"operations", operations},
      {"result", result}};
  // The data last: where they are, what they are is there too.
  const bool had_provenance = is_there(provenance_path(out));
  write_file(provenance_path(out), json_text(provenance));
  try {
    write_copy(fixed.dataset, out);
  } catch (...) {
    std::error_code ignored;
    if (!had_provenance) fs::remove(provenance_path(out), ignored);
    throw;
  }
  return provenance;
}

std::string fixed_text(const Arguments& arguments, const Json& provenance) {
  std::string out = fmt::format("\nWrote {}\n", plain_path(arguments.out).string());
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
                          provenance_path(arguments.out).string()),
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

int perform(const Arguments& arguments) {
  check(arguments);
  const Dataset dataset =
      load_dataset(arguments.name, arguments.data.folder(), ReadMode::kForAudit);
  check(arguments, dataset);
  const std::string hash = content_hash(dataset);
  const Recipe* recipe = recipe_of(arguments.name, hash);
  AuditSubject subject(dataset, recipe ? recipe->preparation : default_preparation(arguments.name));
  subject.copy_rule = rule_of(arguments.rule);
  std::optional<Dataset> directed;
  if (!dataset.graphs && !subject.directed) directed = directed_version(arguments, recipe);
  if (directed) set_directed_version(subject, *directed);

  std::vector<Finding> findings = audit(subject);
  std::vector<std::string> notes;
  if (!arguments.store.empty()) {
    StoreAudit from_store = audit_store(Store(arguments.store, Store::Mode::kOpen), hash);
    std::move(from_store.findings.begin(), from_store.findings.end(), std::back_inserter(findings));
    notes = std::move(from_store.notes);
    sort_findings(findings);
  }
  if (dataset.stored_splits.empty())
    notes.push_back("No split is stored with this data set; what concerns splits was not checked.");
  Json provenance;
  if (!arguments.fix.empty()) provenance = write_fixed(arguments, subject, hash);

  if (arguments.json) {
    Json list = Json::array();
    for (const Finding& finding : findings) list.push_back(finding_json(finding));
    Json out = {{"dataset", dataset.name},
                {"content_hash", hash},
                {"facts", facts_of(dataset)},
                {"findings", list},
                {"notes", notes}};
    if (!provenance.is_null()) out["fixed"] = {{"path", arguments.out}, {"provenance", provenance}};
    print_out(json_text(out));
  } else {
    std::string out = summary(dataset.name, findings);
    for (const Finding& finding : findings) out += finding_text(finding);
    if (!notes.empty()) out += "\n";
    for (const std::string& note : notes) out += wrap(note);
    if (!provenance.is_null()) out += fixed_text(arguments, provenance);
    print_out(out);
  }
  const std::optional<Severity> least = fail_severity(arguments.fail_on);
  const bool failed =
      least && std::any_of(findings.begin(), findings.end(),
                           [&](const Finding& finding) { return finding.severity >= *least; });
  return failed ? kRunsFailed : kDone;
}

std::string footer() {
  const auto listed = [](const std::vector<FixKind>& kinds) {
    Columns columns("llw");
    for (const FixKind& kind : kinds) columns.row({kind.safe ? "*" : "", kind.id, kind.doc});
    return columns.text();
  };
  return "Fixes; those with * are done unless others are named:\n" + listed(fix_kinds()) +
         "\nOf a set of graphs:\n" + listed(set_fix_kinds());
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
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  syntax.footer(footer());
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_audit;
const Command command_audit = {7, "audit", "What is wrong with a data set; a cleaned copy",
                               declare};

}  // namespace cupel::cli
