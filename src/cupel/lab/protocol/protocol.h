// A protocol: what is run, on which splits, by which rule, and what was published. Protocols are
// TOML files that a user reads, copies and edits; docs/protocols.md has the grammar.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/base/names.h"
#include "cupel/base/options.h"
#include "cupel/data/split/split.h"
#include "cupel/lab/protocol/published.h"
#include "cupel/lab/protocol/text_label.h"
#include "cupel/learn/train/rule_fields.h"

namespace cupel {

// A gap within it is equivalent to none, where a protocol does not say otherwise: points of the
// metric, or ranks.
inline constexpr double kDefaultDelta = 1;

// A model that is any program; lab/run/external.h says what it is handed and what it must write.
struct ExternalCommand {
  // Set instead of `command`: no program, but a function of the process that does the runs, by its
  // name (lab/plan/model_function.h). Of what follows it has a time, and a memory that is believed.
  std::string function = {};
  std::vector<std::string> command;  // "{task}" in an argument becomes the task folder
  std::filesystem::path folder;   // relative program paths start here: the protocol file's folder
  double timeout_seconds = 600;   // of one run; the program is told of it
  std::int64_t memory_mb = 2048;  // of all its processes together
  // "auto": kept apart where bubblewrap works; "required": not run elsewhere; "none": never. The
  // outcome of a program that keeps to its task does not depend on it.
  std::string isolation = "auto";
  bool network = false;  // it may use the network
  // It is started once and does many runs, one after the other (lab/run/worker.h), instead of being
  // started for each.
  bool worker = false;
  // Files that it is made of besides those that `command` names; they start at `folder`, too, and
  // another content of one is another model.
  std::vector<std::string> inputs;
  // Packages of Python, by their names for pip: another version of one is another model.
  std::vector<std::string> packages;
  std::vector<std::filesystem::path> readable;  // files and folders that it may read besides what
                                                // programs see; relative ones start at `folder`
  std::vector<std::filesystem::path> hidden;    // that it may not: the plan's data sets and answers

  bool operator==(const ExternalCommand&) const = default;
};

using Settings = std::map<std::string, OptionValue>;

// Differences from [train], of a row or of a row on some data sets.
struct RuleChange {
  std::vector<std::pair<const RuleField*, OptionValue>> fields;  // in the order of rule_fields()
  std::optional<double> timeout_seconds;

  bool empty() const { return fields.empty() && !timeout_seconds; }
  void apply(TrainRule& rule, double& timeout_seconds) const;
};

// By what a row's configuration is chosen: the word of `choose_by` and, for cards, what is meant.
[[nodiscard]] const std::vector<std::pair<std::string, std::string>>& choose_rules();

// Values that a row tries of one setting, or of several settings that change together.
struct ChoiceDimension {
  std::vector<std::string> settings;             // {"layers"}, or {"beta", "delta"}
  std::vector<std::vector<OptionValue>> values;  // each has one value for each setting
  std::string where;
};

// What a row does differently on some data sets.
struct RowCase {
  std::vector<std::string> datasets;
  Settings settings;
  std::vector<ChoiceDimension> choices;
  RuleChange train;
  std::string where;
};

// A row of tables: a model under a name, with its settings.
struct ModelRow {
  std::string name;   // "gs-mean"
  std::string model;  // registry name; the row's own name unless the file says otherwise
  Settings settings;  // as given; checked when a plan is made
  std::vector<ChoiceDimension> choices;   // a cell is the best of their grid
  std::string choose_by = "valid-score";  // one of choose_rules()
  // Initialisations of each split that only choose; those of the table come after them and are
  // assessed. 0: the same runs do both.
  int select_inits = 0;
  RuleChange train;
  std::vector<RowCase> cases;  // [[models.ROW.on]], in order; a later one overrides an earlier one
  std::string reading_of;      // the row whose published values this row shares: the same model as
                               // its released code ran it. Empty: none
  bool quoted = false;         // it holds published values alone: shown, never run, never judged
  std::optional<ExternalCommand> external;  // set: `model` and `settings` mean nothing to us, and
                                            // the settings are handed to the program
  std::string where;                        // "pitfalls.toml:30: [models.gcn]", for messages
};

// A table: models x data sets under one split scheme. Everything is resolved: what the file leaves
// out has been filled from [data], [split] and [train].
struct TableSpec {
  std::string id, title;
  std::string kind = "scores";    // or a derived one (see results.h)
  std::string source;             // of a derived table
  std::vector<std::string> also;  // metrics whose scores are shown beside those of the protocol's
  std::string strata;             // scores are split by this [strata.NAME]; empty: they are not
  std::vector<std::string> datasets;  // column order
  bool open_datasets = true;        // false: the table lists its own data sets and takes no others
  bool on_request = false;          // true: it is run only where a selection names it
  std::vector<std::string> models;  // row order
  std::optional<std::vector<std::string>> prepare;  // overrides what [data] says
  Settings task_settings;        // of the kind of task; what is not said is as declared
  std::string metric;            // empty: the protocol's
  SplitScheme split;             // kind "stored" or "file" with count 0: every split there is
  double delta = kDefaultDelta;  // within which a mean is equivalent to the published one
  int inits = 1;
  std::string where;
};

// A group of nodes, by which test scores are split.
struct StrataSpec {
  std::string name;             // "duplicates"
  std::string rule;             // "wikipedia-duplicates", "file", "degree-below", "degree-at-least"
  std::string graph;            // the first rule's: the directed graph, "{dataset}-directed"
  std::filesystem::path nodes;  // of "file": node ids, one per line; "{dataset}" is replaced
  std::int64_t value = 0;       // of the degree rules
  std::string where;
};

// The values that a search may give one setting.
struct SearchDimension {
  enum class Kind { kChoices, kUniform, kLogUniform };
  std::string setting;
  Kind kind = Kind::kChoices;
  std::vector<OptionValue> choices;
  double low = 0, high = 0;  // of the two ranges
};

struct SearchSpace {
  std::string model;                        // row name
  std::vector<SearchDimension> dimensions;  // in the order of the file; empty: nothing to search
  std::string where;
};

// How `cupel tune` searches. Its splits start at `first_split`, beyond those of the assessment
// unless the scheme has no more: then they are those.
struct TuneSpec {
  std::string method = "grid";  // or "random"
  int budget = 50;              // trials for each model, the same for all
  bool by_dataset = false;      // each data set has the settings that are best on it
  std::vector<std::string> datasets;
  int first_split = 0, splits = 5, inits = 1;
  std::uint32_t seed = 0;
  std::vector<SearchSpace> grid, random;  // by model
  std::string where;

  const std::vector<SearchSpace>& spaces() const { return method == "grid" ? grid : random; }
};

struct Protocol {
  std::string name;  // file stem: "pitfalls"
  std::string title, citation;
  std::string task = "node-classification";  // a kind of task (learn/tasks)
  Settings task_settings;                    // of the section that is called like it
  std::string metric = "accuracy";
  std::string metric_two_classes;    // of data sets with two classes; empty: `metric`
  std::vector<std::string> prepare;  // of every data set but
  std::map<std::string, std::vector<std::string>> prepare_special;  // those named here
  std::map<std::string, std::string> paths;  // of data sets of the user's, by name; all have a '/'
  std::vector<std::string> datasets;         // of [data]
  SplitScheme split;
  TrainRule rule;
  int inits = 1;
  double timeout_seconds = 0;    // of one run; 0: none
  double delta = kDefaultDelta;  // of tables that do not say their own; points, or ranks
  std::vector<ModelRow> models;
  std::vector<StrataSpec> strata;
  std::vector<TableSpec> tables;
  std::optional<TuneSpec> tune;
  std::vector<PublishedValue> published;

  std::filesystem::path folder;      // where relative paths start
  std::string text, published_text;  // what was parsed, so that a store can keep it
  // Hash of what the file says: comments, spacing, the published values and what judging alone
  // asks (delta) do not enter.
  std::string version;

  // nullptr if there is none.
  const ModelRow* find_model(const std::string& row) const;
  const TableSpec* find_table(const std::string& id) const;
  const StrataSpec* find_strata(const std::string& name) const;
  // The first table that uses one of the splits `first`, first + 1, ... of `split`'s family,
  // `count` of them, where that family is endless: a search has splits that no table uses.
  const TableSpec* table_of_splits(std::int64_t first, std::int64_t count) const;
  const std::string& metric_for(Index classes) const {
    return classes == 2 && !metric_two_classes.empty() ? metric_two_classes : metric;
  }
  // What the name of a data set stands for: its path, if [data.NAME] gives one, else itself.
  const std::string& reference(const std::string& dataset) const;
  // The steps that `dataset` goes through in `table`.
  const std::vector<std::string>& preparation(const TableSpec& table,
                                              const std::string& dataset) const;
};

// Reads a protocol from text. `label` names it in messages ("my.toml"); `published_text` is the CSV
// that [published] names; `folder` is where relative paths of programs and data sets start.
// Throws Error with label and line: bad TOML, an unknown key (with the nearest known one), a wrong
// type, a value out of range, a table that names an unknown model or data set, ... The text stands
// by itself: one that extends another protocol is refused.
[[nodiscard]] Protocol parse_protocol(const std::string& name, const TextLabel& label,
                                      const std::string& text,
                                      const std::optional<std::string>& published_text = {},
                                      const std::filesystem::path& folder = {});

// By path (contains '/' or ends in ".toml"), else the name of one that is part of the program. One
// that extends another is one with it (extend.h). Throws Error if there is none, with the nearest
// name, and as parse_protocol() does.
[[nodiscard]] Protocol load_protocol(const std::string& name_or_path);

// Names of the protocols that are part of the program, sorted.
[[nodiscard]] std::vector<std::string> protocol_names();

// Published numbers from CSV with the columns
//   table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n
// and, if the file has it, a tenth, `note` (`NA` or nothing: absent; quotes where it has commas).
// Throws Error with label and line.
[[nodiscard]] std::vector<PublishedValue> parse_published(const std::string& label,
                                                          const std::string& text);

}  // namespace cupel
