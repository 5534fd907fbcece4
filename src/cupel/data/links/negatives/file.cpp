// Negatives from files of the user, or published beside a benchmark.
#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/data/links/negative_file.h"
#include "cupel/data/links/negatives.h"

namespace cupel {
namespace {

std::string path_of(const Dataset& dataset, const Options& settings, LinkPart part) {
  const char* setting = part == LinkPart::kValid ? "valid" : "test";
  std::string path = settings.text(setting);
  if (path.empty())
    fail("{}: negatives 'file' need {}, the csv file of {} negatives", dataset.name, setting,
         to_text(part));
  constexpr std::string_view kName = "{dataset}";
  for (std::size_t at = 0; (at = path.find(kName, at)) != std::string::npos;
       at += dataset.name.size())
    path.replace(at, kName.size(), dataset.name);
  return path;
}

std::vector<std::string> files(const Dataset& dataset, const Options& settings) {
  return {path_of(dataset, settings, LinkPart::kValid),
          path_of(dataset, settings, LinkPart::kTest)};
}

// By content: files that are moved are the same negatives, edited ones are others.
std::string content(const Dataset& dataset, const Options& settings) {
  return fmt::format("links={} valid={} test={}", settings.text("links"),
                     sha256_file(path_of(dataset, settings, LinkPart::kValid)),
                     sha256_file(path_of(dataset, settings, LinkPart::kTest)));
}

class Checker {
 public:
  Checker(const NegativeContext& context, const NegativeFile& file)
      : context_(context), file_(file), part_(context.links.pairs.size(), nullptr) {
    const auto mark = [&](const std::vector<Index>& ids, const char* name) {
      for (const Index id : ids) part_[static_cast<std::size_t>(id)] = name;
    };
    mark(context.split.train, "training");
    mark(context.split.valid, to_text(LinkPart::kValid));
    mark(context.split.test, to_text(LinkPart::kTest));
    known_only_ = context.settings.text("links") == "known";
  }

  // Negatives are no links, or, if the settings say so, no known ones.
  void require_no_link(const NegativeRow& row) const {
    const std::optional<Index> id = id_of(row.pair);
    if (!id) return;
    const char* part = part_[static_cast<std::size_t>(*id)];
    const std::string_view own = to_text(context_.part);
    // Links that no one knows when the part is asked, but for those that it would contradict.
    const bool unknown = part != nullptr && std::string_view(part) != "training" &&
                         (part == own || context_.part == LinkPart::kValid);
    const bool optional = unknown && (file_.lists ? row.pair != row.question : part != own);
    if (known_only_ && optional) return;
    fail("{}: line {}: the negative ({}, {}) is a link of the {}; take it out{}", file_.path,
         row.line, row.pair.source, row.pair.target,
         part == nullptr ? std::string("graph") : fmt::format("{} part", part),
         optional ? ", or refuse known links alone with links = \"known\"" : "");
  }

  // Places of the part's positives, by pair.
  std::vector<std::pair<Pair, std::size_t>> places() const {
    const std::vector<Pair> positives = context_.positives();
    std::vector<std::pair<Pair, std::size_t>> out;
    for (std::size_t q = 0; q < positives.size(); ++q) out.emplace_back(positives[q], q);
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  std::optional<Index> id_of(Pair pair) const {
    const auto& pairs = context_.links.pairs;
    const auto at = std::lower_bound(pairs.begin(), pairs.end(), pair);
    if (at == pairs.end() || *at != pair) return std::nullopt;
    return static_cast<Index>(at - pairs.begin());
  }

  const NegativeContext& context_;
  const NegativeFile& file_;
  std::vector<const char*> part_;  // per link: of which part
  bool known_only_ = false;
};

CandidateLists lists_of(const NegativeContext& context, const NegativeFile& file,
                        const Checker& checker) {
  const auto places = checker.places();
  std::vector<std::pair<std::size_t, std::size_t>> ranges(places.size());  // of rows, by positive
  auto place = places.begin();
  for (std::size_t begin = 0, end = 0; begin < file.rows.size(); begin = end) {
    const NegativeRow& row = file.rows[begin];
    while (end < file.rows.size() && file.rows[end].question == row.question) ++end;
    while (place != places.end() && place->first < row.question) ++place;
    if (place == places.end() || place->first != row.question)
      fail("{}: line {}: ({}, {}) is no {} link, and negatives are for those alone", file.path,
           row.line, row.question.source, row.question.target, to_text(context.part));
    ranges[place->second] = {begin, end};
  }
  const auto missing =
      std::count(ranges.begin(), ranges.end(), std::pair<std::size_t, std::size_t>());
  CandidateLists out;
  for (const auto& [pair, q] : places) {
    if (ranges[q].second == 0)
      fail("{}: {} of {} {} links have no negative, the first is ({}, {}); give each one a list",
           file.path, missing, places.size(), to_text(context.part), pair.source, pair.target);
  }
  for (const auto& [begin, end] : ranges) {
    for (std::size_t r = begin; r < end; ++r) out.pairs.push_back(file.rows[r].pair);
    out.start.push_back(std::ssize(out.pairs));
  }
  return out;
}

Candidates draw_file(const NegativeContext& context) {
  const NegativeFile file = read_negatives(path_of(context.dataset, context.settings, context.part),
                                           context.links.nodes, context.links.directed);
  const Checker checker(context, file);
  for (const NegativeRow& row : file.rows) checker.require_no_link(row);
  if (file.lists) return lists_of(context, file, checker);
  CandidatePool out;
  for (const NegativeRow& row : file.rows) out.pairs.push_back(row.pair);
  return out;
}

}  // namespace

extern const NegativeKind negative_file;
const NegativeKind negative_file = {
    "file",
    "those of csv files, one pool or a list for each positive, in which {dataset} stands for the "
    "data set's name",
    {{.name = "valid", .fallback = std::string(), .doc = "the file of validation negatives"},
     {.name = "test", .fallback = std::string(), .doc = "the file of test negatives"},
     {.name = "links",
      .fallback = std::string("all"),
      .doc = "links that are refused as negatives: all, or those known when the part is asked, as "
             "lists of HeaRT hold other positives",
      .choices = {"all", "known"}}},
    std::nullopt,
    draw_file,
    nullptr,
    content,
    files};

}  // namespace cupel
