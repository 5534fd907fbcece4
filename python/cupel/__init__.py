"""Cupel assays benchmarks for graph learning: data sets, audits, splits, runs, tables.

>>> import cupel
>>> g = cupel.generate("csbm", nodes=300, seed=1)
>>> g.num_nodes
300

The module is a face of the program `cupel`: what one does, the other does, to the same bits.
"""

from . import metrics
from ._core import Error, numerics_version
from ._core import version as __version__
from ._data import Graph, Split, Splits
from ._effectiveness import effectiveness, predict
from ._models import Model, Task, model
from ._pictures import picture
from ._plans import diff, merge, plan, status
from ._resolve import resolve
from ._results import Results, Table
from ._sets import Facts, GraphSet
from ._stores import leaderboard, sign, submit_check, submit_tasks, verify
from ._study import (LeftOut, Protocol, RunsFailed, RunsNote, check_model, estimate, load_protocol, results,
                     run)
from ._tune import Tuned, tune
from ._verbs import (Cleaned, audit, build, clean, datasets, fetch, generate, generators, load, models,
                     prepare, protocols, splits, stats)

Error.__module__ = "cupel"
Error.__doc__ = "What is wrong with what was given, in one sentence: that of the program."

__all__ = [
    "Cleaned", "Error", "Facts", "Graph", "GraphSet", "LeftOut", "Model", "Protocol", "Results", "RunsFailed",
    "RunsNote", "Split", "Splits", "Table", "Task", "Tuned", "__version__", "audit", "build", "check_model",
    "clean", "datasets", "diff", "effectiveness", "estimate", "fetch", "generate", "generators", "leaderboard",
    "load", "load_protocol", "merge", "metrics", "model", "models", "numerics_version", "picture", "plan",
    "predict", "prepare", "protocols", "resolve", "results", "run", "sign", "splits", "stats", "status",
    "submit_check", "submit_tasks", "tune", "verify",
]
