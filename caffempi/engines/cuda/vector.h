// Loops over elements with vector loads and stores: each thread takes VECTOR<T> neighbours at a time, 16 bytes of T.
#pragma once
#include "device.h"

template <typename T>
constexpr int VECTOR = 16 / sizeof(T);

template <int K>
struct Width {
    static constexpr int value = K;
};

template <typename T, int K>
struct alignas(sizeof(T) * K) Vec {
    T v[K];
};

// K elements from p + at on, which lies at a multiple of their size.
template <int K, typename T>
__device__ inline Vec<T, K> load(const T* p, long long at) {
    CHECK_ALIGNED(p + at, sizeof(T) * K);
    return *reinterpret_cast<const Vec<T, K>*>(p + at);
}
template <int K, typename T>
__device__ inline void store(T* p, long long at, const Vec<T, K>& value) {
    CHECK_ALIGNED(p + at, sizeof(T) * K);
    *reinterpret_cast<Vec<T, K>*>(p + at) = value;
}

// Whether vectors of K elements of each of the arrays start at legal addresses (null does).
template <int K>
__device__ inline bool aligned() { return true; }
template <int K, typename P, typename... Q>
__device__ inline bool aligned(const P* p, const Q*... more) {
    return reinterpret_cast<unsigned long long>(p) % (sizeof(P) * K) == 0 && aligned<K>(more...);
}

// Calls body(at, Width<k>) so that all of 0..n - 1 are covered by spans at..at + k - 1: k is K as long as whole vectors fit
// (if `fits`), else 1.
template <int K, typename F>
__device__ inline void each(long long n, bool fits, F body) {
    const long long whole = fits ? n / K : 0;
    GRID_STRIDE(i, whole) body(i * K, Width<K>{});
    GRID_STRIDE(i, n - whole * K) body(whole * K + i, Width<1>{});
}

// y[i] = f(x[i]); x and y may be one array.
template <typename T, typename F>
__device__ inline void map(long long n, const T* x, T* y, F f) {
    constexpr int K = VECTOR<T>;
    each<K>(n, aligned<K>(x, y), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        Vec<T, W> v = load<W>(x, at);
        for (int k = 0; k < W; ++k) v.v[k] = from_f<T>(f(to_f(v.v[k])));
        store<W>(y, at, v);
    });
}

// y[i] = f(a[i], b[i]); any of the arrays may be one.
template <typename T, typename F>
__device__ inline void map(long long n, const T* a, const T* b, T* y, F f) {
    constexpr int K = VECTOR<T>;
    each<K>(n, aligned<K>(a, b, y), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        Vec<T, W> u = load<W>(a, at), v = load<W>(b, at);
        for (int k = 0; k < W; ++k) v.v[k] = from_f<T>(f(to_f(u.v[k]), to_f(v.v[k])));
        store<W>(y, at, v);
    });
}

// y[i] = f(a[i], b[i], c[i]); any of the arrays may be one.
template <typename T, typename S, typename F>
__device__ inline void map(long long n, const T* a, const S* b, const T* c, T* y, F f) {
    constexpr int K = VECTOR<T>;
    each<K>(n, aligned<K>(a, b, c, y), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        Vec<T, W> u = load<W>(a, at), w = load<W>(c, at);
        Vec<S, W> v = load<W>(b, at);
        for (int k = 0; k < W; ++k) w.v[k] = from_f<T>(f(to_f(u.v[k]), to_f(v.v[k]), to_f(w.v[k])));
        store<W>(y, at, w);
    });
}
