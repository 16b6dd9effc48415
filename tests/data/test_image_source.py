"""Image lists."""
from __future__ import annotations

import cv2
import numpy as np
import pytest

from caffempi.data.image_source import ImageSource, read_list
from caffempi.errors import DataError


@pytest.mark.parametrize("text, want", [
    ("a.png 1", [("a.png", 1)]),
    ("a b c.png 12\r\n\r\nd.png -1\r\n", [("a b c.png", 12), ("d.png", -1)]),
    ("\ufeffa.png   3  \n", [("a.png", 3)]),
    ("a.png 0.25\n", [("a.png", 0.25)]),
])
def test_lists(tmp_path, text, want):
    (tmp_path / "l").write_text(text, newline="")
    names, labels = read_list(str(tmp_path / "l"))
    assert list(zip(names, labels.tolist(), strict=True)) == want


def test_names_of_any_bytes(tmp_path):
    (tmp_path / "l").write_bytes(b"\xff\xfe.png 1\n")
    assert read_list(str(tmp_path / "l"))[0][0].encode("utf-8", "surrogateescape") == b"\xff\xfe.png"


@pytest.mark.parametrize("text, words", [("a.png", "line 1"), ("a.png 1\nimg 3.png\n", "line 2"), ("a.png nan", "line 1"),
                                         ("", "no lines"), (" \n\n", "no lines"), ("7", "line 1")])
def test_lines_without_a_label(tmp_path, text, words):
    (tmp_path / "l").write_text(text)
    with pytest.raises(DataError, match=words):
        read_list(str(tmp_path / "l"))


@pytest.fixture
def folder(tmp_path):
    image = np.random.default_rng(0).integers(0, 256, (7, 9, 3)).astype(np.uint8)
    (tmp_path / "sub").mkdir()
    cv2.imwrite(str(tmp_path / "sub" / "x_1.png"), image)
    (tmp_path / "sub" / "x_2.png").write_bytes(b"no image")
    (tmp_path / "l").write_text("1.png 4\n2.png 5\n3.png 6\n")
    return tmp_path, image


@pytest.mark.parametrize("color", [True, False])
@pytest.mark.parametrize("size", [None, (5, 4), (20, 3)])
def test_decoding_and_resizing_are_opencvs(folder, color, size):
    path, image = folder
    source = ImageSource(str(path / "l"), prefix="sub/x_", base=str(path), size=size, color=color)
    [(pixels, label)] = source.read([0])
    want = image if color else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[..., None]
    if size:
        want = cv2.resize(want, (size[1], size[0])).reshape(*size, -1)
    assert label == 4
    np.testing.assert_allclose(pixels.transpose(1, 2, 0).astype(int), want, atol=0 if color else 1)


@pytest.mark.parametrize("ordinal, words", [(1, r"image 1 .*x_2\.png.*cannot be decoded"),
                                            (2, r"image 2 .*x_3\.png.*cannot be read: No such file.*end it with")])
def test_faulty_images_are_named(folder, ordinal, words):
    path, _ = folder
    with pytest.raises(DataError, match=words):
        ImageSource(str(path / "l"), prefix="sub/x_", base=str(path)).read([ordinal])
