"""What `import cupel` takes, each time in a fresh interpreter: processor time, median of 21.

    python bench/python/import_time.py

Beside it: an interpreter that imports nothing, NumPy alone, and Cupel with its first array.
"""
import resource
import statistics
import subprocess
import sys

REPEATS = 21


def processor_seconds(code):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


CODES = {
    "nothing": "pass",
    "import cupel": "import cupel",
    "import numpy": "import numpy",
    "import cupel, and an array": "import cupel; cupel.generate('csbm', nodes=300).y",
}
seconds = {name: [] for name in CODES}
for _ in range(REPEATS):
    for name, code in CODES.items():  # in turn: what else the machine does meets all alike
        seconds[name].append(processor_seconds(code))
for name, values in seconds.items():
    print(f"{name:28} {statistics.median(values):.3f} s")
