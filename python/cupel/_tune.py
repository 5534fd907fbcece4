"""The search for settings."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional, Union

from . import _core
from ._core import Error, Protocol
from ._models import Model
from ._options import check_count, check_flag, check_text, optional_text, path_of, text_of
from ._program import find_program
from ._progress import Progress, working
from ._study import (Models, Path, _caller, _columns, _functions_of, _how, _json, _picked,
                     _tell, _with_functions)

_SPACES = ("grid", "random")  # the tables of [tune] that have a row's name for a key


class Tuned:
    """What a search found."""

    def __init__(self, result: dict, toml: str, store: str, summary: dict, searched: Protocol,
                 base: str, changes: str):
        #: All trials, as `cupel tune --json` prints them.
        self.result = result
        #: The best settings as sections to paste into a protocol file.
        self.toml = toml
        #: The file that keeps the runs.
        self.store = store
        #: What cupel.tune did: numbers of runs done, stored, failed, ...
        self.summary = summary
        self._searched = searched
        self._base = base  # its name or path; "": it was given as something else
        self._changes = changes

    def trials(self, row: str) -> list[dict]:
        """The trials of a row in their order: number, settings, score (None while runs are
        missing), by_dataset, runs, expected_runs."""
        for model in self.result["models"]:
            if model["model"] == row:
                return model["trials"]
        rows = ", ".join(model["model"] for model in self.result["models"])
        raise KeyError(f"no row '{row}' was searched; there are {rows}")

    @property
    def best(self) -> dict[str, dict]:
        """For each row the settings of its best trial. Rows without a complete trial are left
        out."""
        return {model["model"]: model["trials"][model["best"] - 1]["settings"]
                for model in self.result["models"] if model["best"] is not None}

    @property
    def best_by_dataset(self) -> dict[str, dict[str, dict]]:
        """For each row and data set the settings that are best on it alone. What no trial has done
        is left out."""
        found = {}
        for model in self.result["models"]:
            found[model["model"]] = {
                name: model["trials"][best - 1]["settings"]
                for name, best in zip(self.result["datasets"], model["best_by_dataset"])
                if best is not None}
        return found

    def protocol(self, name: str = "") -> Protocol:
        """The protocol that was searched, with rows that hold the best settings: for cupel.run. With
        by_dataset, each data set has its own.

        name: the protocol's (default: that of the searched one, and "-tuned")."""
        check_text("name", name)
        if not self._changes:
            raise Error("protocol: nothing was found, as no trial of any row is complete")
        return _core.extend_protocol(self._searched, name or self._searched.name + "-tuned",
                                     self._changes)

    def save(self, path: Path) -> None:
        """Writes that protocol to a new file, which extends the searched one, as `cupel tune --out`
        does. That one must be a file or come with Cupel: a dict has no name in a file."""
        where = path_of(path, "path")
        if not self._base:
            raise Error("save: the protocol that was searched is no file, so that none can extend "
                        "it; run found.protocol(), or search a protocol by its name or path")
        _core.write_tuned(where, self._base, self._changes)

    def __repr__(self) -> str:
        told = "; ".join(f"{row}: " + ", ".join(f"{name}={value!r}" for name, value in one.items())
                         for row, one in self.best.items())
        return f"<cupel.Tuned {told or 'no trial is complete'}>"


def _search_and_functions(search: Mapping[str, Any]) -> tuple[str, list[Model]]:
    """[tune] as JSON, and the functions whose rows it names by themselves."""
    functions: list[Model] = []

    def named(row: Any) -> Any:
        if isinstance(row, Model):
            functions.append(row)
            return row.name
        return row

    plain = {key: {named(row): space for row, space in value.items()}
             if key in _SPACES and isinstance(value, Mapping) else value
             for key, value in search.items()}
    return _json("search", plain), functions


def tune(protocol: Union[Path, dict, Protocol], models: Models = None, *,
         search: Optional[Mapping[str, Any]] = None, datasets: Any = None, method: str = "",
         budget: Optional[int] = None, splits: Optional[int] = None, inits: Optional[int] = None,
         by_dataset: bool = False, store: Optional[Path] = None, jobs: int = 0, memory: str = "",
         timeout: Optional[float] = None, retry_failed: bool = False, data: Optional[Path] = None,
         name: str = "unnamed", progress: Progress = None, processes: int = 0) -> Tuned:
    """Searches the settings of a protocol's rows by validation scores, as `cupel tune` does: the
    same number of trials for each, on splits that no table uses where the protocol has any.

    models: only these rows; names, or what @cupel.model made.
    search: keys of [tune] that the protocol lacks or that replace its own, such as
    {"random": {my_model: {"lr": {"log": [1e-3, 1e-1]}}}}; a row is a name or a function.
    datasets, method, budget, splits, inits: as [tune] says where they are not given.
    by_dataset: what is saved or run has the best settings of each data set, not of all together.
    The rest is as cupel.run has it; what the store holds is not done again.
    """
    for option, value in (("budget", budget), ("splits", splits), ("inits", inits)):
        check_count(option, value)
    check_text("method", method)
    check_flag("by_dataset", by_dataset)
    how = _how(jobs, memory, timeout, retry_failed)
    wanted, given = _columns(datasets)
    if search is not None and not isinstance(search, Mapping):
        raise Error(f"search: a {type(search).__name__} is no table of keys of [tune]")
    text, more = _search_and_functions(search or {})
    base = "" if isinstance(protocol, (dict, Protocol)) else text_of(protocol, "protocol")
    picked = _picked(models)
    functions = _functions_of(protocol, picked, more)
    with _caller(processes, functions, how) as caller:
        loaded, rows, made = _with_functions(protocol, picked, name, functions, caller)
        if search:
            loaded = _core.with_search(loaded, text)
        _core.set_warden_program(find_program() or "")

        def work(job: _core.Job) -> Tuned:
            tuning = _core.Tuning(loaded, wanted, given, rows, made, method, budget or 0,
                                  splits or 0, inits or 0, by_dataset,
                                  optional_text(store, "store"),
                                  optional_text(data, "data"), job)
            summary = tuning.execute(how, job)
            # Not the object itself: it holds functions, whose globals may hold what is returned.
            return Tuned(json.loads(tuning.result()), tuning.toml(), tuning.store, summary, loaded,
                         base, tuning.changes())

        found = working(work, progress)
    _tell(found.summary, progress)
    return found
