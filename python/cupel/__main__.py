"""`python -m cupel` is the program `cupel` that was installed with the module. It looks at functions
of Python as well, which the program cannot call: `python -m cupel check-model my.py`.
"""

import os
import sys

from ._program import find_program


def _names_python(arguments: list[str]) -> bool:
    """Whether an argument is a file of Python, and not the value of an option."""
    return any(one.endswith(".py") and before not in ("--models", "--protocol", "--timeout", "--data")
               for before, one in zip(["", *arguments], arguments))


def main() -> None:
    if sys.argv[1:2] == ["check-model"] and _names_python(sys.argv[2:]):
        from ._check_model import INTERRUPTED, command  # here, as nothing else needs it

        code = command(sys.argv[2:])
        if code == INTERRUPTED:
            # A function may still be at work in a thread, and the interpreter must not end under it.
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        sys.exit(code)
    program = find_program()
    trouble = "the program was not installed with the module; install the wheel again"
    if program is not None:
        try:
            os.execv(program, [program, *sys.argv[1:]])
        except OSError as error:
            trouble = (f"{program} cannot be started: {error.strerror}; install the wheel again, or let "
                       "CUPEL_PROGRAM name the program")
    print(f"cupel: {trouble}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
