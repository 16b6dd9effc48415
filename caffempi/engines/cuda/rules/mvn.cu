// Mean-variance normalisation of groups of m neighbouring numbers; a block of B threads takes group after group.
#include "reduce.h"

// y = x - mean(x); also the gradient of itself. x and y may be one array.
template <typename T, int B>
__global__ void centre(long long groups, long long m, const T* x, T* y) {
    SHARED(float, slots, REDUCE_SLOTS(B));
    for (long long group = blockIdx.x; group < groups; group += gridDim.x) {
        const long long start = group * m;
        float sum = 0.f;
        for (long long i = threadIdx.x; i < m; i += B) sum += to_f(x[start + i]);
        const float mean = block_reduce<B>(sum, Sum{}, slots) / static_cast<float>(m);
        for (long long i = threadIdx.x; i < m; i += B) y[start + i] = from_f<T>(to_f(x[start + i]) - mean);
    }
}

// y = (x - mu) / s, s = sqrt(mean((x - mu)^2)) + eps; s is kept unless `saved` is null. x and y may be one array.
template <typename T, int B>
__global__ void mvn(long long groups, long long m, float eps, const T* x, T* y, float* saved) {
    SHARED(float, slots, REDUCE_SLOTS(B));
    for (long long group = blockIdx.x; group < groups; group += gridDim.x) {
        const long long start = group * m;
        float sum = 0.f;
        for (long long i = threadIdx.x; i < m; i += B) sum += to_f(x[start + i]);
        const float mean = block_reduce<B>(sum, Sum{}, slots) / static_cast<float>(m);
        float squares = 0.f;
        for (long long i = threadIdx.x; i < m; i += B) {
            const float d = to_f(x[start + i]) - mean;
            squares += d * d;
        }
        const float s = sqrtf(block_reduce<B>(squares, Sum{}, slots) / static_cast<float>(m)) + eps;
        for (long long i = threadIdx.x; i < m; i += B) y[start + i] = from_f<T>((to_f(x[start + i]) - mean) / s);
        if (saved && threadIdx.x == 0) saved[group] = s;
    }
}

// dx = (dy - mean(dy) - y mean(dy y)) / s; dy and dx may be one array.
template <typename T, int B>
__global__ void mvn_dx(long long groups, long long m, const T* y, const float* s, const T* dy, T* dx) {
    SHARED(float, slots, REDUCE_SLOTS(B));
    for (long long group = blockIdx.x; group < groups; group += gridDim.x) {
        const long long start = group * m;
        float sum = 0.f, product = 0.f;
        for (long long i = threadIdx.x; i < m; i += B) {
            const float d = to_f(dy[start + i]);
            sum += d;
            product += d * to_f(y[start + i]);
        }
        const float mean = block_reduce<B>(sum, Sum{}, slots) / static_cast<float>(m);
        const float pull = block_reduce<B>(product, Sum{}, slots) / static_cast<float>(m);
        for (long long i = threadIdx.x; i < m; i += B)
            dx[start + i] = from_f<T>((to_f(dy[start + i]) - mean - to_f(y[start + i]) * pull) / s[group]);
    }
}

// s = value, for groups without numbers.
__global__ void mvn_empty(long long n, float value, float* s) {
    GRID_STRIDE(i, n) s[i] = value;
}
