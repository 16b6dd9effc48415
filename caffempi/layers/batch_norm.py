"""BatchNorm: normalises each channel, by the statistics of the batch or by running ones. May be in place."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder, at_least, between
from caffempi.ops.affine import AffineAttrs
from caffempi.ops.batch_norm import BatchNormAttrs, channels
from caffempi.ops.graph import Value
from caffempi.proto.caffe_pb2 import FillerParameter


@LAYERS.register("BatchNorm")
class BatchNorm(Layer):
    """batch_norm_param: use_global_stats (unset: in phase TEST), moving_average_fraction (default 0.999), eps (1e-5).

    NVCaffe's scale_bias (false): y = scale * normalised + bias, with two learned blobs more, scale (C, first values
    scale_filler, constant 1) and bias (C, bias_filler, 0); giving one of the fillers means scale_bias too, unless Intel's
    filler shows that bias_filler is Intel's, whose nets have a Scale layer for this.

    The first blobs, none of them learned: sums of means (C) and of variances (C), and the weight of what they sum (1). A
    bottom of one axis is one channel.
    """

    param = "batch_norm_param"
    always_down = True
    obeys = ("batch_norm_param.scale_bias", "batch_norm_param.scale_filler", "batch_norm_param.bias_filler")
    limits = {"moving_average_fraction": between(0, 1), "eps": at_least(0)}

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One batch_norm op, which changes the three blobs, or one batch_norm_global op, which reads them."""
        x = bottoms[0]
        c = channels(x.spec.shape)
        stats = [g.stat((c,)), g.stat((c,)), g.stat((1,))]
        attrs = BatchNormAttrs(self.p.eps, self.p.moving_average_fraction)
        running = self.p.use_global_stats if self.p.HasField("use_global_stats") else self.ctx.phase == "TEST"
        tops = g.emit("batch_norm_global", attrs, [x, *stats]) if running else g.emit("batch_norm", attrs, [x], stats)
        learned = self.p.HasField("scale_filler") or (self.p.HasField("bias_filler") and not self.p.HasField("filler"))
        if not (self.p.scale_bias or learned):
            return tops
        shape = (c,) if len(x.spec.shape) > 1 else ()
        fillers = [getattr(self.p, f) if self.p.HasField(f) else default for f, default in _FILLERS]
        for op, (field, _), filler in zip(("scale", "bias"), _FILLERS, fillers, strict=True):
            tops = g.emit(op, AffineAttrs(), [tops[0], g.param(shape, filler, f"batch_norm_param.{field}")])
        return tops


_FILLERS = (("scale_filler", FillerParameter(value=1)), ("bias_filler", FillerParameter()))
