"""What the tests of the module share. They need no data and no network: graphs are generated.

The program that results are compared with: $CUPEL_PROGRAM, else the one beside the module.
"""

import json
import os
import shutil
import subprocess

import pytest

import cupel

REAL_DATA = os.environ.get("CUPEL_DATA", "")  # before a test has a folder of its own

MODELS = {
    "mlp": {"hidden": 8, "lr": 0.01},
    "gcn": {"hidden": 8, "lr": 0.01},
    "majority": {},
}


def small_protocol(**changes):
    out = {
        "title": "A small protocol",
        "data": {"datasets": ["csbm:nodes=120,classes=3"],
                 "prepare": ["symmetrise", "drop-self-loops"]},
        "split": {"scheme": "per-class", "train": 5, "valid": 5, "count": 3},
        "train": {"patience": 5, "max_epochs": 30, "inits": 2},
        "models": {name: dict(settings) for name, settings in MODELS.items()},
    }
    out.update(changes)
    return out


def without_cost(csv):
    """The CSV of cells without its last two columns, which depend on the clock and on the machine's memory."""
    return [line.rsplit(",", 2)[0] for line in csv.splitlines()]


@pytest.fixture
def protocol():
    return small_protocol()


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Each test works in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUPEL_DATA", str(tmp_path / "no-data"))


@pytest.fixture(scope="session")
def graph():
    return cupel.generate("csbm", nodes=120, classes=3)


@pytest.fixture(scope="session")
def program():
    found = os.environ.get("CUPEL_PROGRAM") or shutil.which("cupel")
    if not found:
        pytest.skip("the program cupel is not installed; set CUPEL_PROGRAM")

    def call(*arguments, code=0):
        done = subprocess.run([found, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done

    call.json = lambda *arguments: json.loads(call(*arguments, "--json").stdout)
    call.error = lambda *arguments: call(*arguments, code=2).stderr.strip().removeprefix("cupel: ")
    return call
