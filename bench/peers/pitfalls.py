#!/usr/bin/env python3
"""Runs "Pitfalls of GNN Evaluation" in PyTorch Geometric and prints what it cost: one JSON line.

pitfalls.py --dataset cora --model gcn --splits 10 --inits 2 --processes 2 --data DIR
pitfalls.py --selftest --data DIR
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import sys
import time
import warnings
from pathlib import Path


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    add = parser.add_argument
    add("--dataset", default="cora")
    add(
        "--model",
        default="gcn",
        help="gcn, gat, gat-shared, monet, gs-mean, gs-meanpool, gs-maxpool, mlp, logreg",
    )
    add("--splits", type=int, default=1, help="the first N of the paper's 100")
    add("--inits", type=int, default=1, help="initialisations of each split")
    add("--processes", type=int, default=1, help="each takes the next run that is left")
    add("--threads", type=int, default=1, help="of each process")
    add("--data", type=Path, default=os.environ.get("CUPEL_DATA"), help="default: $CUPEL_DATA")
    add(
        "--form",
        default="torch-sparse",
        help="torch-sparse, sparse-csr, sparse-coo, tuned (see sparse.py)",
    )
    add(
        "--rows",
        default="all",
        choices=["all", "needed"],
        help="compute all rows, or those the loss reads",
    )
    add(
        "--released-norm",
        action="store_true",
        help="GraphSAGE's NaN at rows of zeros, as the paper's code",
    )
    add("--compile", action="store_true", help="torch.compile the model")
    add("--runs", action="store_true", help="print a line for every run as well")
    add(
        "--selftest",
        action="store_true",
        help="check counts, splits and that all forms agree; then exit",
    )
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("give --data DIR or set CUPEL_DATA")
    arguments.data = Path(arguments.data)
    if min(arguments.splits, arguments.inits, arguments.processes, arguments.threads) < 1:
        parser.error("--splits, --inits, --processes and --threads are at least 1")
    return arguments


def limit_threads(threads: int) -> None:
    """Before PyTorch is imported: some builds' BLAS listens to nothing else."""
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = str(threads)
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        os.environ.pop(name, None)


def seconds_since_start() -> float:
    """Since the process was started, interpreter included."""
    ticks = int(Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19])
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    arguments = parse_arguments()
    limit_threads(arguments.threads)
    warnings.filterwarnings("ignore", category=FutureWarning)  # torch_sparse uses torch.jit
    if arguments.selftest:
        import selftest

        selftest.run(arguments.data)
        return

    from workers import run_all

    runs, timing = run_all(arguments)
    if arguments.runs:
        for run in runs:
            print(json.dumps({key: value for key, value in run.items() if key != "epoch_seconds"}))
    print(json.dumps(summary(arguments, runs, timing)))


def summary(arguments: argparse.Namespace, runs: list[dict], timing: dict) -> dict:
    import torch
    import torch_geometric

    accuracy = [100 * run["accuracy"] for run in runs]
    epochs = [seconds for run in runs for seconds in run["epoch_seconds"]]
    chosen = (
        "dataset",
        "model",
        "form",
        "rows",
        "released_norm",
        "compile",
        "splits",
        "inits",
        "processes",
        "threads",
    )
    return {
        **{name: getattr(arguments, name) for name in chosen},
        "runs": len(runs),
        "accuracy_mean": statistics.fmean(accuracy),
        "accuracy_sd": statistics.stdev(accuracy) if len(accuracy) > 1 else None,
        "epochs_mean": statistics.fmean(run["epochs"] for run in runs),
        "epoch_ms_min": 1e3 * min(epochs),
        "epoch_ms_median": 1e3 * statistics.median(epochs),
        "run_seconds_mean": statistics.fmean(run["seconds"] for run in runs),
        "start_seconds": timing["start"],
        "work_seconds": timing["work"],
        "runs_per_minute": 60 * len(runs) / timing["work"],
        "runs_per_minute_with_start": 60 * len(runs) / (timing["start"] + timing["work"]),
        "peak_mib_process": max(timing["peak_mib"]),
        "torch": torch.__version__,
        "torch_geometric": torch_geometric.__version__,
    }


if __name__ == "__main__":
    sys.exit(main())
