"""`python -m cupel check-model my.py`: told and ended as the program does it of programs."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

import cupel

ROOT = pathlib.Path(__file__).resolve().parents[2]

GOOD = """
import sys
import numpy as np
import cupel
import helper  # beside this file

def kind(x: int): ...
assert kind.__annotations__ == {"x": int}  # as the file has it, not as its reader

@cupel.model(version="1", deterministic=True)
def first(task, *, c=1.0):
    print("said by the function")
    return helper.ones(task) + task.x[:, :1]
"""
BAD = """
@cupel.model(version="1")
def second(task):
    return np.ones((task.nodes, 2))

same = second

if __name__ == "__main__":
    sys.exit("not to be done")
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "helper.py").write_text(
        "import numpy as np\n\ndef ones(task):\n    return np.ones((task.nodes, task.classes))\n")
    (tmp_path / "models" / "good.py").write_text(GOOD)
    (tmp_path / "models" / "both.py").write_text(GOOD + BAD)
    return tmp_path


def check_model(*arguments, code=0):
    found = os.environ.get("PYTHONPATH", "")
    package = str(pathlib.Path(cupel.__file__).parents[1])
    done = subprocess.run([sys.executable, "-m", "cupel", "check-model", *map(str, arguments)],
                          capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join([package, found])})
    assert done.returncode == code, done.stdout + done.stderr
    return done


def test_a_good_file_is_good(folder):
    done = check_model("models/good.py")
    assert done.stdout.startswith("first\n  good     ") and "bad" not in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    assert "said by the function" not in done.stdout and "said by the function" in done.stderr
    assert not list(folder.glob("*.sqlite"))


def test_each_model_is_checked_once_and_a_bad_one_is_told(folder):
    rows = json.loads(check_model("models/both.py", "--json", code=1).stdout)
    assert [row["model"] for row in rows] == ["first", "second"]
    bad, = rows[1]["checks"]
    assert bad["outcome"] == "bad" and "instead of (200, 3)" in bad["text"]
    text = check_model("models/both.py", code=1).stdout
    first, second = text.split("second\n")
    assert first.count("\n  good     ") == 3 and bad["text"] in " ".join(second.split()), text
    check_model("models/both.py", "--models", "first")
    assert json.loads(check_model("--json", "models/both.py", "--models=second", code=1).stdout) == \
        rows[1:]


def test_the_layout_is_that_of_the_program(folder, program):
    """Of a program that fails and a function that fails: names, outcomes, columns."""
    pathlib.Path("p.toml").write_text(
        "[data]\ndatasets = ['csbm']\n[split]\ntrain = 5\nvalid = 5\n[models.second]\n"
        "command = ['sh', '-c', 'exit 4']\n")
    theirs = program("check-model", "p.toml", code=1).stdout
    ours = check_model("models/both.py", "--models", "second", code=1).stdout
    assert theirs.startswith("second\n  bad  the run failed: ")
    assert ours.startswith("second\n  bad  the run failed: ")
    assert [line[:7] for line in ours.splitlines()[2:]] == [" " * 7] * (ours.count("\n") - 2)
    # The program hands what it does not do itself to whom does it.
    assert "python -m cupel check-model models/both.py" in program.error("check-model",
                                                                         "models/both.py")


def test_the_question_may_be_that_of_a_protocol(folder):
    pathlib.Path("links.toml").write_text(
        "task = 'links'\n[data]\ndatasets = ['csbm']\n[split]\nscheme = 'links'\n[models.majority]\n")
    done = check_model("models/good.py", "--protocol", "links.toml", code=1)
    assert "this task has no 'classes'; it has pairs_test" in " ".join(done.stdout.split())


def test_a_slow_one_has_a_limit(folder):
    pathlib.Path("slow.py").write_text(
        "import time, numpy, cupel\n@cupel.model(version='1')\ndef slow(task):\n"
        "    time.sleep(0.4)\n    return numpy.ones((task.nodes, task.classes))\n")
    done = check_model("slow.py", "--timeout", "0.1", code=1)
    assert "gave no answer in 0.1 s" in done.stdout and "--timeout SECONDS" in \
        " ".join(done.stdout.split())


@pytest.mark.parametrize("text, told", [
    ("", "bad.py has no function with @cupel.model; docs/python.md tells how"),
    ("import no_such_module\n", "importing it raised ModuleNotFoundError: No module named "
                                "'no_such_module' (bad.py, line 1, in <module>)"),
    ("x = 1\ndef f(:\n", "bad.py: importing it raised SyntaxError: invalid syntax (line 2)"),
    ("x = 'a\0b'\n", "bad.py: importing it raised SyntaxError: "),
    ("raise SystemExit(3)\n", "bad.py: importing it raised SystemExit: 3"),
    ("raise KeyError('\\x1b[2J')\n", "importing it raised KeyError: "),
    (None, "bad.py: cannot be read: No such file or directory"),
])
def test_what_cannot_be_checked_is_one_sentence(text, told):
    if text is not None:
        pathlib.Path("bad.py").write_text(text)
    done = check_model("bad.py", code=2)
    assert done.stdout == "" and done.stderr.startswith("cupel: check-model: bad.py")
    assert told in done.stderr and done.stderr.count("\n") == 1 and "\x1b" not in done.stderr


@pytest.mark.parametrize("arguments, told", [
    (["--models", "third"], "both.py has no model 'third'; it has first, second"),
    (["--timeout", "soon"], "argument --timeout: invalid float value: 'soon'; `python -m cupel"),
    (["--timeout", "-1"], "timeout: -1.0 is no time; give seconds above 0"),
    (["--protocol", "absent.toml"], "absent.toml"),
    (["--data", "x"], "unrecognized arguments: --data x"),
    (["two.py"], "unrecognized arguments: two.py"),
])
def test_wrong_arguments_are_one_sentence(folder, arguments, told):
    done = check_model("models/both.py", *arguments, code=2)
    assert done.stdout == "" and told in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_protocols_go_to_the_program(program, monkeypatch):
    monkeypatch.setenv("CUPEL_PROGRAM", os.environ.get("CUPEL_PROGRAM") or "cupel")
    for arguments in (["absent.toml"], ["absent.toml", "--models", "row.py"]):
        assert check_model(*arguments, code=2).stderr == \
            program("check-model", *arguments, code=2).stderr


def test_the_examples_are_good():
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    done = check_model(ROOT / "examples" / "own_sklearn.py")
    assert done.stdout.startswith("logistic\n  good")


def test_ctrl_c_ends_it_as_it_ends_the_program(tmp_path):
    pathlib.Path("slow.py").write_text(
        "import signal, threading, time, numpy, cupel\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "@cupel.model(version='1')\ndef slow(task):\n"
        "    signal.raise_signal(signal.SIGINT)\n    time.sleep(0.5)\n"
        "    return numpy.ones((task.nodes, task.classes))\n")
    done = check_model("slow.py", code=130)
    assert done.stdout == "" and "Traceback" not in done.stderr
