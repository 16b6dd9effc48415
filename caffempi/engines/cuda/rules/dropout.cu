// Dropout: the masks that the definition draws, whatever the grid.
#include "philox.h"
#include "vector.h"

// m = number >= threshold; y = x m scale. A thread takes the four elements of one counter. mask may be null.
template <typename T>
__global__ void dropout(long long n, const T* x, T* y, unsigned char* mask, const unsigned* rng, unsigned threshold,
                        float scale) {
    const long long groups = (n + 3) / 4;
    const bool fits = aligned<4>(x, y, mask);
    GRID_STRIDE(group, groups) {
        const Draw draw = philox(group, rng);
        const long long at = group * 4;
        if (fits && at + 4 <= n) {
            Vec<T, 4> v = load<4>(x, at);
            Vec<unsigned char, 4> m;
            for (int k = 0; k < 4; ++k) {
                m.v[k] = draw.v[k] >= threshold;
                v.v[k] = from_f<T>(to_f(v.v[k]) * m.v[k] * scale);
            }
            store<4>(y, at, v);
            if (mask) store<4>(mask, at, m);
        } else {
            for (int k = 0; k < 4 && at + k < n; ++k) {
                const unsigned char m = draw.v[k] >= threshold;
                y[at + k] = from_f<T>(to_f(x[at + k]) * m * scale);
                if (mask) mask[at + k] = m;
            }
        }
    }
}

// dx = dy m scale
template <typename T>
__global__ void dropout_dx(long long n, const unsigned char* mask, const T* dy, T* dx, float scale) {
    constexpr int K = VECTOR<T>;
    each<K>(n, aligned<K>(mask, dy, dx), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        Vec<T, W> v = load<W>(dy, at);
        const Vec<unsigned char, W> m = load<W>(mask, at);
        for (int k = 0; k < W; ++k) v.v[k] = from_f<T>(to_f(v.v[k]) * m.v[k] * scale);
        store<W>(dx, at, v);
    });
}
