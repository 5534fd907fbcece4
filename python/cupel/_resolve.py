"""Entities of facts that are one."""

from __future__ import annotations

import json
import warnings
from typing import Optional

from . import _core
from ._options import check_count, check_flag, check_number, check_text, optional_text, text_of
from ._verbs import Path

__all__ = ["resolve"]


def resolve(folder: Path, *, out: Optional[Path] = None, decisions: Optional[Path] = None,
            decisions_out: Optional[Path] = None, gold: Optional[Path] = None,
            gold_ids: Optional[Path] = None, threshold: Optional[float] = None,
            show: Optional[float] = None, only: str = "", proposals: bool = True,
            threads: Optional[int] = None, memory: str = "", dry_run: bool = False) -> dict:
    """Scientists and institutions of a folder of facts that are one, as `cupel resolve --json` tells
    it; what there is to know of the work is a warning.

    out: a new folder, in which the accepted pairs are merged ("path" of what is returned).
    decisions: a table whose lines hold, whatever is proposed.
    decisions_out: where the table of all pairs goes ("decisions" of what is returned);
    decisions.csv if nothing else is asked for.
    gold: who is who in truth; precision, recall and F1 are told. gold_ids: the Anthology's XML.
    threshold, show: the scores from which pairs are accepted, and listed.
    only: "scientists" or "institutions". proposals: False applies `decisions` alone.
    memory: the limit of what is taken, "2G"; else what is free. dry_run: only tells what is taken
    ("memory_bytes").
    """
    for option, value in (("threshold", threshold), ("show", show)):
        check_number(option, value)
    check_text("only", only)
    check_text("memory", memory)
    check_flag("proposals", proposals)
    check_flag("dry_run", dry_run)
    check_count("threads", threads)
    told, notes = _core.resolve(
        text_of(folder, "folder"), optional_text(out, "out"),
        optional_text(decisions, "decisions"), optional_text(decisions_out, "decisions_out"),
        optional_text(gold, "gold"), optional_text(gold_ids, "gold_ids"), only, threshold, show,
        proposals, int(threads or 0), memory, dry_run)
    for note in notes:
        warnings.warn(note, stacklevel=2)
    return json.loads(told)
