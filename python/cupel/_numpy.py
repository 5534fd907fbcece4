"""NumPy, imported when an array is first needed: importing it takes longer than all of Cupel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["np"]

if TYPE_CHECKING:
    import numpy as np
else:
    class _Numpy:
        """`np.array` is `numpy.array`, and so on."""

        def __getattr__(self, name: str) -> Any:
            import numpy

            value = getattr(numpy, name)
            setattr(self, name, value)  # found without this function from now on
            return value

    np = _Numpy()
