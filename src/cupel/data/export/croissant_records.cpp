#include "cupel/data/export/croissant_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "cupel/base/words.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/tu_writer.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

// A whole number as it is printed again.
bool is_plain_number(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  return !digits.empty() && digits.size() <= 18 &&
         digits.find_first_not_of("0123456789") == digits.npos && (digits[0] != '0' || text == "0");
}

// What pandas.read_csv, by which mlcroissant reads tables, takes for nothing or for yes and no.
bool is_word_of_readers(std::string_view text) {
  static constexpr std::string_view kWords[] = {
      "",        "#N/A", "#N/A N/A", "#NA",  "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND",
      "1.#QNAN", "<NA>", "N/A",      "NA",   "NULL",    "NaN",      "None", "n/a",  "nan",
      "null",    "True", "TRUE",     "true", "False",   "FALSE",    "false"};
  return std::ranges::find(kWords, text) != std::end(kWords);
}

bool looks_like_number(const std::string& text) {
  char* end = nullptr;
  (void)std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return false;
  return std::string_view(end).find_first_not_of(" \t") == std::string_view::npos;
}

// The texts of a column. Readers of tables make numbers of texts that look like some, and a table
// cannot tell them not to.
class Texts {
 public:
  void see(std::string_view text) {
    if (is_plain_number(text)) {
      plain_ = plain_.empty() ? std::string(text) : plain_;
      return;
    }
    others_ = true;
    const std::string whole(text);
    if (!is_word_of_readers(text) && !looks_like_number(whole)) return;
    if (doubtful_++ == 0) example_ = whole;
  }
  const char* type() const { return others_ || plain_.empty() ? "sc:Text" : "sc:Integer"; }
  void tell(const std::string& field, std::vector<std::string>& doubts) const {
    if (doubtful_ == 0) return;
    doubts.push_back(fmt::format(
        "the text {} of {} for readers of tables, who take it for a number or for nothing{}",
        in_quotes(example_), field,
        doubtful_ == 1 ? "" : fmt::format(" (and {} more like it)", grouped(doubtful_ - 1))));
  }

 private:
  bool others_ = false;
  std::int64_t doubtful_ = 0;
  std::string plain_, example_;
};

// Those of things that have one each, `text_of` it.
template <class Things, class TextOf = std::identity>
Texts texts_of(const Things& things, TextOf text_of = {}) {
  Texts out;
  for (const auto& one : things) out.see(std::invoke(text_of, one));
  return out;
}

// The fields of one file.
class RecordSet {
 public:
  RecordSet(const std::string& name, std::string file, const std::string& description)
      : name_(name), out_{std::move(file), croissant_object("cr:RecordSet", name, name)} {
    out_.set["description"] = description;
  }
  Json& column(const std::string& name, const char* type) {
    return add(name, type, {{"column", name}});
  }
  void number(const std::string& name) { column(name, "sc:Integer"); }
  void numbers(const char* prefix, Index columns, const char* type) {
    for (Index c = 0; c < columns; ++c) column(fmt::format("{}{}", prefix, c), type);
  }
  void text(const std::string& name, const Texts& texts) {
    column(name, texts.type());
    texts.tell(name_ + "/" + name, out_.doubts);
  }
  // Lists of whole numbers, one per object of a JSON file.
  void lists(const std::string& name, const std::string& path) {
    add(name, "sc:Integer", {{"jsonPath", path}})["repeated"] = true;
  }
  // The key of another set.
  void refer(const std::string& name, const char* field) {
    column(name, "sc:Integer")["references"] = {{"field", {{"@id", field}}}};
  }
  void key(const std::string& name) {
    number(name);
    out_.set["key"] = {{"@id", name_ + "/" + name}};
  }
  CroissantRecords done() && {
    out_.set["field"] = std::move(fields_);
    return std::move(out_);
  }

 private:
  Json& add(const std::string& name, const char* type, Json extract) {
    Json field = croissant_object("cr:Field", name_ + "/" + name, name);
    field["dataType"] = type;
    field["source"] = {{"fileObject", {{"@id", out_.file}}}, {"extract", std::move(extract)}};
    fields_.push_back(std::move(field));
    return fields_.back();
  }

  std::string name_;
  CroissantRecords out_;
  Json fields_ = Json::array();
};

CroissantRecords nodes(const Dataset& read) {
  RecordSet out("nodes", "labels.csv", "Each node with its class; without one it is not labelled.");
  out.key("node");
  out.text("label", texts_of(read.class_names()));
  return std::move(out).done();
}

CroissantRecords edges(const Dataset& read) {
  RecordSet out("edges", "edges.csv",
                "Each arc from its source to its target; an undirected edge is two arcs.");
  out.refer("source", "nodes/node");
  out.refer("target", "nodes/node");
  if (!read.adjacency.is_pattern()) out.column("weight", "sc:Float");
  return std::move(out).done();
}

CroissantRecords features(const Dataset& read) {
  RecordSet out("features", "features.csv", "Each node with its features.");
  out.refer("node", "nodes/node");
  out.numbers("x", feature_count(read.features), "sc:Float");
  return std::move(out).done();
}

CroissantRecords splits(const Dataset& read) {
  RecordSet out("splits", "splits.json",
                fmt::format("Each split: the {}s of its parts.", unit_name(example_unit(read))));
  const bool stopping =
      std::ranges::any_of(read.stored_splits, [](const Split& s) { return !s.stopping.empty(); });
  for (const char* part : {"train", "valid", "test"})
    out.lists(part, fmt::format("$.splits[*].{}", part));
  if (stopping) out.lists("stopping", "$.splits[*].stopping");
  return std::move(out).done();
}

CroissantRecords graphs(const Dataset& read) {
  RecordSet out("graphs", "graphs.csv",
                read.has_tasks() ? "Each graph with the answers of its tasks; none: not known."
                                 : "Each graph with its class.");
  out.key("graph");
  if (read.has_tasks())
    out.numbers("task", read.tasks(), "sc:Integer");
  else
    out.number("label");
  return std::move(out).done();
}

CroissantRecords nodes_of_graphs(const Dataset& read) {
  RecordSet out("nodes", "nodes.csv",
                "Each node with its graph, its label and its attributes. Nodes of all graphs are "
                "numbered through.");
  out.key("node");
  out.number("graph");  // no reference: mlcroissant joins two tables, and arcs refer to nodes
  if (feature_count(read.features) > 0) out.number("label");
  out.numbers("a", read.graphs->node_attributes.cols, "sc:Float");
  return std::move(out).done();
}

CroissantRecords arcs(const Dataset& read) {
  RecordSet out("arcs", "arcs.csv",
                "Each arc from its source to its target, with its attributes; an edge is two "
                "arcs.");
  out.refer("source", "nodes/node");
  out.refer("target", "nodes/node");
  out.numbers("a", read.graphs->arc_attributes.cols, "sc:Float");
  return std::move(out).done();
}

CroissantRecords entities(const TemporalFacts& facts) {
  Texts names;
  for (Index k = 0; k < facts.entities(); ++k) names.see(facts.entity_name(k));
  RecordSet out("entities", "entities.csv", "Each entity with its type and its name.");
  out.key("id");
  out.text("type", texts_of(facts.types));
  out.text("name", names);
  return std::move(out).done();
}

CroissantRecords relations(const TemporalFacts& facts) {
  RecordSet out("relations", "relations.csv",
                "Each kind of fact: the types of its ends, whether it has a direction, and what "
                "its times count.");
  out.key("id");
  out.text("name", texts_of(facts.relations, &FactRelation::name));
  for (const char* end : {"head_type", "tail_type"}) out.column(end, texts_of(facts.types).type());
  for (const char* more : {"direction", "time_unit"}) out.column(more, "sc:Text");
  return std::move(out).done();
}

CroissantRecords quadruples() {
  RecordSet out("facts", "quadruples.csv", "Each fact: when, who, whom and what, by time.");
  out.number("timestamp");
  out.refer("head", "entities/id");
  out.refer("tail", "entities/id");
  out.refer("relation_type", "relations/id");
  return std::move(out).done();
}

CroissantRecords authorships(const Authorships& rows) {
  Texts papers;
  for (Index k = 0; k < rows.papers.size(); ++k) papers.see(rows.papers[k]);
  RecordSet out("authorships", "authorships.csv",
                "Each author of each paper, with the place among its authors, from 0.");
  out.text("paper", papers);
  out.number("position");
  out.refer("entity", "entities/id");
  return std::move(out).done();
}

CroissantRecords parts(const TemporalFacts& facts) {
  RecordSet out("parts", "parts.csv",
                "The parts that the facts came in, in their order: how many, and their first and "
                "last time.");
  out.text("part", texts_of(facts.parts, &FactPart::name));
  for (const char* name : {"facts", "first", "last"}) out.number(name);
  return std::move(out).done();
}

}  // namespace

Json croissant_object(const char* type, const std::string& id, const std::string& name) {
  return {{"@type", type}, {"@id", id}, {"name", name}};
}

std::vector<CroissantRecords> croissant_records(const Written& written) {
  const Dataset& read = written.read;
  std::vector<CroissantRecords> out;
  if (read.facts) {
    out = {entities(*read.facts), relations(*read.facts), quadruples(), parts(*read.facts)};
    if (written.authorships != nullptr) out.push_back(authorships(*written.authorships));
  } else if (read.graphs) {
    out = {graphs(read), nodes_of_graphs(read), arcs(read), splits(read)};
  } else {
    out = {nodes(read), edges(read), features(read), splits(read)};
  }
  return out;
}

}  // namespace cupel
