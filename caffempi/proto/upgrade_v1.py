"""The notation of 2014 (`layers { type: CONVOLUTION ... }`) into today's (`layer { type: "Convolution" ... }`).

The messages of the layer types are the same in both; names of types, and the options of parameters, differ.
"""
from __future__ import annotations

from caffempi.errors import NetError
from caffempi.proto.caffe_pb2 import LayerParameter, NetParameter, ParamSpec, V1LayerParameter
from caffempi.proto.places import Mark, Places

_TYPES = {
    "NONE": "", "ABSVAL": "AbsVal", "ACCURACY": "Accuracy", "ARGMAX": "ArgMax", "BNLL": "BNLL", "CONCAT": "Concat",
    "CONTRASTIVE_LOSS": "ContrastiveLoss", "CONVOLUTION": "Convolution", "DATA": "Data",
    "DECONVOLUTION": "Deconvolution", "DROPOUT": "Dropout", "DUMMY_DATA": "DummyData",
    "EUCLIDEAN_LOSS": "EuclideanLoss", "ELTWISE": "Eltwise", "EXP": "Exp", "FLATTEN": "Flatten",
    "HDF5_DATA": "HDF5Data", "HDF5_OUTPUT": "HDF5Output", "HINGE_LOSS": "HingeLoss", "IM2COL": "Im2col",
    "IMAGE_DATA": "ImageData", "INFOGAIN_LOSS": "InfogainLoss", "INNER_PRODUCT": "InnerProduct", "LRN": "LRN",
    "MEMORY_DATA": "MemoryData", "MULTINOMIAL_LOGISTIC_LOSS": "MultinomialLogisticLoss", "MVN": "MVN",
    "POOLING": "Pooling", "POWER": "Power", "RELU": "ReLU", "SIGMOID": "Sigmoid",
    "SIGMOID_CROSS_ENTROPY_LOSS": "SigmoidCrossEntropyLoss", "SILENCE": "Silence", "SOFTMAX": "Softmax",
    "SOFTMAX_LOSS": "SoftmaxWithLoss", "SPLIT": "Split", "SLICE": "Slice", "TANH": "TanH",
    "WINDOW_DATA": "WindowData", "THRESHOLD": "Threshold",
    # of forks
    "CONVOLUTION3D": "Convolution3D", "POOLING3D": "Pooling3D", "VIDEO_DATA": "VideoData", "MAT_READ": "MatRead",
    "IMAGE_SEG_DATA": "ImageSegData", "MAT_WRITE": "MatWrite", "SEG_ACCURACY": "SegAccuracy", "INTERP": "Interp",
    "DENSE_CRF": "DenseCRF", "UNIQUE_LABEL": "UniqueLabel", "BN": "BN", "UNPOOLING": "Unpooling",
    "ELTWISE_ACCURACY": "EltwiseAccuracy", "COLINEAR_CONVOLUTION": "ColinearConvolution", "PRELU": "PReLU",
    "MULTI_STAGE_MEANFIELD": "MultiStageMeanfield", "LOCAL": "Local", "INSANITY": "Insanity", "NOISE": "Noise",
    "TRIPLET_LOSS": "TripletLoss", "ROI_POOLING": "ROIPooling", "ELTWISE_AFFINE": "EltwiseAffine", "PYTHON": "Python",
    "SMOOTH_L1_LOSS": "SmoothL1Loss", "SPP": "SPP", "CROP": "Crop", "RESHAPE": "Reshape", "RELU6": "ReLU6",
}
# One list a field in V1, one ParamSpec a parameter today.
_SPECS = {"param": "name", "blob_share_mode": "share_mode", "blobs_lr": "lr_mult", "weight_decay": "decay_mult"}


def upgrade_v1(net: NetParameter, places: Places | None) -> list[str]:
    """Rewrites the `layers` of a V1 net as `layer`, in place; returns a note, or none where there are no `layers`.

    Raises NetError for a net with both notations, since their order is not known.
    """
    if not net.layers:
        return []
    if net.layer:
        raise NetError('a net has either "layer" or "layers" blocks, not both',
                       where=places.at("layers") if places else None, fix='rewrite "layers" as "layer"')
    for index, old in enumerate(net.layers):
        _layer(old, net.layer.add(), places.root.child("layers", index) if places else Mark())
    del net.layers[:]
    if places:
        places.root.move("layers", "layer")
    return ["layers were written in the notation of 2014 (V1)"]


def _layer(old: V1LayerParameter, new: LayerParameter, mark: Mark) -> None:
    if old.HasField("name"):
        new.name = old.name
    if old.HasField("type"):
        new.type = _TYPES[V1LayerParameter.LayerType.Name(old.type)]
    specs = [mark.fields.pop(name, []) for name in _SPECS]
    for field, value in old.ListFields():
        if field.name in _SPECS:
            for k, item in enumerate(value):
                setattr(_spec(new, k), _SPECS[field.name], item)
        elif field.name in ("bottom", "top", "include", "exclude", "blobs", "loss_weight"):
            getattr(new, field.name).extend(value)
        elif field.message_type:
            getattr(new, field.name).CopyFrom(value)
        elif field.name == "strict_dim":
            new.strict_dim = value
    if any(specs):
        params: list[Mark | int] = []
        for k in range(max(map(len, specs))):
            given = {name: found[k:k + 1] for name, found in zip(_SPECS.values(), specs, strict=True) if found[k:k + 1]}
            first = next(iter(given.values()))[0]
            assert isinstance(first, int)
            params.append(Mark(first, given))
        mark.fields["param"] = params


def _spec(layer: LayerParameter, index: int) -> ParamSpec:
    while len(layer.param) <= index:
        layer.param.add()
    return layer.param[index]
