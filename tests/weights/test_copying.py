"""From a file's layers to a net's: what fits, what is left alone, and all that does not fit at once."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.errors import UsageError, WeightsError
from caffempi.weights import Target, match_layers

NET = [Target("data", "Input", []), Target("conv", "Convolution", [(2, 3), (2,)]), Target("ip", "InnerProduct", [(5, 2), (5,)]),
       Target("bn", "BatchNorm", [(2,), (2,), (1,), (2,), (2,)])]


def ones(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    return [np.full(shape, k + 1.0) for k, shape in enumerate(shapes)]


GOOD = {"conv": ones((2, 3), (2,)), "ip": ones((1, 1, 5, 2), (1, 1, 1, 5)), "bn": ones((2,), (2,), (1,), (2,), (2,))}


def shapes(got: list[list[np.ndarray | None]]) -> list[list[tuple[int, ...] | None]]:
    return [[None if b is None else b.shape for b in blobs] for blobs in got]


@pytest.mark.parametrize("mode", ["error", "skip", "reshape"])
def test_what_fits_is_given_in_the_nets_shapes(mode: str) -> None:
    got, notes = match_layers(GOOD, NET, mode)
    assert shapes(got) == [list(layer.shapes) for layer in NET] and notes == []


def test_layers_of_one_side_are_listed() -> None:
    got, notes = match_layers({"conv": GOOD["conv"], "fc8": ones((3,)), "split": []}, NET)
    assert shapes(got)[2:] == [[None] * 2, [None] * 5]
    assert notes == ["layers that only the weights file has: fc8", "layers that only the net has, which stay as they are: ip, bn"]
    notes = match_layers({f"l{k}": ones((1,)) for k in range(30)}, [])[1]
    assert notes[0].endswith("l19 and 10 more") and len(notes) == 1


BAD = {**GOOD, "conv": ones((2, 4), (3,)), "ip": ones((2, 5), (5,))}


def test_all_misfits_are_in_one_line() -> None:
    with pytest.raises(WeightsError) as caught:
        match_layers(BAD, NET)
    text = str(caught.value)
    assert "\n" not in text and "2 layers do not fit" in text and "--weights-on-mismatch skip" in text
    for words in ("blob 0 has shape 2x4 in the weights file, 2x3 in the net", "blob 1 has shape 3 in the weights file, 2",
                  '"ip" (InnerProduct): blob 0 has shape 2x5 in the weights file, 5x2'):
        assert words in text
    with pytest.raises(WeightsError, match=r'layer "ip" \(InnerProduct\): blob 0') as one:
        match_layers({**GOOD, "ip": BAD["ip"]}, NET)
    assert one.value.layer == "ip"


def test_misfits_can_be_skipped() -> None:
    got, notes = match_layers(BAD, NET, "skip")
    assert shapes(got)[1:3] == [[None, None], [None, None]] and shapes(got)[3][0] == (2,)
    assert [note.split(":")[0] for note in notes] == ['layer "conv" is left as it is', 'layer "ip" is left as it is']


def test_blobs_of_as_many_elements_can_be_reshaped() -> None:
    got, notes = match_layers({**GOOD, "ip": [np.arange(10).reshape(2, 5), *ones((5,))]}, NET, "reshape")
    assert got[2][0] is not None and got[2][0].tolist() == np.arange(10).reshape(5, 2).tolist()
    assert notes == ['layer "ip": blob 0 was reshaped from [2, 5] to [5, 2]']
    with pytest.raises(WeightsError, match='layer "conv"') as caught:
        match_layers(BAD, NET, "reshape")
    assert "--weights-on-mismatch" not in str(caught.value)


@pytest.mark.parametrize("blobs", [[], ones((2, 3)), ones((2, 3), (2,), (1,)), [None, *ones((2,))]])
def test_the_number_of_blobs_must_agree(blobs: list[np.ndarray | None]) -> None:
    with pytest.raises(WeightsError, match='layer "conv"'):
        match_layers({**GOOD, "conv": blobs}, NET)


def test_blobs_that_another_layer_owns_may_be_missing() -> None:
    assert shapes(match_layers({"conv": [None, *ones((2,))]}, [NET[1]._replace(shared={0})])[0]) == [[None, (2,)]]


def test_batch_norms_are_brought_to_the_nets_layout() -> None:
    digits = [*ones((2,), (2,), (2,), (2,)), np.ones(1)]
    got, notes = match_layers({"bn": digits}, NET[3:])
    assert [b[0] for b in got[0] if b is not None] == [3, 4, 1, 1, 2] and "DIGITS" in notes[0] and 'layer "bn"' in notes[0]
    got, notes = match_layers({"bn": ones((2,), (2,), (1,))}, NET[3:])
    assert shapes(got) == [[(2,), (2,), (1,), None, None]] and "stay as they are" in notes[0]
    with pytest.raises(WeightsError, match="scale_bias"):
        match_layers({"bn": GOOD["bn"]}, [Target("bn", "BatchNorm", [(2,), (2,), (1,)])])
    with pytest.raises(WeightsError, match="missing"):
        match_layers({"bn": [*ones((2,)), None, *ones((1,), (2,), (2,))]}, NET[3:])


def test_other_words_are_refused() -> None:
    with pytest.raises(UsageError, match="known are error, skip, reshape"):
        match_layers({}, NET, "ignore")
