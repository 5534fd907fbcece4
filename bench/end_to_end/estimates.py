#!/usr/bin/env python3
"""What `cupel run --dry-run` says a run takes, beside what it then takes by the clock.

    bench/end_to_end/estimates.py --data DIR [--cases NAME,NAME] [--pilot 10s]

Every case asks and runs into a fresh store, so that nothing is known but what the pilot tried. The
ratio is estimate / clock; the goal is one between a half and two.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time

# Parts of the shipped protocols that take minutes.
CASES = {
    "pitfalls": "pitfalls --tables 1 --datasets cora,citeseer,pubmed --splits 4 --inits 1",
    "pitfalls-coauthor": "pitfalls --tables 1 --datasets coauthor-cs --models gcn,gs-mean,mlp,sgc,labelprop"
    " --splits 4 --inits 1",
    "pitfalls-amazon": "pitfalls --tables 1 --datasets amazon-photo --models gcn,mlp,logreg,labelprop --splits 4"
    " --inits 1",
    "heterophily": "heterophily --tables 2 --datasets chameleon-filtered,squirrel-filtered --models resnet,gcn,sage"
    " --choices layers=2 --splits 2",
    "effectiveness": "effectiveness --tables 2 --datasets MUTAG --models baseline-a,gin-a --splits 4 --inits 1",
    "links": "links --tables uniform --datasets cora-planetoid --splits 4 --inits 1",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", default="build/release/cupel")
    parser.add_argument("--data", default=os.environ.get("CUPEL_DATA", ""))
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--pilot", default="10s")
    options = parser.parse_args()

    print(f"{'case':20} {'runs':>5} {'dry run':>8} {'estimate':>9} {'clock':>8} {'ratio':>6}")
    off = []
    for case in options.cases.split(","):
        with tempfile.TemporaryDirectory() as folder:
            store = ["--store", os.path.join(folder, "store.sqlite"), "--data", options.data]
            run = [options.program, "run", *shlex.split(CASES[case]), *store]
            start = time.perf_counter()
            asked = subprocess.run([*run, "--dry-run", "--json", "--pilot", options.pilot], capture_output=True, text=True)
            dry = time.perf_counter() - start
            if asked.returncode != 0:
                sys.exit(f"{case}: {asked.stderr.strip()}")
            told = json.loads(asked.stdout)
            start = time.perf_counter()
            done = subprocess.run([*run, "--no-report"], capture_output=True, text=True)
            clock = time.perf_counter() - start
            if done.returncode not in (0, 1):
                sys.exit(f"{case}: {done.stderr.strip()}")
        ratio = told["seconds"] / clock
        if not 0.5 <= ratio <= 2:
            off.append(case)
        print(f"{case:20} {told['runs']:5} {dry:7.1f}s {told['seconds']:8.1f}s {clock:7.1f}s {ratio:6.2f}", flush=True)
    if off:
        sys.exit(f"estimates off by more than a factor of two: {', '.join(off)}")


if __name__ == "__main__":
    main()
