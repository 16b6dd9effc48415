"""The way of images in bytes: they are uploaded as they are, a quarter of the float32 bytes, and one kernel transforms them."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from caffempi.engines.access import Recipe
from caffempi.engines.base import PLAIN, Call, Engine, Operands
from caffempi.engines.cuda.device import Device
from caffempi.engines.cuda.transfer import Inlet, copied_to, specs_of
from caffempi.ops.graph import Spec
from caffempi.ops.transform import TransformAttrs


def images_into(engine: Engine, device: Device, arrays: Sequence[Any], recipe: Recipe) -> Inlet:
    """The way of pixels, places and what else a batch has into arrays, the first of which is made by the recipe."""
    top, *rest = arrays
    (made,) = specs_of([top])
    pixels, places = Spec(made.shape, "uint8"), Spec((made.shape[0], 3), "int32")
    mean = () if recipe.mean is None else (device.given(recipe.mean),)
    call = Call("transform", TransformAttrs(recipe.scale), (pixels, places, *specs_of(mean)), (made,))
    offer = next(o for o in engine.offers(call) if o.outs == (PLAIN,))
    kernel, beside = engine.compile(call, offer), copied_to(device, rest)

    def land(staged: list[Any]) -> Callable[[], None]:
        calls = kernel.bind(Operands((staged[0], staged[1], *mean), (top,))), beside(staged[2:])

        def run() -> None:
            for each in calls:
                each()
        return run
    return Inlet(device, [pixels, places, *specs_of(rest)], land)
