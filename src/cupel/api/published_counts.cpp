#include "cupel/api/published_counts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "cupel/base/embedded.h"
#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/base/words.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 6> kWhat = {"scientists",    "institutions", "capabilities",
                                                   "collaboration", "partnership",  "expertise"};
enum What : std::size_t { kScientists, kInstitutions, kCapabilities, kPairs, kPlaces, kExpertise };

struct PublishedPart {
  std::string graph, part;
  std::int64_t from = 0, to = 0;
  std::array<Offset, kWhat.size()> counts{};
};

std::int64_t number(std::string_view text) {
  std::int64_t out = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size())
    throw std::logic_error("expert-counts.csv: a field is no number");
  return out;
}

std::vector<std::string_view> cut(std::string_view text, char between) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(between), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// In the order of the file: train, valid and test of one graph after the other.
const std::vector<PublishedPart>& published() {
  static const std::vector<PublishedPart> all = [] {
    std::vector<PublishedPart> out;
    for (const embedded::File& file : embedded::protocols()) {
      if (file.name != "expert-counts.csv") continue;
      const auto lines = cut(file.content, '\n');
      for (std::size_t k = 1; k < lines.size(); ++k) {
        const auto fields = cut(lines[k], ',');
        if (fields.size() != 4 + kWhat.size())
          throw std::logic_error("expert-counts.csv: a line has another number of fields");
        PublishedPart& part = out.emplace_back();
        part.graph = fields[0], part.part = fields[1];
        part.from = number(fields[2]), part.to = number(fields[3]);
        for (std::size_t w = 0; w < kWhat.size(); ++w) part.counts[w] = number(fields[4 + w]);
      }
    }
    return out;
  }();
  return all;
}

std::vector<const PublishedPart*> parts_of(const std::string& graph) {
  std::vector<const PublishedPart*> out;
  for (const PublishedPart& part : published())
    if (part.graph == graph) out.push_back(&part);
  if (out.size() != 3) throw std::logic_error("expert-counts.csv: a graph has not three parts");
  return out;
}

Offset count_of(const FactsStatistics& ours, const PartStatistics& part, std::string_view what) {
  for (std::size_t k = 0; k < ours.types.size(); ++k)
    if (noun_for(2, ours.types[k]) == what) return part.by_type[k];
  for (std::size_t k = 0; k < ours.relations.size(); ++k)
    if (ours.relations[k] == what) return part.by_relation[k];
  return 0;
}

std::string setting(const BuildAccount& account, const char* name) {
  const auto at = account.settings.find(name);
  return at == account.settings.end() ? "" : at->second;
}

double ratio(Offset a, Offset b) { return static_cast<double>(a) / static_cast<double>(b); }

// What the published counts say of how they were made: what can be told from them alone.
void reasons_of_theirs(const std::vector<const PublishedPart*>& theirs,
                       std::vector<std::string>& out) {
  const auto& train = theirs.front()->counts;
  out.emplace_back(
      "The published graphs are not to be had without registration, and how they were made is not "
      "published as code: which records, whose names are one, which pairs of authors, which "
      "keyword "
      "where.");
  const double expertise = ratio(train[kExpertise], train[kScientists]);
  out.push_back(
      expertise < 1
          ? fmt::format("Expertise: {:.2f} published facts for each scientist of training. With "
                        "papers of no keyword left out, as the paper says, everybody would have "
                        "one at least; this graph was not filtered.",
                        expertise)
          : fmt::format(
                "Expertise: {:.2f} published facts for each scientist of training, as where "
                "papers of no keyword are left out (filter=matched).",
                expertise));
  const double pairs = ratio(train[kPairs], train[kScientists]);
  if (pairs < 1)
    out.push_back(
        fmt::format("Collaboration: {:.2f} published facts for each scientist of training. A paper "
                    "of three authors or more has one pair for each of them at least; these are "
                    "not all pairs, and which they are is not said.",
                    pairs));
  const PublishedPart &valid = *theirs[1], &test = *theirs[2];
  if (test.to > test.from && test.counts[kScientists] < valid.counts[kScientists])
    out.push_back(fmt::format(
        "Test: {} published scientists from {} to {}, fewer than the {} of {} alone; the "
        "records of these years were not complete.",
        grouped(test.counts[kScientists]), test.from, test.to, grouped(valid.counts[kScientists]),
        valid.to));
  for (const PublishedPart* part : theirs)
    if (part->counts[kPairs] == part->counts[kExpertise])
      out.push_back(
          fmt::format("{}: {} are published for collaboration and for expertise, which "
                      "is likely a slip.",
                      part->part, grouped(part->counts[kPairs])));
}

// What ours are made of, as far as it explains a difference.
void reasons_of_ours(const std::vector<const PublishedPart*>& theirs, const FactsStatistics& ours,
                     const BuildAccount& account, std::vector<std::string>& out) {
  const PartStatistics& train = ours.parts.front();
  if (train.from != theirs.front()->from)
    out.push_back(fmt::format("Years: the published training part begins in {}, ours in {}.",
                              theirs.front()->from, train.from));
  if (account.files.contains("acl")) {
    out.emplace_back(
        "Affiliations: the paper has them from PDFs. The Anthology's files have none to speak of "
        "before 2022, so that institutions and partnership cannot be met.");
    out.emplace_back(
        "Names: the paper's are read off PDFs, where some papers and authors are lost and others "
        "misread. The Anthology's are typed in.");
  } else if (account.files.contains("paperlists")) {
    out.emplace_back(
        "Affiliations: the paper has them from PDFs. The lists name them for some years, and only "
        "where there is one for each author can they be used.");
  }
  const std::string filter = setting(account, "filter");
  const bool theirs_filtered =
      theirs.front()->counts[kExpertise] >= theirs.front()->counts[kScientists];
  if (filter == "all" && theirs_filtered)
    out.emplace_back("Filter: ours has all papers (filter=all).");
  if (filter == "matched" && !theirs_filtered)
    out.emplace_back("Filter: ours has papers with a keyword alone (filter=matched).");
  if (!account.settings.empty())
    out.push_back(fmt::format("Ours was built with identity={}, pairs={}, keywords={}, filter={}.",
                              setting(account, "identity"), setting(account, "pairs"),
                              setting(account, "keywords"), filter));
}

}  // namespace

std::vector<std::string> published_graphs() {
  std::vector<std::string> out;
  for (const PublishedPart& part : published())
    if (std::find(out.begin(), out.end(), part.graph) == out.end()) out.push_back(part.graph);
  return out;
}

std::string published_graph_of(const BuildAccount& account) {
  auto inputs = account.files;
  inputs.erase(kKeywordsInput);
  inputs.erase(kPersonsInput);
  if (account.recipe != "expert" || inputs.size() != 1) return {};
  const auto& [input, files] = *inputs.begin();
  if (input == "acl" || input == "wos" || input == "scopus") return input;
  if (input != "paperlists") return {};
  // Lists are called iclr2017.json; those of another venue are of another graph.
  std::string found;
  for (const std::string& file : files) {
    std::string venue = file.substr(0, file.find_first_of("0123456789._-"));
    for (char& c : venue) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (venue == "nips") venue = "neurips";
    if (!found.empty() && found != venue) return {};
    found = venue;
  }
  const std::vector<std::string> all = published_graphs();
  return std::find(all.begin(), all.end(), found) == all.end() ? "" : found;
}

namespace {

// By name; "": there is none.
std::string find_published(const std::string& name) {
  const std::vector<std::string> all = published_graphs();
  const auto found =
      std::ranges::find_if(all, [&](const std::string& one) { return same_name(one, name); });
  return found == all.end() ? "" : *found;
}

}  // namespace

std::string cuts_text(const std::string& split) {
  const std::string graph = find_published(split);
  if (graph.empty()) return split;
  const auto parts = parts_of(graph);
  return fmt::format("{},{},{}", parts[0]->to, parts[1]->to, parts[2]->to);
}

std::string published_graph(const std::string& name) {
  const std::string found = find_published(name);
  if (found.empty())
    fail("--published '{}': there are no published counts of it; they are of {}", name,
         fmt::join(published_graphs(), ", "));
  return found;
}

PublishedComparison compare_published(const std::string& graph, const FactsStatistics& ours,
                                      const BuildAccount& account) {
  PublishedComparison out;
  out.graph = published_graph(graph);
  const auto theirs = parts_of(out.graph);
  out.cuts = {theirs[0]->to, theirs[1]->to, theirs[2]->to};
  out.same_cuts = out.cuts == ours.cuts;
  if (!out.same_cuts) return out;
  bool equal = true;
  for (std::size_t k = 0; k < theirs.size(); ++k) {
    for (std::size_t w = 0; w < kWhat.size(); ++w) {
      out.counts.push_back({theirs[k]->part, std::string(kWhat[w]), theirs[k]->counts[w],
                            count_of(ours, ours.parts[k], kWhat[w])});
      equal = equal && out.counts.back().ours == out.counts.back().published;
    }
  }
  if (equal) return out;
  reasons_of_theirs(theirs, out.reasons);
  reasons_of_ours(theirs, ours, account, out.reasons);
  return out;
}

Json published_json(const PublishedComparison& comparison) {
  const TimeCuts& cuts = comparison.cuts;
  Json counts = Json::array();
  for (const ComparedCount& count : comparison.counts)
    counts.push_back({{"part", count.part},
                      {"count", count.what},
                      {"published", count.published},
                      {"ours", count.ours},
                      {"difference", count.ours - count.published},
                      {"verdict", count.ours == count.published ? "equal" : "different"}});
  return {{"graph", comparison.graph},
          {"table", "EXPERT 2022, Table 2"},
          {"split", {cuts.train, cuts.valid, cuts.test}},
          {"same_split", comparison.same_cuts},
          {"counts", counts},
          {"reasons", comparison.reasons}};
}

}  // namespace cupel
