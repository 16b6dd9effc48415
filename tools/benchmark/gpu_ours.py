"""caffempi's side on a GPU: times by the device's own events, memory by what the device has left."""
from __future__ import annotations

from typing import Any

from benchmark.ours import Ours, imports
from benchmark.service import Answer, serve


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
        use, this process's context with it."""
        cuda, stream = self._gpu.cupy.cuda, self._gpu.compute
        first, last = cuda.Event(), cuda.Event()
        stream.record(first)
        for _ in range(request["count"]):
            self.iterate()
        stream.record(last)
        last.synchronize()
        free, total = cuda.runtime.memGetInfo()
        return {"ms": cuda.get_elapsed_time(first, last) / request["count"], "memory": total - free}


if __name__ == "__main__":
    serve(GpuOurs, imports)
