"""What a continued run needs beyond Caffe's own solver state, so that it ends with the bits of one never stopped.

Seed and count of passes (random numbers), how far each data layer of each net has read, the window of losses, what
recurrent layers keep from run to run, and with several ranks each rank's own BatchNorm statistics (the weights file has
their average).
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from caffempi.data.feed import Feed
from caffempi.errors import WeightsError
from caffempi.net import Net
from caffempi.proto import caffe_pb2
from caffempi.solver.exchange import Exchange
from caffempi.weights import State

_MOST = 1 << 48                                                # records that a position may count


def positions(net: Net, tests: Sequence[Net]) -> Iterator[tuple[caffe_pb2.Phase, int, str, Feed]]:
    """(phase, index of the test net, layer name, feed) of all nets."""
    for name, feed in net.feeds.items():
        yield caffe_pb2.TRAIN, 0, name, feed
    for k, test in enumerate(tests):
        for name, feed in test.feeds.items():
            yield caffe_pb2.TEST, k, name, feed


def head_of(state: State | None) -> bytes:
    """All of a state but its history, as a serialised SolverState; b"" without one."""
    head = caffe_pb2.SolverState()
    if state is not None:
        head.iter, head.current_step, head.iter_last_event = state.iter, state.current_step, state.iter_last_event
        if state.minimum_loss is not None:
            head.minimum_loss = state.minimum_loss
        if state.resume is not None:
            head.caffempi.CopyFrom(state.resume)
    return head.SerializeToString()


def collect(seed: int, net: Net, tests: Sequence[Net], losses: Iterable[float], exchange: Exchange) -> caffe_pb2.ResumeState:
    """The message of the moment. Collective: losses are averaged and statistics gathered over ranks."""
    message = caffe_pb2.ResumeState(seed=seed, run_ordinal=net.run_ordinal, ranks=exchange.size)
    for phase, k, layer, feed in positions(net, tests):
        message.data.add(layer=layer, records=feed.position(), phase=phase, net=k)
    message.loss_window.extend(exchange.totals(np.array(list(losses), np.float64)) / exchange.size)
    stat = net.engine.get(net.arena.stat)
    if exchange.size > 1 and stat.size:
        everyone = np.zeros((exchange.size, stat.size))
        everyone[exchange.rank] = stat
        for row in exchange.totals(everyone.reshape(-1)).reshape(everyone.shape):
            blob = message.net_state.add()
            blob.shape.dim.append(stat.size)
            (blob.double_data if stat.dtype == np.float64 else blob.data).extend(row.astype(stat.dtype))
    memory = kept([net, *tests])
    if memory:
        mine = np.concatenate([a.reshape(-1) for a in memory]).astype(np.float64)
        everyone = np.zeros((exchange.size, mine.size))
        everyone[exchange.rank] = mine
        for row in exchange.totals(everyone.reshape(-1)).reshape(everyone.shape):
            message.kept.add(double_data=row).shape.dim.append(mine.size)
    return message


def kept(nets: Sequence[Net]) -> list[np.ndarray]:
    """Views of the arrays that layers of the nets keep from run to run (hidden states of recurrent layers), in net order."""
    found = [(net.engine, net.binding.array(v)) for net in nets for v in net.graph.values if v.kind == "state"]
    return [engine.lend(array) for engine, array in found if array is not None]


def give_back(message: caffe_pb2.ResumeState, net: Net, tests: Sequence[Net], exchange: Exchange) -> list[str]:
    """Sets data positions and the count of passes; returns lines on what cannot continue exactly. Raises WeightsError."""
    notes = []
    found = {(d.phase, d.net, d.layer): d.records for d in message.data}
    for phase, k, layer, feed in positions(net, tests):
        records = found.get((phase, k, layer))
        if records is not None and records >= _MOST:
            raise WeightsError(f'the state has data layer "{layer}" at record {records}: corrupt')
        if records is None:
            notes.append(f'The state has no position of data layer "{layer}": it starts at its beginning')
        else:
            feed.seek(records)
    net.run_ordinal = message.run_ordinal
    if message.ranks == exchange.size:
        _give_back_kept(message, kept([net, *tests]), exchange)
    if message.ranks != exchange.size:
        notes.append(f"The state was written by {message.ranks} ranks and goes on with {exchange.size}: "
                     "the result will not be that of an uninterrupted run, to the bit")
    return notes


def _give_back_kept(message: caffe_pb2.ResumeState, memory: list[np.ndarray], exchange: Exchange) -> None:
    """Fills this rank's hidden states. Raises WeightsError where the state holds others."""
    size = sum(a.size for a in memory)
    rows = [list(blob.double_data) for blob in message.kept] or [[]] * exchange.size
    if len(rows) != exchange.size or len(rows[exchange.rank]) != size:
        raise WeightsError(f"the state holds {len(rows[0])} numbers of recurrent layers, the nets keep {size}: "
                           "it belongs to other nets")
    values, at = np.array(rows[exchange.rank]), 0
    for a in memory:
        a[...] = values[at:at + a.size].reshape(a.shape)
        at += a.size


def own_statistics(message: caffe_pb2.ResumeState, net: Net, exchange: Exchange) -> np.ndarray | None:
    """This rank's BatchNorm statistics, None where the weights file's are to be used. Raises WeightsError."""
    if exchange.size == 1 or message.ranks != exchange.size or not net.arena.stat.size:
        return None
    if len(message.net_state) != exchange.size:
        raise WeightsError(f"the state holds statistics of {len(message.net_state)} ranks, not of {exchange.size}: corrupt")
    blob = message.net_state[exchange.rank]
    values = np.array(blob.double_data if net.arena.stat.dtype == np.float64 else blob.data, net.arena.stat.dtype)
    if values.size != net.arena.stat.size:
        raise WeightsError(f"the state holds {values.size} statistics a rank, the net has {net.arena.stat.size}: "
                           "it belongs to another net")
    return values
