// Element-wise kernels: y[i] = f(x[i]) or y[i] = f(a[i], b[i]), any of the arrays may be one.
#include "device.h"

template <typename T, typename F>
__device__ inline void map(long long n, const T* x, T* y, F f) {
    GRID_STRIDE(i, n) y[i] = from_f<T>(f(to_f(x[i])));
}

template <typename T, typename F>
__device__ inline void map(long long n, const T* a, const T* b, T* y, F f) {
    GRID_STRIDE(i, n) y[i] = from_f<T>(f(to_f(a[i]), to_f(b[i])));
}

// max(x, 0) + slope * min(x, 0). Without a slope, -inf gives 0 (0 * -inf would be NaN); NaN stays NaN.
struct Relu {
    float slope;
    __device__ float operator()(float x) const {
        if (x > 0.f) return x;
        return slope == 0.f && x == x ? 0.f : slope * x;
    }
};

// dy where s > 0, else slope * dy; s has the sign of the forward's input.
struct ReluDx {
    float slope;
    __device__ float operator()(float s, float dy) const { return dy * (s > 0.f ? 1.f : slope); }
};

template <typename T>
__global__ void relu(long long n, const T* x, T* y, float slope) {
    map(n, x, y, Relu{slope});
}

template <typename T>
__global__ void relu_dx(long long n, const T* s, const T* dy, T* dx, float slope) {
    map(n, s, dy, dx, ReluDx{slope});
}
