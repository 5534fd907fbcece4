"""What can be done with data sets."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import _core
from ._core import Error, datasets, generators, models, protocols
from ._data import Splits
from ._numpy import np
from ._options import (Names, check_count, check_flag, check_seconds, check_text, names_of,
                       optional_text, path_of, several, text_of)
from ._progress import Progress, working
from ._sets import AnyData, wrapped
from ._study import LeftOut

__all__ = ["Cleaned", "audit", "build", "clean", "datasets", "fetch", "generate", "generators", "load", "models",
           "prepare", "protocols", "splits", "stats"]

Path = Union[str, "os.PathLike[str]"]


def _settings(values: dict) -> list[str]:
    return [f"{name}={str(value).lower() if isinstance(value, bool) else value}"
            for name, value in values.items()]


def load(name_or_path: Path, *, data: Optional[Path] = None, memory: str = "") -> Any:
    """A data set as it is stored: a Graph, a GraphSet or Facts.

    name_or_path: a name of the catalog (`cupel.datasets()`), a generator with settings
    ("csbm:nodes=300,seed=1"), or the path of data in any format that Cupel reads.
    data: the folder of data sets; else $CUPEL_DATA, else the user's cache folder.
    memory: facts over time that will take more are refused, "2G"; else those that will take more
    than is free.
    """
    return wrapped(_read(text_of(name_or_path, "load"), data, memory=memory))


def _read(name: str, data: Optional[Path], for_audit: bool = False, memory: str = "",
          stacklevel: int = 3) -> _core.Data:
    """That of this name. What facts will take of memory is a warning where that is much."""
    check_text("memory", memory)
    folder = optional_text(data, "data")
    told = _core.memory_for_facts(name, folder, memory)
    if told:
        warnings.warn(told, stacklevel=stacklevel)
    return _core.load(name, folder, for_audit)


def _held(graph: Any, data: Optional[Path] = None, for_audit: bool = False,
          memory: str = "") -> _core.Data:
    if isinstance(graph, (str, os.PathLike)):
        return _read(text_of(graph, "the data set"), data, for_audit, memory, stacklevel=4)
    if not hasattr(graph, "_core"):
        raise Error(f"a {type(graph).__name__} is no data set; load it by name or path, or "
                          "make it with cupel.Graph.from_numpy, from_scipy, from_networkx or "
                          "from_pyg")
    return graph._core


def stats(graph: Any, *, seconds: Optional[float] = None, seed: int = 0,
          threads: Optional[int] = None, drop_outliers: bool = False, split: str = "",
          splits: Optional[int] = None, published: str = "", data: Optional[Path] = None,
          memory: str = "") -> dict:
    """Statistics of a data set or its name, as `cupel stats --json` prints them. `split`, `splits`,
    `published` and `memory`, which is as `load` has it, are of facts over time."""
    check_seconds("seconds", seconds)
    check_count("seed", seed, 0, 2**64 - 1)
    check_count("threads", threads)
    check_flag("drop_outliers", drop_outliers)
    check_text("split", split)
    check_count("splits", splits)
    check_text("published", published)
    return json.loads(_core.stats(_held(graph, data, memory=memory), seconds or 0, int(seed or 0),
                                  int(threads or 0), drop_outliers, split, int(splits or 0),
                                  published))


def audit(graph: Any, *, split: Path = "", negatives: str = "", prepare: str = "", hits: str = "",
          members: Optional[int] = None, directed: Path = "", rule: str = "", store: Path = "",
          data: Optional[Path] = None, memory: str = "") -> dict:
    """What is wrong with a data set or with what stands under its name, as `cupel audit --json`
    prints it: under "findings", each with its severity, evidence and advice. `memory`, as `load` has
    it, is of facts over time."""
    for option, value in (("negatives", negatives), ("prepare", prepare), ("hits", hits),
                          ("rule", rule)):
        check_text(option, value)
    check_count("members", members)
    return json.loads(_core.audit(_held(graph, data, True, memory), text_of(split, "split"),
                                  negatives, prepare, hits, int(members or 0),
                                  text_of(directed, "directed"), rule, text_of(store, "store"),
                                  memory))


class Cleaned(NamedTuple):
    """A cleaned data set, and the account of what was done to it."""

    data: Any  # a Graph or a GraphSet
    account: dict


def clean(graph: Any, fixes: Names = None, *, out: Optional[Path] = None, directed: Path = "",
          rule: str = "", data: Optional[Path] = None) -> Cleaned:
    """A data set without what an audit finds wrong with it, and the account of what was done, as
    `cupel audit --fix` does it. What was given stays as it is.

    fixes: ids of findings; without them, those that are safe (`cupel audit --help` lists them).
    out: where to write it as well, a file, or of a set of graphs a folder; the account lies beside
    it, in OUT.provenance.json.
    directed, rule: as of cupel.audit.
    """
    check_text("rule", rule)
    core, account = _core.clean(_held(graph, data, for_audit=True), names_of(fixes, "fixes"),
                                "" if out is None else path_of(out, "out"),
                                text_of(directed, "directed"), rule)
    return Cleaned(wrapped(core), json.loads(account))


def prepare(graph: AnyData, steps: Optional[Sequence[str]] = None) -> Any:
    """The data set after preparation steps ("symmetrise", "largest-component", ...); without any,
    those that the catalog has for it."""
    core = _held(graph)
    return wrapped(_core.prepare(core, _core.default_steps(core) if steps is None
                                 else [steps] if isinstance(steps, str)
                                 else [text_of(step, "steps") for step in several(steps, "steps")]))


def splits(graph: AnyData, scheme: str, n: Optional[int] = None, **settings: Any) -> Splits:
    """The splits of a scheme for a data set, as a protocol's [split] section makes them.

    scheme: "per-class", "random", "stratified", "planetoid", "stored", ...
    n: how many; else as many as the scheme has by itself. settings: those of the scheme.
    """
    check_text("scheme", scheme)
    if n is not None:
        if "count" in settings:
            raise Error(f"splits: n is {n!r} and count is {settings['count']!r}, which mean the "
                        "same; give one of them")
        settings["count"] = n
    plain = {name: value.item() if isinstance(value, np.generic) else os.fspath(value)
             if isinstance(value, os.PathLike) else value for name, value in settings.items()}
    for name, value in plain.items():
        if not isinstance(value, (bool, int, float, str)):
            raise Error(f"splits: '{name}' cannot be {value!r}; it is a number, a text, True or "
                        "False")
    return Splits(wrapped(_held(graph)), scheme, plain)


def generate(kind: str, **settings: Any) -> Any:
    """A generated data set: `cupel.generate("csbm", nodes=300, seed=1)`."""
    check_text("kind", kind)
    return wrapped(_core.generate(kind, _settings(settings)))


def build(recipe: str, sources: Union[Path, Sequence[Path]], out: Path, *, steps: Path = "",
          memory: str = "", progress: Progress = None, **settings: Any) -> dict:
    """A data set from raw sources, to a file or a folder, as `cupel build --json` tells it.

    memory: of facts over time, the limit of what is taken, "2G"; else what is free. What they will
    take is a warning where that is much."""
    check_text("recipe", recipe)
    check_text("memory", memory)
    given = [sources] if isinstance(sources, (str, os.PathLike)) else several(sources, "sources")
    request = (recipe, [text_of(one, "sources") for one in given], path_of(out, "out"),
               _settings(settings), text_of(steps, "steps"), memory)
    told = _core.memory_for_build(*request)
    if told:
        warnings.warn(told, stacklevel=2)
    return json.loads(working(lambda job: _core.build(*request, job), progress))


def fetch(*names: str, tables: Names = None, data: Optional[Path] = None, offline: bool = False,
          progress: Progress = None) -> list:
    """Makes the files of data sets of the catalog be there, verified; tells where they are.

    names: of data sets, or of protocols (or paths of their files), which stand for all that their
    tables need; `tables`: only these. What cannot be fetched is named by a warning
    (cupel.LeftOut)."""
    for name in names:
        check_text("names", name)
    check_flag("offline", offline)
    done = json.loads(working(
        lambda job: _core.fetch(list(names), names_of(tables, "tables"),
                                optional_text(data, "data"), offline, job), progress))
    for text in done["left"]:
        warnings.warn(f"not fetched: {text}", LeftOut, stacklevel=2)
    return done["files"]
