"""Limits are data and one place words the message; every registered layer keeps the contract."""
import inspect

import pytest
from google.protobuf import text_format

from caffempi.errors import NetError
from caffempi.layers import LAYERS, BuildContext, Layer
from caffempi.layers.base import above, at_least, between
from caffempi.proto import caffe_pb2


@pytest.mark.parametrize("limit, good, bad", [(at_least(1), 1, 0), (above(0), 0.1, 0), (between(0, 1), 1, 1.5)])
def test_limits(limit, good, bad):
    assert limit(good) is None and "must be" in limit(bad)


class Thing(Layer):
    bottoms, tops, equal, param, limits = (1, None), (0, 2), True, "pooling_param", {"stride": at_least(1)}


@pytest.mark.parametrize("text, message", [
    ('top: "a"', "takes 1 or more bottom blob"),
    ('bottom: "a" bottom: "b" bottom: "c" top: "a" top: "b" top: "c"', "takes 0 to 2 top blob.*the net gives 3: a, b, c"),
    ('bottom: "a" bottom: "b" top: "a"', "as many tops as bottoms"),
    ('bottom: "a" top: "a" pooling_param { stride: 0 }', "field pooling_param.stride = 0: must be at least 1"),
])
def test_wrong_counts_and_fields_are_worded_in_one_place(text, message):
    lp = text_format.Parse('name: "t" type: "Thing" ' + text, caffe_pb2.LayerParameter())
    with pytest.raises(NetError, match=message):
        Thing(lp, BuildContext())


@pytest.mark.parametrize("name", LAYERS.names())
def test_every_layer_is_documented_and_has_a_message_that_exists(name):
    kind = LAYERS.get(name)
    assert inspect.getdoc(kind) and kind.build is not Layer.build
    if kind.param:
        message = getattr(caffe_pb2.LayerParameter(), kind.param)
        assert all(hasattr(message, field) for field in kind.limits)
