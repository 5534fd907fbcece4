"""The module itself: what importing it brings along, its stubs, its documentation."""

import doctest
import os
import pathlib
import subprocess
import sys
import sysconfig

import pytest

import cupel

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_importing_brings_nothing_along():
    """NumPy comes with the first array; what is slow of Python's own, with its first use."""
    code = ("import sys, cupel; heavy = ['numpy', 'pandas', 'polars', 'torch', 'networkx', 'scipy', "
            "'IPython', 'pyarrow', 'inspect', 'importlib.metadata', 'multiprocessing']; "
            "print([m for m in heavy if m in sys.modules]); "
            "g = cupel.generate('csbm', nodes=300); print('numpy' in sys.modules); "
            "print(g.y.shape, 'numpy' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["[]", "False", "(300,) True"], done.stderr


def test_all_that_is_promised_is_there():
    bare = [name for name in cupel.__all__
            if not getattr(cupel, name).__doc__ and name not in ("__version__",
                                                                 "numerics_version")]
    assert bare == []


def test_the_version_is_that_of_the_program(program):
    assert program("--version").stdout.split()[1] == cupel.__version__


def test_stubs_are_those_of_the_module(monkeypatch):
    """To make them anew: write `made` to python/cupel/_core.pyi."""
    stubgen = pytest.importorskip("nanobind.stubgen")
    core = sys.modules["cupel._core"]
    monkeypatch.setattr(cupel.Error, "__module__", core.__name__)  # as it is before cupel has it
    monkeypatch.setattr(cupel.Error, "__doc__", None)
    maker = stubgen.StubGen(core)
    maker.put(core)
    made = maker.get()
    assert made == pathlib.Path(cupel.__file__).with_name("_core.pyi").read_text()


def test_the_examples_of_the_documentation():
    found = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False,
                             optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 20 and found.failed == 0


def test_a_program_that_is_not_there_is_told(monkeypatch):
    monkeypatch.setenv("CUPEL_PROGRAM", "no-such-program")
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(cupel.__file__).parents[1]))
    done = subprocess.run([sys.executable, "-m", "cupel", "--version"], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "no-such-program cannot be started: No such file or directory" in done.stderr


def test_python_m_cupel_is_the_program():
    if not os.path.exists(os.path.join(sysconfig.get_path("scripts"), "cupel")):
        pytest.skip("the module is not installed")
    done = subprocess.run([sys.executable, "-m", "cupel", "--version"], capture_output=True,
                          text=True)
    assert done.stdout.startswith("cupel ")
