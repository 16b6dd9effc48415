// Sums by channel. An array is read as [outer, channels, inner]: NCHW with N, C, H W; NHWC, and a matrix, with inner 1.
// Each channel's m = outer * inner elements are cut into `parts`, so that there are enough blocks. A job is one part of one
// channel, or (columns, for inner 1) of 32 neighbouring channels, which 8 threads each share. Blocks have 256 threads.
#pragma once
#include "reduce.h"

#define CHANNEL_SLOTS 256

struct Share {
    long long channel;  // this thread's; channels or more where it has none
    long long part, lo, hi;
    bool columns;
};

__device__ inline long long jobs_of(long long channels, long long inner, long long parts) {
    return parts * (inner == 1 ? (channels + 31) / 32 : channels);
}

__device__ inline Share share_of(long long job, long long outer, long long channels, long long inner, long long parts) {
    const bool columns = inner == 1;
    const long long groups = columns ? (channels + 31) / 32 : channels;
    const long long part = job / groups, group = job % groups, m = outer * inner;
    return {columns ? group * 32 + threadIdx.x % 32 : group, part, m * part / parts, m * (part + 1) / parts, columns};
}

// Calls f(place) for this thread's share of the job.
template <typename F>
__device__ inline void walk(const Share& share, long long channels, long long inner, F f) {
    if (share.columns) {
        if (share.channel < channels)
            for (long long row = share.lo + threadIdx.x / 32; row < share.hi; row += 8) f(row * channels + share.channel);
        return;
    }
    const long long step = 256 / inner, more = 256 % inner;  // 256 elements further, without a division each time
    long long row = (share.lo + threadIdx.x) / inner, at = (share.lo + threadIdx.x) % inner;
    for (long long j = share.lo + threadIdx.x; j < share.hi; j += 256) {
        f((row * channels + share.channel) * inner + at);
        row += step;
        at += more;
        if (at >= inner) {
            at -= inner;
            ++row;
        }
    }
}

// The sum over the threads that share a channel; each of them gets it. slots: CHANNEL_SLOTS floats of shared memory.
__device__ inline float sum_of_share(const Share& share, float v, float* slots) {
    return share.columns ? column_reduce<32, 8>(v, Sum{}, slots) : block_reduce<256>(v, Sum{}, slots);
}

// Whether this thread writes its channel's result.
__device__ inline bool writes(const Share& share, long long channels) {
    return share.columns ? threadIdx.x < 32 && share.channel < channels : threadIdx.x == 0;
}

// The channel of element i.
__device__ inline long long channel_of(long long i, long long channels, long long inner) {
    return (inner == 1 ? i : i / inner) % channels;
}

// to[i] (+)= the sum of from[part * n + i] over the parts, for i = 0..n - 1.
__device__ inline void sum_parts(long long n, long long parts, const float* from, float* to, bool add) {
    GRID_STRIDE(i, n) {
        float sum = 0.f;
        for (long long part = 0; part < parts; ++part) sum += from[part * n + i];
        to[i] = add ? to[i] + sum : sum;
    }
}
