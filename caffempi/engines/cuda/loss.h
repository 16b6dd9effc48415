// What losses share: labels, sums of terms over all places in two steps, the divisor.
#pragma once
#include "reduce.h"

#define LOSS_THREADS 256

#define IGNORED (-1)
#define NO_CLASS (-2)

// The class that a label names; IGNORED where its whole part is `ignore` (NaN: none is), NO_CLASS, and a fault, where it is
// none of the classes.
__device__ inline int read_label(float label, long long classes, float ignore, int* fault) {
    const float whole = truncf(label);
    if (whole == ignore) return IGNORED;
    if (whole >= 0.f && whole < static_cast<float>(classes)) return static_cast<int>(whole);
    *fault = 1;
    return NO_CLASS;
}

#define NOT_A_NUMBER (__int_as_float(0x7fffffff))

// Leaves the block's sum of terms and count of places for `finish`; every thread of the block comes here once.
__device__ inline void publish(float sum, int count, float* sums, int* counts) {
    SHARED(float, sum_slots, REDUCE_SLOTS(LOSS_THREADS));
    SHARED(int, count_slots, REDUCE_SLOTS(LOSS_THREADS));
    sum = block_reduce<LOSS_THREADS>(sum, Sum{}, sum_slots);
    count = block_reduce<LOSS_THREADS>(count, Sum{}, count_slots);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        counts[blockIdx.x] = count;
    }
}

// loss = sum / divisor, which is the count of places, 1 or more, where `divisor` is 0. One block. What is null is not kept.
// COUNTED is there to make it a template: one instance a file that starts it.
template <typename COUNTED>
__global__ void finish(long long parts, const float* sums, const COUNTED* counts, float divisor, float* loss, float* normalizer,
                       float* count) {
    SHARED(float, sum_slots, REDUCE_SLOTS(LOSS_THREADS));
    SHARED(long long, count_slots, REDUCE_SLOTS(LOSS_THREADS));
    float sum = 0.f;
    long long places = 0;
    for (long long k = threadIdx.x; k < parts; k += LOSS_THREADS) {
        sum += sums[k];
        places += counts[k];
    }
    sum = block_reduce<LOSS_THREADS>(sum, Sum{}, sum_slots);
    places = block_reduce<LOSS_THREADS>(places, Sum{}, count_slots);
    if (threadIdx.x) return;
    const float by = divisor > 0.f ? divisor : fmaxf(1.f, static_cast<float>(places));
    loss[0] = sum / by;
    if (normalizer) normalizer[0] = by;
    if (count) count[0] = static_cast<float>(places);
}
