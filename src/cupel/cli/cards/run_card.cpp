#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "cupel/base/json_text.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/cards/group_scores.h"
#include "cupel/cli/text.h"
#include "cupel/learn/score/group_names.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

Json score_json(const std::optional<double>& score) { return score ? Json(*score) : Json(); }

std::string score_text(const std::optional<double>& score) {
  return score ? fmt::format("{:.4f}", *score) : "none";
}

// Whether the stored validation loss contains the penalty of L2 (lab/record/identity.h).
bool has_penalty(const Json& identity) {
  const Json& family = identity.at("family");
  const Json& model = family.at("model");
  const Json& settings = model.at("settings");
  return !model.contains("program") && settings.contains("l2") && settings.at("l2") != 0.0 &&
         family.at("train").at("stop_on") != "valid-cross-entropy";
}

}  // namespace

std::string run_card(const RunRecord& record, bool json) {
  const Json identity = Json::parse(record.identity);
  if (json) {
    Json others = Json::object();
    for (const auto& [metric, score] : record.other_scores) others[metric] = score;
    Json strata = Json::array();
    for (const StratumScore& s : record.strata)
      strata.push_back({{"stratum", s.stratum},
                        {"inside", score_json(s.inside)},
                        {"outside", score_json(s.outside)},
                        {"inside_nodes", s.inside_nodes},
                        {"outside_nodes", s.outside_nodes}});
    return json_text(Json{{"kind", "run"},
                          {"id", record.id},
                          {"status", to_text(record.status)},
                          {"metric", record.metric},
                          {"test_score", score_json(record.test_score)},
                          {"other_scores", others},
                          {"strata", strata},
                          {"valid_score", score_json(record.valid_score)},
                          {"valid_loss", record.valid_loss},
                          {"valid_loss_has_penalty", has_penalty(identity)},
                          {"epochs", record.epochs},
                          {"best_epoch", record.best_epoch},
                          {"seconds", record.seconds},
                          {"memory_bytes", record.memory_bytes},
                          {"message", record.message},
                          {"isolation", record.isolation.empty() ? Json() : Json(record.isolation)},
                          {"sealed", record.sealed},
                          {"identity", identity}});
  }
  std::string out = labelled("Run", record.id);
  out += labelled("Status",
                  to_text(record.status) + (record.message.empty() ? "" : ": " + record.message));
  out += labelled("Test", fmt::format("{} {}", record.metric, score_text(record.test_score)));
  for (const auto& [metric, score] : record.other_scores)
    if (!parse_group_name(metric))
      out += labelled("", fmt::format("{} {}", metric, score_text(score)));
  for (const StratumScore& s : record.strata)
    out += labelled("", fmt::format("{} on {} nodes of group {}, {} on the other {}",
                                    score_text(s.inside), s.inside_nodes, s.stratum.substr(0, 12),
                                    score_text(s.outside), s.outside_nodes));
  out += labelled("Validation", fmt::format("{} {}, loss {:.6g}{}", record.metric,
                                            score_text(record.valid_score), record.valid_loss,
                                            has_penalty(identity) ? " with the L2 penalty" : ""));
  out += labelled("Epochs", record.best_epoch < 0 ? fmt::format("{}", record.epochs)
                                                  : fmt::format("{}, kept epoch {}", record.epochs,
                                                                record.best_epoch));
  out += labelled("Took", fmt::format("{}, {}", duration_text(record.seconds),
                                      byte_text(static_cast<double>(record.memory_bytes))));
  if (!record.isolation.empty())
    out += labelled("Isolation",
                    record.isolation == "none" ? "not isolated" : "by " + record.isolation);
  if (!record.sealed)
    out += labelled("Sealed", "no: kept before runs were sealed, so an edit of it may go unseen");
  out += group_scores_text(record.other_scores);
  out += "\nIdentity (everything that the result depends on)\n";
  out += json_text(identity);
  return out;
}

}  // namespace cupel::cli
