#include "cupel/data/resolve/merged_names.h"

#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/data/facts/fact_lines.h"
#include "cupel/data/formats/csv.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/text_file.h"

namespace cupel {

MergedNames read_merged_names(const std::filesystem::path& folder, const TemporalFacts& facts) {
  MergedNames out;
  const std::filesystem::path path = folder / "merged.csv";
  if (!is_there(path)) return out;
  CsvReader csv(path);
  if (csv.header() != std::vector<std::string>{"type", "former_name", "entity"})
    csv.fail_here(fmt::format("the columns are {} where 'type', 'former_name', 'entity' are needed",
                              quoted_list(csv.header())));
  while (csv.next()) {
    const auto& fields = csv.fields();
    std::int64_t entity = 0;
    if (!whole_number(fields[2], entity) || entity < 0 || entity >= facts.entities())
      csv.fail_here(fmt::format("{} is no entity; entities.csv has those from 0 to {}",
                                in_quotes(fields[2]), facts.entities() - 1));
    const std::string& type = facts.types[facts.entity_types[static_cast<std::size_t>(entity)]];
    if (fields[0] != type)
      csv.fail_here(fmt::format("entity {} is of type {}, not {}", entity, in_quotes(type),
                                in_quotes(fields[0])));
    out.add(one_line_name(fields[1]), static_cast<Index>(entity));
  }
  return out;
}

std::string merged_csv(const MergedNames& merged, const TemporalFacts& facts) {
  std::string out = "type,former_name,entity\n";
  for (std::size_t k = 0; k < merged.entities.size(); ++k) {
    const auto entity = static_cast<std::size_t>(merged.entities[k]);
    out += fmt::format("{},{},{}\n", csv_quoted(facts.types[facts.entity_types[entity]]),
                       csv_quoted(merged.names[static_cast<Index>(k)]), entity);
  }
  return out;
}

}  // namespace cupel
