"""A function that is a model, as the process of its own calls it."""

from __future__ import annotations

import os
import sys
import threading
from typing import Any, NoReturn, Optional, Sequence

from ._arrays import frozen
from ._callers import Run, demand_joined, left_running
from ._core import Error
from ._models import OutOfMemory
from ._line import Line
from ._numpy import np
from ._shared import Mapped


class FarTask:
    """What a task asks of `_core.ModelTask`, where that is in another process."""

    interrupted = False

    def __init__(self, line: Line, mapped: Mapped, told: dict):
        self._line = line
        self._told = told
        self._mapped = mapped
        self.description: str = told["description"]
        self.unit: str = told["unit"]

    def _graph(self, part: str) -> Any:
        if part not in self._told:
            raise Error("facts over time are no graph; take facts_train")
        return self._mapped.values(self._told[part])

    def arrays(self) -> dict[str, np.ndarray]:
        return {name: frozen(array) for name, array in self._told["arrays"].items()}

    def changed(self) -> None:
        """Graphs are mapped without the right to write; what else is here is of one run."""

    def adjacency(self) -> tuple:
        return self._graph("adjacency")

    def arc_sources(self) -> np.ndarray:
        starts, columns = self.adjacency()[:2]
        return frozen(np.repeat(np.arange(len(starts) - 1, dtype=columns.dtype), np.diff(starts)))

    def dense_features(self) -> Optional[np.ndarray]:
        features = self._graph("features")
        return features[0] if len(features) == 1 else None

    def sparse_features(self) -> Optional[tuple]:
        features = self._graph("features")
        return features if len(features) > 1 else None

    @property
    def features_key(self) -> int:
        self._graph("features")
        return self._told["features"][0]

    def _asked(self, *question: Any) -> Any:
        self._line.send(question)
        said, value = self._line.recv()
        if said == "refused":
            raise Error(value)
        return value

    def next_question(self) -> Optional[tuple]:
        return self._asked("next")

    def answer(self, scores: Any) -> None:
        self._asked("answer", scores)


def serve(line: Line, runs: Sequence[Run]) -> NoReturn:
    """Does run after run until nobody asks any more."""
    mapped = Mapped()
    kept: dict = {}
    threads = threading.active_count()
    while True:
        try:
            number, told = line.recv()
        except (EOFError, OSError):
            os._exit(0)
        answer: tuple
        before = set(threading.enumerate())
        try:
            answer = ("scores", runs[number](FarTask(line, mapped, told), kept))
            demand_joined(one for one in left_running(before) if not one.daemon)
        except OutOfMemory as error:
            answer = ("no memory", str(error))
        except Error as error:
            answer = ("failed", str(error))
        for stream in (sys.stdout, sys.stderr):  # nobody does it at the end of this process
            try:
                stream.flush()
            except (AttributeError, OSError, ValueError):
                pass
        # What a function leaves running would run beside the next one.
        line.send((*answer, threading.active_count() == threads))
