"""Plans for many machines, how far they are, and stores that become one."""

from __future__ import annotations

import json
import os
from typing import Any, Optional, Sequence, Union

from . import _core
from ._core import Error, Protocol
from ._models import Model
from ._options import (Names, check_count, check_flag, check_text, optional_text, path_of, some,
                       text_of)
from ._progress import Progress, working
from ._study import (Models, Path, _caller, _columns, _how, _picked, _study, _tell_left_out,
                     load_protocol)


def _named_columns(datasets: Any) -> list[str]:
    """Data sets by name or path: shards are programs elsewhere."""
    wanted, given = _columns(datasets)
    for one in given:
        if not one.source:
            raise Error(f"datasets: {one.name} is in this process's memory, which shards do not "
                        "see; save it where all machines see it, and give its path")
    return wanted


def _named_rows(models: Models) -> list[str]:
    rows = _picked(models)
    for one in rows:
        if isinstance(one, Model):
            raise Error(f"models: {one.name} is a function of this process, which shards cannot "
                        "call; give it to cupel.run, or make a program of it")
    return rows


def plan(protocol: Union[Path, dict, Protocol], datasets: Any = None, models: Models = None, *,
         tables: Names = None, choices: Names = None, splits: Optional[int] = None,
         inits: Optional[int] = None, available: bool = False, split: str = "",
         shards: Optional[int] = None, target: str = "", pilot: str = "",
         retry_failed: bool = False, out: Optional[Path] = None, store: Optional[Path] = None,
         data: Optional[Path] = None, name: str = "unnamed", progress: Progress = None) -> dict:
    """Settles runs for many machines, as `cupel plan` does: a file of what `store` (default:
    PROTOCOL.sqlite) lacks of a protocol, cut into shards, each for `cupel work`.

    datasets, models, tables, choices, splits, inits, available, split: which part, as of cupel.run,
    but for what is in this process alone, which shards cannot have: graphs and functions.
    shards, or target: how many, or how much work each is ("20m"). pilot: for how long what never
    ran may be tried out, to tell what it takes ("10s"), or "none".
    out: the file (default: PROTOCOL.plan). What it says of runs, if it is a plan, is kept.

    Gives the "file", the hash ("plan"), "runs", "shards", "seconds" of one processor, runs that
    follow "later", the "folder" where shards are published, the "store", and "words". Where the
    store lacks nothing there is no file (None), and no runs.
    """
    for option, count in (("splits", splits), ("inits", inits), ("shards", shards)):
        check_count(option, count)
    for option, text in (("target", target), ("pilot", pilot)):
        check_text(option, text)
    check_flag("retry_failed", retry_failed)
    loaded = load_protocol(protocol, name)
    file = _core.plan_file(optional_text(out, "out"), loaded.name)
    columns, rows = _named_columns(datasets), _named_rows(models)
    nobody = _caller(0, [], _how(0, "", None, False))

    def settled(job: _core.Job) -> tuple[str, str]:
        study = _study(loaded, columns or None, rows, [], nobody, tables, choices, splits, inits,
                       store, data, name, True, available=available, job=job, split=split)
        return study.left_out, study.settle(file, str(shards or ""), target, pilot, retry_failed,
                                            job)

    left_out, told = working(settled, progress)
    _tell_left_out(left_out)
    return json.loads(told)


def status(plan: Path, *, out: Optional[Path] = None, store: Optional[Path] = None) -> dict:
    """How far the shards of a plan are, as `cupel status --json` prints it; and "missing", the
    shards that nobody is at, and "notes": which stores are damaged.

    plan: its file. out: where shards are published (default: p.shards beside p.plan). store: what
    they are merged into (default: p.sqlite)."""
    return json.loads(_core.plan_progress(text_of(plan, "plan"), optional_text(out, "out"),
                                          optional_text(store, "store")))


def merge(stores: Union[Path, Sequence[Path]], to: Path) -> dict:
    """One store from many, as `cupel merge --json` tells it. Those that are taken in stay as they
    are.

    stores: files, or folders of them. to: the store that takes them in, made if need be.

    "holds" is False where the program ends with 3: runs that ended in different ways are in
    "conflicts", each with its sides, and cells that were not taken in "cells_not_taken" of their
    store. "notes" has what was decided between stores."""
    given = [stores] if isinstance(stores, (str, os.PathLike)) else some(stores, "stores")
    return json.loads(_core.merge_stores([path_of(one, "stores") for one in given],
                                         path_of(to, "to")))


def diff(a: Path, b: Path, *, store: Optional[Path] = None) -> dict:
    """Two stores against each other, run by run, or two runs of one `store` by their ids, as
    `cupel diff --json` tells it.

    Of stores: how many runs are "equal" to the bit, which are "different", and which are "only_a"
    or "only_b", each with the "fields" of the identity that part them from the nearest runs of the
    other store. "holds" is False where the program ends with 3: the same run has other bits.
    Of runs: the fields in which "identity" and "outcome" differ."""
    one, other = text_of(a, "a"), text_of(b, "b")
    if store is None:
        return json.loads(_core.diff_stores(one, other))
    return json.loads(_core.diff_runs(text_of(store, "store"), one, other))
