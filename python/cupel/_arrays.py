"""Arrays from users, as the library reads them, and what it gives back."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from ._core import Error
from ._numpy import np
from ._packages import needed


def check_unmasked(value: Any, where: str) -> None:
    """NumPy would hand out what lies below a mask."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise Error(f"{where}: {np.ma.count_masked(value)} of its entries are masked; give an array "
                    "without a mask, by .filled(VALUE) or of what is known only")


def numbers(value: Any, where: str) -> np.ndarray:
    """A copy-free array of numbers, or an Error that names the argument."""
    check_unmasked(value, where)
    try:
        out = np.asarray(value)
    except ValueError as error:  # rows of different lengths
        raise Error(f"{where}: is no array of numbers ({error})") from None
    if out.dtype.kind not in "biuf":
        raise Error(f"{where}: holds {out.dtype}, where numbers are needed")
    if out.dtype.kind == "f" and out.dtype.itemsize not in (4, 8):
        out = out.astype(np.float64)
    if out.dtype.byteorder not in "=|<":
        out = out.astype(out.dtype.newbyteorder("="))
    return np.ascontiguousarray(out)


def edges(value: Any, where: str = "edge_index") -> np.ndarray:
    out = numbers(value, where)
    if out.size == 0:  # NumPy takes lists of nothing for floats, of one axis
        return np.zeros((2, 0), dtype=np.int64)
    if out.dtype.kind in "iu":
        return out
    raise Error(f"{where}: holds {out.dtype}, where node numbers are needed; convert it by "
                ".astype(int)")


def check_sparse(matrix: Any, where: str) -> None:
    """An Error unless it is a sparse matrix whose row starts and places are sound; SciPy does not
    look, and reads elsewhere."""
    if not hasattr(matrix, "tocoo"):
        raise Error(f"{where}: a {type(matrix).__name__} is no sparse matrix; give one of SciPy, or "
                    "take cupel.Graph.from_numpy")
    try:
        if hasattr(matrix, "check_format"):
            matrix.check_format(full_check=True)
        elif hasattr(matrix, "row"):
            for axis, places in enumerate((matrix.row, matrix.col)):
                if len(places) and not 0 <= places.min() <= places.max() < matrix.shape[axis]:
                    raise ValueError(f"axis {axis} has places outside of {matrix.shape[axis]}")
    except ValueError as error:
        raise Error(f"{where}: the sparse matrix is broken ({error}); make it anew") from None


def arcs_of_scipy(matrix: Any, where: str) -> tuple[np.ndarray, np.ndarray, int]:
    """Of an adjacency: both ends of its arcs, 2 x arcs, their values, and how many nodes there are. A
    stored entry is an arc, but for those of False."""
    check_sparse(matrix, where)
    held = matrix.tocoo()
    if len(held.shape) != 2 or held.shape[0] != held.shape[1]:
        raise Error(f"{where}: has the shape {held.shape}, where nodes x nodes is needed")
    values = np.asarray(held.data)
    arcs = np.stack([held.row, held.col]).astype(np.int64)
    if values.dtype.kind == "b":
        arcs, values = arcs[:, values], values[values]
    return arcs, values, held.shape[0]


def csr_parts(matrix: Any, where: str) -> tuple:
    """Shape, row starts, columns and values of a sparse matrix of SciPy."""
    check_sparse(matrix, where)
    rows = matrix.tocsr()
    if rows.ndim != 2:
        raise Error(f"{where}: has the shape {rows.shape}, where nodes x features is needed")
    return (np.array(rows.shape, dtype=np.int64), rows.indptr.astype(np.int64),
            rows.indices.astype(np.int64), numbers(rows.data, where))


def _ids(given: Any, nodes: int, where: str) -> np.ndarray:
    """Node numbers, which may be given by a flag for each node."""
    ids = numbers(given, where)
    if ids.dtype.kind == "b":
        if ids.shape != (nodes,):
            raise Error(f"{where} has {ids.size} flags, where there are {nodes} nodes; give one for "
                        "each, or node numbers")
        return np.flatnonzero(ids)
    if ids.size and ids.dtype.kind == "f":
        raise Error(f"{where} holds {ids.dtype}, where node numbers are needed")
    return ids


def optional_numbers(value: Any, where: str) -> Optional[np.ndarray]:
    return None if value is None else numbers(value, where)


def _of_one_kind(array: np.ndarray, where: str, needed: str) -> np.ndarray:
    """Words and numbers that came as objects, as pandas gives them."""
    kinds: tuple[Any, ...] = (str, bytes, (int, np.integer))
    held = array.ravel().tolist()
    kind = next((kind for kind in kinds if held and isinstance(held[0], kind)), kinds[0])
    for place, one in enumerate(held):
        if not isinstance(one, kind):
            raise Error(f"{where}: entry {place} is a {type(one).__name__}, where all are to be "
                        f"words, or all {needed}")
    try:
        return np.array(held, dtype=np.int64 if kind is kinds[2] else None).reshape(array.shape)
    except OverflowError:
        raise Error(f"{where}: holds {max(held, key=abs)}, which is too large") from None


def _words(array: np.ndarray, where: str) -> np.ndarray:
    try:
        return array.astype(str)
    except UnicodeDecodeError as error:
        raise Error(f"{where}: holds the bytes {error.object!r}, which are no ASCII; give words as "
                    "str") from None


def _whole(array: np.ndarray, where: str, needed: str) -> np.ndarray:
    """Whole numbers that came as floats."""
    if not array.size:
        return array.astype(np.int64)
    wrong = np.flatnonzero(~np.isfinite(array) | (array != np.floor(array)))
    if wrong.size:
        raise Error(f"{where}: entry {wrong[0]} is {array.flat[wrong[0]]}, where {needed} are needed")
    largest = array.flat[np.argmax(np.abs(array))]
    if abs(largest) >= 2**53:
        raise Error(f"{where}: holds {largest}, which is too large; floats are whole numbers up to "
                    "2**53")
    return array.astype(np.int64)


def whole_numbers(value: Any, where: str, needed: str = "whole numbers") -> np.ndarray:
    out = numbers(value, where)
    return _whole(out, where, needed) if out.dtype.kind == "f" else out


def words_or_numbers(value: Any, where: str, needed: str = "whole numbers") -> np.ndarray:
    """An array of words, as NumPy's, or of whole numbers."""
    check_unmasked(value, where)
    try:
        array = np.asarray(value)
        if array.dtype.kind in "US" and not isinstance(value, np.ndarray):
            array = np.asarray(value, dtype=object)  # NumPy makes words of the numbers among them
    except ValueError as error:  # rows of different lengths
        raise Error(f"{where}: is no array of words or of {needed} ({error})") from None
    if array.dtype.kind == "O":
        array = _of_one_kind(array, where, needed)
    return _words(array, where) if array.dtype.kind in "US" else \
        whole_numbers(array, where, needed)


def labels_and_names(y: Any) -> tuple[Optional[np.ndarray], list[str]]:
    """Classes as numbers, and their names where they are words."""
    if y is None:
        return None, []
    array = words_or_numbers(y, "y", "class numbers (-1: not known)")
    if array.dtype.kind != "U":
        return array, []
    names, codes = np.unique(array, return_inverse=True)
    return codes.astype(np.int64).reshape(array.shape), [str(name) for name in names]


def _list(value: Any, told: str) -> list:
    try:
        return list(value)
    except TypeError:
        raise Error(f"splits: {told} {value!r}, where node numbers of training, validation and test "
                    "are needed for each split") from None


def masks_of(splits: Optional[Sequence[Any]], nodes: int) -> list[Optional[np.ndarray]]:
    """Flags, nodes x splits, of each part of splits that are given as node numbers."""
    splits = [] if splits is None else _list(splits, "is")
    if not splits:
        return []
    masks = [np.zeros((nodes, len(splits)), dtype=bool) for _ in range(4)]
    for number, split in enumerate(splits):
        if isinstance(split, dict):
            raise Error(f"splits: split {number} is a dict; give (train, valid, test)")
        parts = [split.train, split.valid, split.test, split.stopping] \
            if hasattr(split, "train") else _list(split, f"split {number} is")
        if len(parts) not in (3, 4):
            raise Error(f"splits: split {number} has {len(parts)} parts, where training, "
                        "validation and test are needed")
        for part, (mask, ids) in enumerate(zip(masks, parts)):
            ids = _ids(ids, nodes, f"splits: part {part} of split {number}")
            wrong = ids[(ids < 0) | (ids >= nodes)] if ids.size else ids
            if wrong.size:
                raise Error(f"splits: split {number} names node {wrong[0]}, and there are {nodes}, "
                            "numbered from 0")
            mask[ids.astype(np.int64), number] = True
    return [*masks[:3], masks[3] if masks[3].any() else None]


def frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def scipy_csr(parts: tuple) -> Any:
    """A matrix of SciPy over our arrays. Row starts are 64-bit here and 32-bit there, so that they
    are copied; of a pattern, whose entries are all 1, the ones are made."""
    sparse = needed("scipy.sparse", "sparse matrices", "indptr, indices and weights")
    starts, columns, values, rows, cols = parts
    if values is None:
        values = np.ones(len(columns), dtype=np.float32)
    if starts[-1] < 2**31:
        starts = starts.astype(columns.dtype)
    return sparse.csr_array((values, columns, starts), shape=(rows, cols), copy=False)


def dense_of(parts: tuple) -> np.ndarray:
    starts, columns, values, rows, cols = parts
    out = np.zeros((rows, cols), dtype=np.float32)
    out[np.repeat(np.arange(rows), np.diff(starts)), columns] = 1 if values is None else values
    return out


def is_dense_of(dense: np.ndarray, parts: tuple) -> bool:
    """Whether nobody wrote into what dense_of() gave."""
    starts, columns, values, rows, _ = parts
    bits = dense.view(np.uint32)  # counted in a sixth of the time of floats
    there = bits[np.repeat(np.arange(rows), np.diff(starts)), columns]
    wanted = np.float32(1).view(np.uint32) if values is None else values.view(np.uint32)
    return bool(np.all(there == wanted)) and np.count_nonzero(bits) == np.count_nonzero(there)
