"""The gradient models of "Pitfalls of GNN Evaluation" with the settings of its Table 1.

Each is written once over the sparse forms of sparse.py. `decay` pairs every regularised matrix with
its factor: the loss is cross-entropy + factor / 2 * sum of squares.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

import sparse
from attention import attend
from graph import Inputs, Layer


class Model(nn.Module):
    lr = 0.01
    hops = 2
    rows = ("all", "needed")  # the choices of rows that make sense

    def __init__(self, form: str, num_features: int, num_classes: int):
        super().__init__()
        self.form = form
        self.decay: list[tuple[nn.Parameter, float]] = []
        self.build(num_features, num_classes)

    def matrix(self, *shape: int, l2: float = 0.0) -> nn.Parameter:
        """Glorot-uniform."""
        parameter = nn.Parameter(nn.init.xavier_uniform_(torch.empty(shape)))
        if l2:
            self.decay.append((parameter, l2))
        return parameter

    def drop(self, x: Tensor, p: float) -> Tensor:
        return sparse.dropout(self.form, x, p) if self.training else x

    def drop_sparse(self, x, p: float):
        return x.with_values(self.drop(x.values, p)) if self.training else x

    def penalty(self) -> Tensor:
        total = torch.zeros(())
        for parameter, factor in self.decay:
            flat = parameter.view(-1)
            total = total + 0.5 * factor * torch.dot(flat, flat)
        return total


def zeros(*shape: int) -> nn.Parameter:
    return nn.Parameter(torch.zeros(shape))


class Gcn(Model):
    def build(self, num_features, num_classes, hidden=64):
        self.w1 = self.matrix(num_features, hidden, l2=1e-3)
        self.b1 = zeros(hidden)
        self.w2 = self.matrix(hidden, num_classes)
        self.b2 = zeros(num_classes)

    def forward(self, inputs: Inputs) -> Tensor:
        first, second = inputs.layers
        h = self.drop_sparse(inputs.features.sparse, 0.8).matmul(self.w1)
        h = F.relu(first.symmetric.matmul(h) + self.b1)
        h = self.drop(h, 0.8) @ self.w2
        return inputs.select(second.symmetric.matmul(h)) + self.b2


class Mlp(Model):
    lr = 0.005
    hops = 0

    def build(self, num_features, num_classes, hidden=64):
        self.w1 = self.matrix(num_features, hidden, l2=0.01)
        self.b1 = zeros(hidden)
        self.w2 = self.matrix(hidden, num_classes, l2=0.01)
        self.b2 = zeros(num_classes)

    def forward(self, inputs: Inputs) -> Tensor:
        h = self.drop_sparse(inputs.features.sparse, 0.8).matmul(self.w1)
        h = self.drop(F.relu(h + self.b1), 0.8)
        return inputs.select(torch.addmm(self.b2, h, self.w2))


class LogReg(Model):
    lr = 0.1
    hops = 0

    def build(self, num_features, num_classes):
        self.w = self.matrix(num_features, num_classes, l2=5e-4)
        self.b = zeros(num_classes)

    def forward(self, inputs: Inputs) -> Tensor:
        return inputs.select(inputs.features.sparse.matmul(self.w)) + self.b


class Gat(Model):
    """As the reference: every head draws its own dropout of the inputs, and of what it sends on."""

    shared_mask = False

    def build(self, num_features, num_classes, heads=8, width=8):
        self.heads = (heads, 1)
        self.w = nn.ParameterList()
        self.receive, self.send, self.bias = (
            nn.ParameterList(),
            nn.ParameterList(),
            nn.ParameterList(),
        )
        self.offset = nn.ParameterList()  # the reference's scalar biases of both attention terms
        sizes = [(num_features, heads, width), (heads * width, 1, num_classes)]
        for fan_in, count, fan_out in sizes:
            # Glorot per head, not over the concatenation.
            blocks = [nn.init.xavier_uniform_(torch.empty(fan_in, fan_out)) for _ in range(count)]
            vectors = [nn.init.xavier_uniform_(torch.empty(fan_out, 1)) for _ in range(2 * count)]
            self.w.append(torch.cat(blocks, dim=1))
            self.receive.append(torch.cat(vectors[:count], dim=1).t().contiguous())
            self.send.append(torch.cat(vectors[count:], dim=1).t().contiguous())
            self.bias.append(zeros(count * fan_out))
            self.offset.append(zeros(2, count))
        self.decay = [(p, 0.01) for group in (self.w, self.receive, self.send) for p in group]

    def forward(self, inputs: Inputs) -> Tensor:
        first, second = inputs.layers
        h = F.elu(self.layer(0, first, self.project_features(inputs)))
        h = self.drop(h, 0.6) @ self.w[1]
        return inputs.select(self.layer(1, second, h))

    def project_features(self, inputs: Inputs) -> Tensor:
        if self.shared_mask or not self.training:
            return self.drop_sparse(inputs.features.sparse, 0.6).matmul(self.w[0])
        blocks = inputs.features.blocks(self.heads[0])
        return blocks.matmul(self.drop(blocks.matrix.values, 0.6), self.w[0])

    def layer(self, index: int, layer: Layer, h: Tensor) -> Tensor:
        heads = self.heads[index]
        # Both attention terms of all heads as one product with a block-diagonal matrix.
        spread = torch.eye(heads).unsqueeze(1)  # [heads, 1, heads]
        vectors = [self.receive[index].unsqueeze(-1), self.send[index].unsqueeze(-1)]
        terms = h @ torch.cat([vector * spread for vector in vectors], dim=-1).flatten(0, 1)
        receive, send = (terms + self.offset[index].view(-1)).split(heads, dim=1)
        if not self.shared_mask:
            h = self.drop(h, 0.6)
        drop = (lambda weights: self.drop(weights, 0.3)) if self.training else None
        return (
            attend(self.form, layer, heads, layer.own_rows(receive), send, h, drop)
            + self.bias[index]
        )


class GatShared(Gat):
    """As PyTorch Geometric's GATConv: one mask of the inputs, none of what heads send on."""

    shared_mask = True


class MoNet(Model):
    lr = 0.003
    kernels = 2

    def build(self, num_features, num_classes, hidden=32, coordinates=2):
        self.w1 = self.matrix(num_features, self.kernels * hidden)
        self.w2 = self.matrix(hidden, self.kernels * num_classes)
        with torch.no_grad():  # Glorot per kernel, not over the concatenation
            for block in (*self.w1.split(hidden, 1), *self.w2.split(num_classes, 1)):
                nn.init.xavier_uniform_(block)
        self.decay.append((self.w1, 0.05))
        self.project = self.matrix(2, coordinates)
        self.offset = zeros(coordinates)
        start = torch.arange(-1 + 1 / (2 * self.kernels), 1, 2 / self.kernels)
        self.mu = nn.Parameter(start.view(-1, 1).repeat(1, coordinates))
        self.sigma = nn.Parameter(torch.ones(self.kernels, coordinates))

    def forward(self, inputs: Inputs) -> Tensor:
        first, second = inputs.layers
        h = self.drop_sparse(inputs.features.sparse, 0.7).matmul(self.w1)
        h = self.drop(F.relu(self.layer(first, h)), 0.7) @ self.w2
        return inputs.select(self.layer(second, h))

    def layer(self, layer: Layer, h: Tensor) -> Tensor:
        v = torch.tanh(layer.pseudo @ self.project + self.offset).unsqueeze(1)
        exponent = -0.5 * (v - self.mu) ** 2 / (1e-14 + self.sigma**2)
        weights = exponent.sum(-1).exp()  # [edges, kernels]
        rows = len(layer.rowptr) - 1
        total = torch.zeros(rows, self.kernels).index_add(0, layer.row, weights)
        weights = weights / (1e-14 + total.index_select(0, layer.row))
        sent = h.index_select(0, layer.col).view(len(layer.col), self.kernels, -1)
        message = torch.einsum("ek,ekd->ed", weights, sent)
        return torch.zeros(rows, message.shape[1]).index_add(0, layer.row, message)


class Sage(Model):
    """GraphSAGE over full neighbourhoods; subclasses aggregate."""

    lr = 0.001
    p = 0.4
    l2 = 0.1
    released_norm = False

    def build(self, num_features, num_classes, hidden=32):
        self.layer1 = self.weights(num_features, hidden, self.l2)
        self.layer2 = self.weights(hidden, num_classes, 0.0)

    def weights(self, fan_in: int, fan_out: int, l2: float) -> nn.ParameterDict:
        return nn.ParameterDict(
            {
                "neighbours": self.matrix(fan_in, fan_out, l2=l2),
                "own": self.matrix(fan_in, fan_out, l2=l2),
                "bias": zeros(fan_out),
            }
        )

    def forward(self, inputs: Inputs) -> Tensor:
        first, second = inputs.layers
        x = self.drop_sparse(inputs.features.sparse, self.p)
        h = F.relu(self.layer(first, self.layer1, x.matmul))
        h = self.drop(h, self.p)
        return inputs.select(self.layer(second, self.layer2, h.matmul))

    def layer(self, layer: Layer, weights: nn.ParameterDict, times) -> Tensor:
        neighbours, own = self.aggregate(layer, weights, times)
        h = neighbours + layer.own_rows(own) + weights["bias"]
        squares = h.square().sum(1, keepdim=True)
        if self.released_norm:  # the gradient at a row of zeros is NaN, and ends the run
            return h / squares.sqrt().clamp(min=1)
        return h * squares.clamp(min=1).rsqrt()


class SageMean(Sage):
    def aggregate(self, layer, weights, times):
        # One product for both matrices.
        both = times(torch.cat([weights["neighbours"], weights["own"]], dim=1))
        neighbours, own = both.split(both.shape[1] // 2, dim=1)
        return layer.mean.matmul(neighbours), own


class SagePool(Sage):
    pool = 32

    def weights(self, fan_in, fan_out, l2):
        weights = super().weights(fan_in, fan_out, l2)
        self.decay = [pair for pair in self.decay if pair[0] is not weights["neighbours"]]
        weights["neighbours"] = self.matrix(self.pool, fan_out, l2=l2)
        weights["pool"] = self.matrix(fan_in, self.pool)
        return weights

    def aggregate(self, layer, weights, times):
        both = times(torch.cat([weights["pool"], weights["own"]], dim=1))
        pooled, own = both.tensor_split([self.pool], dim=1)
        return self.reduce(layer, F.relu(pooled)) @ weights["neighbours"], own


class SageMeanPool(SagePool):
    p, l2, pool = 0.2, 0.01, 8

    def reduce(self, layer, pooled):
        return layer.mean.matmul(pooled)


class SageMaxPool(SagePool):
    p, l2, pool = 0.3, 0.005, 32
    rows = ("all",)  # node 0 enters almost every maximum

    def reduce(self, layer, pooled):
        sent = pooled.index_select(0, layer.col)
        index = layer.row.unsqueeze(1).expand_as(sent)
        top = torch.zeros(len(layer.rowptr) - 1, self.pool)
        top = top.scatter_reduce(0, index, sent, "amax", include_self=False)
        # The reference pads neighbour lists with node 0 up to the largest degree.
        padded = (layer.rowptr.diff() < layer.rowptr.diff().max()).unsqueeze(1)
        return torch.where(padded, torch.maximum(top, pooled[0]), top)


MODELS = {
    "gcn": Gcn,
    "gat": Gat,
    "gat-shared": GatShared,
    "monet": MoNet,
    "gs-mean": SageMean,
    "gs-meanpool": SageMeanPool,
    "gs-maxpool": SageMaxPool,
    "mlp": Mlp,
    "logreg": LogReg,
}
