"""The Net: a plan that runs, with pycaffe's surface.

    net = Net("deploy.prototxt", TEST, weights="net.caffemodel")
    net.blobs["data"].data[...] = images
    scores = net.forward()["prob"]
"""
from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from caffempi.data.memory_feed import MemoryFeed
from caffempi.errors import NetError, UsageError, WeightsError
from caffempi.net.blob import Blob, LayerView
from caffempi.net.load import Sharding, load_net
from caffempi.net.precision import engine_of, loss_scale_of
from caffempi.net.records import layer_records, targets
from caffempi.net.runner import Runner
from caffempi.ops.graph import Param, Value
from caffempi.plan.binding import Binding
from caffempi.plan.plan import ALL, make_plan
from caffempi.plan.program import Clock, Record
from caffempi.plan.storage import ParamState
from caffempi.proto import caffe_pb2
from caffempi.proto.places import Places
from caffempi.weights import LayerRecord, match_layers, read_weights, write_weights

TRAIN, TEST = caffe_pb2.TRAIN, caffe_pb2.TEST


class Net:
    """A net in one phase. See the module for use.

    network_file: path of a prototxt, or a NetParameter message. phase: TRAIN or TEST; level, stages: the rest of the state.
    weights: a .caffemodel or HDF5 file to start from; Net(file, weights, phase), the old order, works too.
    engine: name, else the best here. optimised: observe only inputs and outputs, so that ops are fused and share memory.
    observe: names of further blobs to observe (makes the net optimised). dtype: 'float32' or 'float64' (engine numpy).
    precision: what the engine computes in, 'fp32', 'bf16', 'fp16' or 'tf32' (default: as the text asks); params and what is
    observed are fp32. seed: of fillers, random layers and data (negative, as Caffe's -1: any). rank, ranks, batch: this
    process's part of the data, and what takes the place of batch_size. no_pass: passes to leave out. params_of: a net that
    owns the params of layers of the same names. places: of a message's fields. allow_unknown: skip unknown ones. dialect: whose
    defaults hold. forward_only: no backward will run. loss_scale: see `loss_scale_of`. updated: params change between any
    two runs, so that copies in other layouts are not kept for the next one.
    Raises TextError, NetError, ShapeError, DataError, WeightsError, EngineError.
    """

    def __init__(self, network_file: str | os.PathLike[str] | caffe_pb2.NetParameter, phase: int | str, level: Any = 0,
                 stages: Sequence[str] | None = None, weights: str | os.PathLike[str] | None = None, *,
                 engine: str | None = None, optimised: bool = False, observe: Collection[str] | None = None,
                 dtype: str = "float32", precision: str | None = None, seed: int | None = None, rank: int = 0, ranks: int = 1,
                 batch: int | None = None, no_pass: Collection[str] = (), params_of: Net | None = None,
                 places: Places | None = None, allow_unknown: bool = False, dialect: str | None = None,
                 forward_only: bool = False, updated: bool = False, loss_scale: str | float = "none") -> None:
        weights, phase, level = (phase, int(level), 0) if isinstance(phase, str) else (weights, phase, level)
        if phase not in (TRAIN, TEST):
            raise UsageError(f"phase must be TRAIN ({TRAIN}) or TEST ({TEST}), not {phase!r}")
        seed = int.from_bytes(os.urandom(4), "little") if seed is None or seed < 0 else seed
        loaded = load_net(network_file, phase, level, stages or (), dtype, Sharding(rank, ranks, seed, batch), places,
                          allow_unknown, dialect)
        self.engine, said = engine_of(engine, dtype, precision, loaded.message)
        self.loss_scale, more = loss_scale_of(loss_scale, self.engine, loaded.message, dtype)
        self.name, self.phase, self.seed = loaded.message.name, phase, seed
        self.graph, self.message = loaded.graph, loaded.message
        watched = ALL if observe is None and not optimised else observe or ()
        self.plan = make_plan(self.graph, self.engine, watched, no_pass, forward_only, updated, self.loss_scale is not None)
        self.arena = self.plan.arena
        lender = params_of.lend(self.graph.params) if params_of is not None else {}
        self.param_state = ParamState(self.arena, lender)
        for p, values in loaded.first_values([p for p in self.graph.params if p not in lender], seed):
            self.engine.put(self.param_state.array(p), values)
        self._runner = Runner(self.plan, self.param_state, seed, rank)
        self.notes = [*loaded.notes, *said, *more, *self.engine.notes, *self._runner.binding.blueprint.unheeded]
        self.feeds, self._outside = loaded.open_feeds(self.engine.transforms), loaded.outside
        self._runner.feeds = self.feeds
        self.inputs, self.outputs = [*self.graph.inputs], [*self.graph.outputs]
        self.blobs: OrderedDict[str, Blob] = OrderedDict((n, self._blob(n)) for n in self.graph.blobs)
        self.params: OrderedDict[str, list[Blob]] = OrderedDict(
            (info.name, [self._param_blob(v) for v in info.blobs]) for info in self.graph.layers if info.blobs)
        self.layers = [LayerView(i.name, i.type, self.params.get(i.name, []) if i.blobs else []) for i in self.graph.layers]
        self._layer_names = [i.name for i in self.graph.layers]
        self.layer_dict = OrderedDict(zip(self._layer_names, self.layers, strict=True))
        self.bottom_names = OrderedDict((i.name, list(i.bottoms)) for i in self.graph.layers)
        self.top_names = OrderedDict((i.name, list(i.tops)) for i in self.graph.layers)
        losses = {t: w for i in self.graph.layers for t, w in zip(i.tops, i.loss_weights, strict=True)}
        self.blob_loss_weights = OrderedDict((n, losses.get(n, 0.0)) for n in self.graph.blobs)
        if weights is not None:
            self.notes += self.copy_from(weights)

    # ---- running ----
    def forward(self, blobs: Sequence[str] | None = None, start: str | None = None, end: str | None = None,
                **inputs: Any) -> dict[str, np.ndarray]:
        """Runs the layers from `start` to `end`, both included (default: all); returns the outputs and `blobs`.

        inputs: blob name -> array, written first. The arrays returned are views that the next run overwrites.
        """
        for name, array in inputs.items():
            self._write(name, array, self.inputs, "an input", False)
        self._runner.run_forward(*self._range(start, end, 0, len(self.layers) - 1))
        names = self.top_names[end] if end is not None else self.outputs
        return {n: self._known(n).data for n in dict.fromkeys([*names, *(blobs or ())])}

    def backward(self, diffs: Sequence[str] | None = None, start: str | None = None, end: str | None = None,
                 **top_diffs: Any) -> dict[str, np.ndarray]:
        """Runs the layers from `start` down to `end`, both included (default: all); params' gradients are added to.

        top_diffs: output blob -> its gradient, written first. Returns the gradients of the inputs and of `diffs`.
        """
        for name, array in top_diffs.items():
            allowed = self.outputs if start is None else [*self.outputs, *self.top_names.get(start, [])]
            self._write(name, array, allowed, "an output", True)
        self._runner.run_backward(*self._range(start, end, len(self.layers) - 1, 0))
        names = self.bottom_names[end] if end is not None else self.inputs
        return {n: self._known(n).diff for n in dict.fromkeys([*names, *(diffs or ())])}

    def set_input_arrays(self, data: Any, labels: Any, layer: str | None = None) -> None:
        """Gives the net's first (or the named) MemoryData layer its data, see `MemoryFeed.set`. Raises UsageError."""
        feeds = [f for name, f in self.feeds.items() if isinstance(f, MemoryFeed) and layer in (None, name)]
        if not feeds:
            raise UsageError("the net has no MemoryData layer" + (f' "{layer}"' if layer is not None else ""))
        feeds[0].set(data, labels)

    def reshape(self) -> None:
        """Gives all blobs the shapes that follow from those of the inputs. Raises ShapeError and changes nothing else."""
        self._runner.settle()

    @property
    def loss(self) -> float:
        """The weighted sum of the loss blobs after the last forward: sum over them of data . diff."""
        return self._runner.values.begin_loss()()

    def forward_backward(self, add: bool = False) -> float:
        """One training pass; returns the loss. add: adds to the params' gradients, else overwrites them."""
        return self._runner.begin_pass(add)()

    def begin_pass(self, add: bool = False) -> Callable[[], float]:
        """As forward_backward, but what is returned gives the loss, and waits for it on a device."""
        return self._runner.begin_pass(add)

    def run_forward(self) -> float:
        """A whole forward; returns the loss."""
        self._runner.run_forward(0, len(self.layers) - 1)
        return self.loss

    def read(self, name: str) -> np.ndarray:
        """A blob's values for reading alone: what `blobs[name].data` shows, without a way back to a device."""
        return self.engine.get(self._runner.values.value(name))

    def profile(self, forward: Record, backward: Record, clock: Clock) -> None:
        """One forward and one backward run; the functions are told of each step (its layer by index) and its seconds."""
        self._runner.profile(forward, backward, clock)

    def clear_param_diffs(self) -> None:
        """Zeroes the gradients of all params."""
        self.arena.clear_grad()

    def first_nonfinite(self) -> str | None:
        """Says which layer's blob, first in the net's order, holds a value that is not finite; None if all are finite."""
        return self._runner.values.first_nonfinite()

    def close(self) -> None:
        """Stops the threads that read data, and finishes the files that layers write; idempotent."""
        self._outside.close()
        for feed in self.feeds.values():
            feed.close()

    @property
    def binding(self) -> Binding:
        """The plan bound to the present shapes: steps to print or time, and the memory behind them."""
        self._runner.settle()
        return self._runner.binding

    # ---- hooks and counters of the solver ----
    @property
    def ready_hook(self) -> Callable[[int], None] | None:
        """Called during backward as each bucket of the arena is final."""
        return self._runner.ready_hook

    @ready_hook.setter
    def ready_hook(self, hook: Callable[[int], None] | None) -> None:
        self._runner.ready_hook = hook

    @property
    def counts_hook(self) -> Callable[[np.ndarray], tuple[np.ndarray, int]] | None:
        """Called between forward and backward where losses divide by counts that vary; see `Runner`."""
        return self._runner.counts_hook

    @counts_hook.setter
    def counts_hook(self, hook: Callable[[np.ndarray], tuple[np.ndarray, int]] | None) -> None:
        self._runner.counts_hook = hook

    @property
    def run_ordinal(self) -> int:
        """Number of forward runs so far: what random layers' draws are keyed by."""
        return self._runner.ordinal

    @run_ordinal.setter
    def run_ordinal(self, value: int) -> None:
        self._runner.ordinal = value

    @property
    def digest(self) -> str:
        """What all ranks must agree on, as a hash."""
        return self.plan.digest

    # ---- weights ----
    def copy_from(self, path: str | os.PathLike[str], on_mismatch: str = "error") -> list[str]:
        """Copies weights by layer name, by Caffe's rule: layers that only one side has are left alone. Returns notes.

        on_mismatch: error, skip or reshape (see `match_layers`). Raises WeightsError where layers of one name have other
        blobs; nothing is copied then.
        """
        try:
            todo, notes = match_layers(read_weights(path), targets(self.graph), on_mismatch)
        except WeightsError as e:
            raise e.at(where=os.fspath(path)) from None
        for info, blobs in zip(self.graph.layers, todo, strict=True):
            for v, b in zip(info.blobs, blobs, strict=True):
                if b is not None and v.param is not None:
                    self.engine.put(self.param_state.array(v.param), b.reshape(v.param.spec.shape))
        self.param_state.touch()
        return notes

    def save(self, path: str | os.PathLike[str], write_diff: bool = False) -> None:
        """Writes the net as a binary .caffemodel; write_diff: the params' gradients too."""
        write_weights(path, self.name, self.layer_records(write_diff), "BINARYPROTO")

    def save_hdf5(self, path: str | os.PathLike[str], write_diff: bool = False) -> None:
        """Writes the net's weights as HDF5."""
        write_weights(path, self.name, self.layer_records(write_diff), "HDF5")

    load_hdf5 = copy_from

    def layer_records(self, diffs: bool = False) -> list[LayerRecord]:
        """The layers as files hold them."""
        get, array, grad = self.engine.get, self.param_state.array, self._grad_of()
        return layer_records(self.graph, {lp.name: lp for lp in self.message.layer}, lambda p: get(array(p)),
                             (lambda p: get(grad(p))) if diffs else None)

    def share_with(self, other: Net) -> None:
        """From now on the params of layers that `other` has too are its arrays."""
        self.param_state.borrow(other.lend(self.graph.params))
        self._runner.forget()

    def lend(self, params: Sequence[Param]) -> dict[Param, tuple[ParamState, Param]]:
        """For another net's params, this net's of the same layer and index, where it has the layer."""
        own = {(i.name, k): v.param for i in self.graph.layers for k, v in enumerate(i.blobs) if v.param is not None}
        found: dict[Param, tuple[ParamState, Param]] = {}
        for p in params:
            mine = own.get((p.layer_name, p.index))
            if mine is None:
                continue
            if mine.spec.shape != p.spec.shape:
                raise NetError(f"blob {p.index} has shape {list(p.spec.shape)} here, but {list(mine.spec.shape)} in the net "
                               f"whose params it shares", layer=p.layer_name, where=p.where)
            found[p] = (self.param_state, mine)
        return found

    # ---- names to arrays ----
    def _blob(self, name: str) -> Blob:
        r = self._runner                                       # not self: a net is freed with the last name for it
        v = r.values
        return Blob(lambda: v.data(name), lambda: v.diff(name), lambda s: r.set_shape(name, s), lambda: v.shape(name))

    def _param_blob(self, v: Value) -> Blob:
        p, state, grad, shape, lend = v.param, self.param_state, self._grad_of(), v.spec.shape, self.engine.lend
        assert p is not None

        def fixed(shape: tuple[int, ...]) -> None:
            raise NetError(f"blob {p.index} keeps its shape {list(p.spec.shape)}", layer=p.layer_name,
                           fix="change the layer's settings instead")
        return Blob(lambda: state.expose(p).reshape(shape), lambda: lend(grad(p)).reshape(shape), fixed, lambda: shape)

    def _grad_of(self) -> Callable[[Param], np.ndarray]:
        state, arena = self.param_state, self.arena
        return lambda p: state.zero_grad(p) if p.stat else arena.view(p, arena.grad)

    def _known(self, name: str) -> Blob:
        if name not in self.blobs:
            raise UsageError(f'the net has no blob "{name}"')
        return self.blobs[name]

    def _range(self, start: str | None, end: str | None, first: int, last: int) -> tuple[int, int]:
        for name in (start, end):
            if name is not None and name not in self.layer_dict:
                raise UsageError(f'the net has no layer "{name}"')
        return (first if start is None else self._layer_names.index(start),
                last if end is None else self._layer_names.index(end))

    def _write(self, name: str, array: Any, allowed: Sequence[str], what: str, diff: bool) -> None:
        if name not in allowed:
            raise UsageError(f'"{name}" is not {what} of the net', fix=f"those are: {', '.join(allowed)}")
        target = self.blobs[name].diff if diff else self.blobs[name].data
        if np.shape(array) != target.shape:
            raise UsageError(f'blob "{name}" has shape {list(target.shape)}, the array given {list(np.shape(array))}',
                             fix="reshape the blob first")
        target[...] = array
