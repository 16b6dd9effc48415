"""How long a net takes: each layer, each direction, and the median of whole iterations."""
from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable
from time import perf_counter

from caffempi.errors import UsageError
from caffempi.net import Net
from caffempi.plan.step import Step
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.exchange import LocalExchange
from caffempi.solver.rules import Terms, make_rule
from caffempi.solver.update import Updater

_MOST_PROFILES = 10                                            # iterations in which every step is timed by itself
RATE = 1e-5                                                    # so small that random inputs do not make the net diverge


class Times:
    """Seconds by layer of one direction, summed over so many profiles; `layers` in the net's order."""

    def __init__(self, layers: int) -> None:
        self.layers, self.profiles = [0.0] * layers, 0

    def record(self, step: Step, seconds: float) -> None:
        """Adds the time of one step to its layer's (those between layers belong to none)."""
        if 0 <= step.layer < len(self.layers):
            self.layers[step.layer] += seconds

    def mean_ms(self, layer: int) -> float:
        """Milliseconds a run of one layer."""
        return 1e3 * self.layers[layer] / max(1, self.profiles)

    @property
    def total_ms(self) -> float:
        """Milliseconds a run of all layers."""
        return sum(self.mean_ms(k) for k in range(len(self.layers)))


def iteration_of(net: Net, train: bool) -> Callable[[], object]:
    """What is timed as a whole: a forward run; with train forward, backward and an SGD update (momentum, L2 decay).

    Raises UsageError where there is nothing to train.
    """
    if not train:
        return net.run_forward
    if not net.plan.backward or not net.arena.params:
        raise UsageError("--train: the net has no loss, so there is nothing to train in this phase",
                         fix="leave --train out, or give a net with a loss")
    update = update_of(net)

    def run() -> None:
        net.forward_backward(add=False)
        update()
    return run


def update_of(net: Net) -> Callable[[], object]:
    """One SGD update (momentum, L2 decay) of the net's params with the gradients that are there."""
    p = SolverParameter(base_lr=RATE, momentum=0.9, weight_decay=5e-4, type="SGD")
    updater = Updater(net.arena, net.plan.engine, make_rule(p), p, keep=False)
    exchange, count = LocalExchange(), iter(range(2**62))
    exchange.start(net.arena, {})

    def update() -> None:
        updater.apply(exchange, Terms(next(count), RATE, p.momentum, p.weight_decay))
        net.param_state.touch()
    return update


def profile(net: Net, iterations: int) -> tuple[Times, Times]:
    """(forward, backward) of at most 10 iterations, step by step; of a data layer, handing over its batch counts."""
    forward, backward = Times(len(net.layers)), Times(len(net.layers))
    for _ in range(min(iterations, _MOST_PROFILES)):
        net.profile(forward.record, backward.record, perf_counter)
        forward.profiles += 1
        backward.profiles += 1
    return forward, backward


def median_ms(run: Callable[[], object], iterations: int) -> float:
    """Median milliseconds of so many calls."""
    seconds = []
    for _ in range(iterations):
        start = perf_counter()
        run()
        seconds.append(perf_counter() - start)
    return 1e3 * statistics.median(seconds)


def lines(net: Net, forward: Times, backward: Times, iterations: int) -> list[str]:
    """Caffe's lines. Layers whose ops were fused into another's show nothing of their own."""
    shown: dict[int, list[str]] = defaultdict(list)
    for k, info in enumerate(net.graph.layers):
        shown[k] = [f"{info.name:>10}\t{way}: {number(times.mean_ms(k))} ms."
                    for way, times in (("forward", forward), ("backward", backward))]
    return ["Average time per layer: ", *(line for both in shown.values() for line in both),
            f"Average Forward pass: {number(forward.total_ms)} ms.",
            f"Average Backward pass: {number(backward.total_ms)} ms.",
            f"Average Forward-Backward: {number(forward.total_ms + backward.total_ms)} ms.",
            f"Total Time: {number((forward.total_ms + backward.total_ms) * iterations)} ms."]


def number(milliseconds: float) -> str:
    """Six significant digits, never in powers of ten."""
    return f"{milliseconds:.6g}" if milliseconds >= 1e-4 else f"{milliseconds:.6f}"
