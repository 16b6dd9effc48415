"""Fillers: their distributions and fans, what each refuses, the same numbers in both dtypes."""
import numpy as np
import pytest
from google.protobuf import text_format

from caffempi.errors import NetError
from caffempi.layers.fillers import check_filler, fill
from caffempi.proto import caffe_pb2

BIG = (50, 40, 5, 5)


def filler(text):
    return text_format.Parse(text, caffe_pb2.FillerParameter())


def draw(text, shape=BIG, dtype="float32", seed=1):
    return fill(filler(text), shape, np.random.default_rng(seed), dtype)


def test_none_gives_zeros_and_constant_its_value():
    np.testing.assert_array_equal(fill(None, (2, 3), np.random.default_rng(0)), np.zeros((2, 3)))
    np.testing.assert_array_equal(draw("", (4,)), np.zeros(4))
    np.testing.assert_array_equal(draw("value: 2.5", ()), 2.5)


@pytest.mark.parametrize("text,low,high", [
    ('type: "uniform"', 0, 1), ('type: "uniform" min: -3 max: 5', -3, 5), ('type: "uniform" min: 2 max: 2', 2, 2),
    ('type: "xavier"', -np.sqrt(3 / 1000), np.sqrt(3 / 1000)),
    ('type: "xavier" variance_norm: FAN_OUT std: 0.1', -np.sqrt(3 / 1250), np.sqrt(3 / 1250)),
    ('type: "xavier" variance_norm: AVERAGE', -np.sqrt(3 / 1125), np.sqrt(3 / 1125))])
def test_uniform_kinds_fill_their_range(text, low, high):
    a = draw(text).astype(np.float64)
    span = high - low
    assert low - 1e-6 <= a.min() <= low + 0.01 * span + 1e-9 and high - 0.01 * span - 1e-6 <= a.max() <= high + 1e-6
    np.testing.assert_allclose(a.mean(), (low + high) / 2, atol=0.01 * span + 1e-9)
    np.testing.assert_allclose(a.std(), span / np.sqrt(12), rtol=0.02, atol=1e-9)


@pytest.mark.parametrize("text,mean,std", [
    ('type: "gaussian"', 0, 1), ('type: "gaussian" mean: 3 std: 0.5', 3, 0.5), ('type: "gaussian" std: 0', 0, 0),
    ('type: "msra"', 0, np.sqrt(2 / 1000)), ('type: "msra" variance_norm: FAN_OUT', 0, np.sqrt(2 / 1250)),
    ('type: "msra" variance_norm: AVERAGE', 0, np.sqrt(2 / 1125))])
def test_normal_kinds_have_their_mean_and_deviation(text, mean, std):
    a = draw(text).astype(np.float64)
    np.testing.assert_allclose(a.mean(), mean, atol=5 * std / np.sqrt(a.size) + 1e-9)
    np.testing.assert_allclose(a.std(), std, rtol=0.02, atol=1e-9)
    if std:
        assert abs((np.abs(a - mean) > 2 * std).mean() - 0.0455) < 0.005


def test_one_axis_has_its_count_as_fan_out():
    a = draw('type: "xavier" variance_norm: FAN_OUT', (3000,))
    np.testing.assert_allclose(np.abs(a).max(), np.sqrt(3 / 3000), rtol=0.01)
    np.testing.assert_allclose(np.abs(draw('type: "xavier"', (3000,))).max(), np.sqrt(3), rtol=0.01)


@pytest.mark.parametrize("sparse", [0, 5, 50])
def test_sparse_keeps_that_many_of_each_inputs_weights_on_average(sparse):
    a = draw(f'type: "gaussian" sparse: {sparse}')
    np.testing.assert_allclose((a != 0).mean(), sparse / 50, atol=0.01)


def test_positive_unitball_rows_sum_to_one():
    a = draw('type: "positive_unitball"')
    assert (a >= 0).all()
    np.testing.assert_allclose(a.reshape(50, -1).sum(1), 1, rtol=1e-5)


@pytest.mark.parametrize("w,line", [(4, [0.25, 0.75, 0.75, 0.25]), (3, [0.5, 1, 0.5]), (1, [1]), (2, [0.5, 0.5])])
def test_bilinear_is_the_kernel_of_interpolation(w, line):
    a = draw('type: "bilinear"', (2, 3, w, w))
    np.testing.assert_allclose(a, np.broadcast_to(np.outer(line, line), (2, 3, w, w)))


@pytest.mark.parametrize("kind", ["constant", "uniform", "gaussian", "positive_unitball", "xavier", "msra", "bilinear"])
def test_both_dtypes_get_the_same_numbers_and_empty_blobs_none(kind):
    text = f'type: "{kind}"'
    single, double = draw(text, dtype="float32"), draw(text, dtype="float64")
    assert single.dtype == np.float32 and double.dtype == np.float64
    np.testing.assert_array_equal(single, double)
    assert draw(text, (0, 3, 2, 2)).shape == (0, 3, 2, 2)
    assert draw(text, (3, 0, 2, 2)).shape == (3, 0, 2, 2)


@pytest.mark.parametrize("text,shape,words", [
    ('type: "xaver"', (2,), ('w.type = "xaver"', "unknown filler type", "did you mean xavier?", "known: bilinear")),
    ('type: "xavier" sparse: 3', (2,), ("w.sparse = 3", 'type "gaussian" only')),
    ('type: "gaussian" sparse: -2', (2,), ("w.sparse = -2", "-1 (off) or more")),
    ('type: "gaussian" sparse: 3', (2,), ("w.sparse = 3", "number of outputs, 2")),
    ('type: "gaussian" sparse: 0', (), ("w.sparse = 0", "scalar")),
    ('type: "gaussian" std: -1', (2,), ("w.std = -1.0", "at least 0")),
    ('type: "uniform" min: 2', (2,), ("w.min = 2.0", "above max, which is 1.0")),
    ('type: "constant" value: nan', (2,), ("w.value = nan", "finite")),
    ('type: "gaussian" mean: inf', (2,), ("w.mean = inf", "finite")),
    ('type: "msra"', (), ("w.type", "scalar")), ('type: "xavier"', (), ("w.type", "scalar")),
    ('type: "positive_unitball"', (), ("w.type", "scalar")),
    ('type: "bilinear"', (3, 4), ("w.type", "4 axes", "3 x 4")),
    ('type: "bilinear"', (1, 1, 3, 4), ("w.type", "1 x 1 x 3 x 4"))])
def test_what_cannot_be_filled_is_refused(text, shape, words):
    with pytest.raises(NetError) as caught:
        check_filler(filler(text), shape, "w")
    assert all(w in str(caught.value) for w in words), str(caught.value)
    with pytest.raises(NetError):
        fill(filler(text), shape, np.random.default_rng(0))
