#include "cupel/data/formats/graphml.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/data/formats/file.h"
#include "cupel/data/formats/node_graph.h"
#include "cupel/data/formats/parts.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/text_labels.h"
#include "cupel/data/formats/xml.h"

namespace cupel {
namespace {

// In the order of preference.
constexpr std::string_view kLabels[] = {"label", "class", "y"};
constexpr std::uint64_t kMostPerByte = 16;  // features per byte of the file

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

struct Key {
  std::string name, type;
  bool of_nodes = false, of_edges = false;
  std::optional<std::string> fallback;

  bool numeric() const {
    return type == "boolean" || type == "int" || type == "integer" || type == "long" ||
           type == "float" || type == "double";
  }
};

float number(const std::string& text, const Key& key) {
  if (key.type == "boolean" && (lower(text) == "true" || lower(text) == "false"))
    return lower(text) == "true" ? 1.0f : 0.0f;
  if (const std::optional<float> value = parse_float32(text)) return *value;
  fail("{} of {} is not a finite number; correct it", in_quotes(text), in_quotes(key.name));
}

std::string attribute(const XmlHandler::Attributes& all, const char* name,
                      const std::string& element) {
  for (const auto& [key, value] : all) {
    if (key == name) return value;
  }
  fail("<{}> has no {}; give it one", element, name);
}

std::string attribute_or(const XmlHandler::Attributes& all, const char* name, const char* other) {
  for (const auto& [key, value] : all) {
    if (key == name) return value;
  }
  return other;
}

// Keeps the document as it comes; what it means is worked out at its end, since GraphML lets edges
// stand before their nodes.
class Document {
 public:
  Document(std::uint64_t bytes, std::string label) : bytes_(bytes), label_(std::move(label)) {}

  void start(const std::string& element, const XmlHandler::Attributes& all) {
    if (first_) {
      if (element != "graphml") fail("the document is <{}>, not <graphml>", element);
      first_ = false;
    } else if (element == "graph") {
      if (graphs_++ > 0) fail("there is a second <graph>; give each graph a file of its own");
    } else if (element == "key") {
      add_key(all);
    } else if (element == "node") {
      const std::string id = attribute(all, "id", element);
      if (static_cast<std::int64_t>(ids_.size()) == kMostRows)
        fail("there are more than {} nodes; use a smaller graph", kMostRows);
      if (!ids_.emplace(id, static_cast<Index>(ids_.size())).second)
        fail("node {} appears again; give each node an id of its own", in_quotes(id));
      node_data_.emplace_back();
      at_ = At::kNode;
    } else if (element == "edge") {
      ends_.emplace_back(attribute(all, "source", element), attribute(all, "target", element));
      edge_weights_.emplace_back();
      at_ = At::kEdge;
    } else if (element == "hyperedge") {
      fail("there is a <hyperedge>, and edges join two nodes; replace it");
    } else if (element == "data" || element == "default") {
      data_key_ = element == "data" ? attribute(all, "key", element) : key_;
      text_.emplace();
    }
  }

  void text(std::string_view piece) {
    if (text_) *text_ += piece;
  }

  void end(const std::string& element) {
    if (element == "node" || element == "edge") at_ = At::kGraph;
    if (!text_ || (element != "data" && element != "default")) return;
    const std::string value(trimmed(*text_, " \t\r\n"));
    text_.reset();
    const auto found = keys_.find(data_key_);
    if (found == keys_.end()) fail("no <key> has the id {}; declare it", in_quotes(data_key_));
    if (element == "default") {
      found->second.fallback = value;
    } else if (at_ == At::kNode) {
      add_node_value(found->first, found->second, value);
    } else if (at_ == At::kEdge && is_weight(found->second)) {
      edge_weights_.back() = number(value, found->second);
    }
  }

  Dataset dataset(const std::string& name) const {
    if (graphs_ == 0) fail("{}: has no <graph>; give one", name);
    if (ids_.empty()) fail("{}: the graph has no node; give at least one", name);
    Dataset out;
    add_labels(name, out);
    add_features(name, out);
    add_edges(name, out);
    return out;
  }

  std::vector<std::string> left_out(const std::string& name) const {
    std::vector<const std::string*> ids(ids_.size());
    for (const auto& [id, node] : ids_) ids[static_cast<std::size_t>(node)] = &id;
    NamesLeftOut nodes("nodes"), features("features", "x");
    for (const std::string* id : ids) nodes.add(*id);
    for (const std::string& id : feature_keys(name)) features.add(keys_.at(id).name);
    std::vector<std::string> out;
    nodes.tell(out);
    features.tell(out);
    return out;
  }

 private:
  enum class At { kGraph, kNode, kEdge };

  static bool is_weight(const Key& key) {
    return key.of_edges && key.numeric() && lower(key.name) == "weight";
  }

  void add_key(const XmlHandler::Attributes& all) {
    key_ = attribute(all, "id", "key");
    Key key;
    key.name = attribute_or(all, "attr.name", key_.c_str());
    key.type = lower(attribute_or(all, "attr.type", "string"));
    const std::string of = attribute_or(all, "for", "all");
    key.of_nodes = of == "node" || of == "all";
    key.of_edges = of == "edge" || of == "all";
    if (!keys_.emplace(key_, key).second) fail("<key> {} appears again", in_quotes(key_));
    order_.push_back(key_);
  }

  void add_node_value(const std::string& id, const Key& key, const std::string& value) {
    if (!key.of_nodes) return;
    // Numbers are looked at when it is known which attribute is the label; a wrong one is told
    // here, where the line is known.
    if (key.numeric() && !value.empty()) (void)number(value, key);
    node_data_.back().emplace_back(id, value);
  }

  // The id of the key that holds labels.
  std::string label_key(const std::string& name) const {
    for (const std::string& id : order_) {
      if (!label_.empty() && keys_.at(id).of_nodes && keys_.at(id).name == label_) return id;
    }
    for (const std::string_view wanted : kLabels) {
      if (!label_.empty()) break;
      for (const std::string& id : order_) {
        if (keys_.at(id).of_nodes && lower(keys_.at(id).name) == wanted) return id;
      }
    }
    std::vector<std::string> names;
    for (const std::string& id : order_) {
      if (keys_.at(id).of_nodes) names.push_back(keys_.at(id).name);
    }
    fail(
        "{}: no attribute of nodes is named {} (there are {}); rename the one that is the class, "
        "or "
        "name it with `cupel convert --label`",
        name, label_.empty() ? "label, class or y" : in_quotes(label_), quoted_list(names));
  }

  const std::string* value_of(std::size_t node, const std::string& id) const {
    for (const auto& [key, value] : node_data_[node]) {
      if (key == id) return &value;
    }
    const Key& key = keys_.at(id);
    return key.fallback ? &*key.fallback : nullptr;
  }

  void add_labels(const std::string& name, Dataset& out) const {
    const std::string id = label_key(name);
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < node_data_.size(); ++i) {
      const std::string* value = value_of(i, id);
      labels.push_back(value ? *value : "");
    }
    set_text_labels(out, labels, name);
  }

  // The ids of the keys that hold features, in their order.
  std::vector<std::string> feature_keys(const std::string& name) const {
    std::vector<std::string> out;
    const std::string label = label_key(name);
    for (const std::string& id : order_) {
      const Key& key = keys_.at(id);
      if (key.of_nodes && key.numeric() && id != label) out.push_back(id);
    }
    return out;
  }

  void add_features(const std::string& name, Dataset& out) const {
    const std::vector<std::string> columns = feature_keys(name);
    const auto nodes = static_cast<Index>(node_data_.size());
    if (columns.empty()) {
      out.features = identity_features(nodes);
      return;
    }
    // Defaults make many values of few bytes, and may not make too many.
    if (columns.size() > kMostPerByte * bytes_ / static_cast<std::size_t>(nodes)) {
      fail("{}: {} features of {} nodes are too many for its {} bytes; write the values out", name,
           columns.size(), nodes, bytes_);
    }
    std::map<std::string, std::size_t> column_of;
    std::vector<std::optional<float>> fallback;
    for (const std::string& id : columns) {
      const Key& key = keys_.at(id);
      column_of.emplace(id, fallback.size());
      fallback.push_back(key.fallback ? std::optional(number(*key.fallback, key)) : std::nullopt);
    }
    Matrix features(nodes, static_cast<Index>(columns.size()));
    std::vector<std::optional<float>> row;
    for (Index i = 0; i < nodes; ++i) {
      row = fallback;
      for (const auto& [id, value] : node_data_[static_cast<std::size_t>(i)]) {
        const auto column = column_of.find(id);
        if (column != column_of.end() && !value.empty())
          row[column->second] = number(value, keys_.at(id));
      }
      for (std::size_t c = 0; c < row.size(); ++c) {
        if (!row[c]) {
          fail("{}: node {} has no {}, which is a feature; give it one, or the key a default", name,
               i, in_quotes(keys_.at(columns[c]).name));
        }
        features(i, static_cast<Index>(c)) = *row[c];
      }
    }
    out.features = std::move(features);
  }

  void add_edges(const std::string& name, Dataset& out) const {
    std::vector<Index> sources, targets;
    const auto node = [&](const std::string& id) {
      const auto found = ids_.find(id);
      if (found == ids_.end()) {
        fail("{}: an edge names the node {}, which there is not; add it or correct the id", name,
             in_quotes(id));
      }
      return found->second;
    };
    for (const auto& [source, target] : ends_) {
      sources.push_back(node(source));
      targets.push_back(node(target));
    }
    std::optional<float> fallback;
    for (const auto& [id, key] : keys_) {
      if (!is_weight(key)) continue;
      if (key.fallback) fallback = number(*key.fallback, key);
    }
    // A key that is declared and given to no edge says nothing.
    const bool weighted = fallback || std::ranges::any_of(edge_weights_, [](const auto& weight) {
                            return weight.has_value();
                          });
    AlignedVector<float> weights;
    for (std::size_t e = 0; weighted && e < ends_.size(); ++e) {
      const std::optional<float> weight = edge_weights_[e] ? edge_weights_[e] : fallback;
      if (!weight) {
        fail(
            "{}: the edge from {} to {} has no weight, and others have; give it one, or the key a "
            "default",
            name, in_quotes(ends_[e].first), in_quotes(ends_[e].second));
      }
      weights.push_back(*weight);
    }
    out.adjacency = arcs_of_pairs(static_cast<Index>(node_data_.size()), sources, targets, weights,
                                  name, out.repeated_arcs);
  }

  std::uint64_t bytes_;  // of the file
  std::string label_;    // name of the attribute of classes, "" where it has a usual one
  bool first_ = true;
  int graphs_ = 0;
  At at_ = At::kGraph;
  std::string key_, data_key_;
  std::optional<std::string> text_;
  std::map<std::string, Key> keys_;
  std::vector<std::string> order_;  // of keys
  std::unordered_map<std::string, Index> ids_;
  std::vector<std::vector<std::pair<std::string, std::string>>> node_data_;  // key, value
  std::vector<std::pair<std::string, std::string>> ends_;
  std::vector<std::optional<float>> edge_weights_;
};

Document read_document(const std::filesystem::path& path, const std::string& label) {
  Document document(InputFile(path).size(), label);
  XmlHandler handler;
  handler.start = [&](const auto& element, const auto& all) { document.start(element, all); };
  handler.end = [&](const auto& element) { document.end(element); };
  handler.text = [&](std::string_view text) { document.text(text); };
  read_xml(path, handler);
  return document;
}

}  // namespace

bool is_graphml(const std::filesystem::path& path) {
  const InputFile file(path);
  std::string start(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), 4096)), '\0');
  if (!start.empty()) file.read(0, start.data(), start.size());
  const std::string_view text = without_byte_order_mark(start);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<' &&
         start.find("graphml") != std::string::npos;
}

Dataset read_graphml(const std::filesystem::path& path, ReadMode, const std::string& label) {
  Dataset dataset = read_document(path, label).dataset(path.string());
  dataset.name = path.stem().string();
  return dataset;
}

std::vector<std::string> graphml_left_out(const std::filesystem::path& path,
                                          const std::string& label) {
  return read_document(path, label).left_out(path.string());
}

}  // namespace cupel
