"""What a function in this process gets of a graph: copies, held against the originals after each
call.

A flag that says "read only" is NumPy's own; `torch.from_numpy` passes it over. Who writes into a
copy has a failed run, and the runs after it get another copy.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

from . import _arrays, _core
from ._numpy import np
from ._shared import Latest


def _copied(values: Any) -> Any:
    if isinstance(values, tuple):
        return tuple(_copied(value) for value in values)
    return _arrays.frozen(np.array(values)) if isinstance(values, np.ndarray) else values


def _words(array: np.ndarray) -> np.ndarray:
    """All numbers of a graph have 4 bytes or 8."""
    return array.reshape(-1).view(np.uint32)


def _same(a: Any, b: Any) -> bool:
    """To the bit, so that NaN is itself."""
    if isinstance(a, tuple):
        return all(map(_same, a, b))
    if not isinstance(a, np.ndarray):
        return bool(a == b)
    return np.array_equal(_words(a), _words(b))


class Lent:
    """A task as `_core.ModelTask` has it, but for arrays."""

    def __init__(self, core: _core.ModelTask, copies: Latest):
        """copies: those of earlier tasks; new ones are put there."""
        self._core = core
        self._copies = copies
        self._used: dict[tuple, tuple[str, Callable[[], Any]]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._core, name)

    def _lent(self, told: str, key: tuple, make: Callable[[], Any]) -> Any:
        self._used[key] = (told, make)
        # A key is that of one matrix while its task lives.
        return self._copies.take(key, lambda: (_copied(make()), self._core))[0]

    def arrays(self) -> dict[str, np.ndarray]:
        return {name: _copied(array) for name, array in self._core.arrays().items()}

    def adjacency(self) -> tuple:
        return self._lent("the edges", ("adjacency", self._core.adjacency_key), self._core.adjacency)

    def dense_features(self) -> Optional[np.ndarray]:
        return self._lent("the features", ("dense", self._core.features_key),
                          self._core.dense_features)

    def sparse_features(self) -> Optional[tuple]:
        return self._lent("the features", ("sparse", self._core.features_key),
                          self._core.sparse_features)

    def changed(self) -> Optional[str]:
        """What was written into, if anything; others get a new copy of it."""
        out = None
        for key, (told, make) in self._used.items():
            if key in self._copies and not _same(self._copies[key][0], make()):
                del self._copies[key]
                out = told
        return out
