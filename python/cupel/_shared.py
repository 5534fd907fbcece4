"""Arrays that processes share: copied once into memory that each of them maps."""

from __future__ import annotations

import itertools
import mmap
import os
from collections import OrderedDict
from typing import Any, Callable, Sequence

from ._numpy import np

KEPT = 4  # graphs that are kept at a time
_ALIGNED = 64  # where arrays begin in a file, in bytes


class Latest(OrderedDict):
    """What was asked for last, by key. Not thread-safe."""

    def __init__(self, most: int):
        super().__init__()
        self._most = most

    def take(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self:
            self[key] = make()
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)
        return self[key]


class Shared:
    """A copy of some values, arrays among them, in memory that other processes can map."""

    _numbers = itertools.count()

    def __init__(self, values: Sequence[Any]):
        self.number = next(self._numbers)
        self._file = os.memfd_create("cupel")
        places: list[Any] = []
        end = 0
        for value in values:
            if not isinstance(value, np.ndarray):
                places.append(value)
                continue
            places.append((end, value.dtype.str, value.shape))
            rest = memoryview(value.tobytes()) if not value.flags.c_contiguous else \
                value.reshape(-1).view(np.uint8).data
            while rest:
                wrote = os.pwrite(self._file, rest, end)
                rest, end = rest[wrote:], end + wrote
            end += -end % _ALIGNED
        os.ftruncate(self._file, end + 1)  # an empty array has a place as well
        self.size = end + 1  # bytes
        #: What another process needs to have the same.
        self.told = (self.number, f"/proc/{os.getpid()}/fd/{self._file}", places)

    def __del__(self) -> None:
        os.close(self._file)


class Mapped:
    """What others share, as this process has mapped it; the latest are kept."""

    def __init__(self) -> None:
        self._latest = Latest(KEPT)

    def values(self, told: tuple) -> tuple:
        number, path, places = told

        def mapped() -> tuple:
            with open(path, "rb") as file:
                memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            return tuple(
                np.frombuffer(memory, place[1], int(np.prod(place[2])), place[0]).reshape(place[2])
                if isinstance(place, tuple) else place for place in places)
        return self._latest.take(number, mapped)
