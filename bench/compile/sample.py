#!/usr/bin/env python3
"""What a cold build of the program takes in batches and file by file, by a sample of each, without ccache.

    bench/compile/sample.py [--units N] [--seed S]
    bench/compile/sample.py --replace=-O2=-O1 [--units N] [--seed S]
    bench/compile/sample.py --against CHECKOUT --wings lab,judge

Configures two folders, compiles N units of either, drawn at random, in mixed order and one at a time, and prints the
processor time that all units would take by the mean of the sample, with its standard error. Precompiled headers are
left out of both. With --replace, N batches whose commands have a text are compiled by these and by commands in which
another text stands for it (nothing, to leave it out), turn about; that prints what both took in all, and the compiler's
memory. With --against, all batches of these wings are compiled here and in another checkout, turn about.
"""
import argparse
import itertools
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = dict(os.environ, CCACHE_DISABLE="1")


def commands(folder):
    """Of the program's units, and of their precompiled headers."""
    text = subprocess.run(["ninja", "-C", folder, "-t", "compdb"], capture_output=True, text=True, check=True).stdout
    built = [one for one in json.loads(text) if one["output"].startswith("CMakeFiles/cupel")]
    # What is generated is not there before a build, and takes no time.
    units = [one for one in built if one["output"].endswith(".o") and "/generated/" not in one["output"]]
    return units, [one for one in built if one["output"].endswith(".gch")]


def used(command):
    """Seconds of a processor, and the compiler's memory in MB."""
    folder = pathlib.Path(command["directory"])
    (folder / command["output"]).parent.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(command["command"], shell=True, cwd=folder, env=ENVIRONMENT)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"sample: {command['output']} was not compiled")
    return usage.ru_utime, usage.ru_maxrss / 1024


def seconds(command):
    return used(command)[0]


def configured(folder, kind, change=lambda command: command, root=ROOT, wings=("",)):
    """The units of the program, or of some wings, by their changed commands, with the headers before them compiled."""
    subprocess.run(["cmake", "-S", root, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DCUPEL_TESTS=OFF", f"-DCUPEL_BATCHES={kind}"], check=True, stdout=subprocess.DEVNULL)
    targets = tuple(f"CMakeFiles/cupel{'_' if wing else ''}{wing}" for wing in wings)
    units, headers = ([dict(one, command=change(one["command"])) for one in each if one["output"].startswith(targets)]
                      for each in commands(folder))
    for header in headers:
        seconds(header)
    return units


def compare(place, draw, count, old, new):
    units = [unit for unit in configured(place / "own", "ON") if old in unit["command"]]
    if not units:
        sys.exit(f"sample: no command has '{old}'")
    others = configured(place / "other", "ON", lambda command: command.replace(old, new))
    other_of = {unit["output"]: unit for unit in others}
    drawn = draw.sample(units, min(count, len(units)))
    sums = [0.0, 0.0]
    for turn, unit in enumerate(drawn):
        other = other_of[unit["output"]]
        took = [used(one) for one in ((unit, other), (other, unit))[turn % 2]][:: 1 - 2 * (turn % 2)]
        sums = [sum_ + one[0] for sum_, one in zip(sums, took)]
        print(f"{pathlib.Path(unit['output']).name:<44}{took[0][0]:6.1f} s {took[0][1]:6.0f} MB "
              f"{took[1][0]:8.1f} s {took[1][1]:6.0f} MB", flush=True)
    print(f"{len(drawn)} units: {sums[0]:.1f} s; with '{new}' for '{old}': {sums[1]:.1f} s, "
          f"{100 * (sums[1] / sums[0] - 1):+.0f} %")


def against(place, checkout, wings):
    both = [configured(place / name, "ON", root=root, wings=wings)
            for name, root in (("here", ROOT), ("there", checkout))]
    took = [0.0, 0.0]
    for pair in itertools.zip_longest(*both):
        for side, unit in enumerate(pair):
            took[side] += seconds(unit) if unit else 0
    for name, units, sum_ in zip(("here", "there"), both, took):
        print(f"{name:<6}{len(units):>4} units  {sum_:6.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replace", metavar="OLD=NEW", help="NEW may be empty, and has no '='")
    parser.add_argument("--against", metavar="CHECKOUT", type=pathlib.Path)
    parser.add_argument("--wings", default="lab,judge", help="of --against: folders of src/cupel")
    given = parser.parse_args()
    draw = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        if given.against is not None:
            return against(place, given.against.resolve(), given.wings.split(","))
        if given.replace is not None:
            old, _, new = given.replace.rpartition("=")
            return compare(place, draw, given.units, old, new)
        drawn, all_units = [], {}
        for kind in ("ON", "OFF"):
            units = configured(place / kind, kind)
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
