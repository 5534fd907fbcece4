#include "cupel/data/formats/wiki_cs_metadata.h"

#include <charconv>
#include <map>
#include <unordered_map>

#include "cupel/base/error.h"
#include "cupel/data/formats/json_pull.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

class MetadataReader {
 public:
  MetadataReader(const std::filesystem::path& path, const WikiCsNodes& nodes)
      : json_(path), nodes_(nodes) {}

  std::vector<std::string> read() {
    bool has_labels = false, has_nodes = false;
    json_.object({"labels", "nodes"}, [&](std::size_t key) {
      (key == 0 ? has_labels : has_nodes) = true;
      key == 0 ? read_labels() : read_nodes();
    });
    json_.end();
    if (!has_labels)
      fail("{}: has no 'labels'; give each class number its name, {{\"0\": \"...\"}}",
           json_.name());
    std::vector<std::string> names;
    for (const auto& [number, name] : names_) {
      if (number != static_cast<std::int64_t>(names.size())) {
        fail("{}: 'labels' has the number {} and not {}; number the classes from 0", json_.name(),
             number, names.size());
      }
      names.push_back(name);
    }
    if (has_nodes) check_nodes(names);
    return names;
  }

 private:
  std::int64_t nodes() const { return static_cast<std::int64_t>(nodes_.labels.size()); }

  void read_labels() {
    json_.entries([&](const std::string& key) {
      std::int64_t number = 0;
      const auto [end, problem] = std::from_chars(key.data(), key.data() + key.size(), number);
      if (problem != std::errc() || key != std::to_string(number) || number < 0)
        json_.fail_here("is no class number, as \"0\" is; number the classes from 0");
      if (!names_.emplace(number, json_.text()).second)
        json_.fail_here("is given twice in one object; give it once");
    });
  }

  // A page's id: a whole number, or a text that is one where it came from a table of texts.
  void read_id() { json_.peek() == '"' ? json_.skip_text() : void(json_.integer()); }

  void read_nodes() {
    json_.list([&](std::int64_t node) {
      std::uint32_t given = 0;
      json_.object({"id", "title", "label", "outlinks", "tokens"}, [&](std::size_t key) {
        given |= 1u << key;
        if (key == 0) read_id();
        if (key == 1) json_.skip_text();
        if (key == 2) read_label();
        if (key == 3) read_outlinks(node);
        if (key == 4) json_.list([&](std::int64_t) { json_.skip_text(); });
      });
      if (given != 31)
        json_.fail_here("lacks one of id, title, label, outlinks and tokens; add it");
      if (node == nodes())
        json_.fail_here(
            fmt::format("is one node more than the {} of data.json; take both files "
                        "from one place",
                        nodes()));
    });
    if (static_cast<std::int64_t>(labels_.size()) == nodes()) return;
    fail("{}: has {} nodes where data.json has {}; take both files from one place", json_.name(),
         labels_.size(), nodes());
  }

  // Names may come before 'labels' says what they stand for.
  void read_label() {
    const auto next = static_cast<std::int32_t>(different_.size());
    const auto [found, is_new] = different_.emplace(json_.text(), next);
    if (is_new) in_order_.push_back(&found->first);
    labels_.push_back(found->second);
  }

  void read_outlinks(std::int64_t node) {
    const std::int64_t outlinks = json_.list([&](std::int64_t) { read_id(); });
    if (node >= nodes()) return;
    const auto at = static_cast<std::size_t>(node);
    const Offset links = nodes_.starts[at + 1] - nodes_.starts[at];
    if (outlinks != links)
      json_.fail_here(
          fmt::format("has {} ids where data.json has {} links of this node; take both "
                      "files from one place, or leave out metadata.json",
                      outlinks, links));
  }

  void check_nodes(const std::vector<std::string>& names) const {
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const std::string& name = *in_order_[static_cast<std::size_t>(labels_[i])];
      const std::int64_t number = nodes_.labels[i];
      const bool known = number >= 0 && number < static_cast<std::int64_t>(names.size());
      if (number == kNoLabel && name.empty()) continue;
      if (known && names[static_cast<std::size_t>(number)] == name) continue;
      fail(
          "{}: 'nodes'[{}] 'label' is {} where data.json has the class {}, {}; take both files "
          "from one place",
          json_.name(), i, in_quotes(name), number,
          known ? in_quotes(names[static_cast<std::size_t>(number)]) : "which has no name");
    }
  }

  JsonPull json_;
  const WikiCsNodes& nodes_;
  std::map<std::int64_t, std::string> names_;                // of class numbers
  std::unordered_map<std::string, std::int32_t> different_;  // of nodes' labels
  std::vector<const std::string*> in_order_;                 // of different_, which keeps places
  std::vector<std::int32_t> labels_;                         // per node, number in different_
};

}  // namespace

std::vector<std::string> read_wiki_cs_metadata(const std::filesystem::path& path,
                                               const WikiCsNodes& nodes) {
  return MetadataReader(path, nodes).read();
}

}  // namespace cupel
