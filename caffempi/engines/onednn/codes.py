"""Numbers of oneDNN's C API (version 3), those of dnnl_types.h: types, properties, algorithms, flags, argument ids."""
from __future__ import annotations

BFLOAT16, FLOAT32 = 2, 3                                       # data types
ITEM_BYTES = {1: 2, BFLOAT16: 2, FLOAT32: 4, 4: 4, 5: 1, 6: 1}  # f16, bf16, f32, s32, s8, u8
TRAINING, INFERENCE, BACKWARD, BACKWARD_DATA = 64, 96, 128, 160
DIRECT_CONVOLUTION, POOL_MAX, POOL_INCLUDE, POOL_EXCLUDE = 1, 0x1FF, 0x2FF, 0x3FF
LRN_ACROSS, LRN_WITHIN, SOFTMAX = 0xAFF, 0xBFF, 0x30000
RELU, TANH, ELU, SQRT, LINEAR, LOGISTIC, EXP, LOG = 0x20, 0x21, 0x22, 0x25, 0x26, 0x29, 0x2A, 0x2D
BY_OUTPUT = {TANH: 0x101, ELU: 0x102, LOGISTIC: 0x104}          # the same, for a backward that reads the output
ADD, MULTIPLY, MAXIMUM, DIVIDE, SUBTRACT, REDUCE_SUM = 0x1FFF0, 0x1FFF1, 0x1FFF2, 0x1FFF4, 0x1FFF5, 0x2FFF4
GLOBAL_STATISTICS, SCALE_FLAG, SHIFT_FLAG = 1, 2, 4             # flags of batch normalisation

SRC, SRC_1, DST, WEIGHTS, BIAS, MEAN, VARIANCE, SCALE, SHIFT = 1, 2, 17, 33, 41, 49, 50, 51, 52
WORKSPACE, SCRATCH, DIFF_SRC, DIFF_DST, DIFF_WEIGHTS, DIFF_SCALE, DIFF_SHIFT = 64, 80, 129, 145, 161, 255, 256
MULTIPLE_SRC = 1024                                             # + i: the i-th of several sources


def factor_of(argument: int) -> int:
    """Argument id of the number that an operand of that id is multiplied by."""
    return 4096 | argument


def post_operand(i: int) -> int:
    """Argument id of the second operand of a primitive's i-th post-op, a binary one."""
    return 32768 * (i + 1) | SRC_1
