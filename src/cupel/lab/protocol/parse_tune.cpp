// The [tune] section of a protocol.
#include <algorithm>

#include "cupel/data/split/split_kind.h"
#include "cupel/lab/protocol/parse.h"

namespace cupel {
namespace {

SearchDimension read_range(const Section& parent, const std::string& setting,
                           const toml::table& table) {
  Section section(parent.file(), fmt::format("search range of '{}'", setting), table);
  SearchDimension out;
  out.setting = setting;
  auto found = section.rest();
  if (found.size() != 1 || (found[0].first != "uniform" && found[0].first != "log"))
    fail("{}: a range is {{ uniform = [low, high] }} or {{ log = [low, high] }}",
         parent.where(table));
  const bool log = found[0].first == "log";
  const toml::array* ends = found[0].second->as_array();
  if (ends == nullptr || ends->size() != 2 || !(*ends)[0].is_number() || !(*ends)[1].is_number())
    fail("{}: the range of '{}' must be two numbers, low and high", parent.where(table), setting);
  out.kind = log ? SearchDimension::Kind::kLogUniform : SearchDimension::Kind::kUniform;
  out.low = real_number((*ends)[0]);
  out.high = real_number((*ends)[1]);
  if (!(out.low < out.high) || (log && !(out.low > 0)))
    fail("{}: the range of '{}' is [{}, {}]; low must be below high{}", parent.where(table),
         setting, out.low, out.high, log ? " and above 0" : "");
  return out;
}

SearchSpace read_space(Section section, const std::string& model, bool grid) {
  SearchSpace space;
  space.model = model;
  space.where = section.where();
  for (const auto& [setting, node] : section.rest()) {
    if (const toml::table* range = node->as_table()) {
      if (grid)
        fail("{}: '{}' is a range; a grid needs a list of values", section.where(*node), setting);
      space.dimensions.push_back(read_range(section, setting, *range));
      continue;
    }
    const toml::array* values = node->as_array();
    if (values == nullptr || values->empty())
      fail("{}: '{}' must be a list of values{}", section.where(*node), setting,
           grid ? "" : ", or a range such as { uniform = [0.2, 0.8] }");
    SearchDimension dimension;
    dimension.setting = setting;
    for (const toml::node& value : *values)
      add_value(dimension.choices, option_value(section.where(value), setting, value),
                section.where(value), setting);
    space.dimensions.push_back(std::move(dimension));
  }
  return space;
}

std::vector<SearchSpace> read_spaces(Section section, const Protocol& protocol, bool grid) {
  std::vector<SearchSpace> spaces;
  for (const auto& [name, node] : section.rest()) {
    const ModelRow* row = protocol.find_model(name);
    if (row == nullptr) {
      std::vector<std::string> rows;
      for (const ModelRow& model : protocol.models) rows.push_back(model.name);
      fail("{}: no [models.{}] in this file{}", section.where(*node), name, near_text(name, rows));
    }
    if (row->quoted)
      fail("{}: row '{}' is quoted, and nothing of it is run; leave it out", section.where(*node),
           name);
    if (!node->is_table())
      fail("{}: '{}' must be a table of settings and their values", section.where(*node), name);
    if (std::ranges::find(spaces, row->name, &SearchSpace::model) != spaces.end())
      fail("{}: '{}' is row '{}', which has a table here already; put both into one",
           section.where(*node), name, row->name);
    const std::string title = fmt::format("[tune.{}.{}]", grid ? "grid" : "random", name);
    spaces.push_back(
        read_space(Section(section.file(), title, *node->as_table()), row->name, grid));
  }
  return spaces;
}

}  // namespace

TuneSpec read_tune(Section section, const Protocol& protocol) {
  TuneSpec out;
  out.where = section.where();
  out.budget = static_cast<int>(section.integer("budget", 1, 1'000'000).value_or(out.budget));
  out.datasets = section.texts("datasets").value_or(protocol.datasets);
  if (out.datasets.empty()) fail("{}: no data sets; list them here or in [data]", out.where);
  no_repeats(out.where, "datasets", out.datasets);
  out.splits = static_cast<int>(section.integer("splits", 1, 1'000'000).value_or(out.splits));
  out.inits = static_cast<int>(section.integer("inits", 1, 1'000'000).value_or(out.inits));
  out.seed = static_cast<std::uint32_t>(section.integer("seed", 0, 0xFFFFFFFF).value_or(out.seed));
  out.by_dataset = section.flag("by_dataset").value_or(out.by_dataset);
  if (const toml::table* grid = section.table("grid"))
    out.grid = read_spaces(Section(section.file(), "[tune.grid]", *grid), protocol, true);
  if (const toml::table* random = section.table("random"))
    out.random = read_spaces(Section(section.file(), "[tune.random]", *random), protocol, false);
  out.method = section.text("method", {"grid", "random"})
                   .value_or(out.grid.empty() && !out.random.empty() ? "random" : "grid");
  if (out.spaces().empty())
    fail("{}: no [tune.{}.MODEL], so there is nothing to search", out.where, out.method);

  const std::int64_t end = std::int64_t{protocol.split.first} + protocol.split.count;
  const std::optional<std::int64_t> first = section.integer("first_split", 0, 1'000'000'000);
  // A family that ends has none to spare: the search is told that it shares them.
  const std::string& kind = protocol.split.kind;
  const bool shares = split_kind(kind).size != nullptr;
  if (shares && !first)
    fail(
        "{}: a search needs splits that the assessment does not use, and '{}' splits have none to "
        "spare; use scheme 'per-class', 'planetoid' or 'stratified-kfold', or search on the "
        "validation parts of the assessed splits by first_split = {}",
        out.where, kind, protocol.split.first);
  out.first_split = static_cast<int>(first.value_or(end));
  if (const TableSpec* table = protocol.table_of_splits(out.first_split, out.splits)) {
    const std::int64_t used = std::int64_t{table->split.first} + table->split.count;
    fail(
        "{}: splits {} to {} of the search are among those of table '{}' ({} to {}); set "
        "'first_split' to {} or more",
        out.where, out.first_split, std::int64_t{out.first_split} + out.splits - 1, table->id,
        table->split.first, used - 1, used);
  }
  section.finish();
  return out;
}

}  // namespace cupel
