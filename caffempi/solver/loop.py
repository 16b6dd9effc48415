"""The parts of one iteration: passes, what is shown, the update. `solver.py` puts them in order."""
from __future__ import annotations

import math
import time
from collections import deque

import numpy as np

from caffempi.errors import SolverError
from caffempi.net import Net
from caffempi.solver.debug import log_pass, log_update
from caffempi.solver.exchange import Exchange
from caffempi.solver.report import Output, Report
from caffempi.solver.settings import Settings
from caffempi.solver.share import raise_first
from caffempi.solver.update import DIVERGED, Updater


class Loop:
    """A train net with its policy, its rule's memory and its window of losses.

    keep: param diffs hold the update values after an update. losses: of the last average_loss iterations, oldest first.
    """

    def __init__(self, net: Net, settings: Settings, exchange: Exchange, report: Report, keep: bool) -> None:
        self.net, self.p, self.exchange, self.report = net, settings.param, exchange, report
        self.policy = settings.policy()
        self.updater = Updater(net.arena, settings.rule(), self.p, keep)
        self.losses: deque[float] = deque(maxlen=self.p.average_loss)
        self._timer = time.monotonic(), 0
        if self.p.layer_wise_reduce:
            net.ready_hook = lambda bucket: exchange.ready(bucket, None)
        net.counts_hook = lambda counts: (exchange.counts(counts), exchange.size)

    def start_timer(self, iteration: int) -> None:
        """The speed that the next display shows counts from here."""
        self._timer = time.monotonic(), iteration

    def smoothed(self) -> float:
        """Mean of the window of this rank's losses."""
        return sum(self.losses) / len(self.losses) if self.losses else 0.0

    def passes(self, iteration: int) -> SolverError | None:
        """iter_size forward and backward runs; gradients add up, and go to the exchange in the last one.

        Returns an error where a loss is not finite, naming the first blob at fault; all passes are run nevertheless,
        since the other ranks run theirs.
        """
        p, total, error = self.p, 0.0, None
        for k in range(p.iter_size):
            self.exchange.begin(iteration, k == p.iter_size - 1)
            loss = self.net.forward_backward(add=k > 0)
            total += loss
            if error is None and not math.isfinite(loss):
                error = SolverError(f"the loss is {loss} at iteration {iteration}{self._culprit()}", fix=DIVERGED)
            if self._debugging(iteration):
                log_pass(self.net, self.report)
        if not p.layer_wise_reduce:
            for bucket in range(len(self.net.arena.buckets)):
                self.exchange.ready(bucket, None)
        self.losses.append(total / p.iter_size)
        return error

    def show(self, iteration: int) -> None:
        """The lines of a display, if one is due."""
        if not self._due(iteration):
            return
        loss, outputs = self._shown()
        now = time.monotonic()
        self.report.iteration(iteration, iteration - self._timer[1], now - self._timer[0], self.p.display, loss)
        self.report.outputs("Train", outputs)
        self._timer = now, iteration

    def update(self, iteration: int) -> None:
        """One update of the params. Raises SolverError naming a param whose gradient is not finite, and the first blob."""
        step = self.policy.current_step
        rate = self.policy.advance(iteration)
        if self.policy.current_step != step:
            self.report.step(iteration, self.policy.current_step)
        if self._due(iteration):
            self.report.rate(iteration, rate)
        try:
            clipped = self.updater.apply(self.exchange, rate, iteration)
        except SolverError as e:                               # on all ranks: the mean gradients are the same
            e.why += self._culprit()
            raise_first(self.exchange, e)
        self.net.param_state.touch()
        if clipped is not None:
            self.report.clipped(clipped[0], self.p.clip_gradients, clipped[1])
        if self._debugging(iteration):
            log_update(self.net.arena, self.report)

    def last_loss(self, iteration: int) -> None:
        """Shows the loss after the last update, by one more forward run that leaves no trace in what a snapshot holds."""
        if not self._due(iteration):
            return
        net, window = self.net, self.losses.copy()
        ordinal, stat = net.run_ordinal, net.arena.stat.copy()
        starts = {name: feed.position() for name, feed in net.feeds.items()}
        self.losses.append(net.run_forward())
        self.report.last_loss(iteration, self._shown()[0])
        net.run_ordinal, net.arena.stat[...], self.losses = ordinal, stat, window
        net.param_state.touch()
        for name, feed in net.feeds.items():
            feed.seek(starts[name])

    def _culprit(self) -> str:
        """Words on the first blob that is not finite; "" where all are (an engine's ReLU can turn NaN into 0)."""
        first = self.net.first_nonfinite()
        return f"; the first value that is not finite is in {first}" if first else ""

    def _shown(self) -> tuple[float, list[Output]]:
        """The smoothed loss and the net's outputs, means over ranks."""
        names, net = self.net.outputs, self.net
        values = [np.array([self.smoothed()]), *(net.blobs[name].data.reshape(-1) for name in names)]
        means = self.exchange.totals(np.concatenate(values).astype(np.float64)) / self.exchange.size
        parts = np.split(means[1:], np.cumsum([v.size for v in values[1:]])[:-1]) if names else []
        return float(means[0]), [(name, part, net.blob_loss_weights.get(name, 0.0))
                                 for name, part in zip(names, parts, strict=True)]

    def _due(self, iteration: int) -> bool:
        return self.p.display > 0 and iteration % self.p.display == 0

    def _debugging(self, iteration: int) -> bool:
        return self.p.debug_info and self.report.active and self._due(iteration)
