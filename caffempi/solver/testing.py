"""Testing: the mean of a net's outputs over test_iter batches, shared out over the ranks."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from caffempi.errors import SolverError
from caffempi.net import Net
from caffempi.solver.exchange import STOP, Exchange
from caffempi.solver.report import Report
from caffempi.solver.resume import kept

Requests = Callable[[], int]


class Scores(NamedTuple):
    """loss: mean weighted loss; outputs: blob -> mean values, in the order of the net's outputs."""

    loss: float
    outputs: dict[str, np.ndarray]


def test_all(nets: Sequence[Net], batches: Sequence[int], exchange: Exchange, report: Report, iteration: int, *,
             with_loss: bool = False, requests: Requests = lambda: 0) -> bool:
    """Tests all nets and logs their scores; False where a stop was asked for on the way.

    A test round is done whole or not at all: after a stop the data of all nets stands where it stood, so that a resumed
    run, which does the round anew, sees the same batches as an uninterrupted one.
    """
    starts = [{name: feed.position() for name, feed in net.feeds.items()} for net in nets]
    memory = [a.copy() for a in kept(nets)]
    for k, (net, count) in enumerate(zip(nets, batches, strict=True)):
        report.testing(iteration, k)
        scores = run_test(net, count, exchange, iteration * count, requests)
        if scores is None:
            report.line("Test interrupted.")
            for moved, places in zip(nets, starts, strict=True):
                for name, feed in moved.feeds.items():
                    feed.seek(places[name])
            for array, before in zip(kept(nets), memory, strict=True):
                array[...] = before
            return False
        if with_loss:
            report.test_loss(scores.loss)
        report.outputs("Test", [(name, values, net.blob_loss_weights.get(name, 0.0))
                                for name, values in scores.outputs.items()])
    return True


def run_test(net: Net, batches: int, exchange: Exchange, ordinal: int = 0, requests: Requests = lambda: 0,
             each: Callable[[int, Scores], None] | None = None) -> Scores | None:
    """Runs the next `batches` batches of the net's data; None, at any point of the data, where a stop was asked for.

    Rank r of n takes batches r, r + n, ...; sums (in float64) are added over ranks and divided by `batches`, so for
    counts like an accuracy the result is that of one rank, to the bit. Afterwards the data stands `batches` batches
    further on. A stop is voted on before each round of batches. ordinal: number of the first batch for what the net
    draws at random. each(batch, scores) is told, on every rank, the scores of every batch in order, at the price of one
    more sum over ranks a round. Raises SolverError where an output changes its size between batches. Collective.
    """
    starts = {name: feed.position() for name, feed in net.feeds.items()}
    shapes = {name: net.blobs[name].shape for name in net.outputs}
    sums = np.zeros(1 + sum(int(np.prod(shape)) for shape in shapes.values()))
    for first in range(0, batches, exchange.size):
        if exchange.vote(requests()) & STOP:
            return None
        mine = np.zeros_like(sums)
        if first + exchange.rank < batches:
            net.run_ordinal = ordinal + first + exchange.rank
            mine[0] = net.run_forward()
            mine[1:] = _outputs(net, shapes)
        sums += mine
        if each is not None:
            rows: np.ndarray = np.zeros((exchange.size, sums.size))
            rows[exchange.rank] = mine
            rows = exchange.totals(rows.reshape(-1)).reshape(rows.shape)
            for k in range(min(exchange.size, batches - first)):
                each(first + k, _scores(rows[k], shapes))
    if batches % exchange.size:
        _line_up(net, starts, batches, exchange)
    return _scores(exchange.totals(sums) / batches, shapes)


def _scores(vector: np.ndarray, shapes: dict[str, tuple[int, ...]]) -> Scores:
    """The loss and, blob by blob, what `_outputs` gave, as one vector."""
    outputs: dict[str, np.ndarray] = {}
    at = 1
    for name, shape in shapes.items():
        count = int(np.prod(shape))
        outputs[name] = vector[at:at + count].reshape(shape)
        at += count
    return Scores(float(vector[0]), outputs)


def _outputs(net: Net, shapes: dict[str, tuple[int, ...]]) -> np.ndarray:
    """All output values of one batch in one vector."""
    parts = [np.zeros(0)]
    for name, shape in shapes.items():
        data = net.read(name)
        if data.shape != shape:
            raise SolverError(f'test output "{name}" has shape {list(shape)} in one batch and {list(data.shape)} in another, '
                              "so that there is no mean", fix="let the net end in blobs of fixed size, such as Accuracy's")
        parts.append(data.reshape(-1).astype(np.float64))
    return np.concatenate(parts)


def _line_up(net: Net, starts: dict[str, int], batches: int, exchange: Exchange) -> None:
    """After a last round with fewer batches than ranks: all ranks' data goes where that of one rank would be."""
    rounds = -(-batches // exchange.size)                      # rank 0 took part in all of them
    ends = [starts[name] + (feed.position() - starts[name]) // rounds * batches // exchange.size
            if exchange.rank == 0 else 0 for name, feed in net.feeds.items()]
    for feed, end in zip(net.feeds.values(), exchange.totals(np.array(ends, np.float64)), strict=True):
        feed.seek(int(end))
