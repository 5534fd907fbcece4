"""`python -m cupel` is the program `cupel` that was installed with the module."""

import os
import pathlib
import shutil
import sys
import sysconfig


def main() -> None:
    beside = pathlib.Path(sysconfig.get_path("scripts")) / "cupel"
    program = str(beside) if beside.exists() else shutil.which("cupel")
    if program is None:
        sys.exit("cupel: the program was not installed with the module; install the wheel again")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
