#!/usr/bin/env python3
"""Reads damaged files of every kind until something other than an error of ours comes out.

    python tools/fuzz.py [--minutes 10] [--kind "weights hdf5"] [--first 0]

A case is a kind of file, a way of damaging it and a number; the three give the same bytes every time. Real files are
damaged: truncated, flipped bits, pieces spliced and repeated, lengths and numbers edited. Reading must give values or one
line of the errors listed for the kind, within a second and 512 MB. A batch runs in a process of its own, so that a crash or
an endless loop is found too. Exit code 0: nothing was found.
"""
from __future__ import annotations

import argparse
import itertools
import random
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"
LARGEST_TEXT, BATCH = 12_000, 200
SECONDS, MEGABYTES = 1.0, 512


def truncate(data: bytearray, rng: random.Random) -> None:
    """Cuts the end off."""
    del data[rng.randrange(len(data)):]


def flip(data: bytearray, rng: random.Random) -> None:
    """Flips single bits."""
    for _ in range(rng.choice([1, 1, 4, 32])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def splice(data: bytearray, rng: random.Random) -> None:
    """Puts one piece of the file in place of another."""
    start, source, length = rng.randrange(len(data)), rng.randrange(len(data)), rng.randrange(1, 300)
    data[start:start + rng.randrange(300)] = data[source:source + length]


def repeat(data: bytearray, rng: random.Random) -> None:
    """Writes a piece several times, up to thousands."""
    start, length = rng.randrange(len(data)), rng.choice([1, 2, 8, 100])
    data[start:start] = data[start:start + length] * rng.choice([1, 3, 50, 3000])


def lengths(data: bytearray, rng: random.Random) -> None:
    """Puts extreme numbers where lengths, sizes and addresses may be; most stand near the start."""
    start, width = rng.randrange(min(len(data), rng.choice([100, 3000, 10**6]))), rng.choice([1, 2, 4, 8])
    data[start:start + width] = rng.choice([b"\xff" * width, bytes(width), b"\x7f" * width, rng.randbytes(width)])


def words(data: bytearray, rng: random.Random) -> None:
    """Puts words, signs and numbers of prototxt (or what looks like them) anywhere."""
    for _ in range(rng.randint(1, 3)):
        start = rng.randrange(len(data))
        data[start:start + rng.choice([0, 1, 8])] = rng.choice([
            b"{", b"}", b"<", b"[", b"]", b":", b'"', b"'", b"\\", b"#", b"//", b"\n", b"-", b"true", b"nan", b"-inf", b"1e999",
            b"layer {", b"layers {", b'input: "x"', b"input_dim: 3", b"99999999999999999999", b"0x", b"09", b"\xff", b"\0",
            b"\xef\xbb\xbf", b"{" * 500, b"type: 5", b"dim: -1", b"solver_type: 9", b"\xd0\xb6", b"\\x", b"\\777"])


MUTATORS: dict[str, Callable[[bytearray, random.Random], None]] = {
    f.__name__: f for f in (truncate, flip, splice, repeat, lengths, words)}


class Kind(NamedTuple):
    """A kind of file: real ones, what reads a path, the names of the only errors that may come out, and what must hold of a
    value that was read (a sentence where it does not)."""

    files: Callable[[], list[bytes]]
    read: Callable[[str], Any]
    errors: tuple[str, ...]
    holds: Callable[[Any], str | None] = lambda value: None


def texts(message: str) -> list[bytes]:
    """Prototxts of one message from the golden files, those that are not long."""
    with tarfile.open(GOLDEN / "forks" / "texts.tar.xz") as archive:
        members = [m for m in archive.getmembers() if m.name.startswith(f"{message}/")]
        found = [file.read() for m in members if (file := archive.extractfile(m)) is not None]
    if message == "NetParameter":
        found += [p.read_bytes() for p in sorted((GOLDEN / "upgrade").glob("*.old.prototxt"))]
    return [text for text in found if len(text) <= LARGEST_TEXT]


def weights(name: str) -> list[bytes]:
    """One golden file."""
    return [(GOLDEN / "weights" / name).read_bytes()]


def written_again(read: Any) -> str | None:
    """A text's message, written, reads as the same message."""
    from caffempi.proto.parse import parse
    from caffempi.proto.text import write
    text, again = write(read[0]), type(read[0])()
    parse(text, again, "again")
    return None if write(again) == text else "what was written reads as something else"


def kinds() -> dict[str, Kind]:
    """All kinds by name."""
    from caffempi.proto.binary import read_net_binary
    from caffempi.proto.text import read_net, read_solver
    from caffempi.weights import read_blob, read_state, read_weights
    return {
        "net text": Kind(lambda: texts("NetParameter"), read_net, ("TextError", "NetError"), written_again),
        "solver text": Kind(lambda: texts("SolverParameter"), read_solver, ("TextError", "NetError", "SolverError"),
                            written_again),
        "net binary": Kind(lambda: weights("sgd.caffemodel"), read_net_binary, ("WeightsError", "NetError")),
        "weights": Kind(lambda: weights("sgd.caffemodel"), read_weights, ("WeightsError",)),
        "weights hdf5": Kind(lambda: weights("adadelta.caffemodel.h5"), read_weights, ("WeightsError",)),
        "state": Kind(lambda: weights("sgd.solverstate"), read_state, ("WeightsError",)),
        "state hdf5": Kind(lambda: weights("adadelta.solverstate.h5"), read_state, ("WeightsError",)),
        "mean": Kind(lambda: weights("mean.binaryproto"), read_blob, ("WeightsError",)),
    }


def damaged(files: list[bytes], kind: str, mutator: str, number: int) -> bytes:
    """The bytes of a case."""
    rng = random.Random(f"{kind} {mutator} {number}")
    data = bytearray(rng.choice(files))
    MUTATORS[mutator](data, rng)
    return bytes(data)


def fault(kind: Kind, path: Path) -> str | None:
    """What is wrong with reading the file, or None: it was read, or refused as it should be."""
    began = time.process_time()
    try:
        value = kind.read(str(path))
    except Exception as err:
        if type(err).__name__ not in kind.errors:
            return f"{type(err).__name__}: {err}"
        if "\n" in str(err) or str(path) not in str(err):
            return f"an error that is no line naming the file: {err}"
        value = None
    took = time.process_time() - began
    return f"took {took:.1f} s" if took > SECONDS else kind.holds(value) if value is not None else None


def run(kind: str, mutator: str, first: int, count: int, folder: Path) -> list[str]:
    """What a row of cases brought to light, a line each. The case at hand is in `folder`/case, for whoever finds a crash."""
    made, found = kinds()[kind], []
    files, path = made.files(), folder / "case"
    for number in range(first, first + count):
        path.write_bytes(damaged(files, kind, mutator, number))
        why = fault(made, path)
        if why is not None:
            found.append(f"{kind} {mutator} {number}: {why}")
    return found


def main() -> int:
    """Command line; 1 where something was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--kind", choices=sorted(kinds()), help="only this kind of file")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--batch", nargs=3, metavar=("KIND", "MUTATOR", "FIRST"), help="one batch, in this process")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if args.batch:
            for line in run(args.batch[0], args.batch[1], int(args.batch[2]), BATCH, Path(folder)):
                print(line)
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            if used > MEGABYTES:
                print(f"{' '.join(args.batch)}: {used} MB of memory")
            return 0
    end, cases, found = time.monotonic() + 60 * args.minutes, 0, 0
    batches = ([kind, mutator, str(number)] for number in itertools.count(args.first, BATCH)
               for kind in ([args.kind] if args.kind else kinds()) for mutator in MUTATORS)
    for batch in batches:
        if time.monotonic() > end:
            break
        try:
            ran = subprocess.run([sys.executable, __file__, "--batch", *batch], capture_output=True, text=True, timeout=120,
                                 cwd=ROOT)
            lines = ran.stdout.splitlines()
            if ran.returncode:
                lines.append(f"{' '.join(batch)}: ended with code {ran.returncode}: {ran.stderr[-300:]}")
        except subprocess.TimeoutExpired:
            lines = [f"{' '.join(batch)}: no end"]
        found, cases = found + len(lines), cases + BATCH
        print("\n".join(lines), end="\n" if lines else "", flush=True)
    print(f"{cases} cases, {found} found; the next run: --first {batch[2]}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
