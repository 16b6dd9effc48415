"""Loss scaling, in float32 whatever activations are: a product a loss, a look at the gradients, one block that decides."""
from __future__ import annotations

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import IN, OUT, THREADS, Form, Job, blocks_for, rule

FILE = "loss_scale.cu"


@rule(FILE, "scale_seed", names=("scale_seed",), ins="f", outs="f")
def _scale_seed(job: Job, call: Call, form: Form) -> None:
    """y from x and the factor."""
    count = call.ins[0].count
    job.start("scale_seed", blocks_for(count), THREADS, count, IN(0), IN(1), OUT())


@rule(FILE, "nonfinite", names=("nonfinite",), ins="f", outs="f")
def _nonfinite(job: Job, call: Call, form: Form) -> None:
    """Each block has flags of its own."""
    count, flags = call.ins[0].count, call.ins[1].count
    job.start("nonfinite", max(1, min(blocks_for(count, 4), flags)), THREADS, count, IN(0), flags, IN(1), OUT())


@rule(FILE, "loss_scale", names=("loss_scale",), ins="f", outs="f")
def _loss_scale(job: Job, call: Call, form: Form) -> None:
    """One block reads all flags."""
    attrs, (rows, width) = call.attrs, call.ins[4].shape
    job.start("loss_scale", 1, THREADS, call.ins[0].count, IN(0), IN(1), IN(2), IN(3), rows, width, IN(4),
              OUT(0), OUT(1), OUT(2), OUT(3), OUT(4), float(attrs.every), attrs.lowest, attrs.highest, strided=False)
