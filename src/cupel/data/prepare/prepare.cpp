#include "cupel/data/prepare/prepare.h"

#include <algorithm>
#include <charconv>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/data/prepare/step.h"

namespace cupel {
namespace {

struct Call {
  const StepKind* step;
  Index number = 0;
};

Call parse_step(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const auto& kinds = step_kinds();
  const auto step = std::ranges::find(kinds, name, &StepKind::name);
  if (step == kinds.end()) {
    std::vector<std::string> known;
    for (const StepKind* kind : kinds) known.push_back(kind->name);
    fail("preparation step '{}' is unknown{}", text, near_or_all(name, known));
  }
  Call call{*step};
  if (!call.step->takes_number) {
    if (colon != std::string::npos) {
      fail("preparation step '{}' takes no argument; write '{}'", text, name);
    }
    return call;
  }
  const std::string digits = colon == std::string::npos ? "" : text.substr(colon + 1);
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), call.number);
  if (problem != std::errc() || end != digits.data() + digits.size() || call.number < 0) {
    fail("preparation step '{}' needs a whole number of at least 0; write it as '{}:50'", text,
         name);
  }
  return call;
}

void check_suits(const Dataset& dataset, const std::string& text, const StepKind& step) {
  if (dataset.facts)
    fail("{}: preparation step '{}' is for graphs, and this holds facts over time; leave it out",
         dataset.name, text);
  if (step.suits == StepFor::kOneGraph && dataset.graphs) {
    fail("{}: preparation step '{}' is for one graph, and this is a set of {} graphs; leave it out",
         dataset.name, text, dataset.graphs->size());
  }
  if (step.suits == StepFor::kSetOfGraphs && !dataset.graphs) {
    fail("{}: preparation step '{}' is for sets of graphs, and this is one graph; leave it out",
         dataset.name, text);
  }
}

}  // namespace

Dataset prepare(Dataset dataset, const std::vector<std::string>& steps) {
  std::vector<Call> calls;  // all are checked before the first is done
  for (const std::string& text : steps) {
    calls.push_back(parse_step(text));
    check_suits(dataset, text, *calls.back().step);
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    calls[i].step->apply(dataset, calls[i].number);
    dataset.history.push_back({steps[i], dataset.nodes(), dataset.adjacency.entries()});
  }
  return dataset;
}

std::vector<std::pair<std::string, std::string>> preparation_steps() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const StepKind* step : step_kinds()) {
    out.emplace_back(step->takes_number ? step->name + ":N" : step->name, step->doc);
  }
  return out;
}

}  // namespace cupel
