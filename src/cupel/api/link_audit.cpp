#include "cupel/api/link_audit.h"

#include <algorithm>
#include <charconv>

#include "cupel/base/error.h"
#include "cupel/base/named_settings.h"
#include "cupel/base/options_json.h"
#include "cupel/base/split_list.h"
#include "cupel/base/words.h"
#include "cupel/data/audit/link_splits.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/catalog/relatives.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/data/split/link_split.h"
#include "cupel/data/split/split_kind.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/learn/links/link_view.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kUsualNegatives = "uniform";

// Not so the scheme "file:file=PATH.json", which takes no leaks.
bool is_file(const LinkAuditRequest& request) {
  return request.split.ends_with(".json") && named_settings(request.split).name != "file";
}

const std::string& negatives_of(const LinkAuditRequest& request) {
  static const std::string usual = kUsualNegatives;
  return request.negatives.empty() ? usual : request.negatives;
}

std::vector<Offset> hits_of(const LinkAuditRequest& request) {
  std::vector<Offset> out;
  if (request.hits.empty()) return out;
  for (const std::string& text : split_list({request.hits})) {
    Offset k = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), k);
    if (problem != std::errc() || end != text.data() + text.size() || k < 1)
      fail("audit: --hits '{}' is no whole number from 1, the K of a hits@K", text);
    out.push_back(k);
  }
  return out;
}

// "links:train=85;valid=5;test=10": what is not said is as declared.
SplitScheme scheme_of(const std::string& text) {
  const NamedSettings named = named_settings(text);
  SplitScheme out{.kind = named.name};
  std::vector<OptionSpec> specs;
  for (const SplitSetting& setting : split_kind(named.name).settings)
    specs.push_back(setting.option);
  const Options options =
      parse_options(fmt::format("audit: --split '{}'", named.name), specs, named.settings);
  for (const std::string& setting : named.settings) {
    const std::string key = setting.substr(0, setting.find('='));
    out.settings[key] = options.all().at(key);
  }
  return out;
}

// How many of `all` are audited; of a family without end one.
int members_of(const LinkAuditRequest& request, std::optional<std::int64_t> all) {
  if (all && request.members > *all)
    fail("audit: --members {} are more than the {} of {}", request.members, counted(*all, "split"),
         request.split);
  if (request.members > 0) return request.members;
  return static_cast<int>(all.value_or(1));
}

// Subjects one by one, as each may be large.
struct Audited {
  std::vector<std::vector<Finding>> findings;
  Json sizes = Json::array();
  std::string first_sizes;
  Offset unknown = 0;  // links of a file that the graph does not have, in the split with the most

  void add(const LinkSubject& subject) {
    findings.push_back(audit_links(subject));
    const std::int64_t train = std::ssize(subject.parts[0]), valid = std::ssize(subject.parts[1]),
                       test = std::ssize(subject.parts[2]);
    sizes.push_back({{"training", train}, {"validation", valid}, {"test", test}});
    if (first_sizes.empty())
      first_sizes = fmt::format("{} training, {} validation and {} test pairs", grouped(train),
                                grouped(valid), grouped(test));
    unknown = std::max(unknown, count_unknown(subject));
  }
};

struct Members {
  Audited audited;
  Json split;
  std::string words;           // what was audited
  bool own_negatives = false;  // of the file
};

Members audit_file(const LinkAuditSource& source, const LinkAuditRequest& request,
                   const std::string& hash) {
  const LinkFile file = read_link_file(request.split, source.data.nodes());
  const int count = members_of(request, std::ssize(file.splits));
  Members out;
  out.split = {{"file", request.split}, {"directed", file.directed}};
  out.words = fmt::format("{} of {}", counted(count, "split"), request.split);
  out.own_negatives = true;
  for (int i = 0; i < count; ++i) {
    const LinkFileSplit& split = file.splits[static_cast<std::size_t>(i)];
    const bool given = split.negatives[0] || split.negatives[1];
    if (given && !request.negatives.empty())
      fail("audit: split {} of {} has negatives of its own; leave --negatives out", i,
           request.split);
    out.own_negatives = out.own_negatives && split.negatives[0] && split.negatives[1];
    out.audited.add(link_subject(source, file, static_cast<std::size_t>(i),
                                 stream_key(fmt::format("audit/links/{}/{}", hash, i))));
  }
  return out;
}

Members audit_scheme(const LinkAuditSource& source, const LinkAuditRequest& request,
                     const std::string& hash) {
  SplitScheme scheme = resolved_scheme(scheme_of(request.split), source.data);
  if (split_unit(scheme, source.data) != Unit::kPair)
    fail(
        "audit: --split '{}' splits {}s, and --split is of links; take links, or a JSON file of "
        "pairs",
        request.split, unit_name(split_unit(scheme, source.data)));
  scheme.count = members_of(request, family_size(scheme, source.data));
  const PairList links = links_of(source.data, scheme);
  PlannedDataset planned;
  planned.content = hash;
  Members out;
  out.split = {{"scheme", scheme.kind}};
  for (const auto& [name, value] : split_settings(scheme)) out.split[name] = to_json(value);
  out.words = split_words(scheme);
  for (int i = 0; i < scheme.count; ++i)
    out.audited.add(link_subject(source, scheme, links, i, task_key(planned, scheme, i)));
  return out;
}

std::vector<std::string> notes_of(const Members& members, const LinkAuditRequest& request) {
  const Audited& audited = members.audited;
  std::vector<std::string> out;
  out.push_back(fmt::format("Audited: {}.", members.words));
  out.push_back(fmt::format("Split 0 has {}.", audited.first_sizes));
  out.push_back(members.own_negatives
                    ? "Negatives are those of the file."
                    : fmt::format("Negatives are drawn: {}.", negatives_of(request)));
  if (audited.unknown > 0)
    out.push_back(fmt::format("The graph does not have {} of the split{}.",
                              counted(audited.unknown, "link"),
                              audited.findings.size() > 1 ? " that has most of them" : ""));
  return out;
}

}  // namespace

void check(const LinkAuditRequest& request) {
  if (request.split.empty()) {
    const std::pair<const char*, bool> given[] = {{"--negatives", !request.negatives.empty()},
                                                  {"--members", request.members > 0},
                                                  {"--hits", !request.hits.empty()},
                                                  {"--prepare", !request.prepare.empty()}};
    for (const auto& [option, is_given] : given)
      if (is_given) fail("audit: {} goes with --split, for example --split links", option);
    return;
  }
  (void)hits_of(request);
  (void)read_negatives("audit: --negatives", negatives_of(request));
  if (!is_file(request)) (void)scheme_of(request.split);
}

AuditReport audit_links_of(const Dataset& stored, const std::string& name, const std::string& hash,
                           const LinkAuditRequest& request) {
  const Recipe* recipe = recipe_of(name, hash);
  const std::vector<std::string> steps = !request.prepare.empty() ? split_list({request.prepare})
                                         : recipe != nullptr      ? recipe->preparation
                                                                  : default_preparation(name);
  const Dataset data = prepare(stored, steps);
  const NegativeChoice negatives = read_negatives("audit: --negatives", negatives_of(request));
  const std::vector<Offset> ks = hits_of(request);
  const LinkAuditSource source{.data = data,
                               .kind = negatives.kind,
                               .settings = negatives.settings,
                               .ks = ks,
                               .threads = {available_processors()}};
  Members members =
      is_file(request) ? audit_file(source, request, hash) : audit_scheme(source, request, hash);
  const std::string splits = counted(std::ssize(members.audited.findings), "split");
  AuditReport out{
      .name = fmt::format("{}, {} of links", stored.name, splits),
      .about = {{"dataset", stored.name},
                {"content_hash", hash},
                {"preparation", steps},
                {"split", members.split},
                {"negatives", members.own_negatives ? Json() : Json(negatives_of(request))},
                {"splits", members.audited.sizes}},
      .findings = {},
      .notes = notes_of(members, request)};
  out.findings = worst_of_splits(std::move(members.audited.findings));
  return out;
}

}  // namespace cupel
