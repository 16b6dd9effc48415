"""The cuda engine: kernels of the table, cuBLAS and cuDNN on the GPU that is current, all on one compute stream."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from caffempi.engines.access import Bridge, Fetched, Recipe, Write
from caffempi.engines.base import ENGINES, Call, Engine, Event, Kernel, Layout, Near, Offer
from caffempi.engines.cuda import convolve, nccl
from caffempi.engines.cuda.bound import CudaKernel
from caffempi.engines.cuda.chains import key_of, patterns
from caffempi.engines.cuda.cudnn import Cudnn
from caffempi.engines.cuda.device import device_of
from caffempi.engines.cuda.host import HostKernel, host_offer, runs_on_host
from caffempi.engines.cuda.images import images_into
from caffempi.engines.cuda.kernels import RULES, plan_job
from caffempi.engines.cuda.layouts import form_of, offers_of, reorder_stored, stored_as
from caffempi.engines.cuda.rule import FLOATS, Form
from caffempi.engines.cuda.rules.reorder import reorder
from caffempi.engines.cuda.transfer import CudaFetched, Inlet, Inlets, PinnedBridge
from caffempi.engines.peers import Peering, Peers
from caffempi.errors import EngineError
from caffempi.ops import OPS, Spec

_HAVE_A_CHOICE = frozenset({"max_pool", "ave_pool", "stochastic_pool", "stochastic_pool_mean", "pyramid_pool",
                            "pyramid_pool_drawn", "lrn_across", "lrn_within", "relu", "sigmoid", "tanh", "softmax",
                            "softmax_nll"})
"""Ops of the layers, other than convolutions, whose text may name an engine."""
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


@ENGINES.register("cuda")
class CudaEngine(Engine):
    """float32 on the current GPU. Raises EngineError where CuPy or the GPU is missing."""

    name = "cuda"
    device = "cuda"
    captures, ahead, transforms = True, 1, True
    dtypes = ("float32",)
    patterns = patterns(RULES.names())
    precisions = ("fp32", "tf32", "fp16", "bf16")

    def __init__(self, precision: str = "fp32") -> None:
        super().__init__(precision)
        cupy = import_cupy()
        self.gpu = device_of(cupy, cupy.cuda.Device().id)
        self._inlets = Inlets()
        self._cudnn: Cudnn | None = None
        try:
            self._cudnn = self.gpu.cudnn
            self.patterns = (*convolve.PATTERNS, *(p for p in self.patterns if p.ops[0] != "conv"))
        except EngineError as e:
            self.notes = (str(e),)

    # ---- kernels
    def why_not(self, call: Call) -> str | None:
        """A reason where the op has no kernel here, or its kernel not for such a call, or numbers are of a dtype that the
        engine does not store."""
        host = call.op in OPS and runs_on_host(call.op)
        planned = self._cudnn is not None and convolve.is_convolution(call) and call.wish != "CAFFE"
        if not host and not planned and key_of(call) not in RULES:
            return super().why_not(call)
        rule = None if host or planned else RULES.get(key_of(call))
        strange = sorted({s.dtype for kind, specs in (("ins", call.ins), ("outs", call.outs)) for i, s in enumerate(specs)
                          if s.dtype in FLOATS and (rule is None or rule.letter(kind, i) != "s")} - set(self.dtypes))
        if strange:
            return f'engine cuda runs op "{call.op}" in {", ".join(self.dtypes)}, not {", ".join(strange)}'
        why = rule and rule.why_not and rule.why_not(call)
        return f'engine cuda does not run op "{call.op}": {why}' if why else None

    def offers(self, call: Call, near: Near | None = None) -> list[Offer]:
        """One a form of the call's kernels: plain or channels last, activations stored as the precision says or float32."""
        if self.why_not(call) is not None:
            return []
        if runs_on_host(call.op):
            return [host_offer(call)]
        if self._cudnn and convolve.is_wanted(call, self.precision):
            planned = convolve.offers(call, self.precision, self._cudnn)
            if planned:
                return planned
        return offers_of(call, self.precision)

    def unheeded(self, call: Call, offer: Offer) -> str | None:
        """Of layers that ask for cuDNN: why something else runs them."""
        if call.wish != "CUDNN" or offer.impl == "cudnn":
            return None
        if convolve.is_convolution(call):
            return "cuDNN has no plan for it" if self._cudnn else "cuDNN is missing"
        return "cuDNN serves convolutions alone here" if key_of(call).split("+")[0] in _HAVE_A_CHOICE else None

    def compile(self, call: Call, offer: Offer) -> Kernel:
        """The call's kernels. Raises EngineError where they cannot be compiled on this machine."""
        if runs_on_host(call.op):
            return HostKernel(self.gpu, call)
        if isinstance(offer.payload, convolve.Chosen):
            return convolve.ConvKernel(self.gpu, call, offer.payload.conv)
        form: Form = offer.payload
        job = plan_job(call, form)
        functions = {n.expression: self.gpu.modules.kernel(n.file, n.expression, form.dtype) for n in job.launches}
        return CudaKernel(self.gpu, job, functions, f'op "{call.op}"', self.precision == "tf32", stored_as(call, form))

    def reorder(self, spec: Spec, src: Layout, dst: Layout) -> Kernel:
        """A copy in the other order of axes, or stored otherwise."""
        one, other = form_of(src), form_of(dst)
        job, dtype = reorder(spec, one, other), max(one.dtype, other.dtype, key=lambda d: d != "float32")
        functions = {n.expression: self.gpu.modules.kernel(n.file, n.expression, dtype) for n in job.launches}
        return CudaKernel(self.gpu, job, functions, "a reorder", stored=reorder_stored(src, dst))

    # ---- streams
    def stream(self, kind: str) -> Any:
        """The stream 'compute', 'copy' or 'exchange'; none of them waits on another by itself."""
        return self.gpu.stream(kind)

    def event(self) -> Event:
        """A new event."""
        return self.gpu.event()

    def capture(self, calls: Sequence[Callable[[], None]]) -> Callable[[], None] | None:
        """A CUDA graph of what the calls put into the compute stream."""
        return self.gpu.capture(calls)

    # ---- memory
    def alloc(self, nbytes: int) -> Any:
        """Zeroed bytes on the device (a cupy array of uint8), starting at a multiple of 256."""
        return self.gpu.alloc(nbytes)

    def settle(self) -> None:
        """Uploads what the host has written and the ordinals of random numbers."""
        self.gpu.begin_run()
        self.gpu.mirrors.settle()
        self.gpu.renew_words()

    def lend(self, array: Any) -> np.ndarray:
        """A copy on the host that counts as newer than the device, until the next run."""
        return self.gpu.mirrors.lend(array)

    def get(self, array: Any) -> np.ndarray:
        """A copy on the host."""
        return self.gpu.mirrors.get(array)

    def put(self, array: Any, values: np.ndarray | float) -> None:
        """Goes to the device with the next run."""
        self.gpu.mirrors.lend(array, download=False)[...] = values

    def fetch(self, arrays: Sequence[Any]) -> Fetched:
        """Copies to pinned memory behind the compute stream's work."""
        return CudaFetched(self.gpu, arrays)

    def feed(self, arrays: Sequence[Any], write: Write) -> None:
        """By pinned memory and the copy stream, two batches under way at most."""
        self._inlets.of(arrays, None, lambda: Inlet.into(self.gpu, arrays)).feed(write)

    def feed_images(self, arrays: Sequence[Any], recipe: Recipe, write: Write) -> None:
        """The same for bytes, which a kernel transforms on the compute stream."""
        self._inlets.of(arrays, recipe, lambda: images_into(self, self.gpu, arrays, recipe)).feed(write)

    def free(self) -> int:
        """Of the GPU's memory, after all programs that use it."""
        return int(self.gpu.cupy.cuda.runtime.memGetInfo()[0])

    def bridge(self, array: Any) -> Bridge:
        """Pinned memory beside the array."""
        return PinnedBridge(self.gpu, array)

    # ---- other processes
    def peering(self) -> Peering:
        """This GPU and NCCL."""
        return nccl.peering(self.gpu)

    def ticket(self) -> bytes:
        """NCCL's unique id."""
        return nccl.ticket()

    def join(self, ticket: bytes, rank: int, size: int) -> Peers:
        """A communicator of NCCL on the exchange stream."""
        return nccl.NcclPeers(self.gpu, ticket, rank, size)
