"""Stores that are verified and signed, submissions, and leaderboards of both."""

from __future__ import annotations

import json
import warnings
from typing import Optional

from . import _core
from ._options import check_count, check_text, optional_text, path_of, text_of
from ._progress import Progress, working
from ._verbs import Path

__all__ = ["leaderboard", "sign", "submit_check", "submit_tasks", "verify"]


def _again(rerun: int, seed: str, jobs: int, memory: str) -> _core.Again:
    check_count("rerun", rerun, 0)
    check_text("seed", seed)
    check_count("jobs", jobs, 0)
    check_text("memory", memory)
    return _core.Again(int(rerun or 0), seed, int(jobs or 0), memory)


def verify(store: Path, *, signers: Optional[Path] = None, rerun: int = 0, seed: str = "",
           jobs: int = 0, memory: str = "", data: Optional[Path] = None,
           progress: Progress = None) -> dict:
    """Whether a store says what was computed, as `cupel verify --json` tells it; and "all": whether
    everything was looked at that was to be. What does not hold is no error: "holds" is False then, and
    "verdict" and "problems" say what.

    signers: also check who signed it: names and public keys, as ssh-keygen(1) says of ALLOWED SIGNERS.
    rerun: how many runs to do again, drawn at random by `seed` (default: a new one), and compared to
    the bit. jobs: of them at a time. memory: the limit of all together, "8G". data: the folder of
    data sets that they are done on.
    """
    again = _again(rerun, seed, jobs, memory)
    return json.loads(working(
        lambda job: _core.verify(text_of(store, "store"), optional_text(signers, "signers"), again,
                                 optional_text(data, "data"), job), progress))


def sign(store: Path, key: Path, *, name: str = "") -> dict:
    """Answers for the results of a store by a key of OpenSSH, as `cupel sign` does; what is returned
    is what `cupel sign --json` prints. The signature goes into STORE.sig ("signature").

    key: a private key, or the .pub file of one that ssh-agent holds. name: what "signers_line", the
    line for files of signers, calls its owner.
    """
    check_text("name", name)
    return json.loads(_core.sign(text_of(store, "store"), path_of(key, "key"), name))


def submit_check(folder: Path, *, data: Optional[Path] = None, progress: Progress = None) -> dict:
    """Scores the predictions of a submission here, as `cupel submit check --json` tells it: whether
    it is "suitable", and under "faults" which predictions are missing or broken.

    folder: with submission.toml and predictions. data: the folder of data sets.
    """
    return json.loads(working(
        lambda job: _core.check_submission(text_of(folder, "folder"), optional_text(data, "data"),
                                           job), progress))


def submit_tasks(folder: Path, *, data: Optional[Path] = None, progress: Progress = None) -> int:
    """Writes down what each split of a submission asks, as `cupel submit tasks` does, into
    split-S/task.npz and task.json; returns how many were written. What to know of it is a warning."""
    written, note = working(
        lambda job: _core.write_submission_tasks(text_of(folder, "folder"),
                                                 optional_text(data, "data"), job), progress)
    if note:
        warnings.warn(note, stacklevel=2)
    return written


def leaderboard(folder: Path, out: Path, *, signers: Optional[Path] = None, rerun: int = 0,
                seed: str = "", jobs: int = 0, memory: str = "", data: Optional[Path] = None,
                progress: Progress = None) -> dict:
    """A site out of many stores and submissions, as `cupel leaderboard build --json` tells it.
    "holds" is False where the program ends with 3: something in "sources" does not hold, or there
    are "disputes" in "tables".

    folder: of stores (*.sqlite) and submissions. out: the site. The rest is as of cupel.verify;
    without signers, every signature is of somebody unknown.
    """
    again = _again(rerun, seed, jobs, memory)
    return json.loads(working(
        lambda job: _core.leaderboard(text_of(folder, "folder"), path_of(out, "out"),
                                      optional_text(signers, "signers"), again,
                                      optional_text(data, "data"), job), progress))
