#include "cupel/cli/link_audit.h"

#include <algorithm>
#include <charconv>

#include "cupel/base/error.h"
#include "cupel/base/named_settings.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/options.h"
#include "cupel/cli/text.h"
#include "cupel/data/audit/link_splits.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/catalog/relatives.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/data/split/link_split.h"
#include "cupel/data/split/split_kind.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/learn/links/link_view.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kUsualNegatives = "uniform";

// Not so the scheme "file:file=PATH.json", which takes no leaks.
bool is_file(const LinkAuditArguments& arguments) {
  return arguments.split.ends_with(".json") && named_settings(arguments.split).name != "file";
}

const std::string& negatives_of(const LinkAuditArguments& arguments) {
  static const std::string usual = kUsualNegatives;
  return arguments.negatives.empty() ? usual : arguments.negatives;
}

std::vector<Offset> hits_of(const LinkAuditArguments& arguments) {
  std::vector<Offset> out;
  if (arguments.hits.empty()) return out;
  for (const std::string& text : split_list({arguments.hits})) {
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
int members_of(const LinkAuditArguments& arguments, std::optional<std::int64_t> all) {
  if (all && arguments.members > *all)
    fail("audit: --members {} are more than the {} of {}", arguments.members,
         counted(*all, "split"), arguments.split);
  if (arguments.members > 0) return arguments.members;
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

Members audit_file(const LinkAuditSource& source, const LinkAuditArguments& arguments,
                   const std::string& hash) {
  const LinkFile file = read_link_file(arguments.split, source.data.nodes());
  const int count = members_of(arguments, std::ssize(file.splits));
  Members out;
  out.split = {{"file", arguments.split}, {"directed", file.directed}};
  out.words = fmt::format("{} of {}", counted(count, "split"), arguments.split);
  out.own_negatives = true;
  for (int i = 0; i < count; ++i) {
    const LinkFileSplit& split = file.splits[static_cast<std::size_t>(i)];
    const bool given = split.negatives[0] || split.negatives[1];
    if (given && !arguments.negatives.empty())
      fail("audit: split {} of {} has negatives of its own; leave --negatives out", i,
           arguments.split);
    out.own_negatives = out.own_negatives && split.negatives[0] && split.negatives[1];
    out.audited.add(link_subject(source, file, static_cast<std::size_t>(i),
                                 stream_key(fmt::format("audit/links/{}/{}", hash, i))));
  }
  return out;
}

Members audit_scheme(const LinkAuditSource& source, const LinkAuditArguments& arguments,
                     const std::string& hash) {
  SplitScheme scheme = resolved_scheme(scheme_of(arguments.split), source.data);
  if (split_unit(scheme, source.data) != Unit::kPair)
    fail(
        "audit: --split '{}' splits {}s, and --split is of links; take links, or a JSON file of "
        "pairs",
        arguments.split, unit_name(split_unit(scheme, source.data)));
  scheme.count = members_of(arguments, family_size(scheme, source.data));
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

std::vector<std::string> notes_of(const Members& members, const LinkAuditArguments& arguments) {
  const Audited& audited = members.audited;
  std::vector<std::string> out;
  out.push_back(fmt::format("Audited: {}.", members.words));
  out.push_back(fmt::format("Split 0 has {}.", audited.first_sizes));
  out.push_back(members.own_negatives
                    ? "Negatives are those of the file."
                    : fmt::format("Negatives are drawn: {}.", negatives_of(arguments)));
  if (audited.unknown > 0)
    out.push_back(fmt::format("The graph does not have {} of the split{}.",
                              counted(audited.unknown, "link"),
                              audited.findings.size() > 1 ? " that has most of them" : ""));
  return out;
}

}  // namespace

void add_link_audit(Syntax& syntax, LinkAuditArguments& arguments) {
  syntax.group("Links")
      .text("--split", "SCHEME|FILE", arguments.split,
            "Audit splits of links instead: \"links\",\n\"links:train=85;valid=5;test=10\", or a "
            "JSON\nfile of pairs. Of facts over time: the last times\nof training, validation and "
            "test, "
            "2018,2019,2021")
      .text("--negatives", "KIND", arguments.negatives,
            "What links are ranked against (default:\nuniform): \"heart:count=500\"; `cupel list "
            "negatives`\nhas the kinds")
      .count("--members", arguments.members,
             "How many splits of the scheme (default: 1; of a\nfile all)")
      .text("--hits", "K,K", arguments.hits, "Tell whether hits@K can be measured")
      .text("--prepare", "STEPS", arguments.prepare,
            "Steps to do first, with commas (default: those of\nthe catalog)");
}

void check(const LinkAuditArguments& arguments) {
  if (arguments.split.empty()) {
    const std::pair<const char*, bool> given[] = {{"--negatives", !arguments.negatives.empty()},
                                                  {"--members", arguments.members > 0},
                                                  {"--hits", !arguments.hits.empty()},
                                                  {"--prepare", !arguments.prepare.empty()}};
    for (const auto& [option, is_given] : given)
      if (is_given) fail("audit: {} goes with --split, for example --split links", option);
    return;
  }
  (void)hits_of(arguments);
  (void)read_negatives("audit: --negatives", negatives_of(arguments));
  if (!is_file(arguments)) (void)scheme_of(arguments.split);
}

AuditReport audit_links_of(const Dataset& stored, const std::string& name, const std::string& hash,
                           const LinkAuditArguments& arguments) {
  const Recipe* recipe = recipe_of(name, hash);
  const std::vector<std::string> steps = !arguments.prepare.empty()
                                             ? split_list({arguments.prepare})
                                         : recipe != nullptr ? recipe->preparation
                                                             : default_preparation(name);
  const Dataset data = prepare(stored, steps);
  const NegativeChoice negatives = read_negatives("audit: --negatives", negatives_of(arguments));
  const std::vector<Offset> ks = hits_of(arguments);
  const LinkAuditSource source{.data = data,
                               .kind = negatives.kind,
                               .settings = negatives.settings,
                               .ks = ks,
                               .threads = {available_processors()}};
  Members members = is_file(arguments) ? audit_file(source, arguments, hash)
                                       : audit_scheme(source, arguments, hash);
  const std::string splits = counted(std::ssize(members.audited.findings), "split");
  AuditReport out{
      .name = fmt::format("{}, {} of links", stored.name, splits),
      .about = {{"dataset", stored.name},
                {"content_hash", hash},
                {"preparation", steps},
                {"split", members.split},
                {"negatives", members.own_negatives ? Json() : Json(negatives_of(arguments))},
                {"splits", members.audited.sizes}},
      .findings = {},
      .notes = notes_of(members, arguments)};
  out.findings = worst_of_splits(std::move(members.audited.findings));
  return out;
}

}  // namespace cupel::cli
