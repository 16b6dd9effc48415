"""caffempi's side on a GPU: times by the device's own events, memory by what the device has left."""
from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

from benchmark import gpu_ceilings
from benchmark.ours import Ours, imports
from benchmark.service import Answer, serve

if TYPE_CHECKING:
    from caffempi.plan.step import Step


class _Marks:
    """A clock for `Net.profile` whose readings are events of the compute stream: each step lies between the last two."""

    def __init__(self, gpu: Any) -> None:
        self._gpu, self._events = gpu, list[Any]()
        self.spans: list[tuple[Step | None, Any, Any]] = []

    def __call__(self) -> float:
        self._events.append(self._gpu.cupy.cuda.Event())
        self._gpu.compute.record(self._events[-1])
        return 0.0

    def record(self, step: Step | None, _: float) -> None:
        """What has just been given to the stream was this step; None: the update."""
        self.spans.append((step, *self._events[-2:]))

    def read(self) -> list[tuple[Step | None, float]]:
        """Steps with their seconds; waits."""
        self._events[-1].synchronize()
        return [(step, self._gpu.cupy.cuda.get_elapsed_time(a, b) / 1e3) for step, a, b in self.spans]


class GpuOurs(Ours):
    """settings: path, train, threads, precision; gives its name to `CAFFEMPI_ENGINE`, so that no other engine steps in."""

    def __init__(self, settings: Answer) -> None:
        super().__init__(settings)
        engine: Any = self.net.plan.engine
        if engine.device != "cuda":
            raise ValueError(f"engine {engine.name} does not compute on a GPU")
        self._gpu = engine.gpu

    def profile(self, request: Answer) -> Answer:
        """{"count": n} -> ms: of an iteration, from one event of the compute stream to another; memory: bytes of the GPU in
        use, this process's context with it. {"steps": n} -> steps: as `Ours.profile` gives them, the median of n runs,
        each step between two events. {"ceilings": true} -> what the GPU can do, see `gpu_ceilings`."""
        if request.get("ceilings"):
            return gpu_ceilings.measure(self._gpu, *request.get("sizes", ()))
        if "steps" in request:
            return {"steps": self._steps(request["steps"])}
        ms = gpu_ceilings.elapsed(self._gpu, self.iterate, request["count"])
        free, total = self._gpu.cupy.cuda.runtime.memGetInfo()
        return {"ms": ms, "memory": total - free}

    def _steps(self, count: int) -> list[Answer]:
        from caffempi.cli.timing import update_of
        update = update_of(self.net)
        update()                                               # the first one binds its kernels
        runs = []
        for _ in range(count):
            marks = _Marks(self._gpu)
            self.net.profile(marks.record, marks.record, marks)
            marks()
            update()
            marks.record(None, marks())
            runs.append(marks.read())
        rows = []
        for same in zip(*runs, strict=True):
            step, seconds = same[0][0], statistics.median(s for _, s in same)
            rows.append(self._update_row(seconds) if step is None else self._row(step, seconds))
        return rows


if __name__ == "__main__":
    serve(GpuOurs, imports)
