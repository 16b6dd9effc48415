// Kernels whose blocks reduce rows: element c of row r of an array [outer, count, inner] lies at
// (r / inner * count + c) * inner + r % inner.
#include "reduce.h"

__device__ inline long long row_start(long long row, long long count, long long inner) {
    return row / inner * count * inner + row % inner;
}

// y = exp(x - max) / sum(exp(x - max)) over each row; a block of B threads takes row after row. x and y may be one array.
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
