#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <system_error>

#include "bindings.h"
#include "cupel/base/error.h"
#include "cupel/lab/isolation/warden.h"
#include "cupel/lab/record/identity.h"

namespace cupel::python {
namespace {

// Messages quote what files hold, which need not be UTF-8.
void raise(void* type, const std::string& message) {
  nb::object text = nb::steal(PyUnicode_DecodeUTF8(
      message.data(), static_cast<Py_ssize_t>(message.size()), "backslashreplace"));
  PyErr_SetObject(static_cast<PyObject*>(type), text.ptr());
}

void translate(const std::exception_ptr& thrown, void* type) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    raise(type, error.what());
  } catch (const std::system_error& error) {
    raise(type, fmt::format("the system says: {}", error.what()));
  } catch (const std::logic_error& error) {
    PyErr_SetString(
        PyExc_RuntimeError,
        fmt::format("this is a bug of cupel, please report it: {}", error.what()).c_str());
  }
}

}  // namespace
}  // namespace cupel::python

NB_MODULE(_core, m) {
  using namespace cupel::python;
  m.doc() = "What cupel's Python modules are made of.";
  const nb::exception<cupel::Error> error(m, "Error");
  nb::register_exception_translator(translate, error.ptr());
  m.attr("version") = CUPEL_VERSION;
  m.attr("numerics_version") = cupel::kNumericsVersion;
  nb::class_<Job>(m, "Job", "Work in another thread: how far it is, and a wish that it ends.")
      .def(nb::init<>())
      .def("stop", [](Job& job) { job.stop = true; })
      .def_prop_ro("stopped", [](const Job& job) { return job.stop.load(); })
      .def(
          "state",
          [](Job& job) {
            const std::lock_guard lock(job.mutex);
            return nb::make_tuple(nb::str(job.text.c_str()), job.done, job.total);
          },
          nb::sig("def state(self) -> tuple[str, float, float]"));
  m.def("set_warden_program", &cupel::set_warden_program, nb::arg("path"),
        "The program that keeps programs which bubblewrap does not; \"\": none.");
  bind_data(m);
  bind_questions(m);
  bind_sources(m);
  bind_models(m);
  bind_study(m);
  bind_plans(m);
  bind_stores(m);
  bind_processes(m);
  bind_tuning(m);
  bind_results(m);
  bind_metrics(m);
  bind_resolve(m);
  bind_effectiveness(m);
  bind_pictures(m);
}
