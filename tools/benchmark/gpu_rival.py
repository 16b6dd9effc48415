"""PyTorch's side on a GPU, in its modes."""
from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from benchmark.rival import imports
from benchmark.service import Answer, serve

MODES = ("eager", "channels_last", "compile+channels_last", "graph+channels_last")
_HALF = {"fp16": "float16", "bf16": "bfloat16"}
_RATE = 1e-5
_WARM = 3


class GpuRival:
    """settings: path, precision (fp32, tf32; fp16, bf16: automatic mixed precision, fp16 with a scaler of losses), mode.

    Training with SGD, momentum, decay, fused. graph: a whole iteration as one CUDA graph. device: "cuda"; another in tests.
    """

    def __init__(self, settings: Answer) -> None:
        import torch

        from benchmark.torch_net import TorchNet
        from caffempi.proto.text import read_net
        mode, precision = settings["mode"], settings["precision"]
        self._torch: Any = torch
        self._device: str = settings.get("device", "cuda")
        torch.manual_seed(1)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision == "tf32"
        torch.backends.cudnn.benchmark = True
        model = TorchNet(read_net(settings["path"])[0]).to(self._device)
        given = [torch.randn(s, device=self._device) if len(s) > 1 else
                 torch.zeros(s, dtype=torch.long, device=self._device) for s in model.inputs]
        if "channels_last" in mode:
            model = model.to(memory_format=torch.channels_last)   # type: ignore[call-overload]
            given = [x.contiguous(memory_format=torch.channels_last) if x.dim() == 4 else x for x in given]
        self._given, self._half = given, _HALF.get(precision)
        self.facts: dict[str, Any] = {"params": sum(p.numel() for p in model.parameters())}
        self._run = torch.compile(model) if "compile" in mode else model
        learnt = [p for p in model.parameters() if p.requires_grad]
        self._optimizer = torch.optim.SGD(learnt, _RATE, momentum=0.9, weight_decay=5e-4, fused=True)
        self._scaler = torch.amp.GradScaler(self._device, enabled=precision == "fp16" and "graph" not in mode)
        self.iterate: Callable[[], object] = self._captured() if "graph" in mode else self._step

    def _step(self) -> object:
        torch = self._torch
        self._optimizer.zero_grad(set_to_none=True)
        with torch.autocast(self._device, getattr(torch, self._half)) if self._half else nullcontext():
            loss = self._run(*self._given)
        self._scaler.scale(loss).backward()
        self._scaler.step(self._optimizer)
        self._scaler.update()
        return loss

    def _captured(self) -> Callable[[], object]:
        """An iteration recorded after some on a stream beside, as PyTorch wants it."""
        cuda = self._torch.cuda
        beside = cuda.Stream()
        beside.wait_stream(cuda.current_stream())
        with cuda.stream(beside):
            for _ in range(_WARM):
                self._step()
        cuda.current_stream().wait_stream(beside)
        graph = cuda.CUDAGraph()
        with cuda.graph(graph):
            self._step()
        replay: Callable[[], object] = graph.replay
        return replay

    def profile(self, request: Answer) -> Answer:
        """{"count": n} -> ms, memory: as our side's."""
        ms = self._time(self.iterate, request["count"])
        free, total = self._torch.cuda.mem_get_info()
        return {"ms": ms, "memory": total - free}

    def _time(self, run: Callable[[], object], count: int) -> float:
        cuda = self._torch.cuda
        first, last = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
        first.record()
        for _ in range(count):
            run()
        last.record()
        last.synchronize()
        return float(first.elapsed_time(last)) / count


if __name__ == "__main__":
    serve(GpuRival, imports)
