"""Python: a layer that is a class of the user's own."""
from __future__ import annotations

from caffempi.errors import NetError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.python import PythonAttrs


@LAYERS.register("Python")
class Python(Layer):
    """python_param: module, layer (a class in it, derived from caffempi.Layer), param_str (handed to it).

    The class has setup(bottom, top), reshape(bottom, top), forward(bottom, top) and, where a gradient is wanted,
    backward(top, propagate_down, bottom), as in pycaffe; reshape runs before each forward. Blobs that its setup adds with
    self.blobs.add_blob(dims) are learned. Where modules are looked for, and what else there is: docs/extending.md.
    share_in_parallel has no effect: each rank has an object of its own.
    """

    bottoms, tops = (0, None), (0, None)
    param = "python_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One python op. Raises NetError where module or class cannot be had, CodeError where the user's code fails."""
        for name, what in (("module", "a module"), ("layer", "a class of its module")):
            if not getattr(self.p, name):
                raise NetError("is missing", field=f"python_param.{name}", fix=f"name {what}")
        if "python" not in self.ctx.extra:
            raise NetError("the net is built where no code of users runs", fix="build it as a caffempi.Net")
        host = self.ctx.extra["python"](self.lp, [v.spec for v in bottoms])
        blobs = [g.param(shape) for shape in host.blob_shapes]
        same = tuple(list(self.lp.top[i:i + 1]) == [b] for i, b in enumerate(self.lp.bottom))
        return g.emit("python", PythonAttrs(f"{self.p.module}.{self.p.layer}", self.p.param_str, same, host),
                      [*bottoms, *blobs])
