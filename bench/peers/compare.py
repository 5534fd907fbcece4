#!/usr/bin/env python3
"""Times Cupel and PyTorch Geometric in turn, on the same cores, the same splits, the same protocol.

    compare.py --python VENV/bin/python --data DIR [--cases cora/gcn,cora/mlp] [--out FILE.json]

For every case: first both must reach the same accuracy (means within two combined standard errors);
only then they are timed, A B C A B C, and medians over the rounds and the ratios are printed.
Cupel is charged its start-up and its store; the peer is not charged its imports.

Standard library only; needs `taskset`.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent


@dataclass(frozen=True)
class Variant:
    """One way of running the peer. `plain`: full batch, library calls only, as PyTorch Geometric's
    own examples do it; targets speak of the fastest of these."""

    name: str
    options: tuple[str, ...]
    plain: bool


@dataclass(frozen=True)
class Case:
    dataset: str
    model: str
    target: float  # runs per minute, Cupel over the fastest plain variant
    splits: int
    inits: int  # of Cupel
    peer_inits: int
    variants: tuple[Variant, ...]


def pyg(model: str, *options: str, name: str = "pyg") -> Variant:
    return Variant(name, ("--model", model, "--form", "torch-sparse", *options), plain=True)


def needed(model: str, form: str, name: str) -> Variant:
    return Variant(name, ("--model", model, "--form", form, "--rows", "needed"), plain=False)


def both_needed(model: str) -> tuple[Variant, ...]:
    return (
        needed(model, "torch-sparse", "pyg, needed rows"),
        needed(model, "tuned", "tuned, needed rows"),
    )


GAT_VARIANTS = (
    pyg("gat-shared", name="pyg, one input mask"),
    pyg("gat", name="pyg, mask per head"),
    needed("gat-shared", "torch-sparse", "pyg, one input mask, needed rows"),
    needed("gat-shared", "tuned", "tuned, one input mask, needed rows"),
)

CASES = [
    Case("cora", "gcn", 30, 50, 20, 1, (pyg("gcn"), *both_needed("gcn"))),
    Case("pubmed", "gcn", 60, 20, 20, 1, (pyg("gcn"), *both_needed("gcn"))),
    Case("cora", "gat", 20, 20, 10, 1, GAT_VARIANTS),
    Case(
        *("cora", "gs-mean", 20, 20, 10, 1),
        (pyg("gs-mean", "--released-norm"), *both_needed("gs-mean")),
    ),
    Case("cora", "mlp", 50, 50, 20, 1, (pyg("mlp"), *both_needed("mlp"))),
]


@dataclass
class Measured:
    """Figures of one program on one case, a value per round."""

    name: str
    plain: bool = True
    accuracy: float = math.nan
    error: float = math.nan  # standard error of it
    runs_per_minute: list[float] = field(default_factory=list)
    with_start: list[float] = field(default_factory=list)

    def median(self) -> float:
        return statistics.median(self.runs_per_minute)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    add = parser.add_argument
    add("--python", required=True, help="interpreter with requirements.txt installed")
    add("--cupel", type=Path, default=REPOSITORY / "build/release/cupel")
    add("--data", default=os.environ.get("CUPEL_DATA"), help="default: $CUPEL_DATA")
    add("--cases", help="such as cora/gcn,cora/mlp; default: all")
    add("--rounds", type=int, default=3)
    add("--cores", default="0,1", help="as taskset takes them; one job or process for each")
    add("--scale", type=float, default=1, help="of the number of splits: 0.2 for a quick look")
    add("--force", action="store_true", help="time even where accuracies differ")
    add("--out", type=Path, help="write all figures as JSON")
    arguments = parser.parse_args()
    if not arguments.data:
        parser.error("give --data DIR or set CUPEL_DATA")
    if not arguments.cupel.is_file():
        parser.error(f"--cupel {arguments.cupel}: no such file; build it first")
    return arguments


def main() -> int:
    arguments = parse_arguments()
    cases = {f"{case.dataset}/{case.model}": case for case in CASES}
    chosen = arguments.cases.split(",") if arguments.cases else list(cases)
    for name in chosen:
        if name not in cases:
            raise SystemExit(f"--cases {name}: not one of {', '.join(cases)}")
    busy = os.getloadavg()[0]
    if busy > 0.5:
        print(
            f"WARNING: load is {busy:.1f} before anything was started; figures are not to be quoted"
        )
    results, agree = [], True
    for name in chosen:
        case = cases[name]
        found = compare(case, arguments)
        agree &= found is not None
        if found is not None:
            print_table(case, found)
            results.append(as_json(case, found))
    if arguments.out:
        about = {"load_before": busy, "cores": arguments.cores, "processor": processor()}
        arguments.out.write_text(json.dumps({**about, "cases": results}, indent=2) + "\n")
    return 0 if agree else 1


def compare(case: Case, arguments: argparse.Namespace) -> list[Measured] | None:
    """Cupel first, then the variants. None: accuracies differ."""
    splits = max(2, round(case.splits * arguments.scale))
    ours = Measured("cupel")
    peers = [Measured(variant.name, variant.plain) for variant in case.variants]
    print(f"\n{case.dataset}/{case.model}: {splits} splits", flush=True)
    for step in range(arguments.rounds + 1):  # the first is for accuracy, and warms caches
        run_cupel(case, splits, arguments, ours, timed=step > 0)
        for peer, variant in zip(peers, case.variants):
            run_peer(case, variant, splits, arguments, peer, timed=step > 0)
            if step == 0 and not same_accuracy(ours, peer) and not arguments.force:
                return None
    return [ours, *peers]


def run_cupel(
    case: Case, splits: int, arguments: argparse.Namespace, into: Measured, timed: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "store.sqlite")
        jobs = str(len(arguments.cores.split(",")))
        command = [str(arguments.cupel), "run", "pitfalls", "--tables", "1", "--no-report"]
        command += ["--datasets", case.dataset, "--models", case.model]
        command += ["--splits", str(splits), "--inits", str(case.inits)]
        command += ["--jobs", jobs, "--store", store, "--data", arguments.data]
        begin = time.perf_counter()
        # 1: some runs diverged, which GraphSAGE's do as the paper's did.
        execute(command, arguments.cores, allowed=(0, 1))
        seconds = time.perf_counter() - begin
        text = execute([str(arguments.cupel), "report", store, "--format", "csv"], arguments.cores)
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["table"] == "1"]
    row = next(row for row in rows if (row["dataset"], row["model"]) == (case.dataset, case.model))
    count = int(row["n"])
    if count != splits * case.inits:
        raise SystemExit(f"cupel finished {count} of {splits * case.inits} runs")
    into.accuracy = float(row["mean"])
    into.error = float(row["sd"]) / math.sqrt(count)
    if timed:
        into.runs_per_minute.append(60 * count / seconds)
        into.with_start.append(60 * count / seconds)


def run_peer(
    case: Case,
    variant: Variant,
    splits: int,
    arguments: argparse.Namespace,
    into: Measured,
    timed: bool,
) -> None:
    processes = str(len(arguments.cores.split(",")))
    command = [
        arguments.python,
        str(HERE / "pitfalls.py"),
        "--dataset",
        case.dataset,
        *variant.options,
    ]
    command += ["--splits", str(splits), "--inits", str(case.peer_inits)]
    command += ["--processes", processes, "--threads", "1", "--data", arguments.data]
    found = json.loads(execute(command, arguments.cores).splitlines()[-1])
    into.accuracy = found["accuracy_mean"]
    into.error = found["accuracy_sd"] / math.sqrt(found["runs"])
    if timed:
        into.runs_per_minute.append(found["runs_per_minute"])
        into.with_start.append(found["runs_per_minute_with_start"])


def execute(command: list[str], cores: str, allowed: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(["taskset", "-c", cores, *command], capture_output=True, text=True)
    if done.returncode not in allowed:
        raise SystemExit(
            f"{' '.join(command)}\nended with {done.returncode}:\n{done.stderr[-2000:]}"
        )
    return done.stdout


def same_accuracy(ours: Measured, peer: Measured) -> bool:
    gap, allowed = ours.accuracy - peer.accuracy, 2 * math.hypot(ours.error, peer.error)
    same = abs(gap) <= allowed
    print(
        f"  accuracy {ours.accuracy:.2f} against {peer.accuracy:.2f} ({peer.name}): "
        f"gap {gap:+.2f}, {'within' if same else 'NOT WITHIN'} {allowed:.2f}",
        flush=True,
    )
    return same


def ratios(ours: Measured, peer: Measured) -> list[float]:
    return [a / b for a, b in zip(ours.runs_per_minute, peer.runs_per_minute)]


def fastest_plain(found: list[Measured]) -> Measured:
    return max((peer for peer in found[1:] if peer.plain), key=Measured.median)


def print_table(case: Case, found: list[Measured]) -> None:
    ours = found[0]
    print(f"  {'':36} {'runs/min':>10} {'with start':>10} {'ratio':>8}   rounds")
    for one in found:
        line = f"  {one.name:36} {one.median():10.1f} {statistics.median(one.with_start):10.1f}"
        if one is not ours:
            by_round = ratios(ours, one)
            line += (
                f" {statistics.median(by_round):8.1f}   {min(by_round):.1f} to {max(by_round):.1f}"
            )
        print(line)
    best = fastest_plain(found)
    ratio = statistics.median(ratios(ours, best))
    verdict = "reached" if ratio >= case.target else "not reached"
    print(f"  {ratio:.1f} times {best.name}; target {case.target:g}: {verdict}")
    hardest = max(found[1:], key=Measured.median)
    print(
        f"  {statistics.median(ratios(ours, hardest)):.1f} times the fastest, {hardest.name}",
        flush=True,
    )


def as_json(case: Case, found: list[Measured]) -> dict:
    best = fastest_plain(found)
    return {
        "dataset": case.dataset,
        "model": case.model,
        "target": case.target,
        "fastest_plain": best.name,
        "ratio": statistics.median(ratios(found[0], best)),
        "programs": [asdict(one) for one in found],
    }


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), ""
    )


if __name__ == "__main__":
    sys.exit(main())
