"""What is drawn: effectiveness, and a graph."""

from __future__ import annotations

import json
import warnings
from typing import Any, Optional

from . import _core
from ._options import Names, check_count, check_text, names_of, optional_text, text_of
from ._progress import Progress, working
from ._verbs import Path, _held, _settings

__all__ = ["effectiveness", "picture"]


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
    for option, value in (("protocol", protocol), ("structure", structure),
                          ("attributes", attributes), ("metric", metric), ("table", table)):
        check_text(option, value)
    told, files, notes = _core.effectiveness(
        text_of(what, "effectiveness"), optional_text(store, "store"), protocol, structure,
        attributes, metric, table, names_of(datasets, "datasets"),
        optional_text(figure, "figure"), optional_text(figures, "figures"),
        optional_text(data, "data"))
    for note in notes:
        warnings.warn(note, stacklevel=2)
    found = json.loads(told)
    return {**found, "files": files} if files else found


def picture(graph: Any, out: Optional[Path] = None, *, labels: Names = None,
            threads: Optional[int] = None, data: Optional[Path] = None, progress: Progress = None,
            **settings: Any) -> dict:
    """Draws a graph or what stands under its name: its mapper graph by a learnt lens. What is
    returned is what `cupel picture --json` prints; the files are under "files".

    out: x.svg or x.json; another name gets both ends; else the data set's name.
    labels: what colours clusters, a panel each: "classes", or what a row or a run of a store
    predicts, "results.sqlite:gcn".
    settings: those of `cupel picture --help`, with _ for -.
    """
    check_count("threads", threads)
    held = _held(graph, data)
    named = _settings({name.replace("_", "-"): value for name, value in settings.items()})
    return json.loads(working(
        lambda job: _core.picture(held, optional_text(out, "out"), names_of(labels, "labels"),
                                  named, int(threads or 0), job), progress))
