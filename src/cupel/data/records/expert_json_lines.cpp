#include "cupel/data/records/expert_json_lines.h"

#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/data/records/author_lists.h"
#include "cupel/data/records/doi.h"
#include "cupel/data/records/expert_tables.h"
#include "cupel/data/records/json_objects.h"
#include "cupel/data/records/list_ends.h"
#include "cupel/data/records/names.h"

namespace cupel {

// The papers' nodes once more, for what was not kept of them.
struct ExpertReader::PaperFiles {
  std::size_t file = 0, unlisted = 0;    // the next ones
  std::unique_ptr<JsonObjects> objects;  // of the file that is being read
  std::vector<bool> given;               // by node
  std::vector<bool> met;                 // by affiliation: a paper has it
  bool ended = false;
  std::string place;
};

ExpertReader::ExpertReader(const std::vector<std::filesystem::path>& files,
                           const ReadProgress& progress, std::size_t most_bytes)
    : tables_(std::make_unique<Tables>()), papers_(std::make_unique<PaperFiles>()) {
  tables_->count = [this](const std::string& what) { count(what); };
  for (const auto& path : files) tables_->read_file(path, progress, most_bytes);
  if (tables_->authors.links.empty())
    fail(
        "{}{}: no link is of type 'Author Of', so that no paper has an author; add the file "
        "SOURCE_Links_Author Of.jsonl",
        files.front().string(),
        files.size() == 1 ? "" : fmt::format(" and {} more", files.size() - 1));
  tables_->finish();
  papers_->given.resize(tables_->nodes.size());
  papers_->met.resize(tables_->affiliations.links.size());
}

ExpertReader::~ExpertReader() = default;

const std::vector<ReadFile>& ExpertReader::files() const { return tables_->files; }
std::size_t ExpertReader::memory() const { return tables_->memory(); }
std::string ExpertReader::place() const { return papers_->place; }

// Authors with their affiliations, keywords and the year.
void ExpertReader::put_links(std::int32_t paper, Publication& out) {
  const Tables& tables = *tables_;
  const auto of = [](const Tables::Groups& groups, std::int32_t node) {
    const auto k = static_cast<std::size_t>(node);
    return std::span(groups.links)
        .subspan(static_cast<std::size_t>(groups.begins[k]),
                 static_cast<std::size_t>(groups.begins[k + 1] - groups.begins[k]));
  };
  const auto node = [&](std::int32_t k) -> const Tables::Node& {
    return tables.nodes[static_cast<std::size_t>(k)];
  };
  const auto name = [](const Tables::Node& one) {
    return one.name.empty() ? std::string(one.id) : one.name;
  };
  out.year.reset();
  if (node(paper).year != 0) out.year = node(paper).year;
  out.authors.clear();
  std::unordered_set<std::int32_t> seen;
  std::vector<std::string> institutions;
  bool cut = false;
  for (const Tables::Link& link : of(tables.authors, paper)) {
    if (!seen.insert(link.to).second) {
      count("authors that a paper has twice, taken once");
      continue;
    }
    const Tables::Node& scientist = node(link.to);
    if (!scientist.listed) count("authors without a node, named by their id");
    Author author;
    author.name = name(scientist);
    author.id = scientist.id;
    unsigned mends = 0;
    if (!clean_name(author.name, mends, &author.with_marks)) {
      count("names of authors without a letter, left out");
      continue;
    }
    if (!is_somebody(author, cut)) continue;
    count_mends(mends, "names of authors", tables.count);
    institutions.clear();
    for (const Tables::Link& belongs : of(tables.affiliations, link.to)) {
      if (belongs.year != 0 && out.year && belongs.year != *out.year) continue;
      papers_->met[static_cast<std::size_t>(&belongs - tables.affiliations.links.data())] = true;
      const Tables::Node& institution = node(belongs.to);
      if (!institution.listed && !tables.institutions.contains(institution.id))
        count("affiliations to institutions without a node, named as the link says");
      institutions.push_back(name(institution));
    }
    put_affiliations(institutions, tables.count, author.affiliations);
    out.authors.push_back(std::move(author));
  }
  out.keywords.clear();
  for (const Tables::Link& link : of(tables.keywords, paper))
    out.keywords.push_back(name(node(link.to)));
  if (cut) count(kCutShort);
  if (out.authors.empty()) count("papers without authors");
}

// What no paper had, once all were read.
void ExpertReader::count_unmet() {
  if (std::exchange(papers_->ended, true)) return;
  const auto& links = tables_->affiliations.links;
  for (std::size_t k = 0; k < links.size(); ++k)
    if (links[k].year != 0 && !papers_->met[k])
      count("affiliations of a year in which their author has no paper, left out");
}

bool ExpertReader::next(Publication& out) {
  Tables& tables = *tables_;
  PaperFiles& papers = *papers_;
  nlohmann::json object;
  while (papers.file < tables.paper_files.size()) {
    if (!papers.objects)
      papers.objects = std::make_unique<JsonObjects>(tables.paper_files[papers.file]);
    if (!papers.objects->next(object)) {
      papers.objects.reset();
      ++papers.file;
      continue;
    }
    if (!object.contains("nodeID") || json_field(object, "nodeType", *papers.objects) != "Paper")
      continue;
    out.id = json_field(object, "nodeID", *papers.objects);
    if (out.id.empty()) continue;
    const auto found = tables.ids.find(out.id);
    if (found == tables.ids.end())
      papers.objects->fail_here("the file has changed while it was read; read it again");
    const auto node = static_cast<std::size_t>(found->second);
    if (!tables.nodes[node].paper || papers.given[node]) continue;
    papers.given[node] = true;
    papers.place = papers.objects->place();
    out.title = json_field(object, "title", *papers.objects);
    if (out.title.empty()) out.title = json_field(object, "displayName", *papers.objects);
    out.abstract = json_field(object, "abstract", *papers.objects);
    out.doi.clear();
    const auto doi = object.find("doi");
    if (doi != object.end() && doi->is_string() &&
        !read_doi(doi->get_ref<const std::string&>(), out.doi))
      count(kNoDoi);
    put_links(found->second, out);
    clean_texts(out, tables.count);
    return true;
  }
  if (papers.unlisted == tables.unlisted.size()) {
    count_unmet();
    return false;
  }
  const std::int32_t paper = tables.unlisted[papers.unlisted++];
  out.id = tables.nodes[static_cast<std::size_t>(paper)].id;
  out.doi.clear(), out.title.clear(), out.abstract.clear();
  papers.place = "paper " + out.id;
  count("papers without a node, known by their links alone");
  put_links(paper, out);
  clean_texts(out, tables.count);
  return true;
}

}  // namespace cupel
