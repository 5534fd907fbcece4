"""Who calls functions that are models."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Sequence, Union

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


_GRACE = 0.5  # seconds


def _going_on(threads: Iterable[threading.Thread]) -> list[threading.Thread]:
    """Those that go on when the grace is over in which threads that are at their end come to it."""
    deadline = time.monotonic() + _GRACE
    held = list(threads)
    for thread in held:
        thread.join(max(0.0, deadline - time.monotonic()))
    return [thread for thread in held if thread.is_alive()]


def _is_pooled(thread: threading.Thread) -> bool:
    """Whether it is of a pool of concurrent.futures, which Python ends itself at its own end."""
    for module, pools in (("thread", "_threads_queues"), ("process", "_threads_wakeups")):
        if thread in getattr(sys.modules.get(f"concurrent.futures.{module}"), pools, ()):
            return True
    return False


def demand_joined(threads: Iterable[threading.Thread]) -> None:
    """An Error where one of these, which are no daemons, goes on. Python itself would wait for it at
    its end, so that libraries make the threads that they keep daemons, or leave them to a pool."""
    left = _going_on(one for one in threads if not _is_pooled(one))
    if left:
        raise Error(f"the function left the thread {left[0].name!r} running; join it before the "
                    "function returns, or make it a daemon if it may be ended")


class _NoDaemon(int):
    """What `daemon` is of the threads that a function starts, and those in turn, if they do not say:
    0, and so false, and none of another call."""


@contextlib.contextmanager
def _marking() -> Iterator[_NoDaemon]:
    """A thread that does not say whether it is a daemon is what the one is that starts it. A thread
    that C++ calls from is one; in here it hands on a mark, by which what it started is told from what
    others start meanwhile."""
    here = threading.current_thread()
    was, mark = here.daemon, _NoDaemon()
    # The property itself is closed once a thread runs.
    setattr(here, "_daemonic", mark)
    try:
        yield mark
    finally:
        setattr(here, "_daemonic", was)


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
            with _marking() as mark:
                scores = self._runs[number](Lent(core, self._copies), self._kept)
            demand_joined(one for one in left_running(before) if one.daemon is mark)
            self._demand_few_left(left_running(before))
            return (*scores, waited, False)

    def _demand_few_left(self, left: list[threading.Thread]) -> None:
        """Daemons, threads of pools, and those of others: what each run leaves is its own."""
        if self._leaving + 1 >= _LEAVING_RUNS:
            left = _going_on(left)  # a pool that was ended may have threads yet
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
