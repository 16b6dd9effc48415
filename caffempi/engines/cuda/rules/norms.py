"""Inner products of pieces of flat arrays: two launches whatever the number of pieces, in an order that is fixed."""
from __future__ import annotations

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import IN, MAX_BLOCKS, OUT, THREADS, Form, Given, Job, rule

FILE = "norms.cu"
SEGMENT = 1 << 15
"""Elements that one block sums."""


@rule(FILE, "arena_products", names=("segment_products", "piece_sums"), ins="f", outs="s")
def _arena_products(job: Job, call: Call, form: Form) -> None:
    """y from a and b."""
    los: list[int] = []
    his: list[int] = []
    first = [0]
    for lo, hi in call.attrs.pieces:
        los += range(lo, hi, SEGMENT)
        his += [min(at + SEGMENT, hi) for at in range(lo, hi, SEGMENT)]
        first.append(len(los))
    pieces, segments = len(call.attrs.pieces), len(los)
    partial = job.take(max(1, segments), "float64")
    if segments:
        job.start("segment_products", min(segments, MAX_BLOCKS), THREADS, segments, Given.of(los, "int64"),
                  Given.of(his, "int64"), IN(0), IN(1), partial)
    job.start("piece_sums", min(pieces, MAX_BLOCKS), 32, pieces, Given.of(first, "int64"), partial, OUT())
