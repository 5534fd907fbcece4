"""Functions that are models, called by forked processes side by side.

A first process is forked before there are threads; it has one thread and nothing to do but to fork
others, whenever one is wanted. Each of those calls functions, one run after the other. The arrays of
a graph lie in memory that all share; the rest of a run's task and its scores go through a socket.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import pickle
import signal
import socket
import struct
import sys
import threading
import time
import warnings
from typing import Any, Callable, NoReturn, Optional, Sequence

from . import _core
from ._callers import Run
from ._core import Error
from ._far import serve
from ._line import Line, Scribble
from ._shared import KEPT, Latest, Shared

_LOOK = 0.05  # seconds between looks at memory, and at whether somebody wants to stop
_NUMBER = struct.Struct("q")


# While sockets are open that one process alone is to have: a process that is forked by another call
# meanwhile would have them too, and nobody would see them close.
_FORKING = threading.Lock()


# ---- the process that forks ---------------------------------------------------------------------

def _fork_when_asked(control: socket.socket, runs: Sequence[Run]) -> NoReturn:
    """Forks a process for each socket that comes, and tells how those ended that it is asked of."""
    parent = os.getpid()
    while True:
        asked, files, _, _ = socket.recv_fds(control, _NUMBER.size, 1)
        if not asked:
            os._exit(0)
        if files:
            try:
                child = os.fork()
            except OSError as error:  # of this one; there may be room for the next
                child = -(error.errno or errno.EAGAIN)
            if child == 0:
                control.close()
                os.setpgid(0, 0)  # what it starts ends with it
                _core.end_with_parent(parent)
                serve(Line(socket.socket(fileno=files[0])), runs)
            os.close(files[0])
            control.send(_NUMBER.pack(child))
        else:
            _, status = os.waitpid(_NUMBER.unpack(asked)[0], 0)
            control.send(_NUMBER.pack(os.waitstatus_to_exitcode(status)))


def _not_forked(number: int) -> Error:
    return Error(f"no process could be started for the function ({os.strerror(number)}); use fewer "
                 "processes, or end others")


class _Nursery:
    """The process that forks others, as its parent sees it. Thread-safe."""

    def __init__(self, runs: Sequence[Run]):
        self._lock = threading.Lock()
        with _FORKING:
            self._start(runs)

    def _start(self, runs: Sequence[Run]) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # A module that another thread is importing at the fork would be waited for in vain.
        for module in ("numpy.ma", "numpy.random"):
            importlib.import_module(module)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()  # else both would write what waits
        with warnings.catch_warnings():  # of threads: those that are there do nothing of ours
            warnings.simplefilter("ignore", DeprecationWarning)
            try:
                self._pid = os.fork()
            except OSError as error:
                raise _not_forked(error.errno or errno.EAGAIN) from None
        if self._pid == 0:
            try:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it
                for number in (signal.SIGTERM, signal.SIGCHLD):
                    signal.signal(number, signal.SIG_DFL)
                self._control.close()
                _fork_when_asked(theirs, runs)
            finally:
                os._exit(1)
        theirs.close()

    def _asked(self, send: Callable[[], Any]) -> int:
        with self._lock:
            try:
                send()
                answer = self._control.recv(_NUMBER.size)
            except OSError:
                answer = b""
        if not answer:
            raise Error("the process that starts those of functions is gone; call cupel.run again")
        return _NUMBER.unpack(answer)[0]

    def fork(self, limit: int) -> "_Worker":
        with _FORKING:
            ours, theirs = socket.socketpair()
            with theirs:
                pid = self._asked(lambda: socket.send_fds(self._control, [b"f"],
                                                          [theirs.fileno()]))
        if pid < 0:
            raise _not_forked(-pid)
        return _Worker(self, pid, Line(ours), limit)

    def ending(self, pid: int) -> int:
        """Waits for its end: its exit code, or the negative number of the signal that ended it."""
        return self._asked(lambda: self._control.send(_NUMBER.pack(pid)))

    def close(self) -> None:
        with contextlib.suppress(OSError):
            # Also where a process that was forked by another call holds it open.
            self._control.shutdown(socket.SHUT_RDWR)
        self._control.close()
        with contextlib.suppress(ChildProcessError):  # where nobody waits for children here
            os.waitpid(self._pid, 0)


# ---- a process of a function, as its parent sees it ---------------------------------------------

_WAY_OUT = "give its row more memory_mb, or use fewer processes"
_ONLY_LOOK = False  # for tests of what holds where no control group can be made


class _Late(Exception):
    pass


def _answered(core: _core.ModelTask, said: str, values: list) -> tuple:
    """What a process is told that asks something of its task."""
    try:
        if said == "next":
            return "told", core.next_question()
        if said == "answer":
            core.answer(*values)
            return "told", None
    except Error as error:
        return "refused", str(error)
    raise ValueError(said)


class _Worker:
    def __init__(self, nursery: _Nursery, pid: int, line: Line, limit: int):
        self._nursery = nursery
        self._pid = pid
        self._line = line
        self._ending: Optional[int] = None
        #: bytes that it and what it starts may hold, beside what it was born with
        self.limit = limit
        self._guard = _core.MemoryGuard(pid, limit, not _ONLY_LOOK)

    def end(self) -> int:
        """Ends it if it is not at its end already, and tells how it ended."""
        if self._ending is None:
            self._guard.kill_all()
            self._line.close()
            self._ending = -signal.SIGKILL  # unless we hear of another
            try:
                self._ending = self._nursery.ending(self._pid)
            finally:
                self._guard.close()
        return self._ending

    def is_gone(self) -> bool:
        """Whether it ended, as by a signal from elsewhere, or wrote something, while nobody asked it
        for anything."""
        try:
            return self._line.poll(0)
        except (EOFError, OSError, Scribble):
            return True

    def _too_large(self) -> Error:
        return Error("the process of the function was ended: it held more than "
                     f"{self.limit >> 20} MB of memory, with all that it started; {_WAY_OUT}")

    def _ended(self) -> str:
        ran_out = self._guard.ran_out
        code = self.end()
        if ran_out:
            return str(self._too_large())
        if code < 0:
            return ("the process of the function was ended by signal "
                    f"{-code} ({signal.strsignal(-code)})")
        return f"the function ended its process, with exit code {code}"

    def do(self, number: int, told: dict, core: _core.ModelTask,
           until: Optional[float], shared: int) -> tuple[tuple, bool]:
        """Scores, and whether the process is good for more. It is not where this throws: Error for
        a run that failed, or _Late. `shared`: bytes that it may have mapped and are not its own."""
        look = time.monotonic() + _LOOK
        try:
            self._line.send((number, told))
            while True:
                now = time.monotonic()
                if now >= look:
                    if self._guard.exceeded(shared):
                        raise self._too_large()
                    look = time.monotonic() + _LOOK
                wait = look - now if until is None else min(look, until) - now
                if self._line.poll(max(wait, 0)):
                    said, *values = self._line.recv()
                    if said == "scores":
                        if self._guard.ran_out:
                            raise self._too_large()  # something that it started was ended for it
                        return values[0], values[1]
                    if said == "no memory":
                        raise Error(f"{values[0]}; the function may hold {self.limit >> 20} MB: "
                                    f"{_WAY_OUT}")
                    if said == "failed":
                        raise Error(values[0])
                    self._line.send(_answered(core, said, values))
                elif core.interrupted:
                    raise Error("interrupted")
                elif until is not None and time.monotonic() >= until:
                    raise _Late
        except (EOFError, ConnectionError):
            raise Error(self._ended()) from None
        except (Scribble, pickle.UnpicklingError, ValueError, TypeError, IndexError, OSError):
            raise Error("the process of the function wrote something else where its scores were "
                        "to come") from None


# ---- all of them --------------------------------------------------------------------------------

class Processes:
    """Calls functions in so many processes; runs that find none free wait. Thread-safe."""

    def __init__(self, count: int, runs: Sequence[Run], memory: int):
        """memory: bytes that all of them together may take, where rows do not say."""
        self._count = count
        self._memory = memory // count
        self._nursery = _Nursery(runs)
        self._free = threading.Condition()
        self._started = 0
        self._idle: list[_Worker] = []
        self._sharing = threading.Lock()
        self._shared = Latest(2 * KEPT)

    def _share(self, core: _core.ModelTask, part: str, key: int, make: Callable[[], tuple]) \
            -> Shared:
        with self._sharing:
            # A key is one of this task while the task lives.
            return self._shared.take((part, key), lambda: (Shared(make()), core))[0]

    def _shared_bytes(self) -> int:
        with self._sharing:
            return sum(one.size for one, _ in self._shared.values())

    def _take(self, core: _core.ModelTask) -> _Worker:
        limit = core.memory_bytes or self._memory
        idle: Optional[_Worker] = None
        with self._free:
            while not self._idle and self._started >= self._count:
                if core.interrupted:
                    raise Error("interrupted before it began")
                self._free.wait(_LOOK)
            fitting = [one for one in self._idle if one.limit == limit]
            if fitting or self._started >= self._count:
                idle = (fitting or self._idle)[0]
                self._idle.remove(idle)
            else:
                self._started += 1
        try:
            if idle is not None:
                if fitting and not idle.is_gone():
                    return idle
                idle.end()  # a process keeps its limit; one that is gone is no fault of this run
            return self._nursery.fork(limit)
        except BaseException:
            self._lose()
            raise

    def _lose(self) -> None:
        with self._free:
            self._started -= 1
            self._free.notify()

    def _give_back(self, worker: _Worker, good: bool) -> None:
        if not good:
            try:
                worker.end()
            finally:
                self._lose()
            return
        with self._free:
            self._idle.append(worker)
            self._free.notify()

    def __call__(self, number: int, core: _core.ModelTask) -> tuple:
        """(valid, test, seconds waited, whether it was ended as it was late)"""
        begin = time.monotonic()
        left = core.seconds_left
        told: dict[str, Any] = {"description": core.description, "unit": core.unit, "arrays": core.arrays()}
        parts = []  # which stay as long as they are asked for
        if core.unit != "fact":
            def features() -> tuple:
                dense = core.dense_features()
                return core.sparse_features() or () if dense is None else (dense,)
            for part, key, make in (("adjacency", core.adjacency_key, core.adjacency),
                                    ("features", core.features_key, features)):
                parts.append(self._share(core, part, key, make))
                told[part] = parts[-1].told
        worker = self._take(core)
        good = False
        try:
            waited = time.monotonic() - begin
            until = None if left is None else begin + waited + left
            scores, good = worker.do(number, told, core, until, self._shared_bytes())
            return (*scores, waited, False)
        except _Late:
            return None, None, waited, True
        finally:
            self._give_back(worker, good)

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *_: Any) -> None:
        with contextlib.suppress(Error):  # it is gone, and they with it
            for worker in self._idle:
                worker.end()
        self._nursery.close()
        self._shared.clear()
