"""The cuda engine: kernels of the table on the GPU that is current, in plain layout, all on one compute stream."""
from __future__ import annotations

from typing import Any

from caffempi.engines.base import ENGINES, PLAIN, Call, Engine, Event, Kernel, Near, Offer
from caffempi.engines.cuda.bound import CudaKernel
from caffempi.engines.cuda.kernels import RULES, plan_job
from caffempi.engines.cuda.modules import Modules
from caffempi.engines.cuda.rule import FLOATS, Form
from caffempi.errors import EngineError

_INSTALL = 'pip install "caffempi[cuda12]" or "caffempi[cuda13]", whichever the driver runs'


def import_cupy() -> Any:
    """CuPy, with a device that works. Raises EngineError with the fix where either is missing."""
    try:
        import cupy
    except ImportError as e:
        raise EngineError(f"engine cuda needs CuPy, which cannot be imported ({e})", fix=_INSTALL) from None
    if not cupy.cuda.is_available():
        raise EngineError("engine cuda finds no CUDA device, or the driver is older than CuPy's CUDA",
                          fix="see that nvidia-smi lists a GPU and its CUDA version; " + _INSTALL)
    return cupy


class CudaEvent(Event):
    """A mark in a stream of the GPU; without a stream, in the compute stream."""

    def __init__(self, cupy: Any, compute: Any) -> None:
        self._event, self._compute = cupy.cuda.Event(disable_timing=True), compute

    def record(self, stream: Any = None) -> None:
        """Sets the mark behind all that the stream has been given so far."""
        (stream or self._compute).record(self._event)

    def wait(self, stream: Any = None) -> None:
        """What the stream is given from now on runs after the mark; the host does not wait."""
        (stream or self._compute).wait_event(self._event)

    def done(self) -> bool:
        """Whether the GPU has passed the mark; True where none was ever set."""
        return bool(self._event.done)

    def sync(self) -> None:
        """Blocks the host until the GPU has passed the mark."""
        self._event.synchronize()


@ENGINES.register("cuda")
class CudaEngine(Engine):
    """float32 on the current GPU. Raises EngineError where CuPy or the GPU is missing."""

    name = "cuda"
    device = "cuda"
    dtypes = ("float32",)

    def __init__(self, precision: str = "fp32") -> None:
        super().__init__(precision)
        self._cupy = import_cupy()
        self._modules = Modules(self._cupy)
        self._streams: dict[str, Any] = {}

    def why_not(self, call: Call) -> str | None:
        """A reason where the op has no kernel here, or its kernel not for such a call, or numbers are of a dtype that the
        engine does not store."""
        if call.op not in RULES:
            return super().why_not(call)
        strange = sorted({s.dtype for s in [*call.ins, *call.outs] if s.dtype in FLOATS} - set(self.dtypes))
        if strange:
            return f'engine cuda runs op "{call.op}" in {", ".join(self.dtypes)}, not {", ".join(strange)}'
        rule = RULES.get(call.op)
        why = rule.why_not and rule.why_not(call)
        return f'engine cuda does not run op "{call.op}": {why}' if why else None

    def offers(self, call: Call, near: Near | None = None) -> list[Offer]:
        """One: all operands plain, in place where the op's definition allows it."""
        if self.why_not(call) is not None:
            return []
        rule, form = RULES.get(call.op), Form()
        job = plan_job(call, form)
        return [Offer((PLAIN,) * len(call.ins), (PLAIN,) * len(call.outs), (PLAIN,) * len(call.saved), rule.pairs(call.op),
                      rule.accumulates, job.scratch, payload=form)]

    def compile(self, call: Call, offer: Offer) -> Kernel:
        """The call's kernels. Raises EngineError where they cannot be compiled on this machine."""
        form: Form = offer.payload
        job = plan_job(call, form)
        functions = [self._modules.kernel(n.file, n.expression, form.dtype) for n in job.launches]
        return CudaKernel(self._cupy, job.launches, functions, self.stream("compute"))

    def alloc(self, nbytes: int) -> Any:
        """Zeroed bytes on the device (a cupy array of uint8), starting at a multiple of 256."""
        cupy = self._cupy
        memory = cupy.cuda.alloc(max(nbytes, 1))
        cupy.cuda.Device().synchronize()                       # a recycled block may still be in use by some stream
        memory.memset_async(0, nbytes, self.stream("compute"))
        self.stream("compute").synchronize()
        return cupy.ndarray((nbytes,), "uint8", memptr=memory)

    def stream(self, kind: str) -> Any:
        """The stream 'compute', 'copy' or 'exchange', made at first use; none of them waits on another by itself."""
        if kind not in self._streams:
            self._streams[kind] = self._cupy.cuda.Stream(non_blocking=True)
        return self._streams[kind]

    def event(self) -> Event:
        """A new event."""
        return CudaEvent(self._cupy, self.stream("compute"))
