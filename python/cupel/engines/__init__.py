"""A protocol's runs on many machines, by an engine that is there already.

>>> from cupel.engines import ray          # or dask, or submitit  # doctest: +SKIP
>>> done = ray.run("pitfalls", target="20m")  # doctest: +SKIP

Each engine is a module with a function `run`: it settles a plan (or takes one of `cupel plan`), maps
its shards over the engine, merges what they published and gives the results, as `cupel.run` does.
The plan, the folder beside it (p.shards for p.plan) and the data must be seen by all machines, and cupel installed there.
A shard asks nobody anything; docs/clusters.md says more.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import warnings
from typing import Any, Iterator, Optional, TypeGuard, Union

from .. import _core
from .._core import Error, Protocol
from .._models import Model
from .._options import (Names, check_count, check_flag, check_seconds, check_text, names_of,
                        optional_text)
from .._results import Results
from .._study import (LeftOut, Models, Path, RunsFailed, _columns, _picked, load_protocol, results)

_COME_AGAIN = 75  # of `cupel work`: told to stop, to be queued again


class Stopped(RuntimeError):
    """A shard was told to stop. What it did is published; whoever does it again goes on there."""


def _program(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "cupel", *arguments]


def _tied(*arguments: str) -> list[str]:
    """The same for a program that ends with this process, however that ends."""
    return [sys.executable, "-m", "cupel._tied", str(os.getpid()), *arguments]


def _options(**values: Any) -> list[str]:
    """As the program takes them; what is None or "" is left out."""
    return [word for name, value in values.items() if value not in (None, "")
            for word in ("--" + name, str(value))]


def _sentence(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].removeprefix("cupel: ") if lines else "cupel ended without a word"


def _said(arguments: list[str], good: tuple = (0,)) -> str:
    done = subprocess.run(_program(*arguments), capture_output=True, text=True)
    if done.returncode not in good:
        raise Error(_sentence(done.stderr))
    return done.stdout


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
            status = json.loads(_said(["status", self.path, "--json"], (0, 1)))
            merged = json.loads(_said(["merge", self.store, status["folder"], "--json"], (0, 3)))
            summary.update(planned=status["runs"],
                           done=sum(one["added"] + one["replaced"] for one in merged["merged"]),
                           failed=sum(shard["failed"] for shard in status["shards"]))
            in_conflict = len(merged.get("conflicts", []))
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
    try:
        with open(what, encoding="utf-8") as file:
            return file.read(20).startswith('{"cupel_plan"')
    except (OSError, TypeError, UnicodeDecodeError):
        return False


def _says_the_same(name_or_path: str, protocol: Protocol) -> bool:
    try:
        other = load_protocol(name_or_path)
    except Error:
        return False
    return (other.text, other.published_text) == (protocol.text, protocol.published_text)


@contextlib.contextmanager
def _file_of(protocol: Any, name: str) -> Iterator[str]:
    """A protocol as the program takes it. What is no file, and has no name, is one until it is
    planned, in the folder where its relative paths start; the plan holds all that it says."""
    if not isinstance(protocol, (dict, Protocol)):
        yield os.fspath(protocol)
        return
    loaded = load_protocol(protocol, name)
    file = pathlib.Path(loaded.folder, f"{loaded.name}.toml")
    for origin in (str(file), loaded.name):
        if _says_the_same(origin, loaded):
            yield origin
            return
    try:
        with open(file, "x", encoding="utf-8") as out:
            out.write(loaded.text)
    except FileExistsError:
        raise Error(f"{file}: is there already; give the protocol another name, or give this "
                    "file") from None
    try:
        yield str(file)
    finally:
        file.unlink()


def _listed(option: str, names: list[str]) -> list[str]:
    """Names as the program takes lists of them, at whose commas it would part them."""
    return [word for name in names for word in ("--" + option, name.replace(",", "\\,"))]


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


def _part(file: str, datasets: Any, models: Models, tables: Names, choices: Names,
          splits: Optional[int], inits: Optional[int], data: Optional[Path],
          available: bool) -> list[str]:
    """Which part of a protocol, as the program takes it."""
    columns, ids = _named_columns(datasets), names_of(tables, "tables")
    if available:
        columns, ids, left_out = _core.at_hand(load_protocol(file), columns, ids,
                                               optional_text(data, "data"))
        if left_out:
            warnings.warn(left_out, LeftOut, stacklevel=3)
    return [*_listed("datasets", columns), *_listed("models", _named_rows(models)),
            *_listed("tables", ids),
            *[word for one in names_of(choices, "choices") for word in ("--choices", one)],
            *_options(splits=splits, inits=inits)]


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
    for option, count in (("jobs", jobs), ("shards", shards), ("splits", splits), ("inits", inits)):
        check_count(option, count)
    for option, value in (("store", store), ("data", data), ("out", out)):
        optional_text(value, option)
    for option, text in (("target", target), ("memory", memory), ("publish", publish),
                         ("pilot", pilot)):
        check_text(option, text)
    for option, flag in (("available", available), ("retry_failed", retry_failed)):
        check_flag(option, flag)
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
        status = json.loads(_said(["status", path, "--json"], (0, 1)))
        kept = os.path.abspath(store or status["store"])
    else:
        with _file_of(protocol, name) as file:
            title = load_protocol(file).name
            path = os.path.abspath(out or f"{title}.plan")
            kept = os.path.abspath(store or f"{title}.sqlite")
            part = _part(file, datasets, models, tables, choices, splits, inits, data, available)
            settled = _said(["plan", file, *part,
                             *_options(out=path, store=kept, shards=shards, target=target,
                                       pilot=pilot), *more])
            # Where nothing is left to be done there is no plan either, and nothing is said of one.
            if not settled:
                return Plan("", title, kept, [])
        shards = None
    whole = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    options = tuple(_options(jobs=jobs, memory=memory, timeout=timeout, publish=publish) + more)
    count = shards or whole["shards"]
    return Plan(path, whole["protocol"], kept,
                [Shard(path, i + 1, count, options) for i in range(count)])
