"""`python -m cupel check-model my.py`: what is wrong with the functions of a file as models.

It tells and ends as the program's `cupel check-model` does of the programs of a protocol.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import textwrap
import traceback
import types
from typing import NoReturn, Sequence

from ._core import Error
from ._models import Model, said_of
from ._study import check_model

_WIDTH = 80  # of a line, as the program has it
# What the program ends with, whatever it was asked.
_DONE, _RUNS_FAILED, _BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Error(f"check-model: {message}; `python -m cupel check-model FILE.py --help` shows how")


def _parser() -> argparse.ArgumentParser:
    out = _Parser(
        prog="python -m cupel check-model", allow_abbrev=False,
        description="What is wrong with functions of Python as models",
        epilog="The file is imported, and each function in it that is a model (@cupel.model) is run some times on "
               "made data, as a run and as a search do it. Ends with 1 if one of them fails.")
    out.add_argument("file", metavar="FILE.py", help="a file that has functions with @cupel.model")
    out.add_argument("--models", metavar="NAMES", action="append", default=[],
                     help="only these, with commas between them")
    out.add_argument("--protocol", help="whose question is asked; else that of classes of nodes")
    out.add_argument("--timeout", type=float, metavar="SECONDS", help="limit of one run (default: 20)")
    out.add_argument("--json", action="store_true", help="print JSON")
    return out


def _imported(path: str) -> types.ModuleType:
    """The file as a module of its own name, whose folder has what it imports, as `python FILE` has
    it. What waits for `__name__ == "__main__"` does not run."""
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError as error:
        raise Error(f"check-model: {path}: cannot be read: {error.strerror}") from None
    module = types.ModuleType(os.path.splitext(os.path.basename(path))[0])
    module.__file__ = os.path.abspath(path)
    # Under its name, where pickle and inspect look, unless that is another's.
    sys.modules.setdefault(module.__name__, module)
    sys.path.insert(0, os.path.dirname(module.__file__))
    sys.argv = [path]
    try:
        exec(compile(text, module.__file__, "exec", dont_inherit=True), vars(module))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: B902 - whatever it is, there is nothing to check
        told = traceback.format_exception_only(type(error), error)[-1].strip() \
            if isinstance(error, SyntaxError) else said_of(error)
        where = f" (line {error.lineno})" if isinstance(error, SyntaxError) and error.lineno else ""
        raise Error(f"check-model: {path}: importing it raised {told}{where}") from None
    return module


def _models_of(module: types.ModuleType, path: str, wanted: Sequence[str]) -> list[Model]:
    """Those of the file, or those that are wanted, each once."""
    found = list({id(one): one for one in vars(module).values() if isinstance(one, Model)}.values())
    if not found:
        raise Error(f"check-model: {path} has no function with @cupel.model; docs/python.md tells how a "
                    "function is a model, and `cupel check-model PROTOCOL` looks at a program that "
                    "is a row")
    for name in wanted:
        if name not in [one.name for one in found]:
            raise Error(f"check-model: {path} has no model '{name}'; it has "
                        f"{', '.join(one.name for one in found)}")
    return [one for one in found if not wanted or one.name in wanted]


def _visible(text: str) -> str:
    """A text that tells a terminal nothing."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def _text(name: str, checks: list[dict[str, str]]) -> str:
    width = max(len(check["outcome"]) for check in checks)
    lines = [name]
    for check in checks:
        begin = f"  {check['outcome']:<{width}}  "
        for line in check["text"].strip("\n").split("\n"):
            lines += textwrap.wrap(line, _WIDTH, initial_indent=begin,
                                   subsequent_indent=" " * len(begin), break_long_words=False,
                                   break_on_hyphens=False) or [""]
            begin = " " * len(begin)
    return _visible("\n".join(lines))


def _checked(arguments: argparse.Namespace) -> int:
    wanted = [name for names in arguments.models for name in names.split(",")]
    bad, rows = False, []
    with contextlib.redirect_stdout(sys.stderr):  # what functions print is no part of the answer
        models = _models_of(_imported(arguments.file), arguments.file, wanted)
        for one in models:
            checks = check_model(one, arguments.protocol, timeout=arguments.timeout)
            bad = bad or any(check["outcome"] == "bad" for check in checks)
            rows.append({"model": one.name, "checks": checks})
            if not arguments.json:
                print(_text(one.name, checks), file=sys.__stdout__, flush=True)
    if arguments.json:
        print(json.dumps(rows, indent=2))
    return _RUNS_FAILED if bad else _DONE


def command(arguments: Sequence[str]) -> int:
    """What `check-model ARGUMENTS` does and ends with; for a file of Python."""
    try:
        return _checked(_parser().parse_args(arguments))
    except Error as error:
        print(f"cupel: {_visible(str(error))}", file=sys.stderr)
        return _BAD_INPUT
    except KeyboardInterrupt:
        print("\ncupel: stopped", file=sys.stderr)
        return INTERRUPTED
