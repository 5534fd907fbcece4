#include "cupel/data/formats/croissant.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/json_text.h"
#include "cupel/base/visible.h"
#include "cupel/base/write_file.h"

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

Json named(const char* type, const std::string& id, const std::string& name) {
  return {{"@type", type}, {"@id", id}, {"name", name}};
}

Json file_object(const fs::path& folder, const std::string& name) {
  Json out = named("cr:FileObject", name, name);
  out["contentUrl"] = name;
  out["contentSize"] = fmt::format("{} B", fs::file_size(folder / name));
  out["encodingFormat"] = name.ends_with(".json") ? "application/json" : "text/csv";
  out["sha256"] = sha256_file(folder / name);
  return out;
}

// The fields of one file.
class RecordSet {
 public:
  RecordSet(const std::string& name, std::string file, const std::string& description)
      : name_(name), file_(std::move(file)), set_(named("cr:RecordSet", name, name)) {
    set_["description"] = description;
  }
  Json& column(const std::string& name, const char* type) {
    return add(name, type, {{"column", name}});
  }
  // Lists of whole numbers, one per object of a JSON file.
  void lists(const std::string& name, const std::string& path) {
    add(name, "sc:Integer", {{"jsonPath", path}})["repeated"] = true;
  }
  void node(const std::string& name) {
    column(name, "sc:Integer")["references"] = {{"field", {{"@id", "nodes/node"}}}};
  }
  void key(const std::string& field) { set_["key"] = {{"@id", name_ + "/" + field}}; }
  Json done() && {
    set_["field"] = std::move(fields_);
    return std::move(set_);
  }

 private:
  Json& add(const std::string& name, const char* type, Json extract) {
    Json field = named("cr:Field", name_ + "/" + name, name);
    field["dataType"] = type;
    field["source"] = {{"fileObject", {{"@id", file_}}}, {"extract", std::move(extract)}};
    fields_.push_back(std::move(field));
    return fields_.back();
  }

  std::string name_, file_;
  Json set_, fields_ = Json::array();
};

bool is_whole_number(const std::string& text) {
  const std::string digits = text.substr(text.starts_with('-') ? 1 : 0);
  return !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
}

Json nodes(const Dataset& read) {
  RecordSet out("nodes", "labels.csv", "Each node with its class; without one it is not labelled.");
  out.column("node", "sc:Integer");
  // Readers of tables make numbers of texts that look like some.
  const bool numbers = std::ranges::all_of(read.class_names(), is_whole_number);
  out.column("label", numbers ? "sc:Integer" : "sc:Text");
  out.key("node");
  return std::move(out).done();
}

Json edges(const Dataset& read) {
  RecordSet out("edges", "edges.csv",
                "Each arc from its source to its target; an undirected edge is two arcs.");
  out.node("source");
  out.node("target");
  if (!read.adjacency.is_pattern()) out.column("weight", "sc:Float");
  return std::move(out).done();
}

Json features(const Dataset& read) {
  RecordSet out("features", "features.csv", "Each node with its features.");
  out.node("node");
  for (Index c = 0; c < feature_count(read.features); ++c)
    out.column(fmt::format("x{}", c), "sc:Float");
  return std::move(out).done();
}

Json splits(const Dataset& read) {
  RecordSet out("splits", "splits.json", "Each split: the nodes of its parts.");
  const bool stopping =
      std::ranges::any_of(read.stored_splits, [](const Split& s) { return !s.stopping.empty(); });
  for (const char* part : {"train", "valid", "test"})
    out.lists(part, fmt::format("$.splits[*].{}", part));
  if (stopping) out.lists("stopping", "$.splits[*].stopping");
  return std::move(out).done();
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
  return out.empty() ? "A graph, written by Cupel." : out;
}

}  // namespace

void describe_croissant(const Dataset& written, const Dataset& read, const Credits& credits,
                        const fs::path& folder) {
  Json out = {{"@context", context()},
              {"@type", "sc:Dataset"},
              {"name", printable(credits.title.empty() ? written.name : credits.title)},
              {"description", description(written, credits)},
              {"conformsTo", "http://mlcommons.org/croissant/1.0"}};
  if (!credits.licence.empty()) out["license"] = credits.licence;
  if (!credits.citation.empty()) out["citeAs"] = credits.citation;
  const std::string hash = content_hash(read), before = content_hash(written);
  out["identifier"] = Json::array({hash_property("cupel:content_hash", hash)});
  if (hash != before)
    out["identifier"].push_back(hash_property("cupel:content_hash_before_writing", before));
  out["distribution"] = Json::array();
  out["recordSet"] = Json::array();
  const auto add = [&](const char* file, Json (*records)(const Dataset&)) {
    if (!fs::exists(folder / file)) return;
    out["distribution"].push_back(file_object(folder, file));
    out["recordSet"].push_back(records(read));
  };
  add("labels.csv", nodes);
  add("edges.csv", edges);
  add("features.csv", features);
  add("splits.json", splits);
  write_file(folder / "croissant.json", json_text(out));
}

}  // namespace cupel
