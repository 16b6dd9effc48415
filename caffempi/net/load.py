"""From a file (or message) to a graph: read, upgrade, filter by state, probe the data, build."""
from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from caffempi.data.feed import Feed, open_feed, probe
from caffempi.errors import CaffempiError, NetError
from caffempi.layers import BuildContext
from caffempi.layers.build import build_graph
from caffempi.layers.fillers import fill
from caffempi.net.outside import Outside
from caffempi.ops.graph import Graph, Param
from caffempi.proto import caffe_pb2
from caffempi.proto.dialect import apply_dialect
from caffempi.proto.phase import filter_net
from caffempi.proto.places import Places
from caffempi.proto.text import read_net
from caffempi.threads import cores

_MANY = 1 << 20                                                # elements that threads draw sooner than they start


@dataclass(frozen=True)
class Sharding:
    """Which part of the data a net's feeds give: rank of ranks; seed of shuffles and crops; batch overrides batch_size.

    base: folder that relative paths of data start from (None: the working directory).
    """

    rank: int = 0
    ranks: int = 1
    seed: int = 0
    batch: int | None = None
    base: str | None = None


@dataclass
class Loaded:
    """A built net: its graph, the filtered message, the layers that feed it, and what reading gave cause to say."""

    graph: Graph
    message: caffe_pb2.NetParameter
    sources: dict[str, tuple[caffe_pb2.LayerParameter, str | None]]
    sharding: Sharding
    outside: Outside
    notes: list[str] = field(default_factory=list)

    def first_values(self, params: Sequence[Param], seed: int) -> Iterator[tuple[Param, np.ndarray]]:
        """What params hold before anything is learned: by a filler, or by the code of a Python layer.

        Each has random numbers of its own, so that many of them are drawn in threads to the same values.
        """
        def draw(p: Param) -> np.ndarray:
            rng = np.random.default_rng([seed, zlib.crc32(p.name.encode())])
            return fill(p.filler, p.spec.shape, rng, self.graph.dtype)
        given = {p: values for p in params if (values := self.outside.first_values(p)) is not None}
        rest = [p for p in params if p not in given]
        yield from given.items()
        if sum(p.spec.count for p in rest) < _MANY:
            yield from ((p, draw(p)) for p in rest)
        else:
            with ThreadPoolExecutor(len(cores(0))) as pool:
                yield from zip(rest, pool.map(draw, rest), strict=True)

    def open_feeds(self, transforms: bool = False) -> dict[str, Feed]:
        """One feed a data layer, by layer name. transforms: the engine takes images in bytes."""
        feeds: dict[str, Feed] = {}
        s = self.sharding
        for name, (lp, where) in self.sources.items():
            feed = open_feed(lp, lp.phase, tops=len(lp.top), rank=s.rank, ranks=s.ranks, seed=s.seed, base=s.base,
                             where=where, batch=s.batch, transforms=transforms)
            if feed is None:
                raise NetError(f'no data source for layer type "{lp.type}"', layer=name, type=lp.type, where=where)
            feeds[name] = feed
        return feeds


def load_net(source: str | os.PathLike[str] | caffe_pb2.NetParameter, phase: int, level: int = 0,
             stages: Sequence[str] = (), dtype: str = "float32", sharding: Sharding | None = None,
             places: Places | None = None, allow_unknown: bool = False, dialect: str | None = None) -> Loaded:
    """Builds the net of a file or an (upgraded) message in the given state.

    The state that the net's own text gives is completed by phase, level and stages. dialect: see `apply_dialect`. Raises
    TextError, NetError, ShapeError and DataError, all with file:line.
    """
    if isinstance(source, caffe_pb2.NetParameter):
        message = source
    else:
        message, places = read_net(source, allow_unknown=allow_unknown)
    state = net_state(message, phase, level, stages)
    filtered, origin = filter_net(message, state, places)
    defaults = apply_dialect(filtered, dialect)
    sharding = sharding or Sharding()
    sources: dict[str, tuple[caffe_pb2.LayerParameter, str | None]] = {}

    def place(index: int, path: Sequence[Any]) -> str | None:
        return places.at("layer", origin[index], *path) if places is not None and index >= 0 else None
    where_of = {id_of(lp): place(i, ()) for i, lp in enumerate(filtered.layer)}

    def look(lp: caffe_pb2.LayerParameter, tops: int) -> list[tuple[int, ...]]:
        where = where_of.get(id_of(lp))
        sources[lp.name] = (lp, where)
        shapes = probe(lp, lp.phase, tops=tops, rank=sharding.rank, ranks=sharding.ranks, seed=sharding.seed,
                       base=sharding.base, batch=sharding.batch)
        if shapes is None:
            raise NetError(f'no data source for layer type "{lp.type}"')
        return shapes
    if not filtered.layer:
        raise NetError("the net has no layers in this phase", where=places.filename if places else None,
                       fix="give it layers that include the phase")
    outside = Outside(os.path.dirname(places.filename) if places else None, dtype, base=sharding.base, rank=sharding.rank,
                      ranks=sharding.ranks)
    ctx = BuildContext("TRAIN" if phase == caffe_pb2.TRAIN else "TEST", dtype, look, outside.extra)
    try:
        graph = build_graph(filtered, ctx, place)
    except CaffempiError as e:
        raise e.at(where=places.filename if places else None) from e.__cause__
    read = [*places.warnings, *places.notes] if places else []
    return Loaded(graph, filtered, sources, sharding, outside, [*read, *defaults, *graph.notes])


def net_state(message: caffe_pb2.NetParameter, phase: int, level: int = 0, stages: Sequence[str] = ()) -> caffe_pb2.NetState:
    """The state that the net's own text gives, completed by phase, level and stages."""
    state = caffe_pb2.NetState()
    state.CopyFrom(message.state)
    state.phase = caffe_pb2.TRAIN if phase == caffe_pb2.TRAIN else caffe_pb2.TEST
    if level:
        state.level = level
    state.stage.extend(s for s in stages if s not in state.stage)
    return state


def id_of(lp: caffe_pb2.LayerParameter) -> tuple[str, tuple[str, ...]]:
    """What tells a layer from others of the same net."""
    return lp.name, tuple(lp.top)
