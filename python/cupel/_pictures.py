"""Pictures of graphs."""

from __future__ import annotations

import json
from typing import Any, Optional

from . import _core
from ._options import Names, check_count, names_of, optional_text
from ._progress import Progress, working
from ._verbs import Path, _held, _settings

__all__ = ["picture"]


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
