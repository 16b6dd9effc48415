"""BatchNorm: normalises each channel, by the statistics of the batch or by running ones. May be in place."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder, at_least, between
from caffempi.ops.batch_norm import BatchNormAttrs, channels
from caffempi.ops.graph import Value


@LAYERS.register("BatchNorm")
class BatchNorm(Layer):
    """batch_norm_param: use_global_stats (unset: in phase TEST), moving_average_fraction (default 0.999), eps (1e-5).

    The blobs, none of them learned: sums of means (C) and of variances (C), and the weight of what they sum (1). A
    bottom of one axis is one channel.
    """

    param = "batch_norm_param"
    always_down = True
    limits = {"moving_average_fraction": between(0, 1), "eps": at_least(0)}

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One batch_norm op, which changes the three blobs, or one batch_norm_global op, which reads them."""
        x = bottoms[0]
        c = channels(x.spec.shape)
        stats = [g.stat((c,)), g.stat((c,)), g.stat((1,))]
        attrs = BatchNormAttrs(self.p.eps, self.p.moving_average_fraction)
        running = self.p.use_global_stats if self.p.HasField("use_global_stats") else self.ctx.phase == "TEST"
        if running:
            return g.emit("batch_norm_global", attrs, [x, *stats])
        return g.emit("batch_norm", attrs, [x], stats)
