// Local response normalisation: y = x s^-beta, s = k + scale W(x^2), dx = dy s^-beta - factor x W(dy x s^-beta / s).
// W sums over the channels up to `half` before and after (across), or over as many rows and columns (within).
// Across: arrays are [outer, channels, inner]. Within: [images, h, w, inner], see windows.h.
#include "windows.h"

// s^-beta; 0.75, the usual exponent, by two square roots, which cost far less.
__device__ inline float lrn_power(float s, float beta) {
    if (beta != 0.75f) return powf(s, -beta);
    const float root = sqrtf(s);
    return 1.f / (sqrtf(root) * root);
}

template <typename T>
__device__ inline float lrn_out(const T* x, T* y, T* saved, long long i, float sum, float scale, float k, float beta) {
    const float s = k + scale * sum;
    y[i] = from_f<T>(to_f(x[i]) * lrn_power(s, beta));
    if (saved) saved[i] = from_f<T>(s);
    return s;
}

// The sum of f over the neighbours of element i in other channels and itself.
template <typename F>
__device__ inline float sum_across(long long i, int channels, long long inner, int half, F f) {
    const int c = static_cast<int>(i / inner % channels);
    const int lo = c > half ? -half : -c, hi = c + half < channels ? half : channels - 1 - c;
    float sum = 0.f;
    for (int d = lo; d <= hi; ++d) sum += f(i + d * inner);
    return sum;
}

// The same over the neighbours in rows and columns.
template <typename F>
__device__ inline float sum_within(long long i, int h, int w, int inner, int half, F f) {
    const Place p = place_of(i, h, w, inner);
    const int top = most(p.y - half, 0), bottom = p.y + half < h ? p.y + half : h - 1;
    const int left = most(p.x - half, 0), right = p.x + half < w ? p.x + half : w - 1;
    float sum = 0.f;
    for (int r = top; r <= bottom; ++r)
        for (int c = left; c <= right; ++c) sum += f(index_of(p, r, c, h, w, inner));
    return sum;
}

// saved: s, for backward; may be null.
template <typename T>
__global__ void lrn_across(long long count, int channels, long long inner, int half, float scale, float k, float beta,
                           const T* x, T* y, T* saved) {
    GRID_STRIDE(i, count) {
        const float sum = sum_across(i, channels, inner, half, [&](long long j) { return to_f(x[j]) * to_f(x[j]); });
        lrn_out(x, y, saved, i, sum, scale, k, beta);
    }
}

template <typename T>
__global__ void lrn_within(long long count, int h, int w, int inner, int half, float scale, float k, float beta, const T* x,
                           T* y, T* saved) {
    GRID_STRIDE(i, count) {
        const float sum = sum_within(i, h, w, inner, half, [&](long long j) { return to_f(x[j]) * to_f(x[j]); });
        lrn_out(x, y, saved, i, sum, scale, k, beta);
    }
}

// dy x s^-beta / s: what W sums in backward.
template <typename T>
__global__ void lrn_pull(long long count, float beta, const T* x, const T* s, const T* dy, float* pull) {
    GRID_STRIDE(i, count) {
        const float v = to_f(s[i]);
        pull[i] = lrn_power(v, beta) * to_f(dy[i]) * to_f(x[i]) / v;
    }
}

template <typename T>
__global__ void lrn_across_dx(long long count, int channels, long long inner, int half, float factor, float beta, const T* x,
                              const T* s, const T* dy, const float* pull, T* dx) {
    GRID_STRIDE(i, count) {
        const float sum = sum_across(i, channels, inner, half, [&](long long j) { return pull[j]; });
        dx[i] = from_f<T>(lrn_power(to_f(s[i]), beta) * to_f(dy[i]) - factor * to_f(x[i]) * sum);
    }
}

template <typename T>
__global__ void lrn_within_dx(long long count, int h, int w, int inner, int half, float factor, float beta, const T* x,
                              const T* s, const T* dy, const float* pull, T* dx) {
    GRID_STRIDE(i, count) {
        const float sum = sum_within(i, h, w, inner, half, [&](long long j) { return pull[j]; });
        dx[i] = from_f<T>(lrn_power(to_f(s[i]), beta) * to_f(dy[i]) - factor * to_f(x[i]) * sum);
    }
}

// Across channels where there is an inner axis: a thread walks along `chunk` channels of one place and keeps HALF of them
// before and after in registers, so that each number is read about once.

// Where a walk starts and ends.
struct Walk {
    long long base;  // of channel 0
    int first, end;
};

__device__ inline Walk walk_of(long long i, int channels, long long inner, int chunk) {
    const int chunks = (channels + chunk - 1) / chunk;
    const long long row = i / inner;
    const int first = static_cast<int>(row % chunks) * chunk;
    return {row / chunks * channels * inner + i % inner, first, first + chunk < channels ? first + chunk : channels};
}

template <typename T, int HALF>
__global__ void lrn_walk(long long count, int channels, long long inner, int chunk, float scale, float k, float beta,
                         const T* x, T* y, T* saved) {
    GRID_STRIDE(i, count) {
        const Walk walk = walk_of(i, channels, inner, chunk);
        float near[2 * HALF + 1];  // of channels c - HALF ... c + HALF; 0 where there is none
        for (int j = 1; j <= 2 * HALF; ++j) {
            const int c = walk.first - HALF - 1 + j;
            near[j] = c >= 0 && c < channels ? to_f(x[walk.base + c * inner]) : 0.f;
        }
        for (int c = walk.first; c < walk.end; ++c) {
            for (int j = 0; j < 2 * HALF; ++j) near[j] = near[j + 1];
            near[2 * HALF] = c + HALF < channels ? to_f(x[walk.base + (c + HALF) * inner]) : 0.f;
            float sum = 0.f;
            for (int j = 0; j <= 2 * HALF; ++j) sum += near[j] * near[j];
            const float s = k + scale * sum;
            const long long at = walk.base + c * inner;
            y[at] = from_f<T>(near[HALF] * lrn_power(s, beta));
            if (saved) saved[at] = from_f<T>(s);
        }
    }
}

template <typename T, int HALF>
__global__ void lrn_walk_dx(long long count, int channels, long long inner, int chunk, float factor, float beta, const T* x,
                            const T* s, const T* dy, T* dx) {
    GRID_STRIDE(i, count) {
        const Walk walk = walk_of(i, channels, inner, chunk);
        float pull[2 * HALF + 1], value[2 * HALF + 1], direct[2 * HALF + 1];
        auto load = [&](int c, int j) {
            const long long at = walk.base + c * inner;
            const bool there = c >= 0 && c < channels;
            const float norm = there ? to_f(s[at]) : 1.f;
            value[j] = there ? to_f(x[at]) : 0.f;
            direct[j] = there ? lrn_power(norm, beta) * to_f(dy[at]) : 0.f;
            pull[j] = direct[j] * value[j] / norm;
        };
        for (int j = 1; j <= 2 * HALF; ++j) load(walk.first - HALF - 1 + j, j);
        for (int c = walk.first; c < walk.end; ++c) {
            for (int j = 0; j < 2 * HALF; ++j) {
                pull[j] = pull[j + 1];
                value[j] = value[j + 1];
                direct[j] = direct[j + 1];
            }
            load(c + HALF, 2 * HALF);
            float sum = 0.f;
            for (int j = 0; j <= 2 * HALF; ++j) sum += pull[j];
            dx[walk.base + c * inner] = from_f<T>(direct[HALF] - factor * value[HALF] * sum);
        }
    }
}
