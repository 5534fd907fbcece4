"""Functions of yours as models."""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
import math
import os
import traceback
import types
from functools import cached_property
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

from . import _arrays, _core
from ._core import Error
from ._options import check_flag, check_text, several
from ._data import Arcs
from ._numpy import np
from ._sets import Members

Setting = Union[bool, int, float, str]


class OutOfMemory(Error):
    """A function got no memory."""


class Step:
    """What is asked at one step of time, with `known`, what has come to be known since the last."""

    def __init__(self, core: _core.ModelTask, told: str, arrays: dict[str, np.ndarray]):
        self._core = core
        self.arrays = arrays
        for name, value in {**json.loads(told), **arrays}.items():
            setattr(self, name, value)

    def answer(self, scores: Any) -> None:
        """rows x columns of floats, larger means more likely."""
        self._core.answer(_arrays.numbers(scores, "scores"))


class Task(Arcs):
    """What a model may see of one run: the prepared graph as `cupel.Graph` has it (`x`, `features`,
    `edge_index`, `adjacency`, ...) and what is asked, under the names that programs find in
    task.npz and task.json. No answer of the test part is in it.

    Of nodes: idx_train, y_train, idx_valid, y_valid, idx_test, classes. Of sets of graphs the
    same, where ids are places in `graphs`; tasks instead of classes where there are several. Of
    links: pairs_train, pairs_valid, y_valid, pairs_test, .... Of facts over time: facts_train, ...,
    and `steps()`.
    """

    nodes: int
    split: int
    init: int
    #: where all randomness of a model comes from
    seed: int
    #: the processors that are this run's share
    threads: int
    metric: str
    #: seconds after which the run counts as timed out
    budget_seconds: float
    settings: dict[str, Setting]
    #: what is asked, by name
    arrays: dict[str, np.ndarray]

    def __init__(self, core: _core.ModelTask, kept: dict[int, tuple]):
        self._core = core
        self._kept = kept
        self.arrays = core.arrays()
        for name, value in {**json.loads(core.description), **self.arrays}.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"this task has no '{name}'; it has "
                             f"{', '.join(sorted(vars(self).get('arrays', [])))}")

    @cached_property
    def x(self) -> np.ndarray:
        """Nodes x features as a dense array; where they are stored sparse, made once for a data
        set."""
        dense = self._core.dense_features()
        if dense is not None:
            return dense
        key = self._core.features_key
        if key not in self._kept:
            self._kept.clear()
            # A key is that of one matrix while its task lives.
            self._kept[key] = (super().x, self._core)
        return self._kept[key][0]

    def _changed(self) -> Optional[str]:
        """What a function wrote into, if anything; runs after it get it as it was."""
        out = self._core.changed()
        sparse = self._core.sparse_features() if "x" in vars(self) else None
        if sparse is not None and not _arrays.is_dense_of(self.x, sparse):
            self._kept.clear()
            out = "the features"
        return out

    @property
    def unit(self) -> str:
        """What is asked about: "node", "graph", "pair" or "fact"."""
        return self._core.unit

    @cached_property
    def graphs(self) -> Members:
        """Of a set, its graphs: graphs[i].edge_index, .x, .num_nodes. The arrays of all of them
        together are those of the task; graph i has the nodes graph_starts[i] to
        graph_starts[i + 1]."""
        return Members(self, self.graph_starts)

    def rng(self) -> np.random.Generator:
        """Random numbers that are a function of the run's seed."""
        return np.random.default_rng(self.seed)

    def steps(self) -> Iterator[Step]:
        """Of facts over time, what is asked; answer each step before you take the next."""
        while (asked := self._core.next_question()) is not None:
            yield Step(self._core, *asked)

    def __repr__(self) -> str:
        return (f"<cupel.Task: split {self.split}, initialisation {self.init}, {self.nodes} nodes, "
                f"{', '.join(self.arrays)}>")


def _parts(given: Any, task: Task) -> tuple[Optional[np.ndarray], Optional[np.ndarray]]:
    """Scores of validation and of test."""
    if task.unit == "fact":
        if given is not None:
            raise Error("the function returned something, where it answers task.steps()")
        return None, None
    if isinstance(given, tuple):
        if len(given) != 2:
            raise Error(f"the function returned {len(given)} things; return scores of validation "
                        "and of test")
        valid, test = (_arrays.optional_numbers(part, f"the array of {name} scores")
                       for name, part in zip(("validation", "test"), given))
        return valid, test
    if given is None:
        raise Error("the function returned nothing; return scores")
    scores = _arrays.numbers(given, "the array of scores")
    if task.unit not in ("node", "graph"):
        raise Error("the function returned one array; return scores of validation and of test")
    rows = task.nodes if task.unit == "node" else len(task.graphs)
    column, columns = ("task", task.tasks) if "tasks" in vars(task) else ("class", task.classes)
    if scores.shape != (rows, columns):
        raise Error(f"the array of scores: has the shape {scores.shape} instead of "
                    f"({rows}, {columns}): one row for each {task.unit}, one column for each "
                    f"{column}; or return scores of validation and of test")
    return scores[task.idx_valid], scores[task.idx_test]


def said_of(error: BaseException) -> str:
    """An exception in words, with the place in the user's code."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if os.path.dirname(frame.filename) !=
           os.path.dirname(__file__)]
    place = f" ({os.path.basename(own[-1].filename)}, line {own[-1].lineno}, in {own[-1].name})" \
        if own else ""
    said = "".join(traceback.format_exception_only(type(error), error)).strip()
    text = f"{said[:1500]}{place}"
    return text.encode("utf-8", "backslashreplace").decode()  # half a surrogate pair is no text


def _layers(function: Callable[..., Any]) -> list[Callable[..., Any]]:
    """A function and what decorators made of it (functools.wraps), the outermost first."""
    import inspect  # here, as it takes a while, in all of these

    outer: list[Callable[..., Any]] = []
    inner = inspect.unwrap(function, stop=outer.append)  # appending is no reason to stop
    return [*outer, inner]


def _is_installed(path: str) -> bool:
    """Whether a file is of Python itself, or of a package, which has a version."""
    import sysconfig

    return not {"site-packages", "dist-packages"}.isdisjoint(path.split(os.sep)) or \
        os.path.realpath(path).startswith(os.path.realpath(sysconfig.get_path("stdlib")) + os.sep)


def _text_of(layer: Callable[..., Any], installed: bool) -> Optional[bytes]:
    """The file that one layer is written in; where there is none, as in a notebook, its own lines.
    None where it cannot be read, and of what is installed if that is not asked for."""
    import inspect
    import textwrap

    try:
        path = inspect.getsourcefile(layer)
        if path is not None and os.path.isfile(path):
            if not installed and _is_installed(path):
                return None
            with open(path, "rb") as file:
                return file.read()
        # By the code, as inspect takes a function for what it wraps.
        return textwrap.dedent(inspect.getsource(getattr(layer, "__code__", layer))).encode()
    except (OSError, TypeError):
        return None


def _source(function: Callable[..., Any]) -> Optional[str]:
    """The hash of what a function is written in, and of what its decorators are if they are not
    installed. A file that has several of them counts once."""
    *outer, inner = _layers(function)
    texts = [_text_of(layer, installed=False) for layer in outer] + [_text_of(inner, installed=True)]
    if texts[-1] is None:
        return None
    hashes = list(dict.fromkeys(hashlib.sha256(text).hexdigest() for text in texts if text))
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()


def _package_version(name: str) -> str:
    import importlib.metadata  # here, as it takes longer than all of this file

    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        try:
            return str(importlib.import_module(name).__version__)
        except (ImportError, AttributeError):
            raise Error(f"packages: there is no package '{name}' here, or it tells no version; "
                        "name it as pip does") from None


def _defaults(function: Callable[..., Any],
              settings: Optional[Mapping[str, Setting]]) -> dict[str, Setting]:
    import inspect

    name = getattr(function, "__name__", "the function")
    try:
        known = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise Error(f"{name}: what it takes cannot be read; give a function written in Python"
                    ) from None
    if settings is None:
        settings = {one.name: one.default for one in known if one.kind is one.KEYWORD_ONLY}
    takes_all = any(one.kind is one.VAR_KEYWORD for one in known)
    for setting, value in settings.items():
        if isinstance(value, np.generic):
            value = value.item()
        if not isinstance(value, (bool, int, float, str)):
            raise Error(f"{name}: setting '{setting}' has the value {value!r}; settings are "
                        "numbers, texts, True and False, and have a default")
        if isinstance(value, float) and not math.isfinite(value):
            raise Error(f"{name}: setting '{setting}' is {value}, which no identity can hold; give "
                        "a number, or a text")
        if isinstance(value, int) and not -2**63 <= value < 2**63:
            raise Error(f"{name}: setting '{setting}' is {value}, which is beyond 64 bits; give a "
                        "smaller number, or a text")
        if not takes_all and setting not in [one.name for one in known][1:]:
            raise Error(f"{name}: takes no '{setting}', which settings= names")
    return {setting: value.item() if isinstance(value, np.generic) else value
            for setting, value in settings.items()}


class Model:
    """A function that is a model; `@cupel.model` makes it. Calling it calls the function."""

    def __init__(self, function: Callable[..., Any], name: str,
                 settings: Optional[Mapping[str, Setting]], version: str,
                 packages: Sequence[str], deterministic: bool):
        if not callable(function) or not hasattr(function, "__qualname__"):
            raise Error(f"cupel.model: a {type(function).__name__} is no function; give one that is "
                        "written with def, which may call it")
        check_text("name", name)
        check_text("version", version)
        check_flag("deterministic", deterministic)
        if settings is not None and not isinstance(settings, Mapping):
            raise Error(f"settings: a {type(settings).__name__} is no table of names and values")
        for package in several(packages, "packages"):
            check_text("packages", package)
        functools.update_wrapper(self, function)
        self.function = function
        self.name = name or function.__name__
        self.settings = _defaults(function, settings)
        self.deterministic = deterministic
        if not version and any(isinstance(layer, (types.MethodType, functools.partial))
                               for layer in _layers(function)):
            raise Error(f"{self.name}: what it is bound to is in no file, so that nothing would tell "
                        "one from the next; give version=")
        source = _source(function)
        if source is None and not version:
            raise Error(f"{self.name}: its source cannot be read, so that nothing would tell one "
                        "version from the next; give version=")
        named = {"function": function.__qualname__, "version": version}
        if source is not None:
            named["source"] = source
        for package in ("numpy", *packages):
            named[f"package:{package}"] = _package_version(package)
        #: what the identity of runs holds of it, beside its settings
        self.identity: dict[str, str] = named

    def _made(self, call: Callable[[_core.ModelTask], tuple]) -> _core.ModelFunction:
        """As plans take it; `call` sees to it that _run() is called."""
        return _core.ModelFunction(self.name, json.dumps(self.settings), self.identity,
                                   self.deterministic, call)

    def _run(self, core: Any, kept: dict[int, tuple]) -> tuple:
        try:
            task = Task(core, kept)
            try:
                scores = _parts(self.function(task, **task.settings), task)
            finally:
                changed = task._changed()
            if changed is not None:
                raise Error(f"the function wrote into {changed} that it was handed; take a copy, "
                            "as task.x.copy() or torch.tensor(task.x)")
            return scores
        except Error:
            raise
        except MemoryError as error:
            traceback.clear_frames(error.__traceback__)  # what they hold is wanted to tell of it
            raise OutOfMemory(f"the function raised {said_of(error)}") from None
        except BaseException as error:  # noqa: B902 - a failed run, whatever it is
            raise Error(f"the function raised {said_of(error)}") from None

    def __call__(self, task: Any, **settings: Any) -> Any:
        return self.function(task, **{**self.settings, **settings})

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        return f"<cupel.Model {self.name}({told})>"


def model(function: Optional[Callable[..., Any]] = None, *, name: str = "",
          settings: Optional[Mapping[str, Setting]] = None, version: str = "",
          packages: Sequence[str] = (), deterministic: bool = False) -> Any:
    """Makes a model of a function (task, **settings) that returns scores.

    settings: their defaults; what is not said is taken from the function's keyword-only arguments.
    version: a text that you change when results change for a reason that its file does not show.
    packages: those whose versions its results depend on, beside numpy. deterministic: it ignores
    the seed, so that one run stands for all initialisations.

    Of nodes it returns one row of scores for each node of the graph, or (scores of task.idx_valid,
    scores of task.idx_test); of sets of graphs the same for each graph; of links (scores of the
    rows of validation, of test). Larger means more likely. It is called in this process, one run at
    a time, or in processes (cupel.run(..., processes=4)); see docs/python.md.
    """
    if isinstance(packages, str):
        packages = [packages]

    def made(one: Callable[..., Any]) -> Model:
        return Model(one, name, settings, version, packages, deterministic)

    return made if function is None else made(function)
