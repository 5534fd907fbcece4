// Results: tables, comparisons, reports.
#include "results.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <tuple>

#include <nlohmann/json.hpp>

#include "arrow_stream.h"
#include "bindings.h"
#include "cupel/api/compare_rows.h"
#include "cupel/api/kept_results.h"
#include "cupel/api/packed.h"
#include "cupel/api/report_file.h"
#include "cupel/api/stored_results.h"
#include "cupel/base/json_text.h"
#include "cupel/base/paths.h"
#include "cupel/judge/report/frames.h"
#include "cupel/judge/report/report.h"
#include "cupel/lab/results/narrow.h"
#include "views.h"

namespace cupel::python {
namespace {

// Texts as a list, numbers as an array: what is absent is NaN, which makes reals of whole numbers.
nb::object values_of(const FrameColumn& column) {
  if (const auto* texts = std::get_if<FrameColumn::Texts>(&column.values)) {
    nb::list out;
    for (const std::string& text : *texts)
      out.append(nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()),
                                                "backslashreplace")));
    return out;
  }
  constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> reals;
  if (const auto* whole = std::get_if<FrameColumn::Whole>(&column.values)) {
    std::vector<std::int64_t> numbers;
    for (const auto& value : *whole)
      if (value) numbers.push_back(*value);
    if (numbers.size() == whole->size()) return nb::cast(owned(std::move(numbers)));
    for (const auto& value : *whole) reals.push_back(value ? static_cast<double>(*value) : kAbsent);
  } else {
    for (const auto& value : std::get<FrameColumn::Reals>(column.values))
      reals.push_back(value.value_or(kAbsent));
  }
  return nb::cast(owned(std::move(reals)));
}

using FrameHolder = std::shared_ptr<const Frame>;
struct PyFrame {
  FrameHolder frame;
};

// As Python keeps it.
using PartState =
    std::tuple<std::vector<std::string>, std::vector<std::string>, std::vector<std::string>>;
using KeptState = std::tuple<std::string, std::string, bool, std::vector<PartState>,
                             std::optional<double>, std::string>;

KeptState state_of(const KeptResults& kept) {
  std::vector<PartState> parts;
  for (const auto& [tables, datasets, models] : kept.parts)
    parts.emplace_back(tables, datasets, models);
  return {kept.store, kept.protocol, kept.alone, parts, kept.delta, kept.hash};
}

KeptResults kept_of(const KeptState& state) {
  KeptResults out;
  std::vector<PartState> parts;
  std::tie(out.store, out.protocol, out.alone, parts, out.delta, out.hash) = state;
  for (const auto& [tables, datasets, models] : parts)
    out.parts.push_back({tables, datasets, models});
  return out;
}

ReportSource source_of(const PyResults& r, const Format& format, const std::string& data) {
  ReportSource out{r.results, r.page};
  out.page.data = audited_for(format, data);
  return out;
}

}  // namespace

void bind_results(nb::module_& m) {
  nb::class_<PyFrame>(m, "Frame", "Columns of one length.")
      .def("__len__", [](const PyFrame& f) { return f.frame->rows(); })
      .def_prop_ro("columns",
                   [](const PyFrame& f) {
                     std::vector<std::string> out;
                     for (const FrameColumn& column : f.frame->columns) out.push_back(column.name);
                     return out;
                   })
      .def(
          "column",
          [](const PyFrame& f, std::size_t index) { return values_of(f.frame->columns.at(index)); },
          nb::arg("index"), nb::sig("def column(self, index: int) -> list | numpy.ndarray"))
      .def("csv", [](const PyFrame& f) { return csv_text(*f.frame); })
      .def("packed",
           [](const PyFrame& f) {
             Packed bytes;
             {
               const nb::gil_scoped_release release;
               bytes = packed(*f.frame);
             }
             return owned(std::move(bytes));
           })
      .def("arrow_schema", [](const PyFrame& f) { return arrow_schema(*f.frame); })
      .def("arrow_stream", [](const PyFrame& f) { return arrow_stream(f.frame); });

  m.def(
      "unpacked_frame",
      [](const Bytes& bytes) {
        const nb::gil_scoped_release release;
        return PyFrame{std::make_shared<const Frame>(unpacked_frame({bytes.data(), bytes.size()}))};
      },
      nb::arg("bytes"));

  nb::class_<PyResults>(m, "Results")
      .def_prop_ro("protocol", [](const PyResults& r) { return r.results.protocol; })
      .def_prop_ro("title", [](const PyResults& r) { return r.results.title; })
      .def_prop_ro("store", [](const PyResults& r) { return r.store; })
      // The text and, if there is one, a note.
      .def(
          "render",
          [](const PyResults& r, const std::string& format) {
            const nb::gil_scoped_release release;
            const Format& found = find_format(format);
            ReportText out = report_text(source_of(r, found, ""), found, "the page");
            return std::pair(std::move(out.text), std::move(out.note));
          },
          nb::arg("format"))
      .def("cells",
           [](const PyResults& r) {
             const nb::gil_scoped_release release;
             return PyFrame{std::make_shared<const Frame>(cells_frame(make_report(r.results)))};
           })
      .def("runs",
           [](const PyResults& r) {
             const nb::gil_scoped_release release;
             return PyFrame{std::make_shared<const Frame>(runs_frame(r.results))};
           })
      .def(
          "narrowed",
          [](const PyResults& r, const std::vector<std::string>& tables,
             const std::vector<std::string>& datasets, const std::vector<std::string>& models) {
            const ResultsSelection part{tables, datasets, models};
            PyResults out{narrowed(r.results, part), r.store, r.page};
            out.page.parts.push_back(part);
            return out;
          },
          nb::arg("tables"), nb::arg("datasets"), nb::arg("models"))
      .def(
          "compare",
          [](const PyResults& r, const std::string& a, const std::string& b,
             const std::vector<std::string>& tables, const std::vector<std::string>& datasets,
             std::optional<double> delta) {
            const nb::gil_scoped_release release;
            return json_text(comparison_json(compare_rows(
                                 narrowed(r.results, {tables, datasets, {a, b}}), a, b, delta)),
                             -1);
          },
          nb::arg("a"), nb::arg("b"), nb::arg("tables"), nb::arg("datasets"),
          nb::arg("delta") = nb::none())
      // Where they are kept, with which read_again() has the same.
      .def("kept",
           [](const PyResults& r) {
             const nb::gil_scoped_release release;
             return state_of(kept_results(r.results, r.page));
           })
      // The note of what was written, if there is one.
      .def(
          "write",
          [](const PyResults& r, const std::string& path, const std::string& format,
             const std::string& data) {
            const nb::gil_scoped_release release;
            const Format& found = format.empty() ? format_of_file(path) : find_format(format);
            return write_report(source_of(r, found, data), path, found);
          },
          nb::arg("path"), nb::arg("format") = "", nb::arg("data") = "");
  m.def(
      "read_again",
      [](const KeptState& state) {
        const nb::gil_scoped_release release;
        const KeptResults kept = kept_of(state);
        ReadAgain again = read_again(kept);
        return PyResults{std::move(again.results), kept.store, std::move(again.page)};
      },
      nb::arg("kept"));
  m.def(
      "stored_results",
      [](const std::string& what, const std::string& store, const std::string& protocol) {
        const nb::gil_scoped_release release;
        const StoredResultsRequest request{
            .command = "results", .what = what, .store = store, .protocol = protocol};
        StoredResults found = stored_results(request);
        const std::filesystem::path path = store_of(request);
        StorePageRequest page;
        page.read.what = absolute_path(path).string();
        if (path != what || !protocol.empty()) page.protocol = std::move(found.protocol);
        return PyResults{std::move(found.results), path.string(), std::move(page)};
      },
      nb::arg("what"), nb::arg("store") = "", nb::arg("protocol") = "");
}

}  // namespace cupel::python
