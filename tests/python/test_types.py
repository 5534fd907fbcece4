"""The module and its stubs, as mypy reads them."""

import pathlib
import subprocess
import sys

import pytest

import cupel

pytest.importorskip("mypy", reason="mypy is not installed")


def complaints(*arguments):
    command = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--python-version", "3.10",
               "--cache-dir", "/dev/null", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True).stdout


def test_the_module_is_typed_without_a_complaint():
    out = complaints(pathlib.Path(cupel.__file__).parent)
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
