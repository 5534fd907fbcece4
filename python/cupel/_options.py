"""What users give for options: checked, with a sentence that names the option."""

from __future__ import annotations

import math
import numbers
import os
from typing import Any, Optional, Sequence, Union

from ._core import Error

Names = Union[None, str, Sequence[str]]


def text_of(value: Any, where: str) -> str:
    """A name or a path as text, or an Error that names the argument."""
    try:
        text = os.fsdecode(value)
        text.encode()
    except (TypeError, UnicodeEncodeError):
        raise Error(f"{where}: {value!r} is neither a name nor a path; give a text or a Path") \
            from None
    if "\0" in text:
        raise Error(f"{where}: {text!r} holds a zero byte, as no name and no path does")
    return text


def path_of(value: Any, where: str) -> str:
    """Where something is written to."""
    text = text_of(value, where)
    if not text:
        raise Error(f"{where}: the path is empty; say where to write")
    return text


def optional_text(value: Any, where: str) -> str:
    return "" if value is None else text_of(value, where)


def names_of(value: Names, where: str) -> list[str]:
    if value is None:
        return []
    names = [value] if isinstance(value, str) else [str(one) for one in some(value, where)]
    for name in names:
        check_text(where, name)
    return names


def some(value: Any, where: str) -> list:
    """A list that is not empty: an empty one must not mean everything."""
    out = several(value, where)
    if not out:
        raise Error(f"{where}: the list is empty; name something, or leave it out to take all")
    return out


def several(value: Any, where: str, wrong: str = "is neither a name nor a list of names") -> list:
    """A list of what comes one after the other, perhaps only once. wrong: what is said of another
    type."""
    try:
        return list(value)
    except TypeError:
        raise Error(f"{where}: a {type(value).__name__} {wrong}") from None


def is_unicode(text: str) -> bool:
    """Halves of characters, as os.fsdecode makes them of bytes that are no UTF-8, are none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_text(option: str, value: Any) -> None:
    if not isinstance(value, str) or not is_unicode(value) or "\0" in value:
        raise Error(f"{option}: {value!r} is no text")


def check_flag(option: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise Error(f"{option}: {value!r} is neither True nor False")


def check_number(option: str, value: Any) -> None:
    if value is not None and (not isinstance(value, (int, float)) or isinstance(value, bool)):
        raise Error(f"{option}: {value!r} is no number")


def check_seconds(option: str, value: Any) -> None:
    check_number(option, value)
    if value is not None and not (math.isfinite(value) and value > 0):
        raise Error(f"{option}: {value!r} is no time; give seconds above 0")


MOST = 2**31 - 1


def is_whole(value: Any) -> bool:
    """Those of NumPy are, too."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def check_count(option: str, value: Any, least: int = 1, most: int = MOST) -> None:
    if value is not None and (not is_whole(value) or not least <= value <= most):
        raise Error(f"{option}: {value!r} is no whole number from {least} to {most}")
