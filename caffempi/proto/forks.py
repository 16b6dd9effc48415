"""What forks of Caffe added, and what becomes of it here: which fork has a layer type or a field, and which fields only hint.

A field of a fork is obeyed by whoever claims it, or is a hint (about speed, memory or logs, or about numbers that this
program computes more exactly), or has the value that it stands for when absent; anything else is refused, so that no
setting is dropped in silence.
"""
from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from caffempi.proto.fork_fields import FORK_FIELDS
from caffempi.proto.parse import is_repeated

_TYPES = """
SSD, NVCaffe, Intel Caffe: AnnotatedData DetectionEvaluate DetectionOutput MultiBoxLoss Normalize Permute PriorBox
NVCaffe, Caffe-MPI: DetectNetTransformation L1Loss
NVCaffe: TRT
Intel Caffe: MnActivation SpatialDropout
Intel Caffe, MobileNet-YOLO: RegionLoss Reorg
Intel Caffe, caffe-yolo: EvalDetection
Faster R-CNN, R-FCN, Intel Caffe: ROIPooling SmoothL1Loss
R-FCN, Intel Caffe: BoxAnnotatorOHEM PSROIPooling SmoothL1LossOHEM SoftmaxWithLossOHEM
PVANet, mini-caffe, caffe-windows: Proposal
PSPNet, TSN, SegNet, DeconvNet: BN
PSPNet, DeepLab: AdaptiveBiasChannel BiasChannel DenseCRF DomainTransform ImageSegData Interp MatRead MatWrite SegAccuracy
    UniqueLabel
SegNet, MobileNet-YOLO, DeepDetect: Upsample
SegNet, DeepDetect: DenseImageData
DeconvNet: EltwiseAccuracy Unpooling
CRF-RNN: MultiStageMeanfield
C3D, TSN, SSD, Intel Caffe, video-caffe: VideoData
C3D: Convolution3D
C3D, P3D: Pooling3D
video-caffe: NdConvolution NdPooling
TSN: BatchReduction Gather Scatter SegData
FlowNet2: Accum BlackAugmentation Correlation DataAugmentation Downsample FLOWriter FloatReader FloatWriter FlowAugmentation
    FlowWarp GenerateAugmentationParameters ImgReader ImgWriter LpqLoss Mean Resample
OpenPose: BinaryActivation CPMData OPData
caffe-windows: ChannelScale EltwiseAffine GeneralContrastiveLoss GeneralTripletLoss GlobalLSEMargin InnerDistance Insanity
    LabelSpecificAdd LabelSpecificRescale Local MultiLabelImageData Noise Resize TripletLoss
caffe-windows, SphereFace: MarginInnerProduct
caffe-windows, caffe-face: CenterLoss
caffe-windows, DeepDetect: Flip
caffe-windows, ArcFace: FocalLoss
ArcFace: AdaCosAddmScale CosinAddm NormL2
SENet, DeepDetect, ArcFace: Axpy
MobileNet-YOLO, DepthwiseConvolution, ArcFace: DepthwiseConvolution
ShuffleNet, DeepDetect, caffe-model: ConvolutionDepthwise
ShuffleNet, DeepDetect: ShuffleChannel
MS-CNN, caffe-yolo: DetectionLoss
MS-CNN: BboxAccuracy BoxOutput DecodeBBox DetectionAccuracy ImageGtData ProposalTarget ROIAlign
caffe-yolo: BoxData
MobileNet-YOLO: AssistedExcitation LaneData ReLU6 SegmentationEvaluate YoloDetectionOutput YoloSeg Yolov3
    Yolov3DetectionOutput
caffe-lstm, caffe_ocr, CTPN: Lstm
caffe_ocr, CTPN: Reverse Transpose
caffe_ocr: CTCGreedyDecoder DenseBlock WarpCTCLoss
DeepDetect: ContinuationIndicator CtcLoss LabelsequenceAccuracy
caffe-model: SeLu SeLuDropout
HED, RCF, DeepSkeleton: AutoCrop ImageLabelmapData
DeepSkeleton: Quantize Rescale
LocNet: RegionPooling SigmoidCrossEntropyLossWeighted
MNC: MaskPooling MaskResize ROIWarping
general-pooling: TreepoolKernel1L TreepoolMaxAve
DMSH: HashingLoss
Deep-Metric-Learning: LiftedStructSimilaritySoftmaxLoss
transfer-caffe: MMDLoss
SqueezeDet: BboxData SqueezeDetLoss
siameseMTri: MTriangularLoss
exp_caffe: ColinearConvolution
"""
_HINTS = frozenset("""
NetParameter: engine compile_net_state default_forward_type default_backward_type default_forward_math
    default_backward_math global_grad_scale global_grad_scale_adaptive default_conv_algos_override reduce_buckets
    default_cudnn_math_override eltwise_mem_sharing multinode mem_param
LayerParameter: forward_type backward_type forward_math backward_math debug cudnn_math_override engine multinode
    mn_grad_compress_param quantization_param split_param reshape_every_iter
TransformationParameter: forward_packing display use_gpu_transform random_seed debug_display
BatchNormParameter: engine filler
ConcatParameter: engine per_fla_fuse
ConvolutionParameter: cudnn_convolution_algo_seeker conv_algos_override conv_algorithm
DataParameter: threads parser_threads cache precache verbose disk_reader_threads huge_video_dataset
DropoutParameter: engine random_seed
EltwiseParameter: engine
ImageDataParameter: threads cache precache show_data
InnerProductParameter: engine
MemoryDataParameter: share_in_parallel
ReLUParameter: fuse
SolverParameter: ap_version show_per_class_result per_parameter_reduce solver_data_type engine
    richness
""".replace("\n    ", " ").strip().splitlines())
_FORK_VALUES = {  # "Message.field" -> values of its enum that forks added, each with the fork
    "LossParameter.normalization": {"PRE_FIXED": "R-FCN, Intel Caffe"}, "ReductionParameter.operation": {"TOPK": "TSN"}}

_APART = ("blobs", "layer", "layers", "net_param", "train_net_param", "test_net_param")
HINTS = frozenset(f"{line.partition(': ')[0]}.{name}" for line in _HINTS for name in line.partition(": ")[2].split())
FORK_TYPES: dict[str, str] = {name: line.partition(": ")[0]
                              for line in _TYPES.replace("\n    ", " ").strip().splitlines()
                              for name in line.partition(": ")[2].split()}


class Extension(NamedTuple):
    """A setting of a fork that a message holds: path from the message, its value as text, the forks, whether a hint."""

    path: str
    value: str | None
    forks: str
    hint: bool


def extensions(message: Message, claimed: Collection[str] = (), _path: str = "") -> Iterator[Extension]:
    """The settings of forks in a message (of a layer, a net or a solver), those below included; not those of weights, of a
    net's layers or of a solver's nets.

    Left out: what is `claimed` (paths such as "batch_norm_param.scale_bias"; a value of an enum as
    "loss_param.normalization=PRE_FIXED"), values equal to the field's default, and all that stands inside a message which
    a fork added whole. Repeated messages count once.
    """
    for field, value in message.ListFields():
        name, path = f"{message.DESCRIPTOR.name}.{field.name}", f"{_path}{field.name}"
        if field.name in _APART:
            continue
        if name in FORK_FIELDS:
            if path in claimed:
                continue
            if is_repeated(field) or field.message_type or value != field.default_value:
                yield Extension(path, _text(field, value), FORK_FIELDS[name], name in HINTS)
        elif field.message_type:
            for inner in value if is_repeated(field) else [value]:
                yield from extensions(inner, claimed, f"{path}.")
        elif name in _FORK_VALUES:
            word = _text(field, value) or ""
            if word in _FORK_VALUES[name] and f"{path}={word}" not in claimed:
                yield Extension(path, word, _FORK_VALUES[name][word], False)


def _text(field: FieldDescriptor, value: Any) -> str | None:
    if field.message_type:
        return None
    one = value[0] if is_repeated(field) else value
    if field.enum_type:
        return str(field.enum_type.values_by_number[one].name)
    return {True: "true", False: "false"}[one] if isinstance(one, bool) else f"{one:g}" if isinstance(one, float) else str(one)
