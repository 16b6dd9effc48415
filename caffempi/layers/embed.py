"""Embed: each index of its bottom becomes a learned vector."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder, above
from caffempi.ops.affine import AffineAttrs
from caffempi.ops.graph import Value
from caffempi.ops.rows import RowsAttrs


@LAYERS.register("Embed")
class Embed(Layer):
    """embed_param: num_output, input_dim (the number of indices), bias_term (true), fillers.

    The top has the bottom's shape and one more axis, of num_output. Blobs: the vectors (input_dim, num_output), bias
    (num_output). Indices are 0..input_dim - 1; they have no gradient.
    """

    param = "embed_param"
    limits = {"num_output": above(0), "input_dim": above(0)}
    labels = (0,)

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """A rows op, and a bias op with bias_term."""
        p = self.p
        weights = g.param((p.input_dim, p.num_output), p.weight_filler, "embed_param.weight_filler")
        tops = g.emit("rows", RowsAttrs(), [weights, bottoms[0]])
        if p.bias_term:
            bias = g.param((p.num_output,), p.bias_filler, "embed_param.bias_filler")
            tops = g.emit("bias", AffineAttrs(-1), [tops[0], bias])
        return tops
