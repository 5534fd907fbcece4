// What is needed of the system for functions that are called in processes of their own.
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <memory>

#include "bindings.h"
#include "cupel/lab/isolation/memory_guard.h"
#include "cupel/lab/run/free_memory.h"
#include "cupel/lab/run/scheduler.h"

namespace cupel::python {

void bind_processes(nb::module_& m) {
  using Guard = std::unique_ptr<MemoryGuard>;
  struct PyGuard {
    Guard guard;
  };
  using Free = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<PyGuard>(m, "MemoryGuard",
                      "A limit of memory for a process and all that it will start.")
      .def(
          "__init__",
          [](PyGuard* self, int process, std::int64_t bytes, bool grouped) {
            new (self) PyGuard{std::make_unique<MemoryGuard>(process, bytes, grouped)};
          },
          nb::arg("process"), nb::arg("bytes"), nb::arg("grouped") = true, Free())
      // `shared`: bytes of files in memory that are not its own.
      .def(
          "exceeded",
          [](const PyGuard& self, std::int64_t shared) {
            return self.guard && self.guard->exceeded(shared);
          },
          nb::arg("shared"), Free())
      .def(
          "kill_all",
          [](const PyGuard& self) {
            if (self.guard) self.guard->kill_all();
          },
          Free())
      .def_prop_ro("ran_out",
                   [](const PyGuard& self) { return self.guard && self.guard->ran_out(); })
      // Once the processes are gone; there is nothing to tell or to end after it.
      .def(
          "close", [](PyGuard& self) { self.guard.reset(); }, Free());
  m.def(
      "memory_for_runs",
      [](const ExecuteOptions& how) { return memory_for_runs(how.memory_bytes); }, nb::arg("how"),
      "Bytes that all runs together may take.");
  m.def(
      "end_with_parent",
      [](int parent) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1);  // it was too late
      },
      nb::arg("parent"), "Ends this process when the one that forked it ends.");
}

}  // namespace cupel::python
