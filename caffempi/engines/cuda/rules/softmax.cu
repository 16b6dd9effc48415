// Softmax along an axis. Element c of row r of an array [outer, count, inner] lies at (r / inner * count + c) * inner +
// r % inner. A block of B threads takes row after row; where rows are interleaved (a large inner), a thread takes a row.
#include "reduce.h"

__device__ inline long long row_start(long long row, long long count, long long inner) {
    return row / inner * count * inner + row % inner;
}

// y = exp(x - max) / sum(exp(x - max)) over each row. x and y may be one array.
template <typename T, int B>
__global__ void softmax(long long rows, long long count, long long inner, const T* x, T* y) {
    SHARED(float, slots, REDUCE_SLOTS(B));
    for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
        const long long start = row_start(row, count, inner);
        float top = LOWEST;
        for (long long c = threadIdx.x; c < count; c += B) top = fmaxf(top, to_f(x[start + c * inner]));
        top = block_reduce<B>(top, Max{}, slots);
        float sum = 0.f;
        for (long long c = threadIdx.x; c < count; c += B) sum += expf(to_f(x[start + c * inner]) - top);
        sum = block_reduce<B>(sum, Sum{}, slots);
        for (long long c = threadIdx.x; c < count; c += B) {
            const long long at = start + c * inner;
            y[at] = from_f<T>(expf(to_f(x[at]) - top) / sum);
        }
    }
}

template <typename T>
__global__ void softmax_strided(long long rows, long long count, long long inner, const T* x, T* y) {
    GRID_STRIDE(row, rows) {
        const long long start = row_start(row, count, inner), end = start + count * inner;
        float top = LOWEST;
        for (long long at = start; at < end; at += inner) top = fmaxf(top, to_f(x[at]));
        float sum = 0.f;
        for (long long at = start; at < end; at += inner) sum += expf(to_f(x[at]) - top);
        for (long long at = start; at < end; at += inner) y[at] = from_f<T>(expf(to_f(x[at]) - top) / sum);
    }
}

// dx = y (dy - sum(dy y)) over each row. dy and dx may be one array.
template <typename T, int B>
__global__ void softmax_dx(long long rows, long long count, long long inner, const T* y, const T* dy, T* dx) {
    SHARED(float, slots, REDUCE_SLOTS(B));
    for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
        const long long start = row_start(row, count, inner);
        float sum = 0.f;
        for (long long c = threadIdx.x; c < count; c += B) {
            const long long at = start + c * inner;
            sum += to_f(dy[at]) * to_f(y[at]);
        }
        sum = block_reduce<B>(sum, Sum{}, slots);
        for (long long c = threadIdx.x; c < count; c += B) {
            const long long at = start + c * inner;
            dx[at] = from_f<T>(to_f(y[at]) * (to_f(dy[at]) - sum));
        }
    }
}

template <typename T>
__global__ void softmax_dx_strided(long long rows, long long count, long long inner, const T* y, const T* dy, T* dx) {
    GRID_STRIDE(row, rows) {
        const long long start = row_start(row, count, inner), end = start + count * inner;
        float sum = 0.f;
        for (long long at = start; at < end; at += inner) sum += to_f(dy[at]) * to_f(y[at]);
        for (long long at = start; at < end; at += inner) dx[at] = from_f<T>(to_f(y[at]) * (to_f(dy[at]) - sum));
    }
}
