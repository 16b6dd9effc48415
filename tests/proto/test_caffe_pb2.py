"""The generated messages are those of proto/caffempi.proto, under Caffe's numbers, and every field is explained."""
from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from google.protobuf.internal import api_implementation

from caffempi.proto import caffe_pb2
from caffempi.proto.fork_fields import FORK_FIELDS
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


BVLC = {line.partition(": ")[0]: {name: int(number) for name, number in map(str.split, line.partition(": ")[2].split(", "))}
        for line in (ROOT / "tests" / "golden" / "bvlc_fields.txt").read_text().splitlines()}
OWN = {"SolverState": {"caffempi": 2000}, "SolverParameter": {"snapshot_type": 2050}}
# Numbers that forks agree on, or that collide with none: used as they are, so that such binaries are read as they are.
AGREED = {
    "LayerParameter": """annotated_data_param 200 multibox_loss_param 201 permute_param 202 prior_box_param 203
        detection_output_param 204 detection_evaluate_param 205 norm_param 206 video_data_param 207
        detectnet_groundtruth_param 6801 detectnet_augmentation_param 6802 box_annotator_ohem_param 10000
        psroi_pooling_param 10001 roi_pooling_param 8266711 smooth_l1_loss_param 8266712""",
    "TransformationParameter": """resize_param 208 noise_param 209 emit_constraint 210 crop_h 211 crop_w 212 distort_param 213
        expand_param 214 forward_packing 21 display 22 num_labels 23""",
    "SolverParameter": """eval_type 241 ap_version 242 plateau_winsize 243 show_per_class_result 244
        store_blobs_in_old_format 45 weight_decay_power 53 test_and_snapshot_last_epochs 54 larc_turbo 55 max_weight_decay 56
        stagelr 150 stageiter 151""",
    "NetParameter": """engine 9 compile_net_state 10 default_backward_type 12 default_forward_math 13 default_backward_math 14
        global_grad_scale 15 global_grad_scale_adaptive 16 default_conv_algos_override 17 reduce_buckets 18
        default_cudnn_math_override 19 eltwise_mem_sharing 20 multinode 101 mem_param 200""",
    "BlobProto": "raw_data_type 10 raw_diff_type 11 raw_data 12 raw_diff 13", "Datum": "record_id 8",
    "SolverState": "minimum_loss 5 iter_last_event 6",
}
PRIVATE = {"LayerParameter": 20000}


@pytest.mark.parametrize("message", BVLC)
def test_names_and_numbers_of_bvlc_are_kept(message: str) -> None:
    fields = getattr(caffe_pb2, message).DESCRIPTOR.fields_by_name
    assert {name: fields[name].number for name in BVLC[message] if name in fields} == BVLC[message]


@pytest.mark.parametrize("message", BVLC)
def test_every_other_field_is_of_a_known_fork(message: str) -> None:
    fields = {f.name for f in getattr(caffe_pb2, message).DESCRIPTOR.fields}
    forks = {name.partition(".")[2] for name in FORK_FIELDS if name.partition(".")[0] == message}
    assert fields == {*BVLC[message], *OWN.get(message, {}), *forks}


@pytest.mark.parametrize("message", AGREED)
def test_other_numbers_are_agreed_on_or_private(message: str) -> None:
    words = AGREED[message].split()
    agreed = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    for field in getattr(caffe_pb2, message).DESCRIPTOR.fields:
        if field.name in agreed:
            assert field.number == agreed[field.name]
        elif field.name not in BVLC[message]:
            assert field.number >= PRIVATE.get(message, 2000), field.name


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
