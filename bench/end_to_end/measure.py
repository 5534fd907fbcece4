#!/usr/bin/env python3
"""End-to-end figures of the cupel program: runs a minute, microseconds an epoch, peak memory, start-up.

    bench/end_to_end/measure.py --data DIR [--cases cora/gcn,pubmed/gcn] [--out now.json]
    bench/end_to_end/measure.py --data DIR --against earlier.json

Every case runs the pitfalls protocol into a fresh store. With --against, a case that is more than 10 % slower
than the earlier figures is measured again twice; it is called a regression only if the best of all three is.
Figures are this machine's: compare only files made on one machine.
"""

import argparse
import json
import os
import sqlite3
import statistics
import sys
import tempfile
import time

CASES = "cora/gcn,cora/gat,cora/gs-mean,cora/mlp,cora/labelprop,citeseer/gcn,pubmed/gcn"
LIMIT = 1.10


def run(command):
    """Wall seconds, peak resident MiB and exit code of a command whose output is dropped."""
    with open(os.devnull, "w") as null:
        start = time.perf_counter()
        pid = os.posix_spawnp(
            command[0],
            command,
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, null.fileno(), fd) for fd in (1, 2)],
        )
        _, status, usage = os.wait4(pid, 0)
        seconds = time.perf_counter() - start
    return seconds, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def measure(options, case):
    dataset, model = case.split("/")
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store.sqlite")
        command = [options.program, "run", "pitfalls", "--data", options.data]
        command += ["--datasets", dataset, "--models", model, "--tables", "1", "--store", store]
        command += ["--splits", str(options.splits), "--inits", str(options.inits)]
        seconds, memory, code = run(command + ["--jobs", str(options.jobs), "--no-report"])
        if code != 0:
            sys.exit(f"{' '.join(command)}: exit code {code}")
        with sqlite3.connect(store) as database:
            rows = database.execute("SELECT seconds, epochs, test_score FROM runs").fetchall()
    return {
        "runs": len(rows),
        "runs_per_minute": 60 * len(rows) / seconds,
        "us_per_epoch": 1e6 * sum(r[0] for r in rows) / max(1, sum(r[1] for r in rows)),
        "epochs": statistics.mean(r[1] for r in rows),
        "accuracy": statistics.mean(r[2] for r in rows),
        "peak_mib": memory,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", default="build/release/cupel")
    parser.add_argument("--data", default=os.environ.get("CUPEL_DATA", ""))
    parser.add_argument("--cases", default=CASES)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--inits", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", help="write the figures as JSON")
    parser.add_argument("--against", help="figures written earlier by --out on this machine")
    options = parser.parse_args()

    earlier = {}
    if options.against:
        with open(options.against) as file:
            earlier = json.load(file)
    starts = [run([options.program, "list"])[0] * 1e3 for _ in range(20)]
    figures = {"list_ms": statistics.median(starts)}
    print(f"cupel list: {figures['list_ms']:.1f} ms (median of 20)")
    header = f"{'case':22} {'runs/min':>9} {'us/epoch':>9} {'epochs':>7} {'accuracy':>8} {'peak MiB':>8}"
    print(header + ("   against" if earlier else ""))
    regressions = []
    for case in options.cases.split(","):
        best = measure(options, case)
        before = earlier.get(case)
        for _ in range(2):
            if before and before["runs_per_minute"] > LIMIT * best["runs_per_minute"]:
                again = measure(options, case)
                best = max(best, again, key=lambda f: f["runs_per_minute"])
        figures[case] = best
        line = f"{case:22} {best['runs_per_minute']:9.0f} {best['us_per_epoch']:9.1f}"
        line += f" {best['epochs']:7.1f} {100 * best['accuracy']:8.2f} {best['peak_mib']:8.1f}"
        if before:
            ratio = best["runs_per_minute"] / before["runs_per_minute"]
            line += f"   {ratio:.2f}x"
            if ratio < 1 / LIMIT:
                regressions.append(case)
                line += "  slower"
        print(line, flush=True)
    if options.out:
        with open(options.out, "w") as file:
            json.dump(figures, file, indent=2)
    if regressions:
        sys.exit(f"slower than before: {', '.join(regressions)}")


if __name__ == "__main__":
    main()
