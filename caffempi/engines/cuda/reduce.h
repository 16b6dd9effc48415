// Reductions over the threads of a block: the only place that combines values of different threads.
#pragma once
#include "device.h"

struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// What Max starts from: the lowest finite float.
#define LOWEST (-3.402823466e+38f)

// Elements of the shared array that block_reduce<B> wants: one for each warp.
#define REDUCE_SLOTS(B) ((B) / 32)

// Over groups of LANES neighbouring lanes (a power of two up to 32); every lane gets its group's result. The order of the
// operations is fixed, so results repeat bit for bit.
template <int LANES, typename F>
__device__ inline float warp_reduce(float v, F f) {
    for (int step = LANES / 2; step > 0; step /= 2) v = f(v, __shfl_xor_sync(FULL_WARP, v, step));
    return v;
}

// Over all B threads of the block (B = 32, 64, ... 1024, a power of two); every thread gets the result. `slots` is shared
// memory of REDUCE_SLOTS(B) floats, free again on return.
template <int B, typename F>
__device__ inline float block_reduce(float v, F f, float* slots) {
    constexpr int warps = B / 32;
    v = warp_reduce<32>(v, f);
    if constexpr (warps > 1) {
        if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = v;
        __syncthreads();  // all slots are written before any is read
        v = warp_reduce<warps>(slots[threadIdx.x % warps], f);
        __syncthreads();  // all have read before the next use writes
    }
    return v;
}
