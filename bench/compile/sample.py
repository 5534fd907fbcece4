#!/usr/bin/env python3
"""What a cold build of the program takes in batches and file by file, by a sample of each, without ccache.

    bench/compile/sample.py [--units N] [--seed S]

Configures two folders, compiles N units of either, drawn at random, in mixed order and one at a time, and prints the
processor time that all units would take by the mean of the sample, with its standard error. Precompiled headers are
left out of both.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = dict(os.environ, CCACHE_DISABLE="1")


def commands(folder):
    """Of the program's units, and of their precompiled headers."""
    text = subprocess.run(["ninja", "-C", folder, "-t", "compdb"], capture_output=True, text=True, check=True).stdout
    built = [one for one in json.loads(text) if one["output"].startswith("CMakeFiles/cupel")]
    units = [one for one in built if one["output"].endswith(".o")]
    return units, [one for one in built if one["output"].endswith(".gch")]


def seconds(command):
    def used():
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    folder = pathlib.Path(command["directory"])
    (folder / command["output"]).parent.mkdir(parents=True, exist_ok=True)
    before = used()
    subprocess.run(command["command"], shell=True, cwd=folder, env=ENVIRONMENT, check=True)
    return used() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    draw = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as place:
        drawn, all_units = [], {}
        for kind in ("ON", "OFF"):
            folder = pathlib.Path(place) / kind
            subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DCUPEL_TESTS=OFF", f"-DCUPEL_BATCHES={kind}"], check=True, stdout=subprocess.DEVNULL)
            units, headers = commands(folder)
            for header in headers:
                seconds(header)
            all_units[kind] = len(units)
            drawn += [(kind, unit) for unit in draw.sample(units, min(given.units, len(units)))]
        draw.shuffle(drawn)
        taken = {"ON": [], "OFF": []}
        for kind, unit in drawn:
            taken[kind].append(seconds(unit))
    for kind, name in (("ON", "in batches"), ("OFF", "file by file")):
        count, sample = all_units[kind], taken[kind]
        error = statistics.stdev(sample) / len(sample) ** 0.5
        print(f"{name:<13}{count:>5} units  {count * statistics.mean(sample) / 60:5.1f} +- {count * error / 60:.1f} min, "
              f"by {len(sample)} of them")


if __name__ == "__main__":
    main()
