"""MultinomialLogisticLoss: the negative log-likelihood of the labels under given probabilities."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value


@LAYERS.register("MultinomialLogisticLoss")
class MultinomialLogisticLoss(Layer):
    """Has no message of its own. bottoms: probabilities, N items of C classes, and one label for each item."""

    bottoms = (2, 2)
    loss = True
    labels = (1,)
    auto_tops = True

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One multinomial_loss op."""
        return g.emit("multinomial_loss", None, bottoms)
