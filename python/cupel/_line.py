"""Messages between a process and one that it forked, over a socket that others may scribble on: a
function has its number, as everything that is open.
"""

from __future__ import annotations

import os
import pickle
import select
import socket
import struct
from typing import Any

_MARK = os.urandom(8)  # begins each message; a process that is forked has the same
_HEAD = struct.Struct(f"{len(_MARK)}sq")
_AT_A_TIME = 1 << 20


class Scribble(Exception):
    """What came is no message."""


class Line:
    """One end. recv() and poll() raise EOFError where the other end is closed."""

    def __init__(self, end: socket.socket):
        self._end = end
        self._poll = select.poll()
        self._poll.register(end, select.POLLIN)
        self._came = bytearray()

    def send(self, value: Any) -> None:
        said = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
        self._end.sendall(_HEAD.pack(_MARK, len(said)))
        self._end.sendall(said)

    def _whole(self) -> int:
        """The bytes of the message that has come, or 0 where it has not."""
        if len(self._came) < _HEAD.size:
            if not _MARK.startswith(self._came[:len(_MARK)]):
                raise Scribble
            return 0
        mark, size = _HEAD.unpack_from(self._came)
        if mark != _MARK or size < 0:
            raise Scribble
        return _HEAD.size + size if len(self._came) >= _HEAD.size + size else 0

    def _take(self) -> None:
        more = self._end.recv(_AT_A_TIME)
        if not more:
            raise EOFError
        self._came += more

    def poll(self, seconds: float) -> bool:
        """Whether a whole message is there; waits so long for the next part of it."""
        if not self._whole() and self._poll.poll(1000 * seconds):
            self._take()
        return self._whole() > 0

    def recv(self) -> Any:
        while not (size := self._whole()):
            self._take()
        said = bytes(self._came[_HEAD.size:size])
        del self._came[:size]
        return pickle.loads(said)

    def close(self) -> None:
        self._end.close()
