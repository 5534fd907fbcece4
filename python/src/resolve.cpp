// Entities of facts that are one.
#include "cupel/api/resolve.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "bindings.h"
#include "cupel/api/how.h"
#include "cupel/base/json_text.h"

namespace cupel::python {
namespace {

// What came of it, or would be taken, and what there is to know of the work.
std::pair<std::string, std::vector<std::string>> resolved(
    const std::string& folder, const std::string& out, const std::string& decisions,
    const std::string& decisions_out, const std::string& gold, const std::string& gold_ids,
    const std::string& only, std::optional<double> threshold, std::optional<double> show,
    bool proposals, int threads, const std::string& memory, bool dry_run) {
  const nb::gil_scoped_release release;
  ResolveRequest request;
  request.folder = folder, request.out = out;
  request.decisions = decisions, request.decisions_out = decisions_out;
  request.gold = gold, request.gold_ids = gold_ids;
  request.only = only;
  request.threshold = threshold, request.show = show;
  request.proposals = proposals;
  if (threads > 0) request.threads = threads;
  if (!memory.empty()) request.memory_bytes = parse_size("memory", memory);
  std::vector<std::string> notes;
  const auto note = [&](const std::string& text) { notes.push_back(text); };
  const auto told = dry_run ? needs_json(resolve_needs(request, note))
                            : outcome_json(resolve_entities(request, note));
  return {json_text(told, -1), std::move(notes)};
}

}  // namespace

void bind_resolve(nb::module_& m) {
  m.def("resolve", &resolved, nb::arg("folder"), nb::arg("out"), nb::arg("decisions"),
        nb::arg("decisions_out"), nb::arg("gold"), nb::arg("gold_ids"), nb::arg("only"),
        nb::arg("threshold").none(), nb::arg("show").none(), nb::arg("proposals"),
        nb::arg("threads"), nb::arg("memory"), nb::arg("dry_run"));
}

}  // namespace cupel::python
