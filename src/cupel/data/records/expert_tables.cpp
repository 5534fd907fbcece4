#include "cupel/data/records/expert_tables.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/records/record_years.h"

namespace cupel {

using Tables = ExpertReader::Tables;

// By `from`, stable.
void Tables::Groups::group(std::size_t nodes) {
  begins.assign(nodes + 1, 0);
  for (const Link& link : links) ++begins[static_cast<std::size_t>(link.from) + 1];
  for (std::size_t k = 0; k < nodes; ++k) begins[k + 1] += begins[k];
  std::vector<Link> sorted(links.size());
  std::vector<std::int64_t> next(begins.begin(), begins.end() - 1);
  for (const Link& link : links)
    sorted[static_cast<std::size_t>(next[static_cast<std::size_t>(link.from)]++)] = link;
  links = std::move(sorted);
}

std::int32_t Tables::node(std::string id, const JsonObjects& where) {
  if (nodes.size() >= std::numeric_limits<std::int32_t>::max())
    where.fail_here("with it there are more than 2^31 nodes; build from fewer files");
  const auto [at, made] = ids.emplace(std::move(id), static_cast<std::int32_t>(nodes.size()));
  if (made) {
    nodes.push_back({at->first});
    text_bytes_ += at->first.size();
  }
  return at->second;
}

int Tables::year(const nlohmann::json& object, const char* key, const JsonObjects& where) const {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return 0;
  std::string text;
  if (found->is_string()) {
    text = found->get<std::string>();
  } else if (found->is_number()) {
    const double number = found->get<double>();
    if (std::abs(number) < 9e15) {
      if (const auto year = year_of_milliseconds(static_cast<std::int64_t>(number))) {
        count("dates in milliseconds since 1970");
        return *year;
      }
    }
    text = found->dump();
  }
  std::optional<int> out;
  if (text.empty() && !found->is_string())
    where.fail_here(fmt::format("{} holds no date; write it like 2019-05-03", in_quotes(key)));
  if (!read_year(text, out))
    where.fail_here(fmt::format("{} holds {}, which is no date; write it like 2019-05-03",
                                in_quotes(key), in_quotes(text)));
  return out.value_or(0);
}

bool Tables::read_node(const nlohmann::json& object, const JsonObjects& where) {
  std::string id = json_field(object, "nodeID", where);
  const std::string type = json_field(object, "nodeType", where);
  if (id.empty()) {
    count("nodes without an id, left out");
    return false;
  }
  const std::int32_t at = node(std::move(id), where);
  Node& one = nodes[static_cast<std::size_t>(at)];
  if (one.listed) {
    count("nodes whose id came before, left out");
    return type == "Paper";
  }
  one.listed = true;
  one.paper = type == "Paper";
  if (!one.paper) one.name = json_field(object, "displayName", where);
  text_bytes_ += one.name.size();
  if (type == "Institution") institution_nodes_.push_back(at);
  if (one.paper) {
    one.year = year(object, "year", where);
    if (one.year == 0) one.year = year(object, "date", where);
  }
  return one.paper;
}

void Tables::read_link(const nlohmann::json& object, const JsonObjects& where) {
  std::string from = json_field(object, "from", where), to = json_field(object, "to", where);
  const std::string type = json_field(object, "edgeType", where);
  const bool author = type == "Author Of" || type == "Authored";
  const bool belongs = type == "Belongs To", related = type == "Related To";
  if (type.empty()) where.fail_here("a link has no 'edgeType'; give it one, as 'Author Of'");
  if (!author && !belongs && !related) {
    count("links " + in_quotes(type) + ", not used");
    return;
  }
  if (from.empty() || to.empty()) {
    count("links with an end that is empty, left out");
    return;
  }
  const std::int32_t a = node(std::move(from), where), b = node(std::move(to), where);
  const int date = year(object, "date", where);
  if (author) authors.links.push_back({b, a, date});
  if (belongs) affiliations.links.push_back({a, b, date});
  if (related) keywords.links.push_back({a, b, date});
}

std::size_t Tables::memory() const {
  // Of a node: its entry by id, its place in the list, its first links; of a link: it, and the same
  // in order.
  constexpr std::size_t kOfNode = 200, kOfLink = 24;
  const std::size_t links =
      authors.links.size() + keywords.links.size() + affiliations.links.size();
  return kOfNode * nodes.size() + text_bytes_ + kOfLink * links;
}

void Tables::read_file(const std::filesystem::path& path, const ReadProgress& progress,
                       std::size_t most_bytes) {
  JsonObjects objects(path, progress);
  bool papers = false;
  for (nlohmann::json object; objects.next(object);) {
    if (object.contains("nodeID")) {
      papers = read_node(object, objects) || papers;
    } else if (object.contains("from") && object.contains("to")) {
      read_link(object, objects);
    } else {
      objects.fail_here(
          "an object has neither 'nodeID' nor 'from' and 'to'; take files that are no nodes or "
          "links out of the folder");
    }
    if (most_bytes > 0 && memory() > most_bytes)
      objects.fail_here(
          fmt::format("with it, nodes and links take more than the {} of memory that are left for "
                      "them; allow more with --memory, use a larger machine, or give fewer files",
                      byte_text(static_cast<double>(most_bytes))));
  }
  if (papers) paper_files.push_back(path);
  files.emplace_back(objects.name(), objects.file_bytes(), objects.sha256());
}

void Tables::finish() {
  std::vector<bool> written(nodes.size());
  for (const Link& link : authors.links) {
    const auto paper = static_cast<std::size_t>(link.from);
    Node& one = nodes[paper];
    if (one.year == 0) one.year = link.year;
    if (one.paper || written[paper]) continue;
    written[paper] = true;
    unlisted.push_back(link.from);
  }
  for (Groups* groups : {&authors, &keywords, &affiliations}) groups->group(nodes.size());
  for (const std::int32_t at : institution_nodes_)
    institutions.insert(nodes[static_cast<std::size_t>(at)].name);
}

}  // namespace cupel
