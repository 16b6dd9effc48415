"""Learning rate, momentum and weight decay of each update: the policies, what comes before them, and their bounds.

Rate at iteration i (updates done), base = base_lr:

    warm-up (Intel Caffe), i < warmup_iter:      warmup_start_lr + (base - warmup_start_lr) * i / warmup_iter
    ramp-up (NVCaffe), i < rampup_interval:      rampup_lr + (base - rampup_lr) * (i / rampup_interval) ^ 2
    then                                         the policy's, which counts from iteration 0 as well
    where min_lr is given                        at least min_lr

Momentum, m = momentum, M = max_momentum, x = min(1, i / max_iter) (NVCaffe):

    fixed   m
    poly    m + (M - m) * x ^ momentum_power
    opt     min(M, (1 - sqrt(rate) / 2) ^ 2)

and during the warm-up times rate(i) / rate(i - 1): momentum correction (Goyal et al. 2017), since the memory of SGD and
Nesterov holds gradients times the rates of their time. Where the last rate was 0 the memory is 0, and nothing to correct.

Weight decay, w = weight_decay, W = max_weight_decay (NVCaffe):

    fixed   w
    poly    w + (W - w) * x ^ weight_decay_power
"""
from __future__ import annotations

import math

from caffempi.errors import SolverError
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.policies import make_policy
from caffempi.solver.policy import NO_LOSS, single
from caffempi.solver.rules import Terms, rule_class


class Schedule:
    """The terms of every update of a solver. policy: its learning-rate policy, whose memory states hold.

    Raises SolverError naming the field: missing, unknown, out of range, or of no use to the type of solver.
    """

    def __init__(self, p: SolverParameter) -> None:
        self.p, self.policy = p, make_policy(p)
        self._rate_inside = rule_class(p).rate_inside
        self._check_starts()
        self._check_policies()

    def rate(self, iteration: int) -> float:
        """The learning rate of the update at that iteration, before lr_mult; changes nothing."""
        start = self._start(iteration)
        return self._floored(self.policy.rate(iteration) if start is None else start)

    def advance(self, iteration: int, loss: float = NO_LOSS) -> Terms:
        """The terms of an update that takes place now. loss: the smoothed one, alike on all ranks (see Policy.advance)."""
        start = self._start(iteration)
        rate = self._floored(self.policy.advance(iteration, loss) if start is None else start)
        return Terms(iteration, rate, self._momentum(iteration, rate), self._weight_decay(iteration))

    def _start(self, iteration: int) -> float | None:
        """The rate of warm-up or ramp-up, None where neither is on."""
        p = self.p
        if iteration < p.warmup_iter:
            return single(p.warmup_start_lr + (p.base_lr - p.warmup_start_lr) * iteration / p.warmup_iter)
        if iteration < p.rampup_interval:
            return single(p.rampup_lr + (p.base_lr - p.rampup_lr) * (iteration / p.rampup_interval) ** 2)
        return None

    def _floored(self, rate: float) -> float:
        return max(rate, self.p.min_lr) if self.p.HasField("min_lr") else rate

    def _momentum(self, iteration: int, rate: float) -> float:
        p = self.p
        momentum = p.momentum
        if p.momentum_policy == "poly":
            momentum += (p.max_momentum - momentum) * self._progress(iteration) ** p.momentum_power
        elif p.momentum_policy == "opt":
            momentum = min(p.max_momentum, (1 - math.sqrt(max(0.0, rate)) / 2) ** 2)
        if self._rate_inside and 0 < iteration < p.warmup_iter:
            last = self.rate(iteration - 1)
            momentum *= rate / last if last else 1.0
        return momentum

    def _weight_decay(self, iteration: int) -> float:
        p = self.p
        if p.weight_decay_policy != "poly":
            return p.weight_decay
        return p.weight_decay + (p.max_weight_decay - p.weight_decay) * self._progress(iteration) ** p.weight_decay_power

    def _progress(self, iteration: int) -> float:
        return min(1.0, iteration / self.p.max_iter)

    def _check_starts(self) -> None:
        p = self.p
        if p.warmup_iter and p.rampup_interval:
            raise SolverError("warmup_iter and rampup_interval are both given: which one is the start?",
                              field="rampup_interval", fix="remove one")
        for length, start in (("warmup_iter", "warmup_start_lr"), ("rampup_interval", "rampup_lr")):
            if not getattr(p, length) and getattr(p, start):
                raise SolverError(f"is without effect: {length} is missing", field=start, fix=f"set {length}, or remove it")
            if getattr(p, length) and not p.HasField("base_lr"):
                raise SolverError("is missing: the rate that the start leads up to", field="base_lr", fix="set it")
        if p.lr_policy == "poly" and p.min_lr > p.base_lr:
            raise SolverError(f"is above base_lr, {p.base_lr:g}", field="min_lr", value=f"{p.min_lr:g}",
                              fix="set it below base_lr")

    def _check_policies(self) -> None:
        p = self.p
        for name, known in (("momentum_policy", ("fixed", "poly", "opt")), ("weight_decay_policy", ("fixed", "poly"))):
            value = getattr(p, name)
            if value not in known:
                raise SolverError("unknown", field=name, value=value, fix=f"give one of {', '.join(known)}")
            if value == "poly" and not p.max_iter > 0:
                raise SolverError(f'{name} "poly" needs it', field="max_iter", fix="set the number of iterations")
        if p.momentum_policy != "fixed" and not self._rate_inside:
            raise SolverError(f"{p.type} takes no other than fixed", field="momentum_policy", value=p.momentum_policy,
                              fix="remove it, or train with SGD or Nesterov")
