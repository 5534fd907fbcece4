#include "cupel/lab/protocol/extend.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/base/paths.h"
#include "cupel/lab/protocol/merge.h"
#include "cupel/lab/protocol/of_program.h"
#include "cupel/lab/protocol/parse.h"
#include "cupel/lab/protocol/write_toml.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// A protocol that was read, with the label of its text's lines.
struct Read {
  Protocol protocol;
  TextLabel label;
};

// How a folder is called from another, links followed; "" where it is the same.
fs::path folder_from(const fs::path& folder, const fs::path& other) {
  std::error_code ignored;
  const fs::path there = fs::weakly_canonical(folder, ignored),
                 here = fs::weakly_canonical(other, ignored);
  return there == here ? fs::path() : there.lexically_relative(here);
}

// A program's files are found from the folder of its protocol, and its arguments may name any.
void refuse_far_programs(const toml::table& tree, const toml::source_path_ptr& of_base,
                         const std::string& where, const std::string& base) {
  const toml::table* models = tree["models"].as_table();
  if (models == nullptr) return;
  for (const auto& [name, row] : *models) {
    for (const char* key : {"command", "inputs", "readable"}) {
      const toml::node* said = row.is_table() ? row.as_table()->get(key) : nullptr;
      if (said == nullptr || said->source().path != of_base) continue;
      fail(
          "{}: row '{}' of '{}' is a program, whose '{}' starts in the folder of that file; put "
          "both into one folder",
          where, name.str(), base, key);
    }
  }
}

// A line of [published]'s file.
struct PublishedLine {
  PublishedValue value;
  std::string text;
};

constexpr std::string_view kColumns =
    "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n,note";

// The values of a CSV with their lines, each with a note's field.
std::vector<PublishedLine> lines_of(const std::string& label, const std::string& csv) {
  std::vector<PublishedLine> out;
  for (PublishedValue& value : parse_published(label, csv)) out.push_back({std::move(value), ""});
  std::istringstream in{std::string(without_byte_order_mark(csv))};
  std::string line;
  const auto next = [&] {
    if (!std::getline(in, line)) return false;
    if (line.ends_with('\r')) line.pop_back();
    return true;
  };
  (void)next();
  const bool noted = line == kColumns;
  for (auto at = out.begin(); at != out.end() && next();) {
    if (line.empty()) continue;
    at->text = line + (noted ? "" : ",");
    ++at;
  }
  return out;
}

auto place_of(const PublishedValue& value) {
  return std::tuple(value.table, value.dataset, value.model, value.measure.word());
}

bool is_same_model(const ModelRow* a, const ModelRow* b) {
  if (a == nullptr || b == nullptr || !same_name(a->model, b->model)) return false;
  if (!a->external || !b->external) return !a->external && !b->external && a->quoted == b->quoted;
  return a->external->command == b->external->command &&
         a->external->function == b->external->function;
}

// Those of the base that say something of `protocol`, its names in the protocol's spelling.
std::vector<PublishedLine> still_published(const Protocol& base, const Protocol& protocol) {
  std::vector<PublishedLine> lines = lines_of(base.name, base.published_text);
  std::set<std::string> lost_tables;
  std::set<std::pair<std::string, std::string>> lost_ranks;
  std::vector<bool> stays;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const PublishedValue& spelled = base.published[i];
    PublishedValue& value = lines[i].value;
    stays.push_back(
        place_value(value, protocol).empty() &&
        is_same_model(base.find_model(spelled.model), protocol.find_model(spelled.model)));
    if (stays.back()) continue;
    lost_tables.insert(spelled.table);
    if (spelled.measure == kRank) lost_ranks.emplace(spelled.table, spelled.dataset);
  }
  // A rank, or a score relative to the best, is among all that were published.
  std::vector<PublishedLine> out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const PublishedValue& spelled = base.published[i];
    const TableSpec& table = *base.find_table(spelled.table);
    const bool rank = spelled.measure == kRank;
    if (!stays[i] || (rank && lost_ranks.contains({spelled.table, spelled.dataset})) ||
        (table.kind == "relative" &&
         (lost_tables.contains(table.id) || lost_tables.contains(table.source))))
      continue;
    out.push_back(std::move(lines[i]));
  }
  return out;
}

// The CSV of both; nothing if no value is left.
std::optional<std::string> published_of(const Protocol& base, const Protocol& protocol,
                                        const std::vector<PublishedLine>& own) {
  std::vector<PublishedLine> kept;
  if (!base.published.empty()) kept = still_published(base, protocol);
  if (own.empty() && kept.size() == base.published.size() && !kept.empty())
    return base.published_text;
  std::set<decltype(place_of(PublishedValue()))> replaced;
  for (const PublishedLine& line : own) {
    PublishedValue value = line.value;
    (void)place_value(value, protocol);
    replaced.insert(place_of(value));
  }
  std::erase_if(kept,
                [&](const PublishedLine& line) { return replaced.contains(place_of(line.value)); });
  kept.insert(kept.end(), own.begin(), own.end());
  if (kept.empty()) return {};
  std::string out(kColumns);
  for (const PublishedLine& line : kept) out += "\n" + line.text;
  return out + "\n";
}

// The protocol of `source`, whose tree `own` extends `base` by what stands at `where`.
Read extended(const ProtocolSource& source, toml::table own, const std::string& where,
              const std::string& base_name, const Read& base) {
  const bool own_published = own.contains("published");
  toml::table tree = toml_of(base.label, base.protocol.text);
  const toml::source_path_ptr of_base = tree.source().path;
  const fs::path prefix = folder_from(base.protocol.folder, source.folder);
  if (!prefix.empty()) move_paths(tree, prefix);
  own.erase("extends");
  merge_protocol(tree, base.protocol, std::move(own), source.label);
  if (!prefix.empty()) refuse_far_programs(tree, of_base, where, base_name);

  // What of the published values has a place is known once the rest is read.
  const auto read = [&](const std::optional<std::string>& published) {
    PlacedText out = write_toml(tree, of_base, base.label, source.label);
    if (is_of_program(source.text)) out.text += kOfProgram;
    const TextLabel label(source.label, std::move(out.places));
    return Read{parse_protocol(source.name, label, out.text, published, source.folder), label};
  };
  toml::table bare;
  const auto section = tree.find("published");
  if (section == tree.end()) return read({});
  bare.insert("published", std::move(section->second));
  tree.erase("published");
  const Protocol unpublished = read({}).protocol;
  std::vector<PublishedLine> values;
  if (own_published && source.published)
    values = lines_of(bare["published"]["file"].value_or(std::string()), *source.published);
  std::optional<std::string> published = published_of(base.protocol, unpublished, values);
  // A file of values that was not given is told by the parser.
  if (own_published && !source.published) published.reset();
  if (published || own_published) tree.insert("published", std::move(*bare.get("published")));
  return read(published);
}

Read read(const ProtocolSource& source, std::vector<const ProtocolSource*> above) {
  toml::table own = toml_of(source.label, source.text);
  Section top(source.label, "", own);
  const auto extends = top.text("extends");
  if (!extends)
    return {parse_protocol(source.name, source.label, source.text, source.published, source.folder),
            source.label};
  const std::string where = top.where("extends") + ": 'extends'";
  if (extends->empty())
    fail("{} is empty; name a protocol that is shipped, or a file by its path", where);
  ProtocolSource base;
  try {
    base = find_protocol(*extends, source.folder);
  } catch (const Error& error) {
    fail("{}: {}", where, error.what());
  }
  // Its lines are told by the name that it has here.
  base.label = *extends;
  above.push_back(&source);
  const auto again = std::ranges::find(above, base.place, &ProtocolSource::place);
  if (again != above.end())
    fail("{} leads back to '{}', which extends this file; one of them has to stand by itself",
         where, *extends);
  const Read found = read(base, above);
  return extended(source, std::move(own), where, *extends, found);
}

// A quoted row without a value would be shown nowhere.
void check_quoted(const Protocol& protocol) {
  for (const ModelRow& row : protocol.models)
    if (row.quoted && !std::ranges::count(protocol.published, row.name, &PublishedValue::model))
      fail("{}: a quoted row shows published values, and [published] has none of '{}'", row.where,
           row.name);
}

}  // namespace

Protocol extend_protocol(const Protocol& base, const std::string& name, const std::string& text) {
  const ProtocolSource source{.name = name,
                              .label = name,
                              .text = text + std::string(kOfProgram),
                              .published = std::nullopt,
                              .folder = base.folder,
                              .place = ""};
  Protocol out =
      extended(source, toml_of(source.label, source.text), name, base.name, {base, base.name})
          .protocol;
  check_quoted(out);
  return out;
}

std::string base_from(const std::string& name_or_path, const fs::path& folder) {
  if (!is_protocol_path(name_or_path)) return name_or_path;
  const fs::path path(name_or_path);
  const fs::path there = absolute_path(path.parent_path()), here = absolute_path(folder);
  const std::string out = (folder_from(there, here) / path.filename()).string();
  return is_protocol_path(out) ? out : "./" + out;
}

Protocol parse_source(const ProtocolSource& source) {
  Protocol out = read(source, {}).protocol;
  check_quoted(out);
  return out;
}

}  // namespace cupel
