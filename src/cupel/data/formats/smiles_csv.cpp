#include "cupel/data/formats/smiles_csv.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/base/parallel.h"
#include "cupel/data/formats/csv.h"
#include "cupel/data/formats/graph_union.h"
#include "cupel/data/formats/parts.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/molecules/molecule.h"

namespace cupel {
namespace {

// RDKit takes a kilobyte for an atom, and calls itself for every branch.
constexpr std::size_t kLongestSmiles = 10'000;
constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::optional<std::size_t> find_column(const std::vector<std::string>& header,
                                       std::initializer_list<const char*> names) {
  for (const char* name : names) {
    for (std::size_t c = 0; c < header.size(); ++c) {
      if (lower(header[c]) == name) return c;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> smiles_column(const std::vector<std::string>& header) {
  return find_column(header, {"smiles", "mol", "molecule", "canonical_smiles"});
}

// 0, 1 or not known; nothing if the field is something else.
std::optional<float> task_value(std::string_view text) {
  if (text.empty() || text == "nan" || text == "NaN") return kUnknown;
  if (text == "0" || text == "0.0") return 0.0f;
  if (text == "1" || text == "1.0") return 1.0f;
  return std::nullopt;
}

// What the lines hold, column by column.
struct Table {
  std::vector<std::string> header;
  std::size_t smiles = 0;
  std::vector<std::uint64_t> lines;               // number in the file, of each row
  std::vector<std::vector<std::string>> columns;  // of texts
};

Table read_table(const std::filesystem::path& path) {
  CsvReader csv(path);
  Table out;
  out.header = csv.header();
  const auto smiles = smiles_column(out.header);
  if (!smiles) {
    csv.fail_here(fmt::format("the columns are {}; call the one that holds SMILES 'smiles'",
                              quoted_list(out.header)));
  }
  out.smiles = *smiles;
  out.columns.resize(out.header.size());
  while (csv.next()) {
    if (csv.fields()[out.smiles].size() > kLongestSmiles) {
      csv.fail_here(fmt::format("a SMILES of {} characters, at most {} are read; leave it out",
                                csv.fields()[out.smiles].size(), kLongestSmiles));
    }
    out.lines.push_back(csv.line());
    for (std::size_t c = 0; c < out.header.size(); ++c)
      out.columns[c].emplace_back(csv.fields()[c]);
  }
  if (out.lines.empty()) fail("{}: holds no molecule below its first line", path.string());
  return out;
}

// Molecules are independent, so any number of threads gives the same ones.
std::vector<std::optional<Molecule>> read_molecules(const std::vector<std::string>& smiles) {
  std::vector<std::optional<Molecule>> out(smiles.size());
  parallel_blocks({available_processors()}, static_cast<std::int64_t>(smiles.size()), 64,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (auto i = static_cast<std::size_t>(begin);
                         i < static_cast<std::size_t>(end); ++i)
                      out[i] = read_molecule(smiles[i]);
                  });
  return out;
}

// The one column of classes by name, whose values become classes as they are.
void set_classes(Dataset& dataset, const std::string& where, const Table& table, std::size_t column,
                 const std::vector<std::size_t>& rows) {
  const std::vector<std::string>& texts = table.columns[column];
  std::map<std::string, Index> classes;
  for (const std::size_t row : rows) {
    if (texts[row].empty()) {
      fail("{}: line {}: has no {}; give every molecule one", where, table.lines[row],
           in_quotes(table.header[column]));
    }
    classes.emplace(texts[row], 0);
  }
  dataset.class_names().clear();
  for (auto& [name, number] : classes) dataset.class_names().push_back(name);
  const auto is_number = [](const std::string& s) {
    return s.size() < 10 && std::ranges::all_of(s, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (std::ranges::all_of(dataset.class_names(), is_number)) {
    std::ranges::stable_sort(dataset.class_names(), {},
                             [](const std::string& s) { return std::stoi(s); });
  } else if (2 * dataset.class_names().size() > rows.size() && rows.size() > 20) {
    fail("{}: column {} has {} different values for {} molecules, so it holds no classes", where,
         in_quotes(table.header[column]), dataset.class_names().size(), rows.size());
  }
  for (Index c = 0; c < dataset.classes(); ++c) classes[dataset.class_names()[c]] = c;
  dataset.labels().clear();
  for (const std::size_t row : rows) dataset.labels().push_back(classes[texts[row]]);
}

void set_labels_of(Dataset& dataset, const std::string& where, const Table& table,
                   const std::vector<std::size_t>& rows) {
  if (const auto named = find_column(table.header, {"label", "class", "target", "y"})) {
    set_classes(dataset, where, table, *named, rows);
    return;
  }
  std::vector<std::size_t> tasks;
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    const auto value = [](const std::string& text) { return task_value(text); };
    const auto& texts = table.columns[c];
    const bool empty = std::ranges::all_of(texts, [](const auto& text) { return text.empty(); });
    if (c == table.smiles || empty) continue;
    if (std::ranges::all_of(texts, [&](const auto& t) { return value(t).has_value(); }))
      tasks.push_back(c);
  }
  if (tasks.empty()) {
    fail("{}: none of its columns {} is 0 or 1 throughout; call the one with the classes 'label'",
         where, quoted_list(table.header));
  }
  Matrix values(static_cast<Index>(rows.size()), static_cast<Index>(tasks.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      values(static_cast<Index>(i), static_cast<Index>(t)) =
          *task_value(table.columns[tasks[t]][rows[i]]);
    }
  }
  set_graph_labels(dataset, values, where);
}

void set_molecules(Dataset& dataset, const std::vector<std::optional<Molecule>>& molecules,
                   const std::vector<std::size_t>& rows, const std::string& where) {
  EdgeRows edges;
  std::int64_t atoms = 0, bonds = 0;
  for (const std::size_t row : rows) {
    atoms += molecules[row]->atoms;
    bonds += static_cast<std::int64_t>(molecules[row]->bonds.size());
  }
  if (std::max(atoms, 2 * bonds) > kMostRows) {
    fail("{}: its molecules have {} atoms and {} bonds, more than a data set holds; use fewer",
         where, atoms, bonds);
  }
  Matrix atom_features(static_cast<Index>(atoms), kAtomFeatures);
  Matrix bond_features(static_cast<Index>(bonds), kBondFeatures);
  edges.start = {0};
  edges.row_start = {0};
  edges.attributes = &bond_features;
  std::vector<Index> scaffolds;
  std::map<std::string, Index> numbers;
  for (const std::size_t row : rows) {
    const Molecule& molecule = *molecules[row];
    const Index first = edges.start.back();
    std::ranges::copy(molecule.atom_features, atom_features.row(first));
    std::ranges::copy(molecule.bond_features,
                      bond_features.row(static_cast<Index>(edges.row_start.back())));
    for (const Edge& bond : molecule.bonds)
      edges.rows.push_back({bond.source + first, bond.target + first});
    edges.start.push_back(first + molecule.atoms);
    edges.row_start.push_back(static_cast<Offset>(edges.rows.size()));
    scaffolds.push_back(
        numbers.emplace(molecule.scaffold, static_cast<Index>(numbers.size())).first->second);
  }
  set_graphs(dataset, edges, where);
  dataset.graphs->node_attributes = std::move(atom_features);
  dataset.graphs->scaffolds = std::move(scaffolds);
}

std::string stem(const std::filesystem::path& path) {
  std::filesystem::path name = path.filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

}  // namespace

bool is_smiles_csv(const std::filesystem::path& path) {
  try {
    return smiles_column(CsvReader(path).header()).has_value();
  } catch (const Error&) {
    return false;  // no text, or no line of fields: not such a file
  }
}

Dataset read_smiles_csv(const std::filesystem::path& path) {
  const std::string where = path.string();
  require_molecules(where);
  const Table table = read_table(path);
  const auto molecules = read_molecules(table.columns[table.smiles]);
  std::vector<std::size_t> rows;
  std::vector<std::string> refused;
  for (std::size_t row = 0; row < molecules.size(); ++row) {
    if (molecules[row]) {
      rows.push_back(row);
    } else {
      refused.push_back(fmt::format("{}", table.lines[row]));
    }
  }
  if (rows.empty()) {
    fail("{}: RDKit refuses every SMILES of column {}, the first on line {}; is it the right one?",
         where, in_quotes(table.header[table.smiles]), table.lines.front());
  }
  Dataset dataset;
  dataset.name = stem(path);
  set_molecules(dataset, molecules, rows, where);
  set_labels_of(dataset, where, table, rows);
  if (!refused.empty()) {
    dataset.history.push_back(
        {fmt::format("left out {} of {} molecules whose SMILES RDKit refuses (line{} {})",
                     refused.size(), table.lines.size(), refused.size() == 1 ? "" : "s",
                     fmt::join(refused, ", ")),
         dataset.nodes(), dataset.adjacency.entries()});
  }
  return dataset;
}

}  // namespace cupel
