"""Settings of forks in messages: found, explained, and told from hints."""
from __future__ import annotations

from itertools import chain

import pytest

from caffempi.proto.caffe_pb2 import LayerParameter, NetParameter, SolverParameter
from caffempi.proto.fork_fields import FORK_FIELDS
from caffempi.proto.forks import FORK_TYPES, HINTS, extensions
from caffempi.proto.parse import parse


def found(text: str, message: type = LayerParameter, claimed: tuple[str, ...] = ()) -> list[tuple[str, str | None, bool]]:
    m = message()
    parse(text, m, "f")
    return [(e.path, e.value, e.hint) for e in extensions(m, claimed)]


@pytest.mark.parametrize(("text", "path", "value"), [
    ("data_param { shuffle: true }", "data_param.shuffle", "true"),
    ("transform_param { scale_ratios: 0.5 scale_ratios: 1 }", "transform_param.scale_ratios", "0.5"),
    ("image_data_param { label_type: PIXEL }", "image_data_param.label_type", "PIXEL"),
    ("convolution_param { weight_filler { diag_val: 2 } }", "convolution_param.weight_filler.diag_val", "2"),
    ("transform_param { resize_param { prob: 1 } }", "transform_param.resize_param", None),
    ("batch_norm_param { scale_filler { } }", "batch_norm_param.scale_filler", None),
    ("loss_param { normalization: PRE_FIXED }", "loss_param.normalization", "PRE_FIXED"),
    ("reduction_param { operation: TOPK }", "reduction_param.operation", "TOPK"),
    ("permute_param { order: 1 }", "permute_param", None),
    ('weights_compress: "Ternary"', "weights_compress", "Ternary"),
    ("dropout_param { scale_train: false }", "dropout_param.scale_train", "false"),
])
def test_settings_are_found_with_their_paths(text: str, path: str, value: str | None) -> None:
    assert found(text) == [(path, value, False)]


@pytest.mark.parametrize("text", [
    "", "convolution_param { pad: 1 }", "data_param { shuffle: false }", "batch_norm_param { update_global_stats: true }",
    "loss_param { normalization: NONE }", "pooling_param { engine: MKLDNN }", "forward_type: FLOAT",
    "blobs { raw_data: 'a' raw_data_type: FLOAT16 }", "dropout_param { scale_train: true }"])
def test_bvlcs_own_and_what_changes_nothing_are_left_out(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("text", ["forward_type: FLOAT16", 'engine: "MKLDNN"', "quantization_param { bw_params: 8 }",
                                  "data_param { cache: true }", "batch_norm_param { engine: CUDNN }",
                                  "relu_param { fuse: true }", 'convolution_param { conv_algorithm: "winograd" }'])
def test_hints_are_told(text: str) -> None:
    assert [hint for _, _, hint in found(text)] == [True]


def test_what_is_claimed_is_left_out() -> None:
    text = "batch_norm_param { scale_bias: true scale_filler { value: 2 } } loss_param { normalization: PRE_FIXED }"
    claimed = ("batch_norm_param.scale_bias", "batch_norm_param.scale_filler", "loss_param.normalization=PRE_FIXED")
    assert len(found(text)) == 3 and found(text, claimed=claimed) == []
    assert found("permute_param { order: 1 }", claimed=("permute_param",)) == []


def test_nets_and_solvers_have_settings_of_their_own() -> None:
    assert found("bn_stats_batch_size: 32 layer { data_param { shuffle: true } }", NetParameter) == [
        ("bn_stats_batch_size", "32", False)]
    assert found('eval_type: "detection" per_parameter_reduce: true net_param { bn_stats_batch_size: 2 }',
                 SolverParameter) == [("eval_type", "detection", False), ("per_parameter_reduce", "true", True)]


def test_the_tables_name_what_exists() -> None:
    assert set(HINTS) <= set(FORK_FIELDS)
    assert not {"", *"|:"} & set(chain.from_iterable(FORK_TYPES.items())) and len(FORK_TYPES) > 100


@pytest.mark.parametrize("type_", ["Permute", "PriorBox", "Axpy", "BN", "Correlation", "Yolov3", "MarginInnerProduct",
                                   "ShuffleChannel", "DetectNetTransformation", "ROIPooling", "PSROIPooling", "Interp"])
def test_types_of_forks_are_known(type_: str) -> None:
    assert FORK_TYPES[type_]
