"""Effectiveness of data sets, and whether it can be predicted."""

from __future__ import annotations

import json
import warnings
from typing import Optional

from . import _core
from ._options import Names, check_count, check_text, names_of, optional_text, text_of
from ._verbs import Path

__all__ = ["effectiveness", "predict"]


def _pairs(what: Path, store: Optional[Path], datasets: Names, **texts: str) -> _core.Pairs:
    for option, value in texts.items():
        check_text(option, value)
    return _core.Pairs(text_of(what, "the results"), optional_text(store, "store"),
                       datasets=names_of(datasets, "datasets"), **texts)


def effectiveness(what: Path, *, store: Optional[Path] = None, protocol: str = "",
                  structure: str = "", attributes: str = "", metric: str = "", table: str = "",
                  datasets: Names = None, figure: Optional[Path] = None,
                  figures: Optional[Path] = None, data: Optional[Path] = None) -> dict:
    """Whether the data sets of a store can tell a graph model from one that does not see the graph,
    as `cupel effectiveness --json` prints it.

    what, store, protocol: as `cupel.results` has them.
    structure, attributes: a pair of rows, "gin-s,baseline-s"; "none" leaves a part out.
    metric, table, datasets: only these.
    figure: bars, in a .svg or, for Vega-Lite, .json. figures: a folder for those of the paper. The
    files that were written are under "files"; what one of them leaves out is a warning.
    data: the folder of data sets, which `figures` reads.
    """
    pairs = _pairs(what, store, datasets, protocol=protocol, structure=structure,
                   attributes=attributes, metric=metric, table=table)
    told, files, notes = _core.effectiveness(pairs, optional_text(figure, "figure"),
                                             optional_text(figures, "figures"),
                                             optional_text(data, "data"))
    for note in notes:
        warnings.warn(note, stacklevel=2)
    found = json.loads(told)
    return {**found, "files": files} if files else found


def predict(what: Path, *, store: Optional[Path] = None, protocol: str = "", structure: str = "",
            attributes: str = "", metric: str = "", table: str = "", datasets: Names = None,
            repeats: int = 20, data: Optional[Path] = None) -> dict:
    """Whether effectiveness can be predicted from what the graphs of data sets look like, as
    `cupel predict --json` prints it.

    repeats: random divisions of the released evaluation.
    data: the folder of data sets. The rest is as `cupel.effectiveness` has it.
    """
    check_count("repeats", repeats)
    pairs = _pairs(what, store, datasets, protocol=protocol, structure=structure,
                   attributes=attributes, metric=metric, table=table)
    return json.loads(_core.predict(pairs, int(repeats), optional_text(data, "data")))
