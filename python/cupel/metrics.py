"""The metrics of Cupel on any scores.

Each metric is a function here, '-' written '_': `roc_auc(scores, labels)`, `mrr(positives=...,
candidates=...)`, `hits(positives=..., candidates=..., k=10)`. `names()` lists them.

Forms of answers, whichever the metric is for:
  scores and labels         examples x classes (or one column: the second of two classes), and a
                            class for each example
  scores and labels, 2 axes examples x tasks, and answers of 0, 1 and NaN (not known)
  positives and negatives   scores in one pool
  positives and candidates  each positive ranked among its own row of candidates, or among all
"""

from __future__ import annotations

import json
from typing import Any, Callable

from . import _arrays, _core
from ._core import Error
from ._numpy import np

_ENTRIES = {entry["name"]: entry for entry in json.loads(_core.metric_entries())}


def names() -> list[str]:
    return sorted(_ENTRIES)


def _name(name: str, settings: dict) -> str:
    entry = _ENTRIES.get(name)
    if entry is None:
        return name  # with settings in it, or unknown: the library says so
    settings = dict(settings)
    if entry["at"] and entry["at"] in settings:
        name += f"@{settings.pop(entry['at'])}"
    return name + "".join((":" if number == 0 else ",") + f"{key}={value}"
                          for number, (key, value) in enumerate(settings.items()))


def _floats(value: Any, where: str) -> np.ndarray:
    given = _arrays.numbers(value, where)
    with np.errstate(over="ignore"):  # told below
        out = np.ascontiguousarray(given, dtype=np.float32)
    if given.dtype.kind == "f" and np.any(np.isinf(out) & np.isfinite(given)):
        largest = given.flat[np.argmax(np.isinf(out) & np.isfinite(given))]
        raise Error(f"{where}: {largest} is beyond the range of float32, in which scores are "
                    "compared; scale them")
    return out


def score(name: str, scores: Any = None, labels: Any = None, *, positives: Any = None,
          negatives: Any = None, candidates: Any = None, **settings: Any) -> float:
    """The value of a metric by name, such as "accuracy" or "hits@10"; as protocols write it."""
    full = _name(name, settings)
    if positives is not None:
        if (negatives is None) == (candidates is None):
            raise Error(f"{name}: positives go with negatives, or with candidates")
        if negatives is not None:
            return _core.metric_of_pool(full, _floats(positives, "positives"),
                                        _floats(negatives, "negatives"))
        return _core.metric_of_ranks(full, _floats(positives, "positives"),
                                     _floats(candidates, "candidates"))
    if scores is None or labels is None:
        raise Error(f"{name}: give scores and labels, positives and negatives, or positives and "
                    "candidates")
    answers = _arrays.numbers(labels, "labels")
    if answers.ndim == 2:
        return _core.metric_of_tasks(full, _floats(scores, "scores"), _floats(labels, "labels"))
    if answers.dtype.kind == "f" and not np.all(answers == np.floor(answers)):
        raise Error("labels: are no whole numbers; give a class for each example")
    return _core.metric_of_classes(full, _floats(scores, "scores"), answers.astype(np.int64))


def _function(name: str) -> Callable[..., float]:
    def function(scores: Any = None, labels: Any = None, **more: Any) -> float:
        return score(name, scores, labels, **more)
    function.__name__ = function.__qualname__ = name.replace("-", "_")
    entry = _ENTRIES[name]
    lines = [f"  {setting['name']}: {setting['doc']}" for setting in entry["settings"]]
    function.__doc__ = entry["doc"] + "".join("\n" + line for line in lines)
    return function


for _one in _ENTRIES:
    globals()[_one.replace("-", "_")] = _function(_one)
