"""The parts of one iteration: passes, what is shown, the update. `solver.py` puts them in order."""
from __future__ import annotations

import math
import time
from collections import deque

import numpy as np

from caffempi.errors import SolverError, WeightsError
from caffempi.net import Net
from caffempi.proto import caffe_pb2
from caffempi.solver.debug import log_pass, log_update
from caffempi.solver.exchange import Exchange, LocalExchange
from caffempi.solver.loss_scaling import HOPELESS, LossScaling
from caffempi.solver.losses import Losses
from caffempi.solver.policy import NO_LOSS, Policy
from caffempi.solver.report import Output, Report
from caffempi.solver.rules import Terms
from caffempi.solver.settings import Settings
from caffempi.solver.share import raise_first
from caffempi.solver.update import DIVERGED, Updater


class Loop:
    """A train net with its schedule of rates, its rule's memory and its window of losses.

    keep: param diffs hold the update values after an update.
    """

    def __init__(self, net: Net, settings: Settings, exchange: Exchange, report: Report, keep: bool) -> None:
        self.net, self.p, self.exchange, self.report = net, settings.param, exchange, report
        self.schedule = settings.schedule()
        self.scaling: LossScaling | None = None
        if net.loss_scale is not None and net.plan.grads.factor is not None:
            factor = net.binding.array(net.plan.grads.factor)
            assert factor is not None
            self.scaling = LossScaling(net.arena, factor, net.loss_scale)
        self.updater = Updater(net.arena, net.plan.engine, settings.rule(), self.p, keep, self.scaling)
        self._losses = Losses(self.p.average_loss, self.p.iter_size)
        self._timer = time.monotonic(), 0
        if not isinstance(exchange, LocalExchange):            # one process hands nothing on: a device need not stop for it
            if self.p.layer_wise_reduce:
                net.ready_hook = self._ready
            net.counts_hook = lambda counts: (exchange.counts(counts), exchange.size)

    @property
    def losses(self) -> deque[float]:
        """Those of the last average_loss iterations, oldest first."""
        return self._losses.read()

    def _ready(self, bucket: int) -> None:
        """Hands a bucket on: all that makes its gradients has been given to the engine."""
        if self.scaling is not None and self.scaling.moves:
            self.scaling.look(*self.net.arena.buckets[bucket], own=True)
        event = self.net.engine.event()
        event.record()
        self.exchange.ready(bucket, event)

    @property
    def policy(self) -> Policy:
        """The learning-rate policy."""
        return self.schedule.policy

    def put_in(self, resume: caffe_pb2.ResumeState) -> None:
        """Writes into the message what an exact continuation needs of the update."""
        self.tell_skipped()
        if self.updater.local is not None and self.p.larc_turbo:
            resume.larc_correlation.extend(self.updater.local.correlation[self.updater.local.net_order])
        if self.scaling is not None and self.scaling.moves:
            resume.loss_scale, resume.loss_scale_good = self.scaling.scale, self.scaling.good

    def take_from(self, head: caffe_pb2.SolverState) -> None:
        """Continues from a state: the policy's memory, the window of losses, and what `put_in` wrote.

        Raises WeightsError where that belongs to another net.
        """
        self.policy.memory = {name: getattr(head, name) for name in self.policy.memory}
        self.losses.clear()
        self.losses.extend(head.caffempi.loss_window)
        found = head.caffempi.larc_correlation
        if self.updater.local is not None and self.p.larc_turbo and found:
            if len(found) != len(self.net.arena.params):
                raise WeightsError(f"the state holds larc_turbo's memory of {len(found)} params, the net has "
                                   f"{len(self.net.arena.params)}: it belongs to another net")
            self.updater.local.correlation[self.updater.local.net_order] = found
        if self.scaling is not None and self.scaling.moves and head.caffempi.HasField("loss_scale"):
            scale = head.caffempi.loss_scale
            if not (math.isfinite(scale) and scale > 0):
                raise WeightsError(f"the state has a loss scale of {scale}: corrupt")
            self.scaling.restore(scale, head.caffempi.loss_scale_good)

    def start_timer(self, iteration: int) -> None:
        """The speed that the next display shows counts from here."""
        self._timer = time.monotonic(), iteration

    def smoothed(self) -> float:
        """Mean of the window of this rank's losses, as far as they have been read."""
        return self._losses.mean()

    def passes(self, iteration: int) -> SolverError | None:
        """iter_size forward and backward runs; gradients add up, and go to the exchange in the last one.

        Returns an error where a loss is not finite, naming the first blob at fault; all passes are run nevertheless,
        since the other ranks run theirs. Of a device, the losses are those of the iteration before, unless they are wanted.
        """
        p, error = self.p, None
        wanted = self._due(iteration) or self._debugging(iteration) or self.policy.watches_loss
        for k in range(p.iter_size):
            self.exchange.begin(iteration, k == p.iter_size - 1)
            self._losses.add(iteration, self.net.begin_pass(add=k > 0))
            self._losses.settle(0 if wanted else self.net.engine.ahead * p.iter_size)
            error = error or self.failure()
            if self._debugging(iteration):
                log_pass(self.net, self.report)
        if not p.layer_wise_reduce and not isinstance(self.exchange, LocalExchange):
            for bucket in range(len(self.net.arena.buckets)):
                self._ready(bucket)
        return error

    def failure(self) -> SolverError | None:
        """An error where a loss that has been read is not finite."""
        if self._losses.bad is None:
            return None
        iteration, loss = self._losses.bad
        return SolverError(f"the loss is {loss} at iteration {iteration}{self._culprit()}", fix=DIVERGED)

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
        terms = self._terms(iteration)
        try:
            clipped = self.updater.apply(self.exchange, terms)
        except SolverError as e:                               # on all ranks: the mean gradients are the same
            e.why += self._culprit()
            raise_first(self.exchange, e)
        self.net.param_state.touch()
        self.tell_skipped(keep=1)
        if clipped is not None:
            self.report.clipped(clipped[0], self.p.clip_gradients, clipped[1])
        if self._debugging(iteration):
            log_update(self.net.arena, self.report)

    def tell_skipped(self, keep: int = 0) -> None:
        """Logs the updates but the newest `keep` that loss scaling has skipped. Collective: on all engines alike, as late as
        the slowest to tell. Raises SolverError where no scale does."""
        if self.scaling is not None:
            try:
                for skipped in self.scaling.settle(self.exchange, keep):
                    self.report.skipped(*skipped)
            except SolverError as e:                           # on all ranks: the mean gradients are the same
                raise_first(self.exchange, e)

    def finish(self, iteration: int) -> None:
        """At the end of a training. Raises SolverError where every update since its beginning was skipped."""
        self.tell_skipped()
        if self.scaling is not None and 0 < iteration == self.scaling.skips:
            raise_first(self.exchange, SolverError(
                f"nothing was learned: all {iteration} updates were skipped, since gradients were not finite; the loss scale "
                f"has come down to {self.scaling.scale:g}", fix=HOPELESS))

    def _terms(self, iteration: int) -> Terms:
        """Rate, momentum and decay of the update, and their lines."""
        policy = self.policy
        step, loss = policy.current_step, NO_LOSS
        if policy.watches_loss:
            loss = float(self.exchange.totals(np.array([self.smoothed()]))[0]) / self.exchange.size
        terms = self.schedule.advance(iteration, loss)
        if policy.current_step != step:
            self.report.step(iteration, policy.status, policy.current_step)
        if self._due(iteration):
            if policy.watches_loss and policy.iter_last_event > iteration - self.p.display:
                self.report.minimum(iteration, policy.minimum_loss)
            self.report.rate(iteration, terms.rate)
        return terms

    def last_loss(self, iteration: int) -> None:
        """Shows the loss after the last update, by one more forward run that leaves no trace in what a snapshot holds."""
        if not self._due(iteration):
            return
        net, window = self.net, self.losses
        before = window.copy()
        ordinal, stat = net.run_ordinal, net.engine.get(net.arena.stat).copy()
        starts = {name: feed.position() for name, feed in net.feeds.items()}
        window.append(net.run_forward())
        self.report.last_loss(iteration, self._shown()[0])
        net.run_ordinal = ordinal
        window.clear()
        window.extend(before)
        net.engine.put(net.arena.stat, stat)
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
        values = [np.array([self.smoothed()]), *(net.read(name).reshape(-1) for name in names)]
        means = self.exchange.totals(np.concatenate(values).astype(np.float64)) / self.exchange.size
        parts = np.split(means[1:], np.cumsum([v.size for v in values[1:]])[:-1]) if names else []
        return float(means[0]), [(name, part, net.blob_loss_weights.get(name, 0.0))
                                 for name, part in zip(names, parts, strict=True)]

    def _due(self, iteration: int) -> bool:
        return self.p.display > 0 and iteration % self.p.display == 0

    def _debugging(self, iteration: int) -> bool:
        return self.p.debug_info and self.report.active and self._due(iteration)
