"""The generated messages are those of proto/caffempi.proto, under Caffe's numbers, and every field is explained."""
from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from google.protobuf.internal import api_implementation

from caffempi.proto import caffe_pb2
from caffempi.proto.parse import is_repeated

ROOT = Path(__file__).resolve().parents[2]
MESSAGE_FIELD, FILE_MESSAGE = 2, 4  # field numbers of descriptor.proto, as source paths use them


@pytest.fixture(scope="module")
def make_proto() -> ModuleType:
    pytest.importorskip("grpc_tools")
    spec = importlib.util.spec_from_file_location("make_proto", ROOT / "tools" / "make_proto.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def body(path: Path) -> list[str]:
    """The lines of a generated file without those that tell versions."""
    told = ("# Protobuf Python Version", "# NO CHECKED-IN")
    return [line for line in path.read_text().splitlines() if not line.startswith(told)]


def test_generating_anew_gives_the_files_that_are_here(make_proto: ModuleType, tmp_path: Path) -> None:
    for made in make_proto.generate(tmp_path):
        assert body(made) == body(ROOT / "caffempi" / "proto" / made.name), "run tools/make_proto.py"


def test_every_field_has_a_comment(tmp_path: Path) -> None:
    protoc = pytest.importorskip("grpc_tools.protoc")
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    out = tmp_path / "set"
    assert protoc.main(["protoc", f"-I{ROOT / 'proto'}", "--include_source_info", f"--descriptor_set_out={out}",
                        "caffempi.proto"]) == 0
    file = FileDescriptorSet.FromString(out.read_bytes()).file[0]
    comments = {tuple(place.path): (place.leading_comments + place.trailing_comments).strip()
                for place in file.source_code_info.location}
    fields = {f"{message.name}.{field.name}": comments[(FILE_MESSAGE, m, MESSAGE_FIELD, f)]
              for m, message in enumerate(file.message_type) for f, field in enumerate(message.field)}
    assert not any(message.nested_type for message in file.message_type)
    assert [name for name, comment in fields.items() if len(comment) < 5] == []
    assert [m.name for k, m in enumerate(file.message_type) if not comments[(FILE_MESSAGE, k)]] == []
    assert len(fields) > 400


NUMBERS = {
    "NetParameter": "name 1 layers 2 input 3 input_dim 4 force_backward 5 state 6 debug_info 7 input_shape 8 layer 100",
    "LayerParameter": """name 1 type 2 bottom 3 top 4 loss_weight 5 param 6 blobs 7 include 8 exclude 9 phase 10
        propagate_down 11 transform_param 100 loss_param 101 accuracy_param 102 argmax_param 103 concat_param 104
        contrastive_loss_param 105 convolution_param 106 data_param 107 dropout_param 108 dummy_data_param 109
        eltwise_param 110 exp_param 111 hdf5_data_param 112 hdf5_output_param 113 hinge_loss_param 114
        image_data_param 115 infogain_loss_param 116 inner_product_param 117 lrn_param 118 memory_data_param 119
        mvn_param 120 pooling_param 121 power_param 122 relu_param 123 sigmoid_param 124 softmax_param 125
        slice_param 126 tanh_param 127 threshold_param 128 window_data_param 129 python_param 130 prelu_param 131
        spp_param 132 reshape_param 133 log_param 134 flatten_param 135 reduction_param 136 embed_param 137
        tile_param 138 batch_norm_param 139 elu_param 140 bias_param 141 scale_param 142 input_param 143
        crop_param 144 parameter_param 145 recurrent_param 146 swish_param 147 clip_param 148""",
    "SolverParameter": """train_net 1 test_net 2 test_iter 3 test_interval 4 base_lr 5 display 6 max_iter 7 lr_policy 8
        gamma 9 power 10 momentum 11 weight_decay 12 stepsize 13 snapshot 14 snapshot_prefix 15 snapshot_diff 16
        solver_mode 17 device_id 18 test_compute_loss 19 random_seed 20 train_net_param 21 test_net_param 22
        debug_info 23 net 24 net_param 25 train_state 26 test_state 27 snapshot_after_train 28 regularization_type 29
        solver_type 30 delta 31 test_initialization 32 average_loss 33 stepvalue 34 clip_gradients 35 iter_size 36
        snapshot_format 37 rms_decay 38 momentum2 39 type 40 layer_wise_reduce 41 weights 42
        plateau_winsize 243""",
    "SolverState": "iter 1 learned_net 2 history 3 current_step 4 minimum_loss 5 iter_last_event 6 caffempi 2000",
    "BlobProto": "num 1 channels 2 height 3 width 4 data 5 diff 6 shape 7 double_data 8 double_diff 9",
    "Datum": "channels 1 height 2 width 3 data 4 label 5 float_data 6 encoded 7",
    "V1LayerParameter": "layer 1 bottom 2 top 3 name 4 type 5 blobs 6 blobs_lr 7 weight_decay 8 param 1001",
    "V0LayerParameter": "name 1 type 2 num_output 3 kernelsize 8 source 16 blobs 50 hdf5_output_param 1001",
    "ConvolutionParameter": """num_output 1 bias_term 2 pad 3 kernel_size 4 group 5 stride 6 weight_filler 7
        bias_filler 8 pad_h 9 pad_w 10 kernel_h 11 kernel_w 12 stride_h 13 stride_w 14 engine 15 axis 16
        force_nd_im2col 17 dilation 18""",
    "PoolingParameter": """pool 1 kernel_size 2 stride 3 pad 4 kernel_h 5 kernel_w 6 stride_h 7 stride_w 8 pad_h 9
        pad_w 10 engine 11 global_pooling 12 round_mode 13""",
    "TransformationParameter": "scale 1 mirror 2 crop_size 3 mean_file 4 mean_value 5 force_color 6 force_gray 7",
    "LossParameter": "ignore_label 1 normalize 2 normalization 3",
    "DataParameter": """source 1 scale 2 mean_file 3 batch_size 4 crop_size 5 mirror 6 rand_skip 7 backend 8
        force_encoded_color 9 prefetch 10""",
}


@pytest.mark.parametrize("message", NUMBERS)
def test_numbers_are_caffes(message: str) -> None:
    words = NUMBERS[message].split()
    fields = getattr(caffe_pb2, message).DESCRIPTOR.fields_by_name
    expected = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    assert {name: fields[name].number for name in expected} == expected


def test_own_additions_stay_in_the_private_range() -> None:
    """All fields of LayerParameter and SolverParameter are either listed above or numbered from 2000 on."""
    for message in ("LayerParameter", "SolverParameter", "NetParameter", "SolverState"):
        known = set(NUMBERS[message].split()[::2])
        assert [f.name for f in getattr(caffe_pb2, message).DESCRIPTOR.fields
                if f.name not in known and f.number < 2000] == []


@pytest.mark.parametrize(("message", "field", "value"), [
    ("FillerParameter", "type", "constant"), ("FillerParameter", "max", 1), ("FillerParameter", "sparse", -1),
    ("SolverParameter", "solver_mode", caffe_pb2.SolverParameter.GPU), ("SolverParameter", "type", "SGD"),
    ("SolverParameter", "regularization_type", "L2"), ("SolverParameter", "random_seed", -1),
    ("SolverParameter", "test_initialization", True), ("SolverParameter", "clip_gradients", -1),
    ("SolverParameter", "snapshot_format", caffe_pb2.SolverParameter.BINARYPROTO), ("SolverParameter", "iter_size", 1),
    ("NetState", "phase", caffe_pb2.TEST), ("DataParameter", "backend", caffe_pb2.DataParameter.LEVELDB),
    ("DataParameter", "prefetch", 4), ("LossParameter", "normalization", caffe_pb2.LossParameter.VALID),
    ("LRNParameter", "local_size", 5), ("LRNParameter", "beta", 0.75), ("CropParameter", "axis", 2),
    ("DropoutParameter", "dropout_ratio", 0.5), ("ExpParameter", "base", -1), ("ReshapeParameter", "num_axes", -1),
    ("FlattenParameter", "end_axis", -1), ("WindowDataParameter", "crop_mode", "warp"), ("ParamSpec", "lr_mult", 1),
    ("EltwiseParameter", "operation", caffe_pb2.EltwiseParameter.SUM), ("EltwiseParameter", "stable_prod_grad", True),
    ("HingeLossParameter", "norm", caffe_pb2.HingeLossParameter.L1), ("ReductionParameter", "coeff", 1),
    ("ImageDataParameter", "batch_size", 1), ("ImageDataParameter", "is_color", True), ("SliceParameter", "axis", 1),
])
def test_defaults_are_caffes(message: str, field: str, value: object) -> None:
    assert getattr(getattr(caffe_pb2, message)(), field) == value


def test_lists_are_known_as_such() -> None:
    fields = caffe_pb2.ConvolutionParameter.DESCRIPTOR.fields_by_name
    assert is_repeated(fields["pad"]) and not is_repeated(fields["group"])


@pytest.mark.skipif(api_implementation.Type() == "python", reason="protobuf without its C code has one pool for names")
def test_messages_do_not_collide_with_another_programs() -> None:
    """A second module with messages of the same full names can live in protobuf's default pool (as pycaffe's do)."""
    from google.protobuf import descriptor_pb2, descriptor_pool

    file = descriptor_pb2.FileDescriptorProto(name="caffe_of_another.proto", package="caffe")
    file.message_type.add(name="BlobShape")
    descriptor_pool.Default().AddSerializedFile(file.SerializeToString())
    assert list(caffe_pb2.BlobShape(dim=[2]).dim) == [2]
