"""Labels: what counts, what is refused and how it is named."""
import numpy as np
import pytest

from caffempi.errors import DataError, ShapeError
from caffempi.ops import Spec
from caffempi.ops.labels import item_layout, label_layout, loss_divisor, read_labels


@pytest.mark.parametrize("x,label,axis,expected", [
    ((4, 10), (4,), 1, (4, 10, 1)), ((4, 10), (4, 1, 1, 1), 1, (4, 10, 1)), ((2, 5, 3, 4), (2, 3, 4), 1, (2, 5, 12)),
    ((2, 5, 3), (2, 1, 5), -1, (10, 3, 1)), ((3,), (1,), 0, (1, 3, 1)), ((0, 7), (0,), 1, (0, 7, 1))])
def test_layout(x, label, axis, expected):
    assert label_layout(Spec(x), Spec(label), axis) == expected


@pytest.mark.parametrize("x,label,axis,why", [
    ((4, 10), (5,), 1, "5 labels"), ((2, 5, 3, 4), (2,), 1, "which need 24"), ((4, 10), (4,), 2, "axis 2 does not exist")])
def test_layout_refuses(x, label, axis, why):
    with pytest.raises(ShapeError, match=why):
        label_layout(Spec(x), Spec(label), axis)


def test_fractions_are_cut_off_and_the_ignored_label_does_not_count():
    index, valid = read_labels(np.array([[0.9, -1, 2.0]]), 3, -1)
    np.testing.assert_array_equal(index, [[0, 0, 2]])
    np.testing.assert_array_equal(valid, [[True, False, True]])
    index, valid = read_labels(np.array([255.0, 1]), 3, 255)
    np.testing.assert_array_equal(index, [0, 1])
    np.testing.assert_array_equal(valid, [False, True])


@pytest.mark.parametrize("label,ignore,words", [
    ([0, 3], None, ("label 3", "position 1", "3 classes", "0..2")), ([[0, 1], [-1, 9]], None, ("label -1", "[1, 0]")),
    ([[0, -1], [1, 9]], -1, ("label 9", "[1, 1]")), ([np.nan], None, ("label nan", "position 0")),
    ([np.inf], None, ("label inf",)), ([1e30], 7, ("label 1e+30",))])
def test_a_label_that_is_no_class_is_named_with_its_place(label, ignore, words):
    with pytest.raises(DataError) as caught:
        read_labels(np.array(label, np.float32), 3, ignore)
    assert all(w in str(caught.value) for w in words), str(caught.value)


@pytest.mark.parametrize("x,label,expected", [((4, 3), (4,), (4, 3)), ((4, 3, 2, 1), (4, 1, 1, 1), (4, 6)), ((3,), (3,), (3, 1)),
                                              ((0, 7), (0,), (0, 7))])
def test_all_numbers_after_the_first_axis_are_classes(x, label, expected):
    assert item_layout(Spec(x), Spec(label)) == expected


@pytest.mark.parametrize("x,label,why", [((4, 3), (5,), "5 labels .* 4 predictions"), ((), (), "need an axis")])
def test_item_layout_refuses(x, label, why):
    with pytest.raises(ShapeError, match=why):
        item_layout(Spec(x), Spec(label))


@pytest.mark.parametrize("mode,expected", [("full", 24), ("valid", 20), ("batch", 4), ("none", 1)])
def test_divisors(mode, expected):
    assert loss_divisor(mode, 24, 4, 20) == expected and loss_divisor(mode, 0, 0, 0) == 1
