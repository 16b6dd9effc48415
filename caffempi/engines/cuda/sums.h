// One sum a channel of an array [outer, channels, inner], in two steps: blocks sum parts to `partial` [parts, channels], see
// channels.h, then `fold` adds up the parts. The order is fixed by the sizes alone.
#pragma once
#include "channels.h"

// term(i): what element i adds to its channel's sum.
template <typename F>
__device__ inline void sum_channels(long long outer, long long channels, long long inner, long long parts, float* partial, F term) {
    SHARED(float, slots, CHANNEL_SLOTS);
    for (long long j = blockIdx.x; j < jobs_of(channels, inner, parts); j += gridDim.x) {
        const Share share = share_of(j, outer, channels, inner, parts);
        float sum = 0.f;
        walk(share, channels, inner, [&](long long i) { sum += term(i); });
        sum = sum_of_share(share, sum, slots);
        if (writes(share, channels)) partial[share.part * channels + share.channel] = sum;
    }
}

// y[c] (+)= factor times the sum over the parts; a warp takes c after c.
template <typename T>
__global__ void fold(long long channels, long long parts, const float* partial, T* y, float factor, int add) {
    for (long long c = blockIdx.x; c < channels; c += gridDim.x) {
        float sum = 0.f;
        for (long long part = threadIdx.x; part < parts; part += 32) sum += partial[part * channels + c];
        sum = factor * warp_reduce<32>(sum, Sum{});
        if (threadIdx.x == 0) y[c] = from_f<T>(add ? to_f(y[c]) + sum : sum);
    }
}
