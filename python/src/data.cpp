// Data sets: reading, making, writing, and their arrays.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "cupel/api/facts_memory.h"
#include "cupel/api/given_data.h"
#include "cupel/api/how.h"
#include "cupel/api/load.h"
#include "cupel/api/packed.h"
#include "cupel/api/save.h"
#include "cupel/api/splits.h"
#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/catalog/credits.h"
#include "cupel/data/export/graph_formats.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/prepare/prepare.h"
#include "views.h"

namespace cupel::python {

Data made(Dataset dataset) {
  return {std::make_shared<const Dataset>(std::move(dataset)), "", data_folder(std::nullopt)};
}

namespace {

// What there is to know before facts over time are loaded; "": nothing, or these are none.
std::string told_of_facts(const std::string& name, const std::string& folder,
                          const std::string& memory) {
  const nb::gil_scoped_release release;
  const std::size_t most = memory.empty() ? 0 : parse_size("memory", memory);
  if (const auto place = place_of_facts(name, existing_data_folder(folder)))
    return memory_for_facts(*place, most);
  if (most > 0) fail("{}: memory is about facts over time, and this is none; leave it out", name);
  return {};
}

Data load(const std::string& name, const std::string& folder, bool for_audit) {
  const nb::gil_scoped_release release;
  const std::filesystem::path where = absolute_path(existing_data_folder(folder));
  Dataset data = load_any(name, where, for_audit ? ReadMode::kForAudit : ReadMode::kForUse,
                          {available_processors()});
  // Facts are found by a name in the folder of data sets alone, and by a path anywhere.
  const bool here = data.facts && name.find('/') == std::string::npos && !facts_place(name, where);
  const std::filesystem::path place = !is_known_name(name)           ? absolute_path(name)
                                      : find_recipe(name) != nullptr ? where
                                                                     : std::filesystem::path();
  return {std::make_shared<const Dataset>(std::move(data)), here ? "./" + name : name, where,
          place};
}

// Shape, row starts, columns and values.
using SparseArrays = std::tuple<AnyArray, AnyArray, AnyArray, AnyArray>;

Data make_graph(const std::string& name, const AnyArray& edge_index,
                const std::optional<AnyArray>& edge_weight, const std::optional<AnyArray>& x,
                const std::optional<AnyArray>& y, const std::vector<std::optional<AnyArray>>& masks,
                std::optional<std::int64_t> nodes, const std::vector<std::string>& class_names,
                const std::optional<SparseArrays>& sparse_x) {
  GivenGraph graph;
  graph.arrays.name = name;
  graph.arrays.edge_index = npy_of(edge_index, "edge_index");
  if (edge_weight) graph.arrays.edge_weight = npy_of(*edge_weight, "edge_weight");
  if (x) graph.arrays.x = npy_of(*x, "x");
  if (y) graph.arrays.y = npy_of(*y, "y");
  constexpr const char* kMasks[] = {"train_mask", "val_mask", "test_mask", "stopping_mask"};
  for (std::size_t p = 0; p < masks.size() && p < 4; ++p)
    if (masks[p]) graph.arrays.masks[p] = npy_of(*masks[p], kMasks[p]);
  if (sparse_x) {
    const auto& [shape, starts, columns, data] = *sparse_x;
    graph.sparse_x = {npy_of(shape, "x.shape"), npy_of(starts, "x.indptr"),
                      npy_of(columns, "x.indices"), npy_of(data, "x")};
  }
  graph.nodes = nodes;
  graph.class_names = class_names;
  const nb::gil_scoped_release release;
  Dataset out = dataset_of(graph);
  out.name = name;
  return made(std::move(out));
}

// Arrays are those of all graphs, one after the other.
Data make_set(const std::string& name, const std::vector<std::int64_t>& starts,
              const std::vector<Offset>& edge_starts, const AnyArray& edge_index,
              const std::optional<AnyArray>& x, const std::optional<AnyArray>& edge_attr,
              const std::vector<std::int64_t>& classes, const std::vector<std::string>& class_names,
              const std::optional<AnyArray>& answers) {
  GivenSet set;
  set.name = name;
  set.start = starts, set.edge_start = edge_starts;
  set.classes = classes, set.class_names = class_names;
  set.edge_index = npy_of(edge_index, "edge_index");
  if (x) set.x = npy_of(*x, "x");
  if (edge_attr) set.edge_attr = npy_of(*edge_attr, "edge_attr");
  if (answers) set.answers = npy_of(*answers, "y");
  const nb::gil_scoped_release release;
  return made(dataset_of(set));
}

Data make_facts(const std::string& name, const AnyArray& source, const AnyArray& target,
                const AnyArray& time, const std::optional<AnyArray>& relation,
                const std::vector<std::string>& relation_names,
                const std::vector<std::string>& entity_names, const std::string& time_unit) {
  GivenFacts facts;
  facts.name = name;
  facts.source = npy_of(source, "sources"), facts.target = npy_of(target, "targets");
  facts.time = npy_of(time, "times");
  if (relation) facts.relation = npy_of(*relation, "relations");
  facts.relation_names = relation_names, facts.entity_names = entity_names;
  facts.time_unit = time_unit;
  const nb::gil_scoped_release release;
  return made(dataset_of(facts));
}

Data unpacked(const Bytes& bytes, const std::string& source, const std::string& folder,
              const std::string& place) {
  const nb::gil_scoped_release release;
  return {std::make_shared<const Dataset>(unpacked_dataset({bytes.data(), bytes.size()})), source,
          folder, place};
}

const Dataset& of(nb::handle self) { return *nb::cast<const Data&>(self).data; }

template <class Column>
auto facts_column(nb::handle self, Column TemporalFacts::*column) {
  const TemporalFacts* facts = of(self).facts.get();
  if (facts == nullptr) fail("{}: is a graph, not facts over time", of(self).name);
  const auto values = (facts->*column).all();
  return view(self, values);
}

nb::dict counts(const Data& self) {
  nb::dict out;
  for (const auto& [name, value] : facts_of(*self.data)) out[name.c_str()] = value;
  return out;
}

}  // namespace

std::string Data::origin() const {
  return place.empty() || is_known_name(source) ? source : place.string();
}

void bind_data(nb::module_& m) {
  nb::class_<Data>(m, "Data", "A data set: arrays that only read, and what is known of it.")
      .def_prop_ro("name", [](const Data& d) { return d.data->name; })
      .def_prop_ro("source", [](const Data& d) { return d.source; })
      .def_prop_ro("kind",
                   [](const Data& d) {
                     return d.data->graphs ? "graphs" : d.data->facts ? "facts" : "graph";
                   })
      .def_prop_ro("num_nodes", [](const Data& d) { return d.data->nodes(); })
      .def_prop_ro("num_arcs", [](const Data& d) { return d.data->adjacency.entries(); })
      .def_prop_ro("num_examples", [](const Data& d) { return d.data->examples(); })
      .def_prop_ro("num_features", [](const Data& d) { return feature_count(d.data->features); })
      .def_prop_ro("num_classes", [](const Data& d) { return d.data->classes(); })
      .def_prop_ro("num_tasks", [](const Data& d) { return d.data->tasks(); })
      .def_prop_ro("num_splits", [](const Data& d) { return d.data->stored_splits.size(); })
      .def("hash",
           [](const Data& d) {
             const nb::gil_scoped_release release;
             return content_hash(*d.data);
           })
      .def("counts", &counts, nb::sig("def counts(self) -> dict[str, int]"))
      .def_prop_ro("history",
                   [](const Data& d) {
                     std::vector<std::string> out;
                     for (const PreparationStep& step : d.data->history) out.push_back(step.name);
                     return out;
                   })
      .def(
          "adjacency", [](nb::handle self) { return csr(self, of(self).adjacency); },
          nb::sig("def adjacency(self) -> tuple"))
      .def("arc_sources", [](const Data& d) { return arc_sources(d.data->adjacency); })
      .def("dense_features", [](nb::handle self) { return dense_view(self, of(self).features); })
      .def(
          "sparse_features", [](nb::handle self) { return sparse_view(self, of(self).features); },
          nb::sig("def sparse_features(self) -> tuple | None"))
      .def("labels",
           [](nb::handle self) -> std::optional<Array<Index>> {
             const Dataset& data = of(self);
             if (data.facts || data.has_tasks() || data.labels().empty()) return std::nullopt;
             return view(self, data.labels());
           })
      .def("answers",
           [](nb::handle self) -> std::optional<Array<float>> {
             if (!of(self).has_tasks()) return std::nullopt;
             return matrix_view(self, of(self).task_answers());
           })
      .def_prop_ro("class_names",
                   [](const Data& d) {
                     return d.data->has_tasks() ? std::vector<std::string>()
                                                : d.data->class_names();
                   })
      .def("graph_starts",
           [](nb::handle self) -> std::optional<Array<Index>> {
             if (!of(self).graphs) return std::nullopt;
             return view(self, of(self).graphs->start);
           })
      .def("node_attributes",
           [](nb::handle self) -> std::optional<Array<float>> {
             if (!of(self).graphs) return std::nullopt;
             return matrix_view(self, of(self).graphs->node_attributes);
           })
      .def("arc_attributes",
           [](nb::handle self) -> std::optional<Array<float>> {
             if (!of(self).graphs) return std::nullopt;
             return matrix_view(self, of(self).graphs->arc_attributes);
           })
      .def("fact_sources",
           [](nb::handle self) { return facts_column(self, &TemporalFacts::source); })
      .def("fact_relations",
           [](nb::handle self) { return facts_column(self, &TemporalFacts::relation); })
      .def("fact_targets",
           [](nb::handle self) { return facts_column(self, &TemporalFacts::target); })
      .def("fact_times", [](nb::handle self) { return facts_column(self, &TemporalFacts::time); })
      .def_prop_ro("relation_names",
                   [](const Data& d) {
                     std::vector<std::string> out;
                     if (d.data->facts)
                       for (const auto& relation : d.data->facts->relations)
                         out.push_back(relation.name);
                     return out;
                   })
      // Its bytes, with which unpacked() makes the same elsewhere.
      .def("packed",
           [](const Data& d) {
             Packed bytes;
             {
               const nb::gil_scoped_release release;
               bytes = packed(*d.data);
             }
             return owned(std::move(bytes));
           })
      .def_prop_ro("folder", [](const Data& d) { return d.folder.string(); })
      .def_prop_ro("place", [](const Data& d) { return d.place.string(); })
      // Arrays of one stored split, kept alive by the data set.
      .def(
          "stored_split",
          [](nb::handle self, int index) {
            const auto& splits = of(self).stored_splits;
            if (index < 0 || index >= std::ssize(splits))
              fail("{}: there are {} stored splits, which are numbered from 0, and no {}",
                   of(self).name, splits.size(), index);
            const Split& split = splits[static_cast<std::size_t>(index)];
            return nb::make_tuple(view(self, split.train), view(self, split.valid),
                                  view(self, split.test), view(self, split.stopping),
                                  split_hash(split));
          },
          nb::arg("index"), nb::sig("def stored_split(self, index: int) -> tuple"));

  m.def("unpacked", &unpacked, nb::arg("bytes"), nb::arg("source"), nb::arg("folder"),
        nb::arg("place"));
  m.def("load", &load, nb::arg("name"), nb::arg("folder") = "", nb::arg("for_audit") = false);
  m.def("memory_for_facts", &told_of_facts, nb::arg("name"), nb::arg("folder") = "",
        nb::arg("memory") = "");
  m.def("make_graph", &make_graph, nb::arg("name"), nb::arg("edge_index"),
        nb::arg("edge_weight") = nb::none(), nb::arg("x") = nb::none(), nb::arg("y") = nb::none(),
        nb::arg("masks") = nb::list(), nb::arg("num_nodes") = nb::none(),
        nb::arg("class_names") = nb::list(), nb::arg("sparse_x") = nb::none());
  m.def("make_set", &make_set, nb::arg("name"), nb::arg("starts"), nb::arg("edge_starts"),
        nb::arg("edge_index"), nb::arg("x").none(), nb::arg("edge_attr").none(), nb::arg("classes"),
        nb::arg("class_names"), nb::arg("answers").none());
  m.def("make_facts", &make_facts, nb::arg("name"), nb::arg("source"), nb::arg("target"),
        nb::arg("time"), nb::arg("relation").none(), nb::arg("relation_names"),
        nb::arg("entity_names"), nb::arg("time_unit"));
  m.def(
      "prepare",
      [](const Data& data, const std::vector<std::string>& steps) {
        const nb::gil_scoped_release release;
        return made(prepare(*data.data, steps));
      },
      nb::arg("data"), nb::arg("steps"));
  m.def(
      "default_steps", [](const Data& data) { return default_preparation(data.origin()); },
      nb::arg("data"));
  m.def(
      "memory_for_save",
      [](const Data& data) {
        const nb::gil_scoped_release release;
        return data.data->facts ? memory_for_copy(*data.data->facts) : std::string();
      },
      nb::arg("data"));
  m.def(
      "save",
      [](const Data& data, const std::string& path, const std::string& format) {
        const nb::gil_scoped_release release;
        const GraphFormat& chosen = graph_format(format, *data.data, path);
        return std::pair<std::string, std::vector<std::string>>(
            chosen.name, save_dataset(*data.data, {data.origin(), data.folder}, chosen, path));
      },
      nb::arg("data"), nb::arg("path"), nb::arg("format") = "",
      "Writes it; returns the format and what is lost.");
}

}  // namespace cupel::python
