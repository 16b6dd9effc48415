// Reductions over the threads of a block: the only place that combines values of different threads.
#pragma once
#include "device.h"

struct Sum {
    template <typename V>
    __device__ V operator()(V a, V b) const { return a + b; }
};

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
    __device__ unsigned long long operator()(unsigned long long a, unsigned long long b) const { return a > b ? a : b; }
};

struct Least {
    __device__ int operator()(int a, int b) const { return a < b ? a : b; }
};

// Elements of the shared array that block_reduce<B> and block_scan<B> want: one for each warp.
#define REDUCE_SLOTS(B) ((B) / 32)

// Over groups of LANES neighbouring lanes (a power of two up to 32); every lane gets its group's result. The order of the
// operations is fixed, so results repeat bit for bit.
template <int LANES, typename V, typename F>
__device__ inline V warp_reduce(V v, F f) {
    for (int step = LANES / 2; step > 0; step /= 2) v = f(v, __shfl_xor_sync(FULL_WARP, v, step));
    return v;
}

// Over all B threads of the block (B = 32, 64, ... 1024, a power of two); every thread gets the result. `slots` is shared
// memory of REDUCE_SLOTS(B) values, free again on return.
template <int B, typename V, typename F>
__device__ inline V block_reduce(V v, F f, V* slots) {
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

// The sum of v over the threads before this one, in order; *total is the sum over all. `slots` as in block_reduce.
template <int B>
__device__ inline int block_scan(int v, int* total, int* slots) {
    constexpr int warps = B / 32;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int upto = v;
    for (int step = 1; step < 32; step *= 2) {
        const int below = __shfl_up_sync(FULL_WARP, upto, step);
        if (lane >= step) upto += below;
    }
    if (lane == 31) slots[warp] = upto;
    __syncthreads();  // all warps' sums are written before any is read
    int before = 0, all = 0;
    for (int w = 0; w < warps; ++w) {
        before += w < warp ? slots[w] : 0;
        all += slots[w];
    }
    __syncthreads();  // all have read before the next use writes
    *total = all;
    return before + upto - v;
}

// Over the Y threads of each column of a block of X * Y threads, thread t lying in column t % X; every thread of a column gets
// its column's result. `slots` is shared memory of X * Y floats, free again on return.
template <int X, int Y, typename F>
__device__ inline float column_reduce(float v, F f, float* slots) {
    slots[threadIdx.x] = v;
    __syncthreads();  // all slots are written before any is read
    v = slots[threadIdx.x % X];
    for (int y = 1; y < Y; ++y) v = f(v, slots[y * X + threadIdx.x % X]);
    __syncthreads();  // all have read before the next use writes
    return v;
}
