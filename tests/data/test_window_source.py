"""WindowData: geometry of the cut against a literal rule, what is drawn, fields, ranks, whole nets."""
import math

import cv2
import numpy as np
import pytest

from caffempi import TRAIN, Net
from caffempi.data.feed import open_feed, probe
from caffempi.data.window_source import place_window
from caffempi.errors import CaffempiError, DataError
from caffempi.proto import caffe_pb2

ROWS, COLUMNS = 23, 31


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(4)
    lines = []
    for k in range(3):
        cv2.imwrite(str(tmp_path / f"{k}.png"), rng.integers(0, 256, (ROWS, COLUMNS, 3), np.uint8))
        boxes = [(k + 1, 0.9, 2, 3, 20, 15), (k + 1, 0.6, 0, 0, 30, 22), (9, 0.1, 25, 18, 30, 22), (9, 0.4, 4, 1, 9, 20)]
        lines += [f"# {k}", f"{k}.png", "3", str(ROWS), str(COLUMNS), str(len(boxes)), *(" ".join(map(str, b)) for b in boxes)]
    (tmp_path / "w.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


def layer(folder, transform="", **fields):
    lp = caffe_pb2.LayerParameter(name="w", type="WindowData", top=["data", "label"])
    p = {"source": f"{folder}/w.txt", "root_folder": f"{folder}/", "batch_size": 8, "fg_threshold": 0.5, "bg_threshold": 0.5} | fields
    for name, value in p.items():
        setattr(lp.window_data_param, name, value)
    for part in ["crop_size=11", *transform.split()]:
        name, _, value = part.partition("=")
        kind = {"mirror": lambda v: v == "true", "mean_file": str}.get(name, float if name != "crop_size" else int)
        if name == "mean_value":
            lp.transform_param.mean_value.append(float(value))
        else:
            setattr(lp.transform_param, name, kind(value))
    return lp


def batch(lp, seed=3, rank=0, ranks=1, skip=0):
    feed = open_feed(lp, TRAIN, tops=2, rank=rank, ranks=ranks, seed=seed)
    outs = [np.empty(s, np.float32) for s in feed.shapes()]
    for _ in range(skip + 1):
        feed.next(outs)
    feed.close()
    return outs


def away(x):
    return int(math.copysign(math.floor(abs(float(x)) + 0.5), float(x)))


def expected(image, box, size, pad, square, mirrored, mean, scale):
    """The rule, one pixel after the other."""
    f = np.float32
    x1, y1, x2, y2 = box
    width = height = size
    pad_w = pad_h = 0
    if pad > 0 or square:
        grow = f(size) / f(size - 2 * pad)
        half_h, half_w = f(y2 - y1 + 1) / f(2), f(x2 - x1 + 1) / f(2)
        cx, cy = f(x1) + half_w, f(y1) + half_h
        if square:
            if half_h > half_w:
                half_w = half_h
            else:
                half_h = half_w
        x1, x2 = away(cx - half_w * grow), away(cx + half_w * grow)
        y1, y2 = away(cy - half_h * grow), away(cy + half_h * grow)
        sx, sy = f(size) / f(x2 - x1 + 1), f(size) / f(y2 - y1 + 1)
        left, up, right, down = max(0, -x1), max(0, -y1), max(0, x2 - image.shape[1] + 1), max(0, y2 - image.shape[0] + 1)
        x1, y1, x2, y2 = x1 + left, y1 + up, x2 - right, y2 - down
        width, height = away(f(x2 - x1 + 1) * sx), away(f(y2 - y1 + 1) * sy)
        pad_h = away(f(up) * sy)
        pad_w = away(f(right) * sx) if mirrored else away(f(left) * sx)
        height, width = min(height, size - pad_h), min(width, size - pad_w)
    cut = cv2.resize(image[y1:y2 + 1, x1:x2 + 1], (width, height), interpolation=cv2.INTER_LINEAR)
    if mirrored:
        cut = cv2.flip(cut, 1)
    out = np.zeros((3, size, size), np.float32)
    for h in range(height):
        for w in range(width):
            for c in range(3):
                m = mean(c, h + pad_h, w + pad_w)
                out[c, h + pad_h, w + pad_w] = (f(cut[h, w, c]) - f(m)) * f(scale)
    return out


BOXES = [(2, 3, 20, 15), (0, 0, 30, 22), (25, 18, 30, 22), (4, 1, 9, 20)]
MEAN = np.random.default_rng(1).uniform(0, 255, (3, 13, 13)).astype(np.float32)


@pytest.mark.parametrize("pad, square, mirror, transform", [
    (0, False, False, ""), (2, False, False, "scale=0.5"), (0, True, False, "mean_value=100"),
    (3, True, True, "mean_value=1 mean_value=2 mean_value=3"),
    (0, False, True, "mean_file=MEAN scale=2"), (2, True, False, "mean_file=MEAN"), (5, False, True, "")])
def test_every_window_is_cut_as_the_rule_says(folder, pad, square, mirror, transform):
    mean = caffe_pb2.BlobProto(num=1, channels=3, height=13, width=13, data=MEAN.ravel().tolist())
    (folder / "mean.binaryproto").write_bytes(mean.SerializeToString())
    text = transform.replace("MEAN", f"{folder}/mean.binaryproto") + (" mirror=true" if mirror else "")
    lp = layer(folder, text, batch_size=40, context_pad=pad, crop_mode="square" if square else "warp", fg_fraction=0.5)
    data, labels = batch(lp)
    values, scale = list(lp.transform_param.mean_value), lp.transform_param.scale

    def mean_at(c, h, w):
        return MEAN[c, 1 + h, 1 + w] if lp.transform_param.mean_file else values[c % len(values)] if values else 0
    images = [cv2.imread(str(folder / f"{k}.png")) for k in range(3)]
    all_cuts = {(k, b, m): expected(images[k], BOXES[b], 11, pad, square, m, mean_at, scale)
                for k in range(3) for b in range(4) for m in ((False, True) if mirror else (False,))}
    seen = set()
    for i, (pixels, label) in enumerate(zip(data, labels, strict=True)):
        found = [key for key, cut in all_cuts.items() if np.allclose(cut, pixels, rtol=1e-6, atol=1e-4)]
        assert found, f"item {i} is none of the windows"
        k, b, _ = found[0]
        assert (b in (0, 1)) == (i >= 20), "background first, then objects"
        assert label == (k + 1 if b in (0, 1) else 0)
        seen.add(found[0])
    assert len(seen) > len(all_cuts) // 2


@pytest.mark.parametrize("fraction, objects", [(0, 0), (0.25, 2), (0.3, 2), (0.99, 7), (1, 8)])
def test_share_of_objects(folder, fraction, objects):
    labels = batch(layer(folder, fg_fraction=fraction))[1]
    assert (labels > 0).sum() == objects and (labels[:8 - objects] == 0).all()


def test_draws_follow_seed_and_position_alone(folder):
    lp = layer(folder, "mirror=true", cache_images=True)
    again, plain = batch(lp, skip=2), batch(layer(folder, "mirror=true"), skip=2)
    for a, b in zip(again, plain, strict=True):
        np.testing.assert_array_equal(a, b)
    assert (batch(lp, skip=1)[0] != again[0]).any() and (batch(lp, seed=4, skip=2)[0] != again[0]).any()
    two = [batch(lp, rank=r, ranks=2) for r in range(2)]
    np.testing.assert_array_equal(two[1][0], batch(lp, skip=1)[0])


@pytest.mark.parametrize("fields, transform, said", [
    ({"crop_mode": "stretch"}, "", 'crop_mode = stretch: must be "warp" or "square"'), ({"context_pad": 6}, "", "context_pad = 6"),
    ({"fg_fraction": 1.5}, "", "fg_fraction"), ({"fg_threshold": 1.5}, "", "no window of the file counts as objects"),
    ({"bg_threshold": 0.05}, "", "counts as background"), ({"batch_size": 0}, "", "batch_size = 0"), ({"source": ""}, "", "has no path"),
    ({"source": "/no/file"}, "", "window_data_param.source = /no/file"), ({}, "mean_value=1 mean_value=2", "given 2 times"),
    ({}, "mean_value=1 mean_file=m", "stands beside mean_value"), ({}, "mean_file=m", "mean_file"), ({}, "force_gray=1", "force_gray")])
def test_fields_that_cannot_be_obeyed(folder, fields, transform, said):
    with pytest.raises(DataError) as caught:
        lp = layer(folder, transform.replace("force_gray=1", ""), **fields)
        lp.transform_param.force_gray |= "force_gray" in transform
        if not lp.transform_param.force_gray:
            lp.transform_param.ClearField("force_gray")
        probe(lp, TRAIN, tops=2)
    assert said in str(caught.value)


def test_no_crop_size(folder):
    lp = layer(folder)
    lp.transform_param.ClearField("crop_size")
    with pytest.raises(DataError, match="transform_param.crop_size"):
        probe(lp, TRAIN, tops=2)


def test_a_mean_that_is_too_small(folder):
    mean = caffe_pb2.BlobProto(num=1, channels=3, height=10, width=10, data=[0] * 300)
    (folder / "m").write_bytes(mean.SerializeToString())
    with pytest.raises(DataError, match="does not cover a crop of 3 x 11 x 11"):
        probe(layer(folder, f"mean_file={folder}/m"), TRAIN, tops=2)


@pytest.mark.parametrize("root, said", [("/nowhere/", "cannot be read: No such file"), (None, "cannot be decoded")])
def test_images_at_fault_are_named(folder, root, said):
    if root is None:
        for k in range(3):
            (folder / f"{k}.png").write_bytes(b"no image")
    with pytest.raises(DataError, match=rf"image \d \(.*\.png\): .*{said}"):
        batch(layer(folder, **({"root_folder": root} if root else {})))


@pytest.mark.parametrize("box, pad", [((5, 5, 40, 9), 0), ((-1, 0, 3, 3), 0), ((100, 100, 110, 110), 2), ((9, 9, 2, 2), 0)])
def test_windows_outside_of_the_image(box, pad):
    with pytest.raises(DataError, match="does not lie in the image of 31 x 23 pixels"):
        place_window(box, ROWS, COLUMNS, 11, pad, False, False)


def test_in_a_net_and_in_old_texts(folder):
    (folder / "n.prototxt").write_text(f"""
      layers {{ name: "w" type: WINDOW_DATA top: "data" top: "label" window_data_param {{ source: "{folder}/w.txt" batch_size: 4
        crop_size: 7 mirror: true scale: 0.1 root_folder: "{folder}/" }} }}""")
    net = Net(folder / "n.prototxt", TRAIN, seed=1)
    out = net.forward()
    assert out["data"].shape == (4, 3, 7, 7) and list(out["label"][:3]) == [0, 0, 0] and out["label"][3] > 0 and out["data"].max() < 26
    net.close()
    (folder / "n.prototxt").write_text((folder / "n.prototxt").read_text().replace('top: "label"', ""))
    with pytest.raises(CaffempiError, match="takes 2 top"):
        Net(folder / "n.prototxt", TRAIN)
