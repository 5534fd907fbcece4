// The record sets of a croissant.json: what the columns of the folder's tables are.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cupel/data/export/graph_formats.h"

namespace cupel {

struct CroissantRecords {
  std::string file;  // of the folder; it may not be there
  nlohmann::ordered_json set;
  // Of columns of texts: "the text 'NA' of entities/name for readers of tables, who take it for a
  // number or for nothing".
  std::vector<std::string> doubts = {};
};

// An object with these three, as everything in the file begins.
[[nodiscard]] nlohmann::ordered_json croissant_object(const char* type, const std::string& id,
                                                      const std::string& name);

// Of one graph: nodes, edges, features, splits. Of a set: graphs, nodes, arcs, splits. Of facts:
// entities, relations, facts, authorships, parts. Linear in the texts.
[[nodiscard]] std::vector<CroissantRecords> croissant_records(const Written& written);

}  // namespace cupel
