"""The solver: the loop that trains a net, tests it on the way, and can be stopped and continued at any iteration.

    solver = Solver("lenet_solver.prototxt")
    solver.step(100)
    solver.net.params["ip1"][0].data

One iteration, in Caffe's order: test if due; iter_size passes; the loss shown; the update (see `update.py`); iter + 1;
snapshot if due or asked for. Requests and failures of all ranks are voted on once an iteration, after the passes, so that
all ranks act alike.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from caffempi.errors import CaffempiError, SolverError, WeightsError
from caffempi.proto import caffe_pb2
from caffempi.solver import resume as resuming
from caffempi.solver import snapshot as files
from caffempi.solver.batches import divide_batches
from caffempi.solver.exchange import SNAPSHOT, STOP, Exchange, LocalExchange
from caffempi.solver.loop import Loop
from caffempi.solver.nets import batch_of, build_nets, digests
from caffempi.solver.progress import NoProgress, Progress, open_progress
from caffempi.solver.report import Report
from caffempi.solver.settings import Settings
from caffempi.solver.share import FAILED, agree, agreed, raise_first, share_bytes, share_seed
from caffempi.solver.stats import averaged
from caffempi.solver.testing import test_all
from caffempi.solver.update import check_finite
from caffempi.weights import State, read_state


class Solver:
    """A solver from its prototxt file, message or settings (which know level, stages, type and seed), ready to step.

    engine, optimised, dtype, precision, loss_scale, no_pass: as Net has them (by default every blob and diff can be read
    between steps, and param diffs hold the update values after one; optimised nets are faster). weights: files to start
    from, in place of the solver's own `weights`; () for none. weights_on_mismatch: see `Net.copy_from`. level, stages:
    added to the train net's state. exchange: how ranks work together; none: one process. batch: "per_rank" takes batch_size
    as each rank's, "global" divides that of the train net by the ranks. requests: called often, gives bits of STOP and
    SNAPSHOT (see signals.SignalWatch). progress: a bar on a terminal while solve runs. allow_unknown: skip unknown fields.
    type, seed: in place of the text's type and random_seed.
    Raises SolverError, NetError, TextError, DataError, WeightsError; SnapshotError where the solver wants snapshots and
    they could not be written.

    net, test_nets: the nets, which share params by layer name. param: the solver's message.
    """

    def __init__(self, source: str | os.PathLike[str] | caffe_pb2.SolverParameter | Settings, *, engine: str | None = None,
                 optimised: bool = False, dtype: str = "float32", precision: str | None = None,
                 loss_scale: str | float = "auto", no_pass: Sequence[str] = (), weights: Sequence[str] | None = None,
                 weights_on_mismatch: str = "error", level: int = 0, stages: Sequence[str] = (),
                 exchange: Exchange | None = None, batch: Literal["per_rank", "global"] = "per_rank",
                 requests: Callable[[], int] = lambda: 0, progress: bool = False,
                 allow_unknown: bool = False, type: str | None = None, seed: int | None = None) -> None:
        self._settings = source if isinstance(source, Settings) else Settings(
            source, allow_unknown=allow_unknown, level=level, stages=stages, type=type, seed=seed)
        self.param = p = self._settings.param
        self.exchange: Exchange = exchange or LocalExchange()
        self.requests = requests
        self.report = Report(active=self.exchange.rank == 0)
        for note in self._settings.notes:
            self.report.line(note)
        self._names = files.names_of(self._settings)
        wanted = self.exchange.rank == 0 and self._names.prefix is not None and (p.snapshot or p.snapshot_after_train)
        agree(self.exchange, files.probe(self._names) if wanted else None)
        if batch == "global":
            divide_batches(self._settings.train, self.exchange.size)
        self._net_options: dict[str, Any] = {
            "engine": engine, "optimised": optimised and not p.debug_info, "dtype": dtype, "precision": precision,
            "loss_scale": loss_scale, "no_pass": no_pass, "rank": self.exchange.rank, "ranks": self.exchange.size,
            "dialect": self._settings.dialect}
        self._iter = self._batch = self._records = 0
        self._asked = 0                                        # requests seen but not yet acted on
        self._written: int | None = None                       # iteration of the last snapshot
        self._own_stat: np.ndarray | None = None               # statistics of this rank, from a state of several
        self._started = False
        self._wants_bar = progress and self.exchange.rank == 0
        self._bar: Progress = NoProgress()
        self._build(share_seed(self.exchange, p.random_seed))
        for path in _split(p.weights if weights is None else weights):
            self.report.line(f"Finetuning from {path}")
            for line in self.net.copy_from(path, weights_on_mismatch):
                self.report.line(line)
            for net in self.test_nets:
                net.copy_from(path, weights_on_mismatch)

    def _build(self, seed: int) -> None:
        """Makes the nets, their data streams and random numbers from that seed, and the memory of the update rule."""
        self._seed = seed
        self.net, self.test_nets = build_nets(self._settings, seed, self._net_options, self.report)
        keep = self.param.snapshot_diff or not self._net_options["optimised"]
        self._loop = Loop(self.net, self._settings, self.exchange, self.report, keep)
        self.report.line("Solver scaffolding done.")

    @property
    def iter(self) -> int:
        """Updates done."""
        return self._iter

    @property
    def lr(self) -> float:
        """The learning rate of the next update, before lr_mult."""
        return self._loop.schedule.rate(self._iter)

    def step(self, iterations: int) -> None:
        """Does so many iterations, tests and snapshots that fall due included; ends early where a stop is asked for."""
        self._run(self._iter + iterations)

    def solve(self, resume: str | os.PathLike[str] | None = None) -> bool:
        """Trains up to max_iter, from a solver state if one is given, and ends with snapshot, last loss and test.

        False where a stop was asked for before the end.
        """
        p = self.param
        if not p.HasField("max_iter"):
            raise self._settings.placed(SolverError("is missing: how long is the training?", field="max_iter",
                                                    fix="set it to the number of iterations"))
        if not any(w for info in self.net.graph.layers for w in info.loss_weights):
            raise SolverError("the net to train has no loss, so nothing would be learned",
                              fix="add a loss layer, or set a loss_weight")
        if p.snapshot_after_train or p.snapshot:
            self._names.need()
        self.report.solving(self.net.name, p.lr_policy)
        if resume is not None:
            self.restore(resume)
        self._bar, self._records = open_progress(self._wants_bar, self._iter, p.max_iter), 0
        try:
            stopped = self._run(p.max_iter)
            if not stopped:
                self._loop.finish(self._iter)
            if p.snapshot_after_train and self._written != self._iter:
                self.snapshot()
            if not stopped:
                self._begin()
                self._loop.last_loss(self._iter)
                if self._test_due():
                    self._test()
        finally:
            self._bar.close()
        self.report.end(stopped)
        return not stopped

    def snapshot(self) -> str:
        """Writes weights and state of the moment under Caffe's names; returns the weights' path. Collective.

        Raises SnapshotError where a file cannot be written (older snapshots are untouched), SolverError where a param is
        not finite.
        """
        self._begin()
        loop = self._loop
        resume = resuming.collect(self._seed, self.net, self.test_nets, loop.losses, self.exchange)
        loop.put_in(resume)
        error: CaffempiError | None = None
        with averaged(self.net, self.exchange):
            if self.exchange.rank == 0:
                try:
                    check_finite(self.net.arena, self._iter)
                    files.write(self._names, self._iter, self.net, loop.policy, resume, self.param, self.report)
                except CaffempiError as e:
                    error = e
        agree(self.exchange, error)
        self._written = self._iter
        return self._names.model(self._iter)

    def restore(self, path: str | os.PathLike[str]) -> None:
        """Continues from a solver state, caffempi's or the original's, in either format. Collective; rank 0 alone reads.

        From a state of caffempi's own, on as many ranks, training goes on to the bits of a run that was never stopped.
        Where that needs another seed than the solver has (random_seed not set), net and test_nets are built anew.
        Raises WeightsError: no such file, weights instead of a state, a state of another net, its weights missing.
        """
        path = os.fspath(path)
        self.report.line(f"Restoring previous solver status from {path}")
        state: State | None = None
        error: CaffempiError | None = None
        if self.exchange.rank == 0:
            try:
                state = read_state(path)
                model = files.find_model(state, path)
            except CaffempiError as e:
                error = e
        agree(self.exchange, error)
        head = caffe_pb2.SolverState.FromString(share_bytes(self.exchange, resuming.head_of(state)))
        exact = head.HasField("caffempi")
        if exact and head.caffempi.seed != self._seed:
            self._close_nets()
            self._build(head.caffempi.seed)
        if state is not None:
            try:
                files.put_history(self.net.arena, state.history, self.param.type)
                self.net.copy_from(model)
            except CaffempiError as e:
                error = e.at(where=path)
        agree(self.exchange, error)
        self._iter = head.iter
        self.net.run_ordinal = head.iter * self.param.iter_size
        self._written = self._own_stat = None
        self._started = False
        try:                                                   # all ranks read the same message
            self._loop.take_from(head)
            if exact:
                for note in resuming.give_back(head.caffempi, self.net, self.test_nets, self.exchange):
                    self.report.warn(note)
                self._own_stat = resuming.own_statistics(head.caffempi, self.net, self.exchange)
        except WeightsError as e:
            raise agreed(self.exchange, e.at(where=path)) from None

    def close(self) -> None:
        """Stops the data threads; idempotent."""
        self._bar.close()
        self._close_nets()

    def _close_nets(self) -> None:
        for net in (*self.test_nets, self.net):
            net.close()

    def _begin(self) -> None:
        """Before the first iteration, and after a restore: ranks agree, and all get rank 0's params and memory."""
        for p in self.net.param_state.lenders:
            raise SolverError("uses the params of another net, which training would not change", layer=p.layer_name,
                              fix="share the other way round, other.share_with(solver.net), or copy_from its saved weights")
        if not self._started:
            self._started = True
            policy = self._loop.policy
            values = {"iter": self._iter, "run_ordinal": self.net.run_ordinal, **policy.memory}
            scaling = self._loop.scaling
            if scaling is not None:
                values |= {"loss_scale": scaling.scale, "loss_scale_good": scaling.good}
            digest = digests(self._settings, self.net, self.test_nets)
            line = self.exchange.start(self.net.arena, {"digest": digest, "values": values})
            if line:
                self.report.line(line)
            if scaling is not None:
                scaling.restore(float(values.pop("loss_scale")), int(values.pop("loss_scale_good")))
            self._iter, self.net.run_ordinal, policy.memory = int(values["iter"]), int(values["run_ordinal"]), values
            if self._own_stat is not None:
                self.net.engine.put(self.net.arena.stat, self._own_stat)
            self.net.param_state.touch()
            self._loop.start_timer(self._iter)
            self._batch = batch_of(self.net)
            if self._batch:
                self.report.batch(self._batch, self.exchange.size, self.param.iter_size)
        for bucket in range(len(self.net.arena.buckets)):
            self.exchange.wait(bucket)

    def _run(self, until: int) -> bool:
        """Iterates until `iter` is so many; True where a stop was asked for before."""
        p, loop = self.param, self._loop
        while self._iter < until:
            self._begin()
            if self._test_due() and (self._iter or p.test_initialization) and not self._test():
                return True
            error = loop.passes(self._iter)
            bits = self.exchange.vote(self._poll() | (FAILED if error is not None else 0))
            if bits & FAILED:
                raise_first(self.exchange, error)
            loop.show(self._iter)
            loop.update(self._iter)
            self._iter += 1
            self._records += self._batch * self.exchange.size * p.iter_size
            self._bar.update(self._iter, self._records, loop.smoothed(), self.lr)
            if bits & SNAPSHOT or (p.snapshot and self._iter % p.snapshot == 0):
                self.snapshot()
            self._asked &= ~bits
            if bits & STOP:
                return True
        if self.net.engine.ahead and loop.losses:              # the last ones have not been looked at
            agree(self.exchange, loop.failure())
        return False

    def _test_due(self) -> bool:
        p = self.param
        return p.test_interval > 0 and (self._iter - p.test_offset) % p.test_interval == 0

    def _poll(self) -> int:
        """Requests of this rank that nobody has acted on yet."""
        self._asked |= self.requests()
        return self._asked

    def _test(self) -> bool:
        """Tests all test nets; False where a stop was asked for on the way."""
        with averaged(self.net, self.exchange):
            done = test_all(self.test_nets, self.param.test_iter, self.exchange, self.report, self._iter,
                            with_loss=self.param.test_compute_loss, requests=self._poll)
        if not done:
            self._asked &= ~STOP
        return done


def _split(lists: Sequence[str]) -> list[str]:
    """Paths of weights: each entry may name several, parted by commas."""
    return [path.strip() for entry in lists for path in entry.split(",") if path.strip()]
