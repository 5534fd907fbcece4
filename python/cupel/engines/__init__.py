"""A protocol's runs on many machines, by an engine that is there already.

>>> from cupel.engines import ray          # or dask, or submitit  # doctest: +SKIP
>>> done = ray.run("pitfalls", target="20m")  # doctest: +SKIP

Each engine is a module with a function `run`: it settles a plan (or takes one of `cupel plan`), maps
its shards over the engine, merges what they published and gives the results, as `cupel.run` does.
The plan, the folder beside it (p.shards for p.plan) and the data must be seen by all machines, and cupel installed there.
A shard asks nobody anything; docs/clusters.md says more.
"""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import warnings
from typing import Any, Optional, TypeGuard, Union

from .. import _core, _plans
from .._core import Error, Protocol
from .._options import (Names, check_count, check_flag, check_seconds, check_text, optional_text,
                        text_of)
from .._results import Results
from .._study import Models, Path, RunsFailed, load_protocol, results

_COME_AGAIN = 75  # of `cupel work`: told to stop, to be queued again


class Stopped(RuntimeError):
    """A shard was told to stop. What it did is published; whoever does it again goes on there."""


def _tied(*arguments: str) -> list[str]:
    """The program, for a process that ends with this one, however that ends."""
    return [sys.executable, "-m", "cupel._tied", str(os.getpid()), *arguments]


def _options(**values: Any) -> list[str]:
    """As the program takes them; what is None or "" is left out."""
    return [word for name, value in values.items() if value not in (None, "")
            for word in ("--" + name, str(value))]


def _sentence(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].removeprefix("cupel: ") if lines else "cupel ended without a word"


_running: set = set()  # the shards of this process, as the programs that do them


def stop() -> None:
    """Lets the shards of this process publish what they have done, and end."""
    for child in list(_running):
        child.terminate()
    for child in list(_running):
        child.wait()


def _started(command: list[str]) -> subprocess.Popen:
    """In a session of its own and deaf to SIGUSR2, so that Ctrl-C and submitit's signal are heard
    here alone: a program that is told to stop a second time stops at once."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})
    try:
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True, start_new_session=True)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclasses.dataclass(frozen=True)
class Shard:
    """Part `index` of `count`, from 1 on, as a call without arguments that any engine can make."""

    plan: str
    index: int
    count: int
    options: tuple = ()

    def __call__(self) -> int:
        """How it ended: 0, or 1 where runs failed. Raises Stopped, or Error for bad input."""
        command = _tied("work", self.plan, "--shard", f"{self.index}/{self.count}",
                           *self.options)
        with _started(command) as child:
            _running.add(child)
            try:
                said = child.communicate()[1]
            except BaseException:  # the engine takes the machine away: what is done is published
                child.terminate()
                child.wait()
                raise
            finally:
                _running.discard(child)
        if child.returncode == _COME_AGAIN or child.returncode < 0:
            raise Stopped(f"shard {self.index}/{self.count} of {self.plan} was stopped")
        if child.returncode not in (0, 1):
            raise Error(_sentence(said))
        return child.returncode


def do(shard: Shard) -> int:
    """A shard, for engines that map a function."""
    return shard()


@dataclasses.dataclass(frozen=True)
class Plan:
    """A settled list of runs, and the store that they come into."""

    path: str
    protocol: str
    store: str
    shards: list[Shard]  # none where the store has everything

    def merged(self) -> Results:
        """Takes in what the shards have published; warns of runs that have no score."""
        summary = {"planned": 0, "done": 0, "failed": 0, "shards": len(self.shards)}
        if self.shards:
            status = _plans.status(self.path)
            merged = _plans.merge(status["folder"], self.store)
            summary.update(planned=status["runs"],
                           done=sum(one["added"] + one["replaced"] for one in merged["merged"]),
                           failed=sum(shard["failed"] for shard in status["shards"]))
            in_conflict = len(merged["conflicts"])
            if summary["failed"]:
                warnings.warn(f"{summary['failed']} runs have no score; retry_failed=True does "
                              "failed ones again", RunsFailed, stacklevel=3)
            not_taken = [cell for one in merged["merged"] for cell in one["cells_not_taken"]]
            if not_taken:
                warnings.warn(f"{self.store} has other data or another configuration where "
                              f"{len(not_taken)} cells of the shards would stand; run the protocol "
                              "into it", RunsFailed, stacklevel=3)
            if in_conflict:
                warnings.warn(f"{in_conflict} runs ended in different ways in what was merged; "
                              f"`cupel verify {self.store}` says which", RunsFailed, stacklevel=3)
        out = results(self.store, protocol=self.protocol)
        out.summary = summary
        return out


def _is_plan(what: Any) -> TypeGuard[Path]:
    return isinstance(what, (str, os.PathLike)) and _core.is_plan(text_of(what, "protocol"))


def plan(protocol: Union[Path, dict, Protocol], datasets: Any = None, models: Models = None, *,
         tables: Names = None, choices: Names = None, splits: Optional[int] = None,
         inits: Optional[int] = None, available: bool = False, store: Optional[Path] = None,
         shards: Optional[int] = None, target: str = "", jobs: int = 1, memory: str = "",
         timeout: Optional[float] = None, publish: str = "", data: Optional[Path] = None,
         name: str = "unnamed", out: Optional[Path] = None, pilot: str = "",
         retry_failed: bool = False) -> Plan:
    """Settles a plan of what `store` (default: PROTOCOL.sqlite) lacks of a protocol, which may be
    anything that cupel.run takes, or the file of a plan that is there already.

    datasets, models, tables, choices, splits, inits, available: which part, as of cupel.run, but
    for what is in this process alone, which shards cannot have: graphs and functions.
    shards, or target: how many, or how much work each is ("20m"). jobs, memory, timeout: of a
    shard: runs at a time, the limit of all of them together, and that of one run in seconds.
    publish: how often a shard shows others what it has done ("5m").
    out: the plan's file (default: PROTOCOL.plan); shards are published in a folder beside it.
    """
    for option, count in (("jobs", jobs), ("shards", shards)):
        check_count(option, count)
    for option, value in (("store", store), ("data", data), ("out", out)):
        optional_text(value, option)
    for option, text in (("memory", memory), ("publish", publish)):
        check_text(option, text)
    check_flag("available", available)
    check_flag("retry_failed", retry_failed)
    check_seconds("timeout", timeout)
    more = _options(data=os.path.abspath(data) if data else None) + \
        (["--retry-failed"] if retry_failed else [])
    if _is_plan(protocol):
        for option, part in (("datasets", datasets), ("models", models), ("tables", tables),
                             ("choices", choices), ("splits", splits), ("inits", inits),
                             ("available", available or None)):
            if part is not None:
                raise Error(f"{option}: {os.fspath(protocol)} is a plan, which is settled; leave "
                            f"{option}= out, or give the protocol")
        path = os.path.abspath(protocol)
        # That it is whole, and of this version, is seen as well.
        settled = json.loads(_core.read_plan(path, optional_text(store, "store")))
    else:
        loaded = load_protocol(protocol, name)
        settled = _plans.plan(loaded, datasets, models, tables=tables, choices=choices,
                              splits=splits, inits=inits, available=available, shards=shards,
                              target=target, pilot=pilot, retry_failed=retry_failed,
                              out=os.path.abspath(out or f"{loaded.name}.plan"),
                              store=os.path.abspath(store or f"{loaded.name}.sqlite"), data=data,
                              progress=False)
        shards = None
    kept = os.path.abspath(settled["store"])
    options = tuple(_options(jobs=jobs, memory=memory, timeout=timeout, publish=publish) + more)
    count = shards or settled["shards"]
    return Plan(settled["file"] or "", settled["protocol"], kept,
                [Shard(settled["file"], i + 1, count, options) for i in range(count)])
