// Arrays of one shape combined element by element, up to eight at a time. Of more, the first eight leave their result as
// float in `carry` (and the winner in `place`), the next go on from there: `from` and `to` are null at the ends.
#include "vector.h"

#define WAYS 8

struct Total {
    static __device__ float first(float x, float) { return x; }
    static __device__ float join(float best, float x, float, int, int&) { return best + x; }
};
struct Weighted {
    static __device__ float first(float x, float c) { return x * c; }
    static __device__ float join(float best, float x, float c, int, int&) { return best + x * c; }
};
struct Factors {
    static __device__ float first(float x, float) { return x; }
    static __device__ float join(float best, float x, float, int, int&) { return best * x; }
};
// Of the first two the second wins unless the first is greater; a later one wins only if it is greater.
struct Greatest {
    static __device__ float first(float x, float) { return x; }
    static __device__ float join(float best, float x, float, int at, int& place) {
        const bool wins = at == 1 ? !(best > x) : x > best;
        if (wins) place = at;
        return wins ? x : best;
    }
};

// y = x0 and x1 and ... `ways` of them joined; y may be one of them. begin: the place of x0 among all.
template <typename T, typename F>
__global__ void combine(long long n, long long ways, long long begin, const T* x0, const T* x1, const T* x2, const T* x3,
                        const T* x4, const T* x5, const T* x6, const T* x7, float c0, float c1, float c2, float c3, float c4,
                        float c5, float c6, float c7, const float* from, float* to, T* y, int* winner) {
    constexpr int K = VECTOR<T>;
    const T* const xs[WAYS] = {x0, x1, x2, x3, x4, x5, x6, x7};
    const float cs[WAYS] = {c0, c1, c2, c3, c4, c5, c6, c7};
    const bool fits = aligned<K>(x0, x1, x2, x3, x4, x5, x6, x7, y) && aligned<K>(from, to, winner);
    each<K>(n, fits, [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        Vec<float, W> best;
        Vec<int, W> place;
        if (from) best = load<W>(from, at);
        if (from && winner) place = load<W>(winner, at);
#pragma unroll
        for (int k = 0; k < WAYS; ++k) {
            if (k >= ways) continue;
            const Vec<T, W> x = load<W>(xs[k], at);
            for (int i = 0; i < W; ++i) {
                const float v = to_f(x.v[i]);
                if (k == 0 && !from) {
                    best.v[i] = F::first(v, cs[0]);
                    place.v[i] = 0;
                } else {
                    best.v[i] = F::join(best.v[i], v, cs[k], static_cast<int>(begin) + k, place.v[i]);
                }
            }
        }
        if (winner) store<W>(winner, at, place);
        if (to) {
            store<W>(to, at, best);
            return;
        }
        Vec<T, W> out;
        for (int i = 0; i < W; ++i) out.v[i] = from_f<T>(best.v[i]);
        store<W>(y, at, out);
    });
}

// y = a + b, cut at 0; NaN stays NaN.
template <typename T>
__global__ void sum_relu(long long n, const T* a, const T* b, T* y) {
    map(n, a, b, y, [](float p, float q) { return p + q <= 0.f ? 0.f : p + q; });
}

// dx = dy y / x
template <typename T>
__global__ void quotient_dx(long long n, const T* x, const T* y, const T* dy, T* dx) {
    map(n, x, y, dy, dx, [](float a, float b, float d) { return b / a * d; });
}

// dx = dy where the winner is `index`, else 0
template <typename T>
__global__ void winner_dx(long long n, const int* winner, const T* dy, T* dx, int index) {
    constexpr int K = VECTOR<T>;
    each<K>(n, aligned<K>(winner, dy, dx), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        Vec<T, W> v = load<W>(dy, at);
        const Vec<int, W> w = load<W>(winner, at);
        for (int k = 0; k < W; ++k) v.v[k] = from_f<T>(w.v[k] == index ? to_f(v.v[k]) : 0.f * to_f(v.v[k]));
        store<W>(dx, at, v);
    });
}
