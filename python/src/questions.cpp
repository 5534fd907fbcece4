// Statistics, audits, cards, splits, and lists of what there is.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "bindings.h"
#include "cupel/api/audit.h"
#include "cupel/api/fact_audit.h"
#include "cupel/api/facts_memory.h"
#include "cupel/api/how.h"
#include "cupel/api/link_audit.h"
#include "cupel/api/load.h"
#include "cupel/api/shown.h"
#include "cupel/api/splits.h"
#include "cupel/api/statistics.h"
#include "cupel/base/json_text.h"
#include "cupel/data/audit/audit_report.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/generate/generator.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/learn/model.h"
#include "views.h"

namespace cupel::python {
namespace {

std::string stats(const Data& data, double seconds, std::uint64_t seed, int threads,
                  bool drop_outliers, const std::string& split, int splits,
                  const std::string& published) {
  const nb::gil_scoped_release release;
  StatisticsRequest request;
  if (seconds > 0) request.seconds = seconds;
  if (seed > 0) request.seed = seed;
  if (threads > 0) request.threads = threads;
  request.drop_outliers = drop_outliers;
  request.split = split;
  request.splits = splits;
  request.published = published;
  request.source = data.origin();
  return json_text(found_json(*data.data, statistics_of(*data.data, request)), -1);
}

std::string audit(const Data& data, const std::string& split, const std::string& negatives,
                  const std::string& prepare, const std::string& hits, int members,
                  const std::string& directed, const std::string& rule, const std::string& store,
                  const std::string& memory) {
  const nb::gil_scoped_release release;
  const LinkAuditRequest links{
      .split = split, .negatives = negatives, .prepare = prepare, .hits = hits, .members = members};
  const AuditRequest graph{.name = data.origin(),
                           .data_folder = data.folder,
                           .directed = directed,
                           .rule = rule,
                           .store = store};
  // Facts are read once more, which nobody was told of if they were loaded before.
  if (data.data->facts && !data.source.empty())
    (void)memory_for_facts(place_of_facts(data.origin(), data.folder).value_or(data.origin()),
                           memory.empty() ? 0 : parse_size("memory", memory));
  return json_text(report_json(audit_of(*data.data, graph, links)), -1);
}

// The cleaned data set, and the account of what was done.
std::pair<Data, std::string> cleaned(const Data& data, const std::vector<std::string>& fixes,
                                     const std::string& out, const std::string& directed,
                                     const std::string& rule) {
  const nb::gil_scoped_release release;
  const AuditRequest request{.name = data.origin(),
                             .data_folder = data.folder,
                             .directed = directed,
                             .rule = rule,
                             .store = {}};
  if (data.data->facts) refuse_what_is_of_graphs(data.data->name, request, {}, {{"--fix", true}});
  if (!out.empty()) check_copy_path(*data.data, out);
  CleanedCopy copy = DatasetAudit(*data.data, request).fixed(fixes, out, "cupel " CUPEL_VERSION);
  return {made(std::move(copy.dataset)), json_text(copy.provenance, -1)};
}

std::string card(const Data& data) {
  const nb::gil_scoped_release release;
  return json_text(card_json(*data.data, data.source, data.place, data.folder), -1);
}

// A family and the data that it refers to.
struct Splits {
  std::shared_ptr<const Dataset> data;
  SplitFamily family;
};

Splits draw_splits(const Data& data, const std::string& scheme,
                   const std::map<std::string, OptionValue>& settings) {
  const nb::gil_scoped_release release;
  return {data.data, SplitFamily(*data.data, read_split_scheme("splits", scheme, settings))};
}

nb::tuple member(const Splits& splits, int index) {
  if (index < 0 || index >= splits.family.size()) throw nb::index_error("there is no such split");
  Split split;
  {
    const nb::gil_scoped_release release;
    split = splits.family.member(index);
  }
  const std::string hash = split_hash(split);
  return nb::make_tuple(owned(std::move(split.train)), owned(std::move(split.valid)),
                        owned(std::move(split.test)), owned(std::move(split.stopping)), hash);
}

std::optional<Array<Index>> link_pairs(const Splits& splits) {
  const PairList* links = splits.family.links();
  if (links == nullptr) return std::nullopt;
  std::vector<Index> out;
  for (const Pair& pair : links->pairs) {
    out.push_back(pair.source);
    out.push_back(pair.target);
  }
  const std::array<std::size_t, 2> shape{links->pairs.size(), 2};
  return owned(std::move(out), shape);
}

template <class List, class Name>
std::vector<std::string> names(const List& list, Name name) {
  std::vector<std::string> out;
  for (const auto& one : list) out.push_back(name(one));
  return out;
}

}  // namespace

void bind_questions(nb::module_& m) {
  m.def("stats", &stats, nb::arg("data"), nb::arg("seconds") = 0.0, nb::arg("seed") = 0,
        nb::arg("threads") = 0, nb::arg("drop_outliers") = false, nb::arg("split") = "",
        nb::arg("splits") = 0, nb::arg("published") = "");
  m.def("audit", &audit, nb::arg("data"), nb::arg("split") = "", nb::arg("negatives") = "",
        nb::arg("prepare") = "", nb::arg("hits") = "", nb::arg("members") = 0,
        nb::arg("directed") = "", nb::arg("rule") = "", nb::arg("store") = "",
        nb::arg("memory") = "");
  m.def("clean", &cleaned, nb::arg("data"), nb::arg("fixes"), nb::arg("out"), nb::arg("directed"),
        nb::arg("rule"));
  m.def("card", &card, nb::arg("data"));
  nb::class_<Splits>(m, "Splits")
      .def("__len__", [](const Splits& s) { return s.family.size(); })
      .def("member", &member, nb::arg("index"), nb::sig("def member(self, index: int) -> tuple"))
      .def_prop_ro("unit", [](const Splits& s) { return unit_name(s.family.unit()); })
      .def_prop_ro("words", [](const Splits& s) { return split_words(s.family.scheme()); })
      .def("link_pairs", &link_pairs);
  m.def("draw_splits", &draw_splits, nb::arg("data"), nb::arg("scheme"), nb::arg("settings"));
  m.def("datasets", [] { return names(recipes(), [](const Recipe& r) { return r.name; }); });
  m.def("models", [] { return names(models(), [](const ModelEntry* e) { return e->name; }); });
  m.def("generators",
        [] { return names(generators(), [](const Generator* g) { return g->name; }); });
  m.def("protocols", &protocol_names);
}

}  // namespace cupel::python
