"""Rows of a table picked by index, and the gradient of the table: indices are sorted, equal ones summed in order.

The table is float32, a param. An index that is no row gives NaN, counts for no row backward, and sets the word of faults.
"""
from __future__ import annotations

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import ADD, FAULT, IN, MAX_BLOCKS, OUT, THREADS, Form, Job, blocks_for, rule
from caffempi.ops.shapes import product

FILE = "rows.cu"


@rule(FILE, "rows", names=("rows<{T}>",), ins="f")
def _rows(job: Job, call: Call, form: Form) -> None:
    """y from table and index."""
    table, count = call.ins[0].shape, call.outs[0].count
    job.start(f"rows<{form.t}>", blocks_for(count), THREADS, count, product(table[1:]), table[0], IN(0), IN(1), OUT(), FAULT)


@rule(FILE, "rows_dtable", ins="fT", outs="f", accumulates=True,
      names=("sum_runs<{T}>", f"sort_chunks<{THREADS}>", f"merge<{THREADS}>", f"clear<{THREADS}>"))
def _rows_dtable(job: Job, call: Call, form: Form) -> None:
    """dtable from index and dy."""
    table, n = call.outs[0].shape, call.ins[0].count
    width, count = product(table[1:]), call.outs[0].count
    job.start(f"clear<{THREADS}>", blocks_for(count), THREADS, count, OUT(), ADD)
    if n == 0:
        return
    keys, other = job.take(n, "uint64"), job.take(n, "uint64")
    job.start(f"sort_chunks<{THREADS}>", blocks_for(n), THREADS, n, table[0], IN(0), keys, FAULT)
    run = THREADS
    while run < n:
        job.start(f"merge<{THREADS}>", blocks_for(n), THREADS, n, run, keys, other)
        keys, other, run = other, keys, 2 * run
    threads = min(THREADS, max(32, -(-width // 32) * 32))
    job.start(f"sum_runs<{form.t}>", min(n, MAX_BLOCKS), threads, n, width, table[0], keys, IN(1), OUT())
