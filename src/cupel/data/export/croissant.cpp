#include "cupel/data/export/croissant.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/json_text.h"
#include "cupel/base/visible.h"
#include "cupel/base/write_file.h"
#include "cupel/data/export/croissant_records.h"
#include "cupel/data/export/set_tables.h"
#include "cupel/data/formats/csv_writer.h"
#include "cupel/data/formats/tu_writer.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The one that the specification prints (appendix 1); readers warn of any other.
Json context() {
  Json out = {{"@language", "en"},
              {"@vocab", "https://schema.org/"},
              {"data", {{"@id", "cr:data"}, {"@type", "@json"}}},
              {"dataType", {{"@id", "cr:dataType"}, {"@type", "@vocab"}}},
              {"examples", {{"@id", "cr:examples"}, {"@type", "@json"}}},
              {"cr", "http://mlcommons.org/croissant/"},
              {"rai", "http://mlcommons.org/croissant/RAI/"},
              {"dct", "http://purl.org/dc/terms/"},
              {"sc", "https://schema.org/"},
              {"conformsTo", "dct:conformsTo"}};
  for (const char* term : {"citeAs",     "column",        "equivalentProperty",
                           "extract",    "field",         "fileProperty",
                           "fileObject", "fileSet",       "format",
                           "includes",   "isLiveDataset", "jsonPath",
                           "key",        "md5",           "parentField",
                           "path",       "recordSet",     "references",
                           "regex",      "repeated",      "replace",
                           "separator",  "samplingRate",  "source",
                           "subField",   "transform"})
    out[term] = std::string("cr:") + term;
  return out;
}

Json file_object(const fs::path& folder, const std::string& name) {
  Json out = croissant_object("cr:FileObject", name, name);
  out["contentUrl"] = name;
  out["contentSize"] = fmt::format("{} B", fs::file_size(folder / name));
  out["encodingFormat"] = name.ends_with(".json")  ? "application/json"
                          : name.ends_with(".csv") ? "text/csv"
                                                   : "text/plain";
  out["sha256"] = sha256_file(folder / name);
  return out;
}

// Names of the folder's files, those of tables first and in their order.
std::vector<std::string> files_of(const fs::path& folder,
                                  const std::vector<CroissantRecords>& tables) {
  std::vector<std::string> out, others;
  for (const CroissantRecords& table : tables)
    if (fs::exists(folder / table.file)) out.push_back(table.file);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (std::ranges::find(out, name) == out.end()) others.push_back(name);
  }
  std::ranges::sort(others);
  std::ranges::move(others, std::back_inserter(out));
  return out;
}

Json hash_property(const char* name, const std::string& value) {
  return {{"@type", "sc:PropertyValue"}, {"propertyID", name}, {"value", value}};
}

// What is known of it in words. A sentence says how it differs from what was released.
std::string description(const Dataset& written, const Credits& credits) {
  std::string out = credits.description;
  if (!written.history.empty()) {
    std::vector<std::string> steps;
    for (const PreparationStep& step : written.history) steps.push_back(step.name);
    out += fmt::format("{}Prepared by Cupel's steps {}.", out.empty() ? "" : " ",
                       fmt::join(steps, ", "));
  }
  if (!out.empty()) return out;
  return fmt::format("{}, written by Cupel.", written.graphs  ? "A set of graphs"
                                              : written.facts ? "Facts over time"
                                                              : "A graph");
}

}  // namespace

void write_croissant_tables(const Dataset& dataset, const fs::path& folder) {
  if (!dataset.graphs) return write_csv_graph(dataset, folder);
  write_tu_dataset(dataset, folder);
  write_set_tables(dataset, folder);
}

std::vector<std::string> describe_croissant(const Written& written, const fs::path& folder) {
  const Credits& credits = written.credits;
  Json out = {{"@context", context()},
              {"@type", "sc:Dataset"},
              {"name", printable(credits.title.empty() ? written.dataset.name : credits.title)},
              {"description", description(written.dataset, credits)},
              {"conformsTo", "http://mlcommons.org/croissant/1.0"}};
  if (!credits.licence.empty()) out["license"] = credits.licence;
  if (!credits.citation.empty()) out["citeAs"] = credits.citation;
  const std::string hash = content_hash(written.read), before = content_hash(written.dataset);
  out["identifier"] = Json::array({hash_property("cupel:content_hash", hash)});
  if (hash != before)
    out["identifier"].push_back(hash_property("cupel:content_hash_before_writing", before));
  std::vector<CroissantRecords> tables = croissant_records(written);
  out["distribution"] = Json::array();
  for (const std::string& file : files_of(folder, tables))
    out["distribution"].push_back(file_object(folder, file));
  out["recordSet"] = Json::array();
  std::vector<std::string> doubts;
  for (CroissantRecords& table : tables) {
    if (!fs::exists(folder / table.file)) continue;
    out["recordSet"].push_back(std::move(table.set));
    std::ranges::move(table.doubts, std::back_inserter(doubts));
  }
  write_file(folder / "croissant.json", json_text(out));
  return doubts;
}

}  // namespace cupel
