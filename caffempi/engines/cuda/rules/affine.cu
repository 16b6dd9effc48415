// One number a channel beside an array [outer, count, inner]: factors, terms, slopes, and the sums that are their gradients.
#include "sums.h"
#include "vector.h"

// Calls f(k, c) for the W elements from `at` on, c being the channel of element at + k.
template <int W, typename F>
__device__ inline void by_channel(long long at, long long count, long long inner, F f) {
    const long long row = divide(at, inner);
    long long r = at - row * inner, c = row - divide(row, count) * count;
    for (int k = 0; k < W; ++k) {
        f(k, c);
        if (++r == inner) {
            r = 0;
            if (++c == count) c = 0;
        }
    }
}

struct Times {
    __device__ float operator()(float x, float w) const { return x * w; }
};
struct Plus {
    __device__ float operator()(float x, float w) const { return x + w; }
};
struct Slope {
    __device__ float operator()(float x, float w) const { return x > 0.f ? x : x * w; }
};

// y = f(x, w of the channel); x and y may be one array.
template <typename T, typename F>
__global__ void beside(long long n, long long count, long long inner, const T* x, const float* w, T* y) {
    constexpr int K = VECTOR<T>;
    each<K>(n, aligned<K>(x, y), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        Vec<T, W> v = load<W>(x, at);
        by_channel<W>(at, count, inner, [&](int k, long long c) { v.v[k] = from_f<T>(F{}(to_f(v.v[k]), w[c])); });
        store<W>(y, at, v);
    });
}

// dx = dy (1 if x > 0 else w of the channel); dx and dy may be one array.
template <typename T>
__global__ void slope_dx(long long n, long long count, long long inner, const T* x, const float* w, const T* dy, T* dx) {
    constexpr int K = VECTOR<T>;
    each<K>(n, aligned<K>(x, dy, dx), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        Vec<T, W> u = load<W>(x, at), v = load<W>(dy, at);
        by_channel<W>(at, count, inner, [&](int k, long long c) {
            v.v[k] = from_f<T>(to_f(v.v[k]) * (to_f(u.v[k]) > 0.f ? 1.f : w[c]));
        });
        store<W>(dx, at, v);
    });
}

// Terms of the sums: of dy x, of dy (x is null), of dy x where x <= 0.
struct Product {
    __device__ float operator()(float x, float dy) const { return x * dy; }
};
struct Alone {
    __device__ float operator()(float, float dy) const { return dy; }
};
struct Negative {
    __device__ float operator()(float x, float dy) const { return (x > 0.f ? 0.f : x) * dy; }
};

template <typename T, typename F>
__global__ void sums_of(long long outer, long long channels, long long inner, long long parts, float* partial, const T* x,
                        const T* dy) {
    sum_channels(outer, channels, inner, parts, partial,
                 [&](long long i) { return F{}(x ? to_f(x[i]) : 0.f, to_f(dy[i])); });
}
