// Sums over the last axes, and their gradients. Rows are channels of the sums: [1, rows, length].
#include "sums.h"
#include "vector.h"

struct Itself {
    __device__ float operator()(float x) const { return x; }
    __device__ float slope(float) const { return 1.f; }
};
struct Absolute {
    __device__ float operator()(float x) const { return fabsf(x); }
    __device__ float slope(float x) const { return x > 0.f ? 1.f : x < 0.f ? -1.f : x != x ? x : 0.f; }
};
struct Square {
    __device__ float operator()(float x) const { return x * x; }
    __device__ float slope(float x) const { return 2.f * x; }
};

template <typename T, typename F>
__global__ void sums_of(long long outer, long long channels, long long inner, long long parts, float* partial, const T* x) {
    sum_channels(outer, channels, inner, parts, partial, [&](long long i) { return F{}(to_f(x[i])); });
}

// dx = f'(x) factor dy of the row; x is null where it does not count.
template <typename T, typename F>
__global__ void reduction_dx(long long n, long long length, const T* x, const T* dy, T* dx, float factor) {
    constexpr int K = VECTOR<T>;
    each<K>(n, aligned<K>(x, dx), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        long long row = divide(at, length), r = at - row * length;
        Vec<T, W> v;
        if (x) v = load<W>(x, at);
        for (int k = 0; k < W; ++k) {
            v.v[k] = from_f<T>(F{}.slope(x ? to_f(v.v[k]) : 0.f) * (factor * to_f(dy[row])));
            if (++r == length) {
                r = 0;
                ++row;
            }
        }
        store<W>(dx, at, v);
    });
}
