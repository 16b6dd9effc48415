// Inner products of pieces of two flat arrays, in double: segments of pieces first, then the segments of each piece in order.
#include "reduce.h"

#define NORM_THREADS 256

// partial[s] = the inner product of a and b from lo[s] to hi[s].
__global__ void segment_products(long long segments, const long long* lo, const long long* hi, const float* a,
                                 const float* b, double* partial) {
    SHARED(double, slots, REDUCE_SLOTS(NORM_THREADS));
    for (long long s = blockIdx.x; s < segments; s += gridDim.x) {
        double sum = 0.;
        for (long long i = lo[s] + threadIdx.x; i < hi[s]; i += NORM_THREADS) {
            sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
        }
        sum = block_reduce<NORM_THREADS>(sum, Sum{}, slots);
        if (threadIdx.x == 0) partial[s] = sum;
    }
}

// y[k] = the sum of the segments first[k] to first[k + 1]; a warp takes piece after piece.
__global__ void piece_sums(long long pieces, const long long* first, const double* partial, double* y) {
    for (long long k = blockIdx.x; k < pieces; k += gridDim.x) {
        double sum = 0.;
        for (long long s = first[k] + threadIdx.x; s < first[k + 1]; s += 32) sum += partial[s];
        sum = warp_reduce<32>(sum, Sum{});
        if (threadIdx.x == 0) y[k] = sum;
    }
}
