"""The metrics of Cupel on any scores.

Each metric is a function here, '-' written '_': `roc_auc(scores, labels)`, `mrr(positives=...,
candidates=...)`, `hits(positives=..., candidates=..., k=10)`. `names()` lists them.

Forms of answers, whichever the metric is for:
  scores and labels         examples x classes (or one column: the second of two classes), and a
                            class for each example
  scores and labels, 2 axes examples x tasks, and answers of 0, 1 and NaN (not known)
  positives and negatives   scores in one pool
  positives and candidates  each positive ranked among its own row of candidates, or among all

A class is chosen by the largest score of its row. A column by itself, of the second of two classes
or of a task, says yes above 0: give log-odds, or probabilities less 0.5.

Scores are compared as float32. Doubles and large whole numbers keep their order: what rounding would
make equal is moved apart by the smallest steps, in each row where a metric chooses one of its
classes. That takes sorting, which float32 needs not. ROC AUC of two columns takes their difference
in double. A threshold is held against what is merely rounded.
"""

from __future__ import annotations

import json
from typing import Any, Protocol

from . import _arrays, _core
from ._core import Error
from ._numpy import np
from ._options import check_text


class Metric(Protocol):
    """A metric of the library, by its name: score() with the name filled in."""

    def __call__(self, scores: Any = None, labels: Any = None, *, positives: Any = None,
                 negatives: Any = None, candidates: Any = None, **settings: Any) -> float: ...


# Made below, one for each of names(); said here for type checkers, and held against it by
# tests/python/test_types.py.
accuracy: Metric
auc_ap_mean: Metric
average_precision: Metric
balanced_accuracy: Metric
hits: Metric
macro_f1: Metric
mean_rank: Metric
mrr: Metric
precision: Metric
recall: Metric
roc_auc: Metric
roc_auc_column: Metric
roc_auc_columns: Metric

_FORMS = ({"scores", "labels"}, {"positives", "negatives"}, {"positives", "candidates"})
_ENTRIES = {entry["name"]: entry for entry in json.loads(_core.metric_entries())}


def names() -> list[str]:
    return sorted(_ENTRIES)


def _name(name: str, settings: dict) -> str:
    entry = _ENTRIES.get(name)
    if entry is None:  # with settings in it, or unknown: the library says so
        if settings and ("@" in name or ":" in name):
            beside = ", ".join(f"{key}={value!r}" for key, value in settings.items())
            raise Error(f"metric '{name}' has settings in its name, and {beside} beside it; give "
                        "all of them in the name, or none")
        return name
    settings = dict(settings)
    if entry["at"] and entry["at"] in settings:
        name += f"@{settings.pop(entry['at'])}"
    return name + "".join((":" if number == 0 else ",") + f"{key}={value}"
                          for number, (key, value) in enumerate(settings.items()))


def _has_threshold(name: str) -> bool:
    entry = _ENTRIES.get(name.split(":")[0])
    return entry is not None and any(one["name"] == "threshold" for one in entry["settings"])


def _moved_apart(given: np.ndarray, rounded: np.ndarray) -> np.ndarray:
    """Rows of scores as float32 in the order of `given`: magnitudes that rounding made equal are
    moved apart, away from 0, by as few steps of float32 as keep their order."""
    # Unsigned, as the magnitude of the least whole number is beyond its own type.
    sizes = np.abs(given) if given.dtype.kind == "f" else \
        np.abs(given.astype(np.int64)).astype(np.uint64) if given.dtype.kind == "i" else given
    order = np.argsort(sizes, axis=-1)
    values = np.take_along_axis(sizes, order, axis=-1)
    ranks = np.zeros(values.shape, dtype=np.int64)
    np.cumsum(values[..., 1:] != values[..., :-1], axis=-1, out=ranks[..., 1:])
    # The bits of floats from 0 on are whole numbers in the same order.
    bits = np.maximum(values.astype(np.float32).view(np.int32), values > 0)
    bits = np.maximum.accumulate(bits - ranks, axis=-1) + ranks
    moved = np.empty_like(rounded)
    np.put_along_axis(moved, order, bits.astype(np.int32).view(np.float32), axis=-1)
    return np.copysign(moved, rounded)


def _floats(value: Any, where: str, ordered: bool = True) -> np.ndarray:
    """As float32; if `ordered`, each row in its order."""
    given = _arrays.numbers(value, where)
    with np.errstate(over="ignore", invalid="ignore"):  # told below
        out = np.ascontiguousarray(given, dtype=np.float32)
        if ordered and not np.array_equal(out.astype(given.dtype), given):
            out = _moved_apart(given, out)
    beyond = np.isinf(out) & np.isfinite(given)
    if np.any(beyond):
        raise Error(f"{where}: {given.flat[np.argmax(beyond)]} is beyond the range of float32, in "
                    "which scores are compared; scale them")
    return out


def _floats_together(ordered: bool = True, **given: Any) -> list[np.ndarray]:
    """As float32; if `ordered`, all of these arrays together in their order."""
    arrays = [_arrays.numbers(value, where) for where, value in given.items()]
    out = _floats(np.concatenate([array.reshape(-1) for array in arrays]), " and ".join(given),
                  ordered)
    ends = np.cumsum([array.size for array in arrays])[:-1]
    return [part.reshape(array.shape) for part, array in zip(np.split(out, ends), arrays)]


def _of_classes(name: str, scores: np.ndarray) -> np.ndarray:
    """Scores of the examples as float32, in the order that the metric asks for."""
    ranks_rows = name.startswith("roc-auc")  # against each other; else a class is chosen in each
    if scores.ndim == 2 and scores.shape[1] > 1 and not ranks_rows:
        return _floats(scores, "scores")
    if name == "roc-auc" and scores.shape[1:] == (2,) and np.isfinite(scores).all():
        halves = scores.astype(np.float64) / 2  # float32 holds their difference if it holds scores
        return _floats(halves[:, 1] - halves[:, 0], "half the differences of scores")
    return _floats_together(scores=scores)[0]


def score(name: str, scores: Any = None, labels: Any = None, *, positives: Any = None,
          negatives: Any = None, candidates: Any = None, **settings: Any) -> float:
    """The value of a metric by name, such as "accuracy" or "hits@10"; as protocols write it."""
    check_text("name", name)
    full = _name(name, settings)
    given = {key for key, value in (("scores", scores), ("labels", labels), ("positives", positives),
                                    ("negatives", negatives), ("candidates", candidates))
             if value is not None}
    if given not in _FORMS:
        raise Error(f"{name}: give scores and labels, positives and negatives, or positives and "
                    f"candidates{'; given are ' if given else ''}{', '.join(sorted(given))}")
    if positives is not None:
        if negatives is not None:
            return _core.metric_of_pool(full, *_floats_together(
                not _has_threshold(name), positives=positives, negatives=negatives))
        return _core.metric_of_ranks(full, *_floats_together(
            positives=positives, candidates=candidates))
    answers = _arrays.numbers(labels, "labels")
    table = _arrays.numbers(scores, "scores")
    if answers.ndim == 2:
        return _core.metric_of_tasks(full, _floats_together(scores=table)[0],
                                     _floats(answers, "labels", ordered=False))
    classes = _arrays.whole_numbers(answers, "labels", "class numbers")
    return _core.metric_of_classes(full, _of_classes(full, table), classes.astype(np.int64))


def _told(name: str, setting: dict) -> str:
    key = setting["name"]
    told = f"  {key}: {setting['doc']}"
    if key in (score.__kwdefaults__ or {}):  # as a keyword it is an array of scores
        told += f' It stands in the name: score("{name}:{key}=2", {key}=...).'
    return told


def _function(name: str) -> Metric:
    def function(scores: Any = None, labels: Any = None, *, positives: Any = None,
                 negatives: Any = None, candidates: Any = None, **settings: Any) -> float:
        return score(name, scores, labels, positives=positives, negatives=negatives,
                     candidates=candidates, **settings)
    function.__name__ = function.__qualname__ = name.replace("-", "_")
    entry = _ENTRIES[name]
    function.__doc__ = "\n".join([entry["doc"], *(_told(name, one) for one in entry["settings"])])
    return function


for _one in _ENTRIES:
    globals()[_one.replace("-", "_")] = _function(_one)
