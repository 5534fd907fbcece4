#include "cupel/api/fact_audit.h"

#include <charconv>
#include <filesystem>
#include <utility>
#include <vector>

#include "cupel/api/load.h"
#include "cupel/api/published_counts.h"
#include "cupel/base/calendar.h"
#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/facts/columns_of.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/formats/build_account.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// How much of test is known from before, however little that is.
nlohmann::ordered_json known_before(const TestShares& of) {
  const auto share = [](Offset part, Offset all) -> nlohmann::ordered_json {
    if (all == 0) return nullptr;
    return static_cast<double>(part) / static_cast<double>(all);
  };
  const Repetition& facts = of.repetition;
  return {{"in_training", facts.in_training},
          {"share_in_training", share(facts.in_training, facts.test)},
          {"before", facts.before},
          {"share_before", share(facts.before, facts.test)},
          {"test_nodes", of.nodes},
          {"unseen_nodes", std::ssize(of.unseen)},
          {"share_unseen_nodes", share(std::ssize(of.unseen), of.nodes)}};
}

}  // namespace

void refuse_what_is_of_graphs(const std::string& name, const AuditRequest& graph,
                              const LinkAuditRequest& links,
                              std::initializer_list<std::pair<const char*, bool>> more) {
  std::vector<std::pair<const char*, bool>> options = {
      {"--store", !graph.store.empty()},     {"--directed", !graph.directed.empty()},
      {"--rule", !graph.rule.empty()},       {"--negatives", !links.negatives.empty()},
      {"--prepare", !links.prepare.empty()}, {"--hits", !links.hits.empty()},
      {"--members", links.members > 0}};
  options.insert(options.end(), more);
  for (const auto& [option, given] : options)
    if (given)
      fail("audit: {} is of graphs, and {} holds facts over time; leave it out", option, name);
}

AuditReport audit_facts_of(const fs::path& place, const std::string& split) {
  FactNotes notes;
  const TemporalFacts facts = read_facts(place, &notes);
  std::optional<TimeCuts> cuts;
  if (!split.empty()) cuts = cuts_of_text(facts, cuts_text(split), "--split");
  FactSubject subject = fact_subject(facts, cuts, {available_processors()});
  subject.notes = notes;
  subject.this_year = this_year();
  const BuildAccount account = read_build_account(place);
  subject.last_year = account.last_year;
  subject.built = account.facts;

  AuditReport report{.name = facts.name, .findings = audit_facts(subject)};
  if (account.damaged)
    report.notes.push_back(
        "provenance.json cannot be read, so that nothing was held against what it said of the "
        "build; the folder is not as it was written.");
  report.about = {{"dataset", facts.name},
                  {"content_hash", content_hash(facts)},
                  {"facts",
                   {{"facts", facts.facts()},
                    {"nodes", facts.entities()},
                    {"relations", facts.relations.size()}}}};
  if (facts.facts() > 0) {
    report.about["facts"]["from"] = subject.columns.time.front();
    report.about["facts"]["to"] = subject.columns.time.back();
  }
  if (subject.parts) {
    const TimeParts& parts = *subject.parts;
    report.about["split"] = {{"training", parts.train_end},
                             {"validation", parts.valid_end - parts.train_end},
                             {"test", parts.test_end - parts.valid_end}};
    report.about["known_before"] = known_before(*subject.shares);
    report.notes.push_back(fmt::format(
        "Parts{}: {} of training, {} of validation, {} of test.",
        subject.parts_of_source ? " of the source" : " by --split " + split,
        audit_text::count(parts.train_end, "fact"), grouped(parts.valid_end - parts.train_end),
        grouped(parts.test_end - parts.valid_end)));
  } else if (!facts.parts.empty()) {
    report.notes.push_back(
        "The parts of the source are not training and test one after the other, so that "
        "answered-by-repetition and unseen-nodes were not checked. Name the last times of "
        "training, "
        "validation and test: --split A,B,C.");
  } else {
    report.notes.push_back(
        "No part is known to be test; what concerns parts was not checked. Name the last times of "
        "training, validation and test: --split A,B,C.");
  }
  return report;
}

AuditReport audit_of(const Dataset& dataset, const AuditRequest& graph,
                     const LinkAuditRequest& links) {
  if (dataset.facts) {
    refuse_what_is_of_graphs(dataset.name, graph, links);
    if (graph.name.empty())
      fail("{}: facts over time are audited as they stand in files; load them", dataset.name);
    return audit_facts_of(place_of_facts(graph.name, graph.data_folder).value_or(graph.name),
                          links.split);
  }
  check(links);
  if (links.split.empty()) return DatasetAudit(dataset, graph).report();
  return audit_links_of(dataset, graph.name, content_hash(dataset), links);
}

}  // namespace cupel
