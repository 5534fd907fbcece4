"""Who calls functions that are models."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Sequence, Union

from . import _core
from ._core import Error
from ._lent import Lent
from ._options import is_whole
from ._shared import KEPT, Latest

if TYPE_CHECKING:
    from ._processes import Processes

# Of a task, and of what it may keep from run to run: scores of validation and of test.
Run = Callable[[Any, dict], tuple]


def left_running(before: set[threading.Thread]) -> list[threading.Thread]:
    """Threads of Python that were not there before, but for those that C++ called from."""
    return [one for one in threading.enumerate()
            if one not in before and not one.name.startswith("Dummy-")]


# Runs in a row that leave a thread each. A library may start one that it keeps.
_LEAVING_RUNS = 3


class InTurn:
    """Calls functions in this process one at a time, as they share what is global in Python, such as
    states of random numbers."""

    def __init__(self, runs: Sequence[Run]):
        self._runs = runs
        self._turn = threading.Lock()
        self._kept: dict = {}
        self._copies = Latest(2 * KEPT)
        self._leaving = 0

    def __call__(self, number: int, core: _core.ModelTask) -> tuple:
        begin = time.monotonic()
        with self._turn:
            waited = time.monotonic() - begin
            if core.interrupted:
                raise Error("interrupted before it began")
            before = set(threading.enumerate())
            scores = self._runs[number](Lent(core, self._copies), self._kept)
            self._demand_none_left(left_running(before))
            return (*scores, waited, False)

    def _demand_none_left(self, left: list[threading.Thread]) -> None:
        """Whether a thread may go on cannot be told here: those that are started by a thread which
        C++ called from are daemons, said or not."""
        self._leaving = self._leaving + 1 if left else 0
        if self._leaving >= _LEAVING_RUNS:
            raise Error(f"each of the last {self._leaving} runs left a thread running, this one "
                        f"{left[0].name!r}; a function must join what it starts")

    def __enter__(self) -> "InTurn":
        return self

    def __exit__(self, *_: Any) -> None:
        pass


Caller = Union["Processes", InTurn]


def caller_of(processes: int, runs: Sequence[Run], how: _core.How) -> Caller:
    """Who calls functions: so many processes, or this one where it is 0. Called with the number of a
    function and a task it gives (valid, test, seconds waited, whether the run was ended)."""
    if not is_whole(processes) or processes < 0:
        raise Error(f"processes: {processes!r} is no number of processes; 0 means this one")
    if not processes or not runs:
        return InTurn(runs)
    from ._processes import Processes  # here, as it takes a while to import

    return Processes(processes, runs, _core.memory_for_runs(how))
