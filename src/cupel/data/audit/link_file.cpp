#include "cupel/data/audit/link_file.h"

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/formats/strict_json.h"

namespace cupel {
namespace {

using nlohmann::json;

constexpr const char* kAsked[] = {"valid", "test"};

class Reader {
 public:
  Reader(std::string path, Index nodes) : path_(std::move(path)), nodes_(nodes) {}

  LinkFile read(const json& document) const {
    check_keys(document, path_, {"splits", "unit", "directed", "new_links"});
    if (!document.contains("unit") || document["unit"] != "pair")
      fail("{}: is no file of links; one begins with {{\"unit\": \"pair\", \"splits\": [...]}}",
           path_);
    LinkFile out{.path = path_, .directed = flag(document, "directed"), .splits = {}};
    (void)flag(document, "new_links");  // whether pairs are new is no fault here
    if (!document.contains("splits") || !document["splits"].is_array() ||
        document["splits"].empty())
      fail("{}: has no list 'splits' with a split in it", path_);
    for (const json& item : document["splits"])
      out.splits.push_back(split(item, fmt::format("{}: split {}", path_, out.splits.size())));
    return out;
  }

 private:
  bool flag(const json& document, const char* key) const {
    if (!document.contains(key)) return false;
    if (!document[key].is_boolean())
      fail("{}: '{}' is {}, not true or false", path_, key, shown_json(document[key]));
    return document[key].get<bool>();
  }

  LinkFileSplit split(const json& item, const std::string& where) const {
    check_keys(item, where,
               {"train", "valid", "validation", "val", "test", "messages", "negatives"});
    LinkFileSplit out{{part(item, where, {"train"}),
                       part(item, where, {"valid", "validation", "val"}),
                       part(item, where, {"test"})}};
    if (item.contains("messages") && item["messages"].is_array())
      out.messages[0] = out.messages[1] = pairs(item["messages"], where + ": 'messages'");
    else
      read_asked(item, where, "messages", out.messages);
    read_asked(item, where, "negatives", out.negatives);
    for (std::size_t asked = 0; asked < 2; ++asked)
      if (out.negatives[asked] && out.negatives[asked]->empty())
        fail("{}: 'negatives' '{}' is empty; leave it out to have some drawn", where,
             kAsked[asked]);
    return out;
  }

  std::vector<Pair> part(const json& item, const std::string& where,
                         std::initializer_list<const char*> keys) const {
    const auto is_there = [&](const char* key) { return item.contains(key); };
    const auto there = std::ranges::count_if(keys, is_there);
    if (there == 0) fail("{}: has no '{}'", where, *keys.begin());
    if (there > 1)
      fail("{}: has more than one of '{}', which mean the same; give one", where,
           fmt::join(keys, "', '"));
    const char* key = *std::ranges::find_if(keys, is_there);
    std::vector<Pair> out = pairs(item[key], fmt::format("{}: '{}'", where, key));
    if (out.empty()) fail("{}: '{}' is empty; name at least one pair", where, key);
    return out;
  }

  void read_asked(const json& item, const std::string& where, const char* key,
                  std::array<std::optional<std::vector<Pair>>, 2>& out) const {
    if (!item.contains(key)) return;
    const std::string list = fmt::format("{}: '{}'", where, key);
    check_keys(item[key], list, {"valid", "test"});
    for (std::size_t asked = 0; asked < 2; ++asked)
      if (item[key].contains(kAsked[asked]))
        out[asked] = pairs(item[key][kAsked[asked]], fmt::format("{} '{}'", list, kAsked[asked]));
  }

  std::vector<Pair> pairs(const json& list, const std::string& where) const {
    if (!list.is_array()) fail("{}: {} where a list of pairs is needed", where, shown_json(list));
    std::vector<Pair> out;
    out.reserve(list.size());
    for (const json& item : list) {
      if (!item.is_array() || item.size() != 2)
        fail("{}: entry {} is {}, no pair [source, target]", where, out.size(), shown_json(item));
      for (const json& node : item)
        if (!node.is_number_unsigned() ||
            node.get<std::uint64_t>() >= static_cast<std::uint64_t>(nodes_))
          fail(
              "{}: entry {} names {}, and the {} are numbered from 0; was the graph prepared in a "
              "way that drops some?",
              where, out.size(), shown_json(node), counted(nodes_, "node"));
      out.push_back({item[0].get<Index>(), item[1].get<Index>()});
    }
    return out;
  }

  const std::string path_;
  const Index nodes_;
};

}  // namespace

LinkFile read_link_file(const std::filesystem::path& path, Index nodes) {
  return Reader(path.string(), nodes).read(read_strict_json(path));
}

}  // namespace cupel
