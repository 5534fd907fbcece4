"""Who calls functions that are models."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Sequence, Union

from . import _core
from ._core import Error
from ._options import is_whole

if TYPE_CHECKING:
    from ._processes import Processes

# Of a task, and of what it may keep from run to run: scores of validation and of test.
Run = Callable[[Any, dict], tuple]


class InTurn:
    """Calls functions in this process one at a time, as they share what is global in Python, such as
    states of random numbers."""

    def __init__(self, runs: Sequence[Run]):
        self._runs = runs
        self._turn = threading.Lock()
        self._kept: dict = {}

    def __call__(self, number: int, core: _core.ModelTask) -> tuple:
        begin = time.monotonic()
        with self._turn:
            waited = time.monotonic() - begin
            if core.interrupted:
                raise Error("interrupted before it began")
            return (*self._runs[number](core, self._kept), waited, False)

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
