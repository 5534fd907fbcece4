"""Long work: done in a thread of its own, so that Ctrl-C is heard and progress is shown."""

from __future__ import annotations

import sys
import threading
from typing import Any, Callable, Optional, Union

from . import _core

# True or False: show it or not; None: where somebody looks, a terminal or a notebook; or a function
# of (text, done, total).
Progress = Union[bool, None, Callable[[str, float, float], Any]]

_PERIOD = 0.1  # seconds
_WIDTH = 24


def _bar(text: str, done: float, total: float) -> str:
    if total <= 0:
        return text
    full = int(_WIDTH * min(1.0, done / total))
    return f"[{'=' * full}{' ' * (_WIDTH - full)}] {text}"


class _Line:
    """One line of a terminal, written over again and again."""

    def __init__(self) -> None:
        self.shown = ""

    def __call__(self, text: str, done: float, total: float) -> None:
        line = _bar(text, done, total)[:100]
        if line != self.shown:
            sys.stderr.write("\r" + line.ljust(len(self.shown)))
            sys.stderr.flush()
            self.shown = line

    def close(self) -> None:
        if self.shown:
            sys.stderr.write("\r" + " " * len(self.shown) + "\r")
            sys.stderr.flush()


class _Cell:
    """The same in the output of a notebook."""

    def __init__(self) -> None:
        from IPython.display import display  # there, as this is a notebook

        self.handle = display({"text/plain": ""}, raw=True, display_id=True)

    def __call__(self, text: str, done: float, total: float) -> None:
        self.handle.update({"text/plain": _bar(text, done, total)}, raw=True)

    def close(self) -> None:
        self.handle.update({"text/plain": ""}, raw=True)


class _Told:
    def __init__(self, function: Callable[[str, float, float], Any]):
        self.function = function
        self.last: Optional[tuple] = None
        self.raised = False

    def __call__(self, *state: Any) -> None:
        if state[0] and state != self.last and not self.raised:
            self.last = state
            self.raised = True  # until it returns
            self.function(*state)
            self.raised = False

    def close(self) -> None:
        pass


def _in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


def _shower(progress: Progress) -> Any:
    if callable(progress):
        return _Told(progress)
    if progress is False:
        return None
    if _in_notebook():
        return _Cell()
    return _Line() if progress or sys.stderr.isatty() else None


def working(work: Callable[[_core.Job], Any], progress: Progress = None) -> Any:
    """Calls `work` with a job in another thread and waits for it. Ctrl-C, or what the function
    that shows progress raises, asks it to end, waits until it has, and goes on up."""
    job = _core.Job()
    outcome: dict[str, Any] = {}

    # A thread whose join() is interrupted counts as ended in Python 3.11, though it is not.
    done = threading.Event()

    def run() -> None:
        try:
            outcome["value"] = work(job)
        except BaseException as error:  # noqa: B902 - raised again below
            outcome["error"] = error
        finally:
            done.set()

    show = _shower(progress)
    threading.Thread(target=run, name="cupel", daemon=True).start()
    try:
        while not done.wait(_PERIOD):
            if show is not None:
                show(*job.state())
    except BaseException:
        job.stop()
        while not done.wait(_PERIOD):  # a second Ctrl-C is heard as well
            pass
        raise
    finally:
        if show is not None:
            show(*job.state())  # how it ended, which nothing told since the last look
            show.close()
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]
