"""scripts/results: cells that were just kept of a store are not stale."""
import argparse
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]

CELL = {"dataset": "small", "model": "edgebank", "metric": "mrr", "mean": 0.25, "n": 1, "expected_n": 1,
        "published": {"mean": 30.5}, "gap_interval_90": [-6.5, -4.0], "verdict": "different"}
# What a program says of a store: of cells, and of questions of facts over time.
CSV = {"cells": "protocol,table,dataset,model,mean\np,1,small,mlp,80.5\np,2,small,mlp,7\n",
       "questions": "table,dataset,model,group,score\n1,small,edgebank,all,0.25\n"}


def script():
    path = str(ROOT / "scripts" / "results")
    loader = importlib.machinery.SourceFileLoader("results", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("results", loader))
    loader.exec_module(module)
    return module


class Check(unittest.TestCase):
    def check(self, form, edit=lambda text: text):
        """What is said of a store whose cells were kept, after an edit of what was kept."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            results = script()
            results.ROOT, results.FOLDER, results.PAGE = folder, folder, folder / "results.md"
            (folder / "README.md").write_text("")
            (folder / "experiments.toml").write_text(
                '[[experiment]]\nname = "e"\ntitle = "E"\nrun = "run p"\ntable = "1"\n')
            report = {"protocol": "p", "tables": [{"id": "1", "cells": [CELL]}]}
            program = folder / "cupel"
            program.write_text(f"#!{sys.executable}\nimport sys\n"
                               "print('cupel 1' if '--version' in sys.argv else "
                               f"{json.dumps(report)!r} if 'json' in sys.argv else {CSV[form]!r}, end='')\n")
            program.chmod(0o700)
            store = folder / "e.sqlite"
            store.write_text("")
            arguments = argparse.Namespace(cupel=program, stores=folder, commit="")
            results.keep(arguments, results.experiments()[0], store, "")
            kept = folder / "e.csv"
            kept.write_text(edit(kept.read_text()))
            results.PAGE.write_text("")
            results.page = lambda: ""
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                results.check(arguments)
            return said.getvalue()

    def test_the_page_says_how_data_were_built(self):
        results = script()
        made = {"run": "run p", "date": "2026-01-01", "version": "cupel 1", "commit": "abc"}
        row = {"dataset": "small", "model": "mlp", "metric": "mrr", "mean": "7", "sd": "", "published_mean": "",
               "verdict": "not published", "n": "1", "expected_n": "1"}
        for data, first in (({}, "cupel run p"), ({"data": "build it"}, "(cd $CUPEL_DATA && cupel build it)")):
            lines = results.section({"title": "E", **data}, made, [row])
            self.assertEqual(lines[lines.index("```") + 1], first)
            self.assertIn("cupel run p", lines)

    def test_what_was_kept_is_not_stale(self):
        for form in CSV:
            self.assertEqual(self.check(form), "results: nothing is stale\n", form)

    def test_what_was_kept_before_a_column_was_there_is_not_stale(self):
        for form in CSV:
            def without_last_column(text):
                return "".join(line.rsplit(",", 1)[0] + "\n" for line in text.splitlines())
            self.assertEqual(self.check(form, without_last_column), "results: nothing is stale\n", form)

    def test_another_number_is(self):
        for form, number in [("cells", "80.5"), ("questions", "0.25")]:
            self.assertIn("its store says something else",
                          self.check(form, lambda text: text.replace(number, "1")), form)


if __name__ == "__main__":
    unittest.main()
