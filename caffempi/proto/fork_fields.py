"""Which fork of Caffe added which field: for each message of BVLC's, "forks: fields" a line.

Fields of messages that a fork added whole are not listed: the field that holds the message is.
"""
from __future__ import annotations

_TABLE = {
    "BlobProto": """
        NVCaffe, Caffe-MPI: raw_data_type raw_diff_type raw_data raw_diff""",
    "Datum": """
        NVCaffe, Caffe-MPI: record_id
        MobileNet-YOLO: seg_label""",
    "FillerParameter": """
        caffe-windows: alpha
        Intel Caffe: scale
        FlowNet2: diag_val
        ChenglongChen: negative_slope""",
    "NetParameter": """
        Intel Caffe: engine compile_net_state multinode bn_stats_batch_size
        NVCaffe, Caffe-MPI: default_backward_type default_forward_math default_backward_math global_grad_scale
            default_conv_algos_override reduce_buckets default_forward_type
        NVCaffe: global_grad_scale_adaptive default_cudnn_math_override eltwise_mem_sharing
        TSN: mem_param
        BVLC 2014: bottom""",
    "LayerParameter": """
        SSD, NVCaffe, Intel Caffe: annotated_data_param multibox_loss_param prior_box_param
            detection_output_param detection_evaluate_param norm_param
        SSD, NVCaffe, Intel Caffe, caffe-windows: permute_param
        SSD, NVCaffe, Intel Caffe, C3D, TSN, video-caffe: video_data_param
        NVCaffe, Caffe-MPI: detectnet_groundtruth_param detectnet_augmentation_param forward_type backward_type
            forward_math backward_math debug
        R-FCN, Intel Caffe: box_annotator_ohem_param
        R-FCN, Intel Caffe, caffe-windows: psroi_pooling_param
        Faster R-CNN, R-FCN, Intel Caffe, TSN, caffe-windows: roi_pooling_param
        Faster R-CNN, R-FCN, Intel Caffe: smooth_l1_loss_param
        NVCaffe: cudnn_math_override trt_param
        Intel Caffe: engine multinode mn_activation_param spatial_dropout_param mn_grad_compress_param
            quantization_param split_param
        Intel Caffe, MobileNet-YOLO: reorg_param region_loss_param
        Intel Caffe, caffe-yolo: eval_detection_param
        PSPNet, TSN, SegNet, caffe-windows, DeconvNet: bn_param
        SegNet, MobileNet-YOLO, DeepDetect: upsample_param
        SegNet, DeepDetect: dense_image_data_param
        PSPNet, DeepLab: interp_param seg_accuracy_param dense_crf_param mat_write_param mat_read_param
            domain_transform_param adaptive_bias_channel_param bias_channel_param unique_label_param
        CCNN: densecrf_param
        TSN: seg_data_param batch_reduction_param
        FlowNet2: augmentation_param coeff_schedule_param correlation_param l1_loss_param writer_param
            reader_param mean_param resample_param downsample_param lpq_loss_param flow_warp_param accum_param
            black_augmentation_param reshape_every_iter
        OpenPose: op_transform_param cpm_transform_param
        caffe-windows: local_param insanity_param triplet_loss_param noise_param flip_param inner_distance_param
            general_contrastive_loss_param general_triplet_loss_param channel_scale_param
            label_specific_add_param label_specific_rescale_param resize_param eltwise_affine_param
        caffe-windows, caffe-face: center_loss_param
        caffe-windows, ArcFace: normalize_param focal_loss_param
        caffe-windows, PVANet, mini-caffe: proposal_param
        SphereFace, caffe-windows: margin_inner_product_param
        MS-CNN: bbox_reg_param detection_accuracy_param image_gt_data_param proposal_target_param
            box_output_param
        MS-CNN, caffe-yolo: detection_loss_param
        C3D: convolution3d_param
        C3D, P3D: pooling3d_param
        ShuffleNet, DeepDetect: shuffle_channel_param
        caffe-lstm, caffe_ocr, CTPN: lstm_param
        caffe_ocr, CTPN: reverse_param transpose_param
        caffe_ocr: denseblock_param
        DeepDetect: continuation_indicator_param ctc_loss_param labelsequence_accuracy_param weight_filler
            bias_filler
        MobileNet-YOLO: yolov3_param yolov3_detection_output_param yolo_detection_output_param yolo_seg_param
            segmentation_evaluate_param relu6_param
        Quantitative-caffe: weights_compress weights_compress_param activations_compress
            activations_compress_param compress
        LocNet: region_pooling_param
        MNC: roi_warping_param mask_resize_param
        DMSH: hashing_loss_param
        Deep-Metric-Learning: lifted_struct_sim_softmax_loss_param
        caffe-model: selu_dropout_param
        DeepSkeleton: rescale_param
        transfer-caffe: mmd_param
        CRF-RNN: multi_stage_meanfield_param
        SqueezeDet: bbox_data_param squeezedet_param
        ArcFace: adacos_add_m_scale_param cosin_add_m_param
        DeconvNet: unpooling_param eltwise_accuracy_param
        exp_caffe: colinear_convolution_param
        DeepLab: strict_dim
        siameseMTri: mtriangular_loss_param""",
    "TransformationParameter": """
        SSD, NVCaffe, Intel Caffe: resize_param noise_param emit_constraint distort_param expand_param
        SSD, NVCaffe, Intel Caffe, caffe-windows: crop_h crop_w
        NVCaffe: forward_packing display num_labels img_rand_resize_lower img_rand_resize_upper
            rand_resize_ratio_lower rand_resize_ratio_upper vertical_stretch_lower vertical_stretch_upper
            horizontal_stretch_lower horizontal_stretch_upper interpolation_algo_down interpolation_algo_up
            allow_upscale
        NVCaffe, Caffe-MPI: use_gpu_transform random_seed
        Intel Caffe: random_resize_param random_aspect_ratio_param bgr2rgb pad
        Intel Caffe, lisa-caffe: flow
        PSPNet, DeepLab: scale_factors crop_width crop_height
        TSN: fix_crop multi_scale scale_ratios max_distort is_flow more_fix_crop stride upper_size upper_height
            upper_width original_image
        caffe-windows: center_crop erase_ratio scale_min scale_max aspect_min aspect_max
        ChenglongChen: multiscale debug_display smooth_filtering jpeg_compression contrast_adjustment
            min_scaling_factor max_scaling_factor angle_interval max_shearing_ratio max_perspective_ratio
        DeepDetect: geometry_param""",
    "LossParameter": """
        R-FCN, Intel Caffe: pre_fixed_normalizer
        NVCaffe, Intel Caffe: label_smoothing
        SegNet: weight_by_label_freqs class_weighting""",
    "AccuracyParameter": """
        caffe-windows: min_is_better""",
    "BatchNormParameter": """
        NVCaffe, Caffe-MPI, caffe-windows: scale_filler
        NVCaffe, Caffe-MPI, Intel Caffe, caffe-windows: bias_filler engine
        NVCaffe, Caffe-MPI: scale_bias
        Intel Caffe: stats_batch_size relu use_weight_bias bias_term filler
        PSPNet, DeepLab: update_global_stats
        caffe-windows: disable_mean disable_variance""",
    "ConcatParameter": """
        Intel Caffe: engine per_fla_fuse""",
    "ConvolutionParameter": """
        NVCaffe, Caffe-MPI, caffe-windows: cudnn_convolution_algo_seeker
        NVCaffe, Caffe-MPI: conv_algos_override
        Intel Caffe: conv_algorithm coeff fusion_type relu negative_slope
        OpenPose: binary
        DeepLab, CCNN: hole
        DeepLab: hole_h hole_w
        TSN: dilation_h dilation_w
        C3D: kernel_depth temporal_pad temporal_stride
        video-caffe: kernel_shape stride_shape pad_shape
        caffe-windows: shape_offset""",
    "DataParameter": """
        NVCaffe, Caffe-MPI: threads parser_threads cache
        NVCaffe, Caffe-MPI, Intel Caffe, TSN: shuffle
        NVCaffe: precache
        Intel Caffe, caffe-yolo: side
        FlowNet2: preselection_file preselection_label range_start range_end rand_permute rand_permute_order
            rand_permute_seed slice_point encoding verbose subtract permute_every_iter block_size
            disk_reader_threads huge_video_dataset limit_samples""",
    "DropoutParameter": """
        NVCaffe, Caffe-MPI: random_seed engine
        Faster R-CNN, R-FCN: scale_train
        SegNet: sample_weights_test
        caffe-windows: sqrt_scale""",
    "EltwiseParameter": """
        Intel Caffe: engine""",
    "ELUParameter": """
        NVCaffe: lambda""",
    "ImageDataParameter": """
        NVCaffe: short_side threads cache precache dataset_share_per_node
        Intel Caffe, lisa-caffe: min_height min_width
        PSPNet, DeepLab, DeconvNet: label_type
        PSPNet, DeepLab: ignore_label
        caffe-windows: face_transform max_shear_ratio max_aspect_ratio max_rotate_angle min_random_scale
            max_random_scale max_random_shift face_mirror face_point_num balance_class balance_by
            label_cut_start label_cut_end
        C3D: new_length use_image show_data use_temporal_jitter num_truth_channels is_flow truth_scale
            sampling_rate
        DMSH: label_num
        OpenCV: images_in_color
        Xception-caffe: new_dim bicubic""",
    "InnerProductParameter": """
        Intel Caffe: engine relu negative_slope
        caffe-windows, ArcFace: normalize""",
    "MemoryDataParameter": """
        caffe-windows: transpose
        pynetbuilder: source share_in_parallel""",
    "ParameterParameter": """
        caffe-windows: blob_filler""",
    "PoolingParameter": """
        Intel Caffe: pad_3d kernel_size_3d stride_3d avg_include_pad axis
        NVCaffe: torch_pooling
        DenseNet, caffe-model: ceil_mode
        C3D: kernel_depth temporal_stride
        video-caffe: kernel_shape stride_shape
        DeepDetect: weight_filler bias_filler
        caffe-windows: blobs_lr blobs_a_min""",
    "ReLUParameter": """
        Intel Caffe: fuse""",
    "ReductionParameter": """
        TSN: k""",
    "ReshapeParameter": """
        Intel Caffe: pixelshuffler""",
    "ScaleParameter": """
        caffe-windows: min_value max_value""",
    "SoftmaxParameter": """
        caffe-windows: hard_ratio class_weight hard_mining_label cutting_point normalize_type
            label_smooth_factor""",
    "SolverParameter": """
        NVCaffe: store_blobs_in_old_format weight_decay_power test_and_snapshot_last_epochs larc_turbo
            max_weight_decay larc larc_policy larc_eta weight_decay_policy
        Intel Caffe, caffe-yolo, MobileNet-YOLO: stagelr stageiter
        SSD, NVCaffe, Intel Caffe, MobileNet-YOLO: eval_type ap_version show_per_class_result
        SSD, NVCaffe, Intel Caffe, PVANet: plateau_winsize
        Caffe-MPI: per_parameter_reduce
        NVCaffe, Caffe-MPI: rampup_interval rampup_lr min_lr solver_data_type momentum_policy max_momentum
            momentum_power
        Intel Caffe: disabled_update engine warmup_iter warmup_start_lr local_lr_auto local_gw_ratio test_offset
        TSN: richness group_id
        SPP-net: vstep_lr vstep_size
        BVLC 2014: stepearly
        caffe-windows: clamp_weights_lower clamp_weights_upper clip_weights""",
    "SolverState": """
        SSD, NVCaffe, Intel Caffe: minimum_loss iter_last_event""",
    "V1LayerParameter": """
        DeconvNet, caffe-windows, ChenglongChen: bn_param
        DeconvNet: unpooling_param eltwise_accuracy_param
        exp_caffe: colinear_convolution_param
        DeepLab: strict_dim interp_param dense_crf_param seg_accuracy_param mat_write_param
        CRF-RNN: multi_stage_meanfield_param
        caffe-windows: local_param prelu_param insanity_param triplet_loss_param noise_param
            eltwise_affine_param
        caffe-windows, Faster R-CNN: roi_pooling_param
        Faster R-CNN: smooth_l1_loss_param python_param
        C3D: video_data_param
        SPP-net: spp_param
        MobileNet-YOLO: relu6_param""",
    "V0LayerParameter": """
        SPP-net: conv_param pool_param inner_product_param dropout_param lrn_param concat_param
        BVLC 2013: subtraction""",
}


def _read() -> dict[str, str]:
    found = {}
    for message, text in _TABLE.items():
        for line in text.replace("\n            ", " ").strip().splitlines():
            forks, _, fields = line.strip().partition(": ")
            found.update({f"{message}.{name}": forks for name in fields.split()})
    return found


# "Message.field" -> the forks that have it
FORK_FIELDS = _read()
