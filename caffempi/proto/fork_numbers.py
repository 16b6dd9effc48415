"""Numbers of fields in binaries of forks, and which field of ours each one is.

Forks gave one number to different fields. What tells them apart is the wire type (w0 number, w2 text or message, w5 float),
then the type of the layer, then the fork that the rest of the file shows. A table line reads

    number wire: field | field LayerType LayerType | field @Fork Fork

and the first alternative whose layer type or fork fits holds; one without either always fits. No line: the number is that
of our own schema.
"""
from __future__ import annotations

from typing import NamedTuple

_NUMBERS = {
    "NetParameter": """
        11 w0: bn_stats_batch_size @Intel | default_forward_type @NVCaffe""",
    "LayerParameter": """
        45 w2: bn_param
        137 w2: upsample_param Upsample | bn_param BN | embed_param
        138 w2: dense_image_data_param DenseImageData | tile_param
        140 w2: video_data_param VideoData | elu_param
        141 w2: seg_data_param SegData | bias_param
        143 w2: interp_param Interp | input_param
        144 w2: seg_accuracy_param SegAccuracy | crop_param
        145 w0: forward_type
        145 w2: mat_write_param MatWrite | parameter_param
        146 w0: backward_type
        146 w2: dense_crf_param DenseCRF | recurrent_param
        147 w0: forward_math
        147 w2: split_param Split | domain_transform_param DomainTransform | center_loss_param CenterLoss |
            margin_inner_product_param MarginInnerProduct | swish_param
        148 w0: backward_math
        148 w2: smooth_l1_loss_param SmoothL1Loss SmoothL1LossOHEM | adaptive_bias_channel_param AdaptiveBiasChannel |
            coeff_schedule_param DataAugmentation GenerateAugmentationParameters | clip_param
        149 w0: debug
        149 w2: bias_channel_param BiasChannel | op_transform_param OPData |
            augmentation_param DataAugmentation GenerateAugmentationParameters FlowAugmentation | engine
        150 w0: cudnn_math_override
        150 w2: unique_label_param UniqueLabel | roi_pooling_param ROIPooling | correlation_param Correlation | multinode
        151 w2: recurrent_param RNN LSTM | mat_read_param MatRead | l1_loss_param L1Loss | mn_activation_param
        152 w2: trt_param TRT | bn_param BN | dense_crf_param DenseCRF | writer_param ImgWriter FLOWriter FloatWriter |
            box_annotator_ohem_param
        153 w2: interp_param Interp | reader_param ImgReader FloatReader | psroi_pooling_param
        154 w2: seg_accuracy_param SegAccuracy | mean_param Mean | roi_pooling_param
        155 w2: mat_write_param MatWrite | resample_param Resample | spatial_dropout_param
        156 w2: downsample_param Downsample | mn_grad_compress_param
        157 w0: reshape_every_iter
        158 w2: lpq_loss_param LpqLoss | quantization_param
        159 w2: flow_warp_param FlowWarp | reorg_param
        160 w2: scale_param Scale | accum_param
        161 w2: bias_param Bias | black_augmentation_param
        162 w2: batch_reduction_param
        200 w2: bn_param BN | continuation_indicator_param ContinuationIndicator | annotated_data_param
        201 w2: local_param Local | multibox_loss_param
        202 w2: insanity_param Insanity | permute_param
        203 w2: triplet_loss_param TripletLoss | prior_box_param
        204 w2: roi_pooling_param ROIPooling | detection_output_param
        205 w2: eltwise_affine_param EltwiseAffine | detection_evaluate_param
        207 w2: noise_param Noise | video_data_param
        208 w2: split_param Split
        209 w2: region_loss_param RegionLoss
        211 w2: center_loss_param
        212 w2: flip_param
        213 w2: inner_distance_param
        214 w2: normalize_param
        215 w2: general_contrastive_loss_param
        217 w2: general_triplet_loss_param
        219 w2: proposal_param
        220 w2: psroi_pooling_param
        224 w2: permute_param
        228 w2: label_specific_rescale_param
        231 w2: resize_param
        232 w2: margin_inner_product_param
        235 w2: focal_loss_param
        237 w2: channel_scale_param
        241 w2: label_specific_add_param
        301 w2: eval_detection_param""",
    "TransformationParameter": """
        8 w0: use_gpu_transform @NVCaffe | crop_h @caffe-windows
        8 w2: resize_param
        8 w5: scale_factors
        9 w0: random_seed @NVCaffe | crop_width @DeepLab | crop_w @caffe-windows
        9 w2: noise_param
        10 w0: img_rand_resize_lower @NVCaffe | crop_height @DeepLab | fix_crop @TSN | center_crop @caffe-windows
        10 w2: emit_constraint
        11 w0: img_rand_resize_upper @NVCaffe | crop_h @Intel SSD | multi_scale @TSN
        11 w5: erase_ratio
        12 w0: crop_w
        12 w5: rand_resize_ratio_lower @NVCaffe | scale_ratios @TSN | scale_min @caffe-windows
        13 w0: max_distort
        13 w2: distort_param
        13 w5: rand_resize_ratio_upper @NVCaffe | scale_max @caffe-windows
        14 w0: is_flow
        14 w2: expand_param
        14 w5: vertical_stretch_lower @NVCaffe | aspect_min @caffe-windows
        15 w0: more_fix_crop
        15 w2: random_resize_param
        15 w5: vertical_stretch_upper @NVCaffe | aspect_max @caffe-windows
        16 w0: stride
        16 w2: random_aspect_ratio_param
        16 w5: horizontal_stretch_lower
        17 w0: flow @Intel | upper_size @TSN
        17 w5: horizontal_stretch_upper
        18 w0: interpolation_algo_down @NVCaffe | bgr2rgb @Intel | upper_height @TSN
        19 w0: interpolation_algo_up @NVCaffe | pad @Intel | upper_width @TSN
        20 w0: allow_upscale @NVCaffe | original_image @TSN""",
    "LossParameter": """
        4 w2: class_weighting
        4 w5: label_smoothing @NVCaffe | pre_fixed_normalizer @Intel R-FCN | class_weighting @SegNet
        3 w0: weight_by_label_freqs @SegNet | normalization""",
    "BatchNormParameter": """
        4 w0: engine @Intel | update_global_stats @DeepLab | disable_mean @caffe-windows
        5 w0: use_weight_bias @Intel | disable_variance @caffe-windows
        6 w0: bias_term
        7 w0: scale_bias
        7 w2: filler @Intel | scale_filler
        8 w2: bias_filler""",
    "ConvolutionParameter": """
        19 w0: cudnn_convolution_algo_seeker @NVCaffe caffe-windows | relu @Intel | binary @OpenPose
        20 w0: shape_offset
        20 w2: conv_algos_override
        20 w5: negative_slope""",
    "PoolingParameter": """
        13 w0: avg_include_pad @Intel | round_mode
        13 w5: blobs_lr
        14 w0: axis
        14 w5: blobs_a_min""",
    "DataParameter": """
        10 w0: shuffle @TSN | prefetch
        11 w0: threads @NVCaffe | shuffle @Intel
        12 w0: parser_threads @NVCaffe | side @Intel""",
    "ImageDataParameter": """
        13 w0: short_side @NVCaffe | min_height @Intel | face_transform @caffe-windows
        14 w0: threads @NVCaffe | min_width @Intel
        14 w5: max_shear_ratio
        15 w0: cache @NVCaffe | ignore_label @DeepLab
        15 w5: max_aspect_ratio
        16 w0: precache @NVCaffe | label_type @DeepLab
        16 w5: max_rotate_angle
        17 w5: dataset_share_per_node @NVCaffe | min_random_scale @caffe-windows""",
    "DropoutParameter": """
        2 w0: engine @NVCaffe | sample_weights_test @SegNet | sqrt_scale @caffe-windows | scale_train""",
    "FillerParameter": """
        9 w5: scale @Intel | alpha @caffe-windows | diag_val @FlowNet""",
    "InnerProductParameter": """
        7 w0: engine @Intel | normalize @caffe-windows""",
    "BNParameter": """
        1 w2: scale_filler @SegNet | slope_filler
        2 w2: shift_filler @SegNet | bias_filler
        3 w0: bn_mode""",
    "NormalizeParameter": """
        1 w2: normalize_type
        2 w0: fix_gradient
        3 w0: bp_norm @caffe-windows | channel_shared""",
}


class Choice(NamedTuple):
    """A field that a number may mean: for layers of these types, or in files of these forks; neither: for all."""

    field: str
    types: frozenset[str]
    forks: frozenset[str]

    def fits(self, layer_type: str, fork: str) -> bool:
        """Whether it holds in a layer of that type in a file of that fork."""
        return (not self.types or layer_type in self.types) and (not self.forks or fork in self.forks)


def _read() -> dict[tuple[str, int, int], list[Choice]]:
    found = {}
    for message, text in _NUMBERS.items():
        for line in text.replace("\n            ", " ").strip().splitlines():
            key, _, rest = line.strip().partition(": ")
            number, wire = key.split(" w")
            choices = []
            for choice in rest.split("|"):
                field, *words = choice.split()
                forks = words and words[0].startswith("@")
                names = frozenset(word.lstrip("@") for word in words)
                choices.append(Choice(field, frozenset() if forks else names, names if forks else frozenset()))
            found[message, int(number), int(wire)] = choices
    return found


# (message, number, wire type) -> what it may mean, in the order in which they are tried
FORK_NUMBERS = _read()
