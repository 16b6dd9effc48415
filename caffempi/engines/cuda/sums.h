// Sums over all but the middle axis of an array [outer, count, inner], in two steps: blocks sum slices to `partial`
// [slices, count * columns], then `fold` adds up the slices. The order is fixed by the sizes alone.
#pragma once
#include "reduce.h"

#define SUM_THREADS 256

// Where inner is long: block (x, y) sums slice y of channel x. at(i): the term of element i. columns = 1.
template <typename F>
__device__ inline void sum_rows(long long outer, long long count, long long inner, float* partial, F at) {
    SHARED(float, slots, REDUCE_SLOTS(SUM_THREADS));
    const long long n = outer * inner, slice = (n + gridDim.y - 1) / gridDim.y;
    const long long lo = blockIdx.y * slice, hi = lo + slice < n ? lo + slice : n;
    for (long long c = blockIdx.x; c < count; c += gridDim.x) {
        float sum = 0.f;
        for (long long j = lo + threadIdx.x; j < hi; j += SUM_THREADS) {
            const long long o = divide(j, inner);
            sum += at((o * count + c) * inner + (j - o * inner), c);
        }
        sum = block_reduce<SUM_THREADS>(sum, Sum{}, slots);
        if (threadIdx.x == 0) partial[blockIdx.y * count + c] = sum;
    }
}

// Where inner is short: 32 lanes side by side take columns of the matrix [outer, count * inner], 8 rows of threads take
// rows; block (x, y) sums slice y. columns = inner.
template <typename F>
__device__ inline void sum_columns(long long outer, long long width, long long inner, float* partial, F at) {
    SHARED(float, rows, SUM_THREADS);
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32;
    constexpr int step = SUM_THREADS / 32;
    const long long slice = (outer + gridDim.y - 1) / gridDim.y;
    const long long lo = blockIdx.y * slice, hi = lo + slice < outer ? lo + slice : outer;
    for (long long first = blockIdx.x * 32LL; first < width; first += gridDim.x * 32LL) {
        const long long column = first + lane;
        float sum = 0.f;
        if (column < width) {
            const long long c = divide(column, inner);
            for (long long o = lo + row; o < hi; o += step) sum += at(o * width + column, c);
        }
        rows[threadIdx.x] = sum;
        __syncthreads();  // all rows' sums are written before any is read
        if (row == 0 && column < width) {
            for (int r = 1; r < step; ++r) sum += rows[r * 32 + lane];
            partial[blockIdx.y * width + column] = sum;
        }
        __syncthreads();  // all have been read before the next columns' are written
    }
}

// y[c] (+)= factor times the sum over slices and columns of partial [slices, count, columns]; a warp takes c after c.
template <typename T>
__global__ void fold(long long slices, long long count, long long columns, const float* partial, T* y, float factor, int add) {
    for (long long c = blockIdx.x; c < count; c += gridDim.x) {
        float sum = 0.f;
        for (long long k = threadIdx.x; k < slices * columns; k += 32) {
            const long long s = divide(k, columns);
            sum += partial[(s * count + c) * columns + (k - s * columns)];
        }
        sum = factor * warp_reduce<32>(sum, Sum{});
        if (threadIdx.x == 0) y[c] = from_f<T>(add ? to_f(y[c]) + sum : sum);
    }
}
