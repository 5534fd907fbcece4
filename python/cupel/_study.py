"""Doing what a protocol asks for."""

from __future__ import annotations

import functools
import json
import os
import sys
import warnings
from typing import Any, Optional, Sequence, Union

from . import _core
from ._callers import Caller, caller_of
from ._core import Error, Protocol
from ._models import Model
from ._numpy import np
from ._options import (Names, check_count, check_flag, check_number, check_seconds, check_text,
                       is_unicode, is_whole, names_of, optional_text, some, text_of)
from ._program import find_program
from ._progress import Progress, working
from ._results import Results

Path = Union[str, "os.PathLike[str]"]
Models = Union[None, str, Model, Sequence[Union[str, Model]]]


class RunsFailed(UserWarning):
    """Some of the runs that were asked for have no score."""


class RunsNote(UserWarning):
    """What to know of runs whose scores are good: programs that are not isolated, or that may be edited
    unnoticed. And of rows that until="decided" leaves out."""


class LeftOut(UserWarning):
    """Data sets that are not at hand were left out."""


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Model):
        return value.name
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise Error(f"a protocol cannot say {value!r}, a {type(value).__name__}")


def _json(name: str, part: dict) -> str:
    try:
        text = json.dumps(part, default=_plain, allow_nan=False, ensure_ascii=False)
    except (ValueError, RecursionError) as error:
        if "Circular" in str(error) or isinstance(error, RecursionError):
            raise Error(f"{name}: holds itself, or is nested too deeply for a protocol") from None
        raise Error(f"{name}: a protocol cannot say NaN or infinity ({error})") from None
    except TypeError as error:
        raise Error(f"{name}: the keys of a protocol are words ({error})") from None
    if not is_unicode(text):
        raise Error(f"{name}: holds a text that is no Unicode, as of bytes of another encoding; a "
                    "protocol is UTF-8")
    return text


def _rows_and_functions(protocol: dict) -> tuple[dict, list[Model]]:
    """A protocol whose rows name functions, and the functions that are in it."""
    rows = protocol.get("models")
    if not isinstance(rows, dict):
        return protocol, []
    rows = {name: {"function": row} if isinstance(row, Model) else row
            for name, row in rows.items()}
    functions = [row["function"] for row in rows.values()
                 if isinstance(row, dict) and isinstance(row.get("function"), Model)]
    return {**protocol, "models": rows}, functions


def load_protocol(protocol: Union[Path, dict, Protocol], name: str = "unnamed") -> Protocol:
    """A protocol by name (`cupel.protocols()`) or path, or from a dict with the tables and keys of
    a protocol file: {"data": {"datasets": ["cora"]}, "split": {...}, "models": {...}}."""
    if isinstance(protocol, Protocol):
        return protocol
    if isinstance(protocol, dict):
        check_text("name", name)
        return _core.protocol_of_json(name, _json(name, _rows_and_functions(protocol)[0]))
    return _core.load_protocol(text_of(protocol, "protocol"))


def _picked(models: Models) -> list:
    """The models that are wanted; to be called once, as what is given may be read only once."""
    if models is None:
        return []
    picked = [models] if isinstance(models, (str, Model)) else some(models, "models")
    for one in picked:
        if isinstance(one, str):
            check_text("models", one)
        if not isinstance(one, (str, Model)):
            raise Error(f"models: {one!r} is no model; give names of rows, or functions with "
                        "@cupel.model")
    return picked


def _functions_of(protocol: Any, picked: Sequence[Union[str, Model]], more: Sequence[Model] = ()) -> list[Model]:
    """Those in the rows of a protocol, those that are wanted, and more; each once."""
    found = _rows_and_functions(protocol)[1] if isinstance(protocol, dict) else []
    found += [item for item in [*picked, *more] if isinstance(item, Model)]
    functions = list({id(one): one for one in found}.values())
    for place, one in enumerate(functions):
        for other in functions[:place]:
            if one.identity == other.identity and one.function is not other.function:
                raise Error(f"{other.name} and {one.name} are two functions that nothing tells "
                            "apart, of one place in one file, so that runs of one would pass for "
                            "those of the other; give each another version=")
    return functions


def _caller(processes: int, functions: Sequence[Model], how: _core.How) -> Caller:
    return caller_of(processes, [one._run for one in functions], how)


def _with_functions(protocol: Any, picked: Sequence[Union[str, Model]], name: str, functions: Sequence[Model],
                    caller: Caller, split: str = "") -> tuple[Protocol, list[str], list[_core.ModelFunction]]:
    """The protocol with the rows of functions, the rows that are wanted, and the functions, called
    by their numbers."""
    made = [one._made(functools.partial(caller, number)) for number, one in enumerate(functions)]
    loaded = _core.with_split(_core.with_rows_of(load_protocol(protocol, name), made), split)
    wanted: list[str] = []
    for item in picked:
        wanted += _core.rows_of(loaded, [made[functions.index(item)]]) \
            if isinstance(item, Model) else [str(item)]
    return loaded, wanted, made


def _columns(datasets: Any) -> tuple[list[str], list[_core.Data]]:
    """Data sets by name or path, and those in memory: what was loaded goes by its name as well."""
    wanted: list[str] = []
    given: list[_core.Data] = []
    one = isinstance(datasets, (str, os.PathLike)) or hasattr(datasets, "_core")
    for item in [] if datasets is None else [datasets] if one else some(datasets, "datasets"):
        if isinstance(item, (str, os.PathLike)):
            wanted.append(text_of(item, "datasets"))
        elif not hasattr(item, "_core"):
            raise Error(f"datasets: a {type(item).__name__} is no data set; give names, paths or "
                        "cupel.Graph")
        else:
            given.append(item._core)
            if item._core.source:
                wanted.append(item._core.source)
    return wanted, given


def _how(jobs: int, memory: str, timeout: Optional[float], retry_failed: bool,
         shard: str = "") -> _core.How:
    if not is_whole(jobs) or jobs < 0 or jobs > 2**31 - 1:
        raise Error(f"jobs: {jobs!r} is no number of runs at a time; 0 means one per processor")
    check_text("memory", memory)
    check_seconds("timeout", timeout)
    check_flag("retry_failed", retry_failed)
    check_text("shard", shard)
    return _core.how(int(jobs), memory, timeout, retry_failed, shard)


def _tell(summary: dict, progress: Progress) -> None:
    """Warns of what there is to know and of what has no score, and says what was done where somebody
    looks."""
    for text in summary["refused"]:
        warnings.warn(text, RunsFailed, stacklevel=3)
    for text in summary["notes"]:
        warnings.warn(text, RunsNote, stacklevel=3)
    if summary["checkpoint_problem"]:
        warnings.warn(summary["checkpoint_problem"], RuntimeWarning, stacklevel=3)
    if summary["without_score"]:
        first = summary["failures"][:1]
        warnings.warn(f"{summary['without_score']} runs have no score; retry_failed=True does failed "
                      "ones again" + "".join(f": {text}" for text in first), RunsFailed, stacklevel=3)
    if progress or (progress is None and sys.stderr.isatty()):
        print(f"cupel: {summary['words']}", file=sys.stderr)
        if summary.get("decided"):
            print(f"cupel: {summary['decided']['words']}", file=sys.stderr)


def _study(protocol: Any, datasets: Any, models: Sequence[Union[str, Model]], functions: Sequence[Model],
           caller: Caller, tables: Names, choices: Names, splits: Optional[int],
           inits: Optional[int], store: Optional[Path], data: Optional[Path], name: str,
           only_look: bool, until: str = "", max_splits: Optional[int] = None,
           delta: Optional[float] = None, shard: str = "", available: bool = False,
           job: Optional[_core.Job] = None, split: str = "") -> _core.Study:
    wanted, given = _columns(datasets)
    for option, value in (("splits", splits), ("inits", inits), ("max_splits", max_splits)):
        check_count(option, value)
    check_text("until", until)
    check_text("split", split)
    check_number("delta", delta)
    check_flag("available", available)
    loaded, rows, made = _with_functions(protocol, models, name, functions, caller, split)
    _core.set_warden_program(find_program() or "")
    return _core.Study(loaded, wanted, given, rows, made, names_of(tables, "tables"),
                       names_of(choices, "choices"),
                       int(splits or 0), int(inits or 0), optional_text(store, "store"),
                       optional_text(data, "data"), only_look, until, int(max_splits or 0), delta,
                       bool(shard), available, job)


def _tell_left_out(text: str) -> None:
    if text:
        warnings.warn(text, LeftOut, stacklevel=3)


def run(protocol: Union[Path, dict, Protocol], datasets: Any = None, models: Models = None, *,
        tables: Names = None, splits: Optional[int] = None, inits: Optional[int] = None,
        choices: Names = None, store: Optional[Path] = None, jobs: int = 0, memory: str = "",
        timeout: Optional[float] = None, retry_failed: bool = False, shard: str = "",
        until: str = "", max_splits: Optional[int] = None, delta: Optional[float] = None,
        data: Optional[Path] = None, name: str = "unnamed", progress: Progress = None,
        processes: int = 0, available: bool = False, split: str = "") -> Results:
    """Does what the store lacks of a protocol and gives its results, as `cupel run` does.

    protocol: a name, a path, or a dict with the keys of a protocol file (then `name` is its name).
    datasets, models: only these columns and rows; a data set may be a cupel.Graph, a model what
    @cupel.model made.
    splits, inits: only the first so many. store: the file that keeps every run
    (default: PROTOCOL.sqlite); what it holds is not done again. jobs: runs at a time.
    until: "decided": only the splits that decide each cell with a published value, at most
    max_splits; a gap within delta is equivalent to none. The summary says what was decided.
    progress: see cupel's documentation; Ctrl-C ends it, and the same call goes on later.
    split: of facts over time, cuts instead of the protocol's, as `cupel run --split` takes them.
    processes: how many forked processes call functions side by side; 0: this one does, one at a
    time. available: only data sets that are at hand; a warning (cupel.LeftOut) names the others.
    """
    how = _how(jobs, memory, timeout, retry_failed, shard)
    picked = _picked(models)
    functions = _functions_of(protocol, picked)
    with _caller(processes, functions, how) as caller:
        def work(job: _core.Job) -> tuple:
            study = _study(protocol, datasets, picked, functions, caller, tables, choices, splits,
                           inits, store, data, name, False, until, max_splits, delta, shard,
                           available, job, split)
            return study, study.execute(how, job)

        study, summary = working(work, progress)
    _tell_left_out(study.left_out)
    _tell(summary, progress)
    return Results(study.results(), summary)


def estimate(protocol: Union[Path, dict, Protocol], datasets: Any = None, models: Models = None, *,
             tables: Names = None, splits: Optional[int] = None, inits: Optional[int] = None,
             choices: Names = None, store: Optional[Path] = None, jobs: int = 0,
             data: Optional[Path] = None, name: str = "unnamed", pilot: str = "10s",
             available: bool = False, split: str = "") -> dict:
    """How many runs that would be and how long they are likely to take; nothing is kept.

    pilot: how long what never ran may be tried out, or "none". available: as of cupel.run."""
    picked = _picked(models)
    functions = _functions_of(protocol, picked)
    how = _how(jobs, "", None, False)
    check_text("pilot", pilot)
    study = _study(protocol, datasets, picked, functions, _caller(0, functions, how), tables,
                   choices, splits, inits, store, data, name, True, available=available,
                   split=split)
    _tell_left_out(study.left_out)
    return json.loads(study.estimate(how, pilot))


def check_model(model: Model, protocol: Union[None, Path, dict, Protocol] = None, *,
                timeout: Optional[float] = None) -> list[dict[str, str]]:
    """What is wrong with a function that is to be a model, as `cupel check-model` tells it of
    programs: in seconds, on made data. Each finding has an `outcome` (good, warning, bad) and a
    `text`.

    protocol: whose question is asked (its task and metric); None: classes of nodes. timeout:
    seconds of a run (20)."""
    if not isinstance(model, Model):
        raise Error(f"model: a {type(model).__name__} is no model; make it one with @cupel.model")
    check_seconds("timeout", timeout)
    asked = _ANY_NODES if protocol is None else protocol
    caller = _caller(0, [model], _how(0, "", None, False))
    loaded, _, made = _with_functions(asked, [model], "check", [model], caller)
    return json.loads(working(
        lambda job: _core.check_function(loaded, made[0], timeout, job), False))


# A question about nodes; its data are not looked at.
_ANY_NODES = {"data": {"datasets": ["csbm"]}, "models": {"majority": {}},
              "split": {"scheme": "per-class", "train": 10, "valid": 10}}


def results(what: Path, *, store: Path = "", protocol: str = "") -> Results:
    """Results that are there: of a store's file, or of a protocol, whose store is
    PROTOCOL.sqlite."""
    check_text("protocol", protocol)
    return Results(_core.stored_results(text_of(what, "results"), text_of(store, "store"), protocol))
