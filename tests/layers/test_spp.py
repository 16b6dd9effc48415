"""SPP layers: levels, one level alone, phases of STOCHASTIC, shapes that follow the image, what is refused, cases."""
import numpy as np
import pytest
from google.protobuf import text_format

from caffempi import TRAIN, Net
from caffempi.proto import caffe_pb2
from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden


def net(fields, shape=(1, 2, 8, 8)):
    return one_layer(f'type: "SPP" bottom: "x" top: "y" spp_param {{ {fields} }}', x=shape)


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("SPP_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize(("fields", "levels"), [
    ("pyramid_height: 2", [[15], [5, 7, 13, 15]]), ("pyramid_height: 2 pool: AVE engine: CUDNN", [[7.5], [2.5, 4.5, 10.5, 12.5]]),
    ("pyramid_height: 3", [[15], [5, 7, 13, 15], range(16)])])
def test_levels_one_after_the_other_channels_within(fields, levels):
    x = np.arange(16.0).reshape(1, 1, 4, 4)
    blobs, own = run(net(fields, (1, 2, 4, 4)), {"x": np.concatenate([x, -x], 1)})
    want = []
    for level in levels:
        want += level
        want += [-v for v in level] if "AVE" in fields else [-v for v in {1: [0], 4: [0, 2, 8, 10], 16: range(16)}[len(level)]]
    assert blobs["y"].tolist() == [want] and own == []


def test_one_level_alone_is_a_pooling():
    graph = build(net("pyramid_height: 1"))
    assert graph.layers[-1].top_values[0].spec.shape == (1, 2, 1, 1) and len(graph.nodes) == 1


@pytest.mark.parametrize("optimised", [False, True])
def test_the_windows_follow_the_image(optimised):
    made = Net(text_format.Parse("force_backward: true " + net("pyramid_height: 3"), caffe_pb2.NetParameter()), TRAIN,
               optimised=optimised, engine="numpy")
    for size in ((8, 8), (16, 12), (7, 4), (8, 8)):
        made.blobs["x"].reshape(2, 2, *size)
        x = made.blobs["x"].data
        x[...] = np.random.default_rng(1).standard_normal(x.shape)
        y = made.forward()["y"]
        assert y.shape == (2, 2 * 21)
        np.testing.assert_array_equal(y[:, :2], x.max((2, 3)))
        made.blobs["y"].diff[...] = 1
        made.backward()
        np.testing.assert_allclose(made.blobs["x"].diff.sum((2, 3)), 21, err_msg="each bin hands its diff on")


@pytest.mark.parametrize(("phase", "op"), [("TRAIN", "pyramid_pool_drawn"), ("TEST", "pyramid_pool")])
def test_stochastic_draws_in_training_only(phase, op):
    graph = build(net("pyramid_height: 2 pool: STOCHASTIC"), phase)
    assert [n.op for n in graph.nodes] == [op, "reshape", op, "reshape", "concat"]


@pytest.mark.parametrize(("fields", "shape", "words"), [
    ("", (1, 1, 8, 8), "field spp_param.pyramid_height = 0: must be at least 1"),
    ("pyramid_height: 3", (1, 1, 5, 8), "field spp_param.pyramid_height = 3: 4 bins along 5 pixels need windows of 2 with a padding"),
    ("pyramid_height: 4000000000", (1, 1, 8, 8), "16 bins along 8 pixels"), ("pyramid_height: 1", (2, 3), "4 axes (N x C x H x W)"),
    ("pyramid_height: 2 pool: STOCHASTIC", (1, 1, 7, 8), "which stochastic pooling has not; input 1 x 1 x 7 x 8; use MAX or AVE")])
def test_refused(fields, shape, words):
    assert words in refused(net(fields, shape))
