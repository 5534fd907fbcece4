"""Sparse matrix x dense matrix on a CPU, in the forms a PyTorch Geometric user can choose from.

A form is a sparse matrix class, and how dropout is drawn. All classes have the same methods, so
that models are written once:

    matrix.matmul(dense)      gradient flows to `dense`, not to the values
    matrix.with_values(v)     same pattern, other values (one per stored entry, row by row)
    matrix.values             one per stored entry

  torch-sparse   torch_sparse.SparseTensor, what PyG itself uses where it is installed
  sparse-csr     torch.sparse CSR tensors (Intel MKL where PyTorch has it)
  sparse-coo     torch.sparse COO tensors
  tuned          no form of PyG's: autograd functions over embedding_bag (FBGEMM's vector code) and
                 the transposed pattern, dropout from 16 random bits an entry; what an expert in
                 PyTorch would write by hand
"""

from __future__ import annotations

import warnings

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
from torch import Tensor

try:
    from torch_sparse import SparseTensor
except ImportError:  # the form "torch-sparse" is then not to be had
    SparseTensor = None

warnings.filterwarnings("ignore", message=".*Sparse (CSR|invariant).*")


class _Matrix:
    """Pattern and values; subclasses add how to multiply."""

    def __init__(self, matrix: sp.csr_matrix):
        matrix = sp.csr_matrix(matrix)
        matrix.sort_indices()
        self.shape = matrix.shape
        self.values = torch.from_numpy(matrix.data.astype(np.float32))
        self.set_pattern(matrix)

    def set_pattern(self, matrix: sp.csr_matrix) -> None:
        raise NotImplementedError

    def matmul(self, dense: Tensor) -> Tensor:
        raise NotImplementedError

    def with_values(self, values: Tensor):
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.values = values
        return other


class TorchSparse(_Matrix):
    def set_pattern(self, matrix):
        if SparseTensor is None:
            raise SystemExit("form torch-sparse: torch_sparse is not installed")
        self.tensor = SparseTensor(
            rowptr=torch.from_numpy(matrix.indptr.astype(np.int64)),
            col=torch.from_numpy(matrix.indices.astype(np.int64)),
            value=self.values,
            sparse_sizes=matrix.shape,
            is_sorted=True,
        )
        self.tensor.storage.fill_cache_()  # the transposed pattern, for gradients

    @torch.compiler.disable
    def matmul(self, dense):
        return self.tensor.set_value(self.values, layout="coo").matmul(dense)


class SparseCsr(_Matrix):
    def set_pattern(self, matrix):
        self.rowptr = torch.from_numpy(matrix.indptr.astype(np.int64))
        self.col = torch.from_numpy(matrix.indices.astype(np.int64))

    @torch.compiler.disable
    def matmul(self, dense):
        return _csr(self.rowptr, self.col, self.values, self.shape) @ dense


class SparseCoo(_Matrix):
    def set_pattern(self, matrix):
        coo = matrix.tocoo()
        self.index = torch.from_numpy(np.stack([coo.row, coo.col]).astype(np.int64))

    @torch.compiler.disable
    def matmul(self, dense):
        tensor = torch.sparse_coo_tensor(
            self.index, self.values, self.shape, is_coalesced=True, check_invariants=False
        )
        return torch.sparse.mm(tensor, dense)


class Tuned(_Matrix):
    def set_pattern(self, matrix):
        order = sp.csr_matrix(
            (np.arange(matrix.nnz), matrix.indices, matrix.indptr), shape=matrix.shape
        ).T.tocsr()
        self.rowptr, self.col, self.t_rowptr, self.t_col, self.t_order = (
            torch.from_numpy(part.astype(np.int32))
            for part in (matrix.indptr, matrix.indices, order.indptr, order.indices, order.data)
        )

    @torch.compiler.disable
    def matmul(self, dense):
        return _BagProduct.apply(dense, self)

    # Without gradients:

    def product(self, dense: Tensor) -> Tensor:
        return _bag(self.rowptr, self.col, self.values, dense)

    def t_product(self, dense: Tensor) -> Tensor:
        """Transposed."""
        return _bag(self.t_rowptr, self.t_col, self.t_values, dense.contiguous())

    @property
    def t_values(self) -> Tensor:
        return self.values.index_select(0, self.t_order)

    def row_sums(self) -> Tensor:
        return self._csr(self.values) @ torch.ones(self.shape[1])

    def column_sums(self) -> Tensor:
        rows, cols = self.shape
        tensor = _csr(self.t_rowptr, self.t_col, self.t_values, (cols, rows))
        return tensor @ torch.ones(rows)

    def sampled(self, left: Tensor, right: Tensor) -> Tensor:
        """A value per stored entry (i, j): the product of row i of `left` and row j of `right`."""
        zeros = self._csr(torch.zeros(len(self.col)))
        return torch.sparse.sampled_addmm(zeros, left, right.t(), beta=0.0).values()

    def _csr(self, values: Tensor) -> Tensor:
        return _csr(self.rowptr, self.col, values, self.shape)


class _BagProduct(torch.autograd.Function):
    @staticmethod
    def forward(context, dense: Tensor, matrix: Tuned) -> Tensor:
        context.matrix = matrix
        return matrix.product(dense)

    @staticmethod
    def backward(context, gradient: Tensor):
        return context.matrix.t_product(gradient), None


def _bag(rowptr: Tensor, col: Tensor, values: Tensor, dense: Tensor) -> Tensor:
    return F.embedding_bag(
        col, dense, rowptr, mode="sum", per_sample_weights=values, include_last_offset=True
    )


def _csr(rowptr: Tensor, col: Tensor, values: Tensor, shape: tuple[int, int]) -> Tensor:
    return torch.sparse_csr_tensor(rowptr, col, values, shape, check_invariants=False)


FORMS = {
    "torch-sparse": TorchSparse,
    "sparse-csr": SparseCsr,
    "sparse-coo": SparseCoo,
    "tuned": Tuned,
}


def make_matrix(form: str, matrix: sp.csr_matrix) -> _Matrix:
    return FORMS[form](matrix)


def dropout(form: str, x: Tensor, p: float) -> Tensor:
    """Training-time dropout."""
    return x * _mask(x.shape, p) if form == "tuned" else F.dropout(x, p)


def _mask(shape: torch.Size, p: float) -> Tensor:
    """0 or 1 / (1 - p), from 16 bits per entry: four entries for a draw of the serial generator."""
    count = shape.numel()
    words = torch.empty((count + 3) // 4, dtype=torch.int64).random_(-(2**63), None)
    bits = words.view(torch.int16)[:count].view(shape)
    keep = round((1 - p) * 65536)
    # Comparing in place keeps the type, and with it PyTorch's vector code.
    return bits.to(torch.float32).lt_(keep - 32768).mul_(65536 / keep)
