"""Split layers: a blob that several layers read gets one, with Caffe's names, so that every blob has one reader.

`conv1` read twice becomes `conv1_conv1_0_split_0` and `..._1`, tops of a layer `conv1_conv1_0_split`
(blob, layer that made it, index of the top). A loss weight counts as one more reader, which is the first split.
"""
from __future__ import annotations

from collections import defaultdict

from caffempi.errors import NetError, did_you_mean
from caffempi.proto import caffe_pb2


def split_name(blob: str, layer: str, top: int) -> str:
    """Name of the split layer behind top number `top` of `layer`."""
    return f"{blob}_{layer}_{top}_split"


def insert_splits(net: caffe_pb2.NetParameter) -> tuple[caffe_pb2.NetParameter, list[int]]:
    """Returns the net with split layers, and for each of its layers the index in the given net (-1 for a split).

    Raises NetError where a bottom is read that no earlier layer makes.
    """
    maker: dict[str, tuple[int, int]] = {}                     # blob -> (layer, top) that wrote it last
    reads: dict[tuple[int, int], int] = defaultdict(int)
    source: dict[tuple[int, int], tuple[int, int]] = {}        # (layer, bottom) -> (layer, top) that it reads
    weight: dict[tuple[int, int], float] = {}
    for i, lp in enumerate(net.layer):
        for j, blob in enumerate(lp.bottom):
            if blob not in maker:
                raise _unknown_bottom(net, i, blob)
            source[i, j] = maker[blob]
            reads[maker[blob]] += 1
        for j, blob in enumerate(lp.top):
            maker[blob] = (i, j)
        for j, w in enumerate(lp.loss_weight[:len(lp.top)]):
            if w:
                weight[i, j] = w
                reads[maker[lp.top[j]]] += 1

    out = caffe_pb2.NetParameter()
    out.CopyFrom(net)
    del out.layer[:]
    origin: list[int] = []
    used: dict[tuple[int, int], int] = defaultdict(int)
    for i, lp in enumerate(net.layer):
        new = out.layer.add()
        new.CopyFrom(lp)
        origin.append(i)
        for j, blob in enumerate(lp.bottom):
            top = source[i, j]
            if reads[top] > 1:
                new.bottom[j] = f"{split_name(blob, net.layer[top[0]].name, top[1])}_{used[top]}"
                used[top] += 1
        for j, blob in enumerate(lp.top):
            if reads[i, j] <= 1:
                continue
            split = out.layer.add(name=split_name(blob, lp.name, j), type="Split", bottom=[blob])
            split.top.extend(f"{split.name}_{k}" for k in range(reads[i, j]))
            origin.append(-1)
            if (i, j) in weight:
                split.loss_weight.extend([weight[i, j]] + [0.0] * (reads[i, j] - 1))
                new.loss_weight[j] = 0.0
                used[i, j] += 1
    return out, origin


def _unknown_bottom(net: caffe_pb2.NetParameter, layer: int, blob: str) -> NetError:
    lp = net.layer[layer]
    later = next((other.name for other in net.layer[layer:] if blob in other.top), None)
    known = sorted({top for other in net.layer[:layer] for top in other.top})
    if later is not None:
        why, fix = f'bottom blob "{blob}" is made only later, by layer "{later}"', "move that layer up"
    else:
        why = f'unknown bottom blob "{blob}": no layer above makes it'
        fix = did_you_mean(blob, known) or f"blobs so far: {', '.join(known[-8:]) or 'none'}"
    return NetError(why, layer=lp.name, type=lp.type, fix=fix)
