"""`python -m cupel` is the program `cupel` that was installed with the module."""

import os
import sys

from ._program import find_program


def main() -> None:
    program = find_program()
    if program is None:
        sys.exit("cupel: the program was not installed with the module; install the wheel again")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
