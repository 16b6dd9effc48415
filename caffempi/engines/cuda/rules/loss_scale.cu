// Loss scaling: seeds times the factor, the search for what is not finite, and the step of the factor. See ops/loss_scale.py.
#include "reduce.h"
#include "vector.h"

#define SCALING_THREADS 256

__global__ void scale_seed(long long n, const float* x, const float* factor, float* y) {
    GRID_STRIDE(i, n) y[i] = x[i] * factor[0];
}

// The flags of a block that meets what is not finite become NaN: x - x is 0 or NaN.
__global__ void nonfinite(long long n, const float* a, long long count, const float* flags, float* flags_out) {
    SHARED(float, slots, REDUCE_SLOTS(SCALING_THREADS));
    float doubt = 0.f;
    each<VECTOR<float>>(n, aligned<VECTOR<float>>(a), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        const Vec<float, W> x = load<W>(a, at);
        for (int k = 0; k < W; ++k) doubt += x.v[k] - x.v[k];
    });
    doubt = block_reduce<SCALING_THREADS>(doubt, Sum{}, slots);
    if (threadIdx.x == 0) {
        for (long long i = blockIdx.x; i < count; i += gridDim.x) flags_out[i] = flags[i] + doubt;
    }
}

// One block. All have read the factor before block_reduce returns, so that it may be overwritten after that.
__global__ void loss_scale(long long count, const float* flags, const float* own, const float* factor, const float* tally,
                           long long rows, long long width, const float* terms, float* flags_out, float* own_out,
                           float* factor_out, float* tally_out, float* terms_out, float every, float lowest, float highest) {
    SHARED(float, slots, REDUCE_SLOTS(SCALING_THREADS));
    const float used = factor[0];
    float bad = 0.f, mine = 0.f;
    for (long long i = threadIdx.x; i < count; i += SCALING_THREADS) {
        bad += flags[i] - flags[i];
        mine += own[i] - own[i];
        flags_out[i] = own_out[i] = 0.f;
    }
    bad = block_reduce<SCALING_THREADS>(bad, Sum{}, slots);
    mine = block_reduce<SCALING_THREADS>(mine, Sum{}, slots);
    for (long long i = threadIdx.x; i < rows * width; i += SCALING_THREADS) {
        terms_out[i] = i % width ? terms[i] : terms[i] / used + bad;
    }
    if (threadIdx.x == 0) {
        const bool skip = bad != bad;
        const float good = tally[0] + 1.f;
        float next = used;
        if (skip && used > lowest) next = fmaxf(.5f * used, lowest);
        if (!skip && good >= every && used < highest) next = fminf(2.f * used, highest);
        factor_out[0] = next;
        tally_out[0] = skip || good >= every ? 0.f : good;
        tally_out[1] = skip ? 1.f : 0.f;
        tally_out[2] = used;
        tally_out[3] = mine != mine ? 1.f : 0.f;
    }
}
