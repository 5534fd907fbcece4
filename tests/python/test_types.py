"""The module and its stubs, as mypy reads them."""

import pathlib
import shutil
import subprocess
import sys

import pytest

import cupel

pytest.importorskip("mypy", reason="mypy is not installed")


def complaints(*arguments):
    command = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--python-version", "3.10",
               "--cache-dir", "/dev/null", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True).stdout


def test_the_module_is_typed_without_a_complaint(tmp_path):
    """Away from other packages, which mypy would take for files of ours."""
    shutil.copytree(pathlib.Path(cupel.__file__).parent, tmp_path / "cupel")
    out = complaints(tmp_path / "cupel")
    assert out.startswith("Success"), out


def test_a_wrong_call_is_told(tmp_path):
    file = tmp_path / "user.py"
    file.write_text("import cupel\n"
                    "cupel.splits(cupel.load('cora'), scheme=3)\n"
                    "cupel.results('a.sqlite').report(1)\n"
                    "reveal_type(cupel.results('a.sqlite'))\n")
    out = complaints(file)
    assert "user.py:2: error" in out and "user.py:3: error" in out, out
    assert 'user.py:4: note: Revealed type is "cupel._results.Results"' in out, out


def test_each_metric_is_declared(tmp_path):
    """Those that are made when the module is imported, by what is said of them; and no others."""
    called = [name.replace("-", "_") for name in cupel.metrics.names()]
    assert {name for name, kind in cupel.metrics.__annotations__.items() if kind == "Metric"} == \
        set(called)
    file = tmp_path / "user.py"
    file.write_text("from cupel import metrics\n"
                    + "".join(f"reveal_type(metrics.{name}([0.5], [1]))\n" for name in called)
                    + "metrics.hits(positives=[0.5], candidates=[0.1], k=2)\n"
                    "metrics.acuracy([0.5], [1])\n"
                    "metrics.mrr([0.5], [1], [0.5])\n")
    out = complaints(file)
    last = len(called) + 3
    assert out.replace("builtins.", "").count('Revealed type is "float"') == len(called), out
    assert f"user.py:{last}: error: Module has no attribute \"acuracy\"" in out, out
    assert f"user.py:{last + 1}: error: Too many" in out and "Found 2 errors" in out, out
