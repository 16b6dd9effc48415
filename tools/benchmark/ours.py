"""caffempi's side: whole iterations by its solver, or forward runs of a deploy net; and what they are made of."""
from __future__ import annotations

import statistics
from collections.abc import Callable
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from benchmark import ceilings
from benchmark.service import Answer, iterations, serve

if TYPE_CHECKING:
    from caffempi.net import Net
    from caffempi.plan.step import Step

CLOCKS = {"wall": perf_counter, "cpu": process_time}
RATE = 1e-5                                                    # so small that random numbers do not make the net diverge


class Ours:
    """settings: path, train, precision ("fp32", or one of Net's), profile: the clock, where a profile
    will be asked for."""

    def __init__(self, settings: Answer) -> None:
        from caffempi.cli.inputs import fill_inputs
        self.train = bool(settings["train"])
        self._threads, self._clock = int(settings["threads"]), settings.get("profile", "wall")
        self._ceilings = [ceilings.measure(self._threads, CLOCKS[self._clock])] if "profile" in settings else []
        precision = {} if settings["precision"] == "fp32" else {"precision": settings["precision"]}
        self.net: Net
        if self.train:
            from caffempi.proto.caffe_pb2 import SolverParameter
            from caffempi.solver import Solver
            p = SolverParameter(net=settings["path"], base_lr=RATE, lr_policy="fixed", momentum=0.9, weight_decay=5e-4,
                                type="SGD", snapshot_after_train=False, random_seed=1)
            solver = Solver(p, optimised=True, **precision)
            self.net = solver.net
            self.iterate: Callable[[], object] = lambda: solver.step(1)
        else:
            from caffempi.net import TEST, Net
            self.net = Net(settings["path"], TEST, optimised=True, seed=1, **precision)
            self.iterate = self.net.run_forward
        fill_inputs(self.net, 1)
        self.facts: dict[str, Any] = {"engine": self.net.plan.engine.name,
                                      "params": sum(p.spec.count for p in self.net.arena.params)}

    def profile(self, request: Answer) -> Answer:
        """Steps of so many runs ("count") with the median time of each, whole iterations measured between them, and the
        ceilings, taken before and after: the best run of each counts.

        steps: phase, layer, op, impl, ms, flops, bytes. iteration: milliseconds of each.
        """
        from caffempi.cli.timing import update_of
        clock = CLOCKS[self._clock]
        update = update_of(self.net) if self.train else _nothing
        update()                                               # the first one touches new memory
        found: list[list[tuple[Step, float]]] = []
        whole: list[float] = []
        updates: list[float] = []
        for _ in range(request["count"]):                      # turn by turn, so that both have the same quiet and noise
            whole += iterations(self.iterate, 0.0, 1, 0)[self._clock]
            run: list[tuple[Step, float]] = []
            def record(step: Step, seconds: float, run: list[tuple[Step, float]] = run) -> None:
                run.append((step, seconds))
            self.net.profile(record, record if self.train else _ignore, clock)
            start = clock()
            update()
            updates.append(clock() - start)
            found.append(run)
        self._ceilings.append(ceilings.measure(self._threads, clock))
        steps = [self._row(same[0][0], statistics.median(seconds for _, seconds in same))
                 for same in zip(*found, strict=True)]
        if self.train:
            steps.append(self._update_row(statistics.median(updates)))
        best = {name: max(c[name] for c in self._ceilings) for name in self._ceilings[0]}
        return {"steps": steps, "iteration": whole, "ceilings": best}

    def _update_row(self, seconds: float) -> Answer:
        numbers = self.net.arena.data.size
        return {"phase": "update", "layer": "", "op": "sgd_update", "impl": "", "flops": 6 * numbers, "ms": 1e3 * seconds,
                "bytes": 20 * numbers}

    def _row(self, step: Step, seconds: float) -> Answer:
        layers, node = self.net.graph.layers, step.node
        op = "" if node is None else "+".join(getattr(node.attrs, "ops", ())) if node.op == "fused" else node.op
        return {"phase": step.phase, "layer": layers[step.layer].name if 0 <= step.layer < len(layers) else "",
                "op": op, "impl": " ".join(filter(None, [step.kernel, step.impl])), "ms": 1e3 * seconds,
                "flops": step.cost[0], "bytes": step.cost[1]}


def _ignore(step: Step, seconds: float) -> None:
    """Backward runs of a net that is not trained are nobody's concern."""


def _nothing() -> None:
    """The update of a net that is not trained."""


def imports() -> None:
    """All that a program of caffempi's imports before it builds a net."""
    import caffempi.cli.inputs
    import caffempi.cli.timing
    import caffempi.solver  # noqa: F401


if __name__ == "__main__":
    serve(Ours, imports)
