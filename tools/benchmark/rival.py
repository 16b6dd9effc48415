"""PyTorch's side: the same net in one of PyTorch's modes, given every fair advantage that a user would know of."""
from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from time import perf_counter
from typing import TYPE_CHECKING, Any

from benchmark.service import Answer, serve

if TYPE_CHECKING:
    from torch import Tensor, optim

MODES = ("eager", "channels_last", "compile", "compile+channels_last")
_RATE = 1e-5                                                   # as on the other side
_PROBES = 3


class Rival:
    """settings: path, train, precision ("fp32" or "bf16"), mode.

    Training: SGD with momentum and decay, fused or foreach, whichever is faster here; gradients set to None between
    iterations. Else: evaluation in inference mode, compiled with its weights frozen.
    """

    def __init__(self, settings: Answer) -> None:
        import torch

        from benchmark.torch_net import TorchNet
        from caffempi.proto.text import read_net
        mode, self.train = settings["mode"], bool(settings["train"])
        torch.manual_seed(1)
        model = TorchNet(read_net(settings["path"])[0])
        self._given: list[Tensor] = [torch.randn(s) if len(s) > 1 else torch.zeros(s, dtype=torch.long) for s in model.inputs]
        if "channels_last" in mode:
            model = model.to(memory_format=torch.channels_last)   # type: ignore[call-overload]
            self._given = [x.contiguous(memory_format=torch.channels_last) if x.dim() == 4 else x for x in self._given]
        model.train(self.train)
        self.facts: dict[str, Any] = {"params": sum(p.numel() for p in model.parameters())}
        self._half = settings["precision"] == "bf16"
        self._frozen = "compile" in mode and not self.train
        if self._frozen:
            torch._inductor.config.freezing = True
        self._run = torch.compile(model) if "compile" in mode else model
        if self.train:
            learnt = [p for p in model.parameters() if p.requires_grad]
            self._optimizer = torch.optim.SGD(learnt, _RATE, momentum=0.9, weight_decay=5e-4, foreach=True)
            self._step()
            self.facts["optimizer"] = _faster(self._optimizer)

    def _autocast(self) -> AbstractContextManager[Any]:
        import torch
        return torch.autocast("cpu", torch.bfloat16) if self._half else nullcontext()

    def iterate(self) -> object:
        """One iteration."""
        import torch
        if self.train:
            return self._step()
        with torch.no_grad() if self._frozen else torch.inference_mode(), self._autocast():
            return self._run(*self._given)

    def _step(self) -> Tensor:
        self._optimizer.zero_grad(set_to_none=True)
        with self._autocast():
            loss: Tensor = self._run(*self._given)
        loss.backward()
        self._optimizer.step()
        return loss

    def profile(self, request: Answer) -> Answer:
        """Not asked of this side."""
        raise ValueError("PyTorch's side has no steps to show")


def _faster(optimizer: optim.SGD) -> str:
    """Sets the quicker of the optimizer's two ways to run, both on the gradients that are there, and names it."""
    times = {}
    group = optimizer.param_groups[0]
    for way in ("foreach", "fused"):
        group["foreach"], group["fused"] = way == "foreach", way == "fused"
        spent = []
        for _ in range(_PROBES):
            start = perf_counter()
            optimizer.step()
            spent.append(perf_counter() - start)
        times[way] = min(spent)
    best = min(times, key=lambda way: times[way])
    group["foreach"], group["fused"] = best == "foreach", best == "fused"
    return best


def imports() -> None:
    """PyTorch, and what reads the net's text."""
    import caffempi.proto.text  # noqa: F401


if __name__ == "__main__":
    serve(Rival, imports)
