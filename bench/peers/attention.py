"""Attention over the edges of a graph: softmax of scores, dropout, weighted sum.

PyTorch Geometric's way gathers a message per edge and head and adds them up; the tuned way
multiplies a block pattern in which every head has its own values, and never stores a message.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor
from torch_geometric.utils import scatter, softmax

from graph import Blocks, Layer

SLOPE = 0.2  # of the leaky rectifier


def attend(form: str, layer: Layer, heads: int, receive: Tensor, send: Tensor, dense: Tensor, drop):
    """Row i is the sum over j of softmax_j(leaky(receive_i + send_j)) dense_j, for every head.

    receive [rows, heads], send [columns, heads], dense [columns, heads * width]; the result is
    [rows, heads * width]. `drop` is applied to the weights, None: nothing.
    """
    if form == "tuned":
        blocks = layer.blocks(heads)
        weights = _BlockSoftmax.apply(receive, send, blocks)
        weights = weights if drop is None else drop(weights)
        return _BlockSum.apply(weights, dense, blocks)
    scores = receive.index_select(0, layer.row) + send.index_select(0, layer.col)
    weights = softmax(F.leaky_relu(scores, SLOPE), ptr=layer.rowptr)
    weights = weights if drop is None else drop(weights)
    sent = dense.index_select(0, layer.col).view(len(layer.col), heads, -1)
    messages = (sent * weights.unsqueeze(-1)).flatten(1)
    return scatter(messages, layer.row, dim=0, dim_size=len(receive), reduce="sum")


class _BlockSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(context, receive: Tensor, send: Tensor, blocks: Blocks) -> Tensor:
        scores = receive.reshape(-1).index_select(0, blocks.row)
        scores += send.reshape(-1).index_select(0, blocks.col)
        positive = scores > 0
        scores = F.leaky_relu_(scores, SLOPE)
        # Softmax does not change with a shift of its row: one for all spares the maxima of rows.
        weights = scores.sub_(scores.max()).exp_()
        weights /= _row_sums(blocks, weights).index_select(0, blocks.row)
        context.save_for_backward(weights, positive)
        context.blocks = blocks
        return weights

    @staticmethod
    def backward(context, gradient: Tensor):
        weights, positive = context.saved_tensors
        blocks = context.blocks
        gradient = gradient * weights
        gradient -= weights * _row_sums(blocks, gradient).index_select(0, blocks.row)
        gradient = torch.where(positive, gradient, gradient * SLOPE)
        receive = _row_sums(blocks, gradient).view(-1, blocks.heads)
        send = _column_sums(blocks, gradient).view(-1, blocks.heads)
        return receive, send, None


class _BlockSum(torch.autograd.Function):
    @staticmethod
    def forward(context, weights: Tensor, dense: Tensor, blocks: Blocks) -> Tensor:
        context.save_for_backward(weights, dense)
        context.blocks = blocks
        return blocks.matmul(weights, dense)

    @staticmethod
    def backward(context, gradient: Tensor):
        weights, dense = context.saved_tensors
        matrix = context.blocks.matrix
        gradient = gradient.reshape(matrix.shape[0], -1)
        by_weight = matrix.sampled(gradient, dense.reshape(matrix.shape[1], -1))
        by_dense = matrix.with_values(weights).t_product(gradient)
        return by_weight, by_dense.view_as(dense), None


def _row_sums(blocks: Blocks, values: Tensor) -> Tensor:
    return blocks.matrix.with_values(values).row_sums()


def _column_sums(blocks: Blocks, values: Tensor) -> Tensor:
    return blocks.matrix.with_values(values).column_sums()
