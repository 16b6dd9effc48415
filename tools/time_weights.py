#!/usr/bin/env python3
"""Prints how fast a large .caffemodel is read, copied into a net and written, and what memory that takes.

    python tools/time_weights.py [--megabytes 500] [--folder /tmp]

The file is made first: InnerProduct layers of about 16 MB each. Private memory is what the process holds beside pages of
the mapped file (Linux: Private_Dirty of /proc/self/smaps_rollup); it is compared with the file's size.
"""
from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from caffempi.weights import LayerRecord, read_weights, write_weights

SIDE = 2048


def private() -> float:
    """Private memory of this process in MB."""
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
        if line.startswith("Private_Dirty:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("the system does not tell Private_Dirty")


def measure(megabytes: int, folder: Path) -> dict[str, float]:
    """Seconds and MB: file, write_s, read_s, read_mb (private memory more than before), copy_s, copy_mb."""
    path = folder / "big.caffemodel"
    count = max(1, round(megabytes * 2**20 / (4 * SIDE * SIDE)))
    one = np.random.default_rng(0).standard_normal((SIDE, SIDE), np.float32)
    records = [LayerRecord(f"ip{k}", "InnerProduct", (), (), [one], None, frozenset(), None) for k in range(count)]
    began = time.perf_counter()
    write_weights(path, "big", records, "BINARYPROTO")
    found = {"file": path.stat().st_size / 2**20, "write_s": time.perf_counter() - began}
    target = [np.zeros_like(one) for _ in range(count)]
    for array in target:
        array.fill(1)                                          # the net's own memory is there before the file is read
    before, began = private(), time.perf_counter()
    layers = read_weights(path)
    found["read_s"], found["read_mb"] = time.perf_counter() - began, private() - before
    for array, blobs in zip(target, layers.values(), strict=True):
        np.copyto(array, blobs[0])
    found["copy_s"], found["copy_mb"] = time.perf_counter() - began, private() - before
    if not all(np.array_equal(array, one) for array in target):
        raise RuntimeError("what was read is not what was written")
    return found


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=500)
    parser.add_argument("--folder", type=Path, help="where the file is made (default: the system's place for such)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        m = measure(args.megabytes, Path(folder))
    print(f"file                        {m['file']:8.1f} MB")
    print(f"written, synced to disk     {m['write_s']:8.2f} s")
    print(f"read (mapped)               {m['read_s']:8.2f} s   {m['read_mb']:8.1f} MB private")
    print(f"read and copied into a net  {m['copy_s']:8.2f} s   {m['copy_mb']:8.1f} MB private beside the net's own")
    return 0


if __name__ == "__main__":
    sys.exit(main())
