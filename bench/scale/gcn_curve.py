#!/usr/bin/env python3
"""What an epoch of GCN costs on graphs of growing size, with 20 labels a class whatever the size.

    bench/scale/gcn_curve.py --program build/check/cupel --nodes 1e3 1e4 1e5 1e6 1e7

The graphs are `csbm`: average degree, width of the features, words of a node and number of classes stay as they
are, so that what 140 training nodes ask of the graph is the same at any size, but where the graph is smaller than
their neighbourhood. Validation and test nodes are fixed numbers too (200 and 500). A run has a fixed part (binding,
the first touch of memory, scoring), so an epoch is the difference of runs of two lengths, divided by the
difference of their epochs; each length is run several times, and the fastest counts. `step` is an epoch with one
validation node, which is next to nothing beside the training step; `epoch` is one with all of them.

Every size is a process of its own, on one processor. `load` is its time without the runs: drawing the graph, preparing and splitting it.
"""
import argparse
import json
import os
import pathlib
import sqlite3
import tempfile
import time

PROTOCOL = """
title = "An epoch of GCN"
metric = "accuracy"
[data]
datasets = ["csbm:nodes={nodes}"]
[split]
scheme = "planetoid"
train = 20
valid = {valid}
test = 500
count = 1
[train]
patience = 0
keep = "last"
inits = {inits}
[models.short]
model = "gcn"
[models.short.train]
max_epochs = {short}
[models.long]
model = "gcn"
[models.long.train]
max_epochs = {long}
"""


def run(command: list[str]) -> tuple[float, float]:
    """Wall seconds and peak resident MiB."""
    with open(os.devnull, "w") as null:
        start = time.perf_counter()
        pid = os.posix_spawnp(command[0], command, os.environ,
                              file_actions=[(os.POSIX_SPAWN_DUP2, null.fileno(), 1)])
        _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{' '.join(command)}: exit code {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def measure(options: argparse.Namespace, nodes: int, valid: int) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        protocol, store = pathlib.Path(folder, "curve.toml"), pathlib.Path(folder, "store.sqlite")
        protocol.write_text(PROTOCOL.format(nodes=nodes, valid=valid, inits=options.inits,
                                            short=options.epochs // 4, long=options.epochs))
        wall, peak = run([options.program, "run", str(protocol), "--store", str(store), "--jobs", "1",
                          "--no-report"])
        with sqlite3.connect(store) as database:
            rows = database.execute("SELECT epochs, MIN(seconds), SUM(seconds) FROM runs GROUP BY epochs ORDER BY epochs")
            (few, quick, one), (many, slow, two) = rows.fetchall()
    return {"us": 1e6 * (slow - quick) / (many - few), "load": wall - one - two, "peak_mib": peak}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/cupel")
    parser.add_argument("--nodes", nargs="+", type=float, default=[1e3, 1e4, 1e5, 1e6])
    parser.add_argument("--epochs", type=int, default=400, help="of the longer runs; the shorter have a quarter")
    parser.add_argument("--inits", type=int, default=8)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if not options.json:
        print("| nodes | step, µs | epoch, µs | load, s | peak MiB |\n|---|---|---|---|---|")
    for nodes in map(int, options.nodes):
        step, epoch = measure(options, nodes, 1), measure(options, nodes, 200)
        if options.json:
            print(json.dumps({"nodes": nodes, "step": step, "epoch": epoch}), flush=True)
        else:
            print(f"| {nodes:,} | {step['us']:.0f} | {epoch['us']:.0f} | {epoch['load']:.1f} | "
                  f"{epoch['peak_mib']:.0f} |", flush=True)


if __name__ == "__main__":
    main()
