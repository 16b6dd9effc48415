// Pooling (formulas in the ops' definitions): one thread an element, or (_wide) one warp an element, where windows are large
// and there is no inner axis.
#include "philox.h"
#include "reduce.h"
#include "windows.h"

// y = the largest number of the window, the first in rows, then columns; NaN is passed over, and LOWEST stands where there
// is no number. winner, mask: its index in the image, -1 for none; either may be null.
template <typename T>
__global__ void max_pool(long long count, WINDOW_PARAMS, const T* x, T* y, int* winner, float* mask) {
    GRID_STRIDE(i, count) {
        const Place p = place_of(i, out_h, out_w, inner);
        const Span rows = pixels_of(AXIS_H, p.y), cols = pixels_of(AXIS_W, p.x);
        float best = LOWEST;
        int at = -1;
        for (int r = rows.lo; r < rows.hi; ++r) {
            for (int c = cols.lo; c < cols.hi; ++c) {
                const float v = to_f(x[index_of(p, r, c, size_h, size_w, inner)]);
                if (v > best || (v == best && at < 0)) {
                    best = v;
                    at = r * size_w + c;
                }
            }
        }
        y[i] = from_f<T>(best);
        if (winner) winner[i] = at;
        if (mask) mask[i] = static_cast<float>(at);
    }
}

// dx[q] = sum of dy over the windows whose winner is q.
template <typename T>
__global__ void max_pool_dx(long long count, WINDOW_PARAMS, const int* winner, const T* dy, T* dx) {
    GRID_STRIDE(i, count) {
        const Place p = place_of(i, size_h, size_w, inner);
        const Span rows = windows_of(AXIS_H, p.y), cols = windows_of(AXIS_W, p.x);
        const int here = p.y * size_w + p.x;
        float sum = 0.f;
        for (int r = rows.lo; r < rows.hi; ++r) {
            for (int c = cols.lo; c < cols.hi; ++c) {
                const long long o = index_of(p, r, c, out_h, out_w, inner);
                if (winner[o] == here) sum += to_f(dy[o]);
            }
        }
        dx[i] = from_f<T>(sum);
    }
}

// y = sum of the window / its area.
template <typename T>
__global__ void ave_pool(long long count, WINDOW_PARAMS, const T* x, T* y) {
    GRID_STRIDE(i, count) {
        const Place p = place_of(i, out_h, out_w, inner);
        const Span rows = pixels_of(AXIS_H, p.y), cols = pixels_of(AXIS_W, p.x);
        float sum = 0.f;
        for (int r = rows.lo; r < rows.hi; ++r)
            for (int c = cols.lo; c < cols.hi; ++c) sum += to_f(x[index_of(p, r, c, size_h, size_w, inner)]);
        y[i] = from_f<T>(sum / (static_cast<float>(side_of(AXIS_H, p.y)) * static_cast<float>(side_of(AXIS_W, p.x))));
    }
}

// dx[q] = sum of dy / area over the windows with q.
template <typename T>
__global__ void ave_pool_dx(long long count, WINDOW_PARAMS, const T* dy, T* dx) {
    GRID_STRIDE(i, count) {
        const Place p = place_of(i, size_h, size_w, inner);
        const Span rows = windows_of(AXIS_H, p.y), cols = windows_of(AXIS_W, p.x);
        float sum = 0.f;
        for (int r = rows.lo; r < rows.hi; ++r) {
            const float height = static_cast<float>(side_of(AXIS_H, r));
            for (int c = cols.lo; c < cols.hi; ++c)
                sum += to_f(dy[index_of(p, r, c, out_h, out_w, inner)]) / (height * static_cast<float>(side_of(AXIS_W, c)));
        }
        dx[i] = from_f<T>(sum);
    }
}

// y = one pixel of the window, drawn with probability x / sum(x): the first at which the running sum reaches u times the sum,
// u being the random number of y's plain index; the last where none does. winner: its index, -1 for an empty window; may be null.
template <typename T>
__global__ void stochastic_pool(long long count, WINDOW_PARAMS, const unsigned* rng, const T* x, T* y, int* winner) {
    GRID_STRIDE(i, count) {
        const Place p = place_of(i, out_h, out_w, inner);
        const Span rows = pixels_of(AXIS_H, p.y), cols = pixels_of(AXIS_W, p.x);
        float total = 0.f;
        for (int r = rows.lo; r < rows.hi; ++r)
            for (int c = cols.lo; c < cols.hi; ++c) total += to_f(x[index_of(p, r, c, size_h, size_w, inner)]);
        const long long ordinal = ((p.image * inner + p.c) * out_h + p.y) * out_w + p.x;
        const float level = static_cast<float>(philox(ordinal / 4, rng).v[ordinal % 4]) * 2.3283064365386963e-10f * total;
        float running = 0.f, value = 0.f;
        int at = -1;
        bool drawn = false;
        for (int r = rows.lo; r < rows.hi && !drawn; ++r) {
            for (int c = cols.lo; c < cols.hi && !drawn; ++c) {
                value = to_f(x[index_of(p, r, c, size_h, size_w, inner)]);
                at = r * size_w + c;
                running += value;
                drawn = running >= level;
            }
        }
        y[i] = from_f<T>(value);
        if (winner) winner[i] = at;
    }
}

struct Expected {
    float value, total;  // sum(x^2) / sum(x), or 0 where sum(x) <= 0; sum(x)
};

template <typename T>
__device__ inline Expected expected(const T* x, Place p, Axis h, Axis w, int inner) {
    const Span rows = pixels_of(h, p.y), cols = pixels_of(w, p.x);
    float total = 0.f, squares = 0.f;
    for (int r = rows.lo; r < rows.hi; ++r) {
        for (int c = cols.lo; c < cols.hi; ++c) {
            const float v = to_f(x[index_of(p, r, c, h.size, w.size, inner)]);
            total += v;
            squares += v * v;
        }
    }
    return {total > 0.f ? squares / total : 0.f, total};
}

template <typename T>
__global__ void stochastic_pool_mean(long long count, WINDOW_PARAMS, const T* x, T* y) {
    GRID_STRIDE(i, count) y[i] = from_f<T>(expected(x, place_of(i, out_h, out_w, inner), AXIS_H, AXIS_W, inner).value);
}

// dx[q] = sum of dy (2 x[q] - y) / sum(x) over the windows with q whose sum is positive; their sums are made anew.
template <typename T>
__global__ void stochastic_pool_mean_dx(long long count, WINDOW_PARAMS, const T* x, const T* dy, T* dx) {
    GRID_STRIDE(i, count) {
        const Place p = place_of(i, size_h, size_w, inner);
        const Span rows = windows_of(AXIS_H, p.y), cols = windows_of(AXIS_W, p.x);
        const float v = to_f(x[i]);
        float sum = 0.f;
        for (int r = rows.lo; r < rows.hi; ++r) {
            for (int c = cols.lo; c < cols.hi; ++c) {
                const Expected e = expected(x, Place{p.image, r, c, p.c}, AXIS_H, AXIS_W, inner);
                if (e.total > 0.f) sum += to_f(dy[index_of(p, r, c, out_h, out_w, inner)]) * (2.f * v - e.value) / e.total;
            }
        }
        dx[i] = from_f<T>(sum);
    }
}

#define WARP_STRIDE(i, n)                                                                                  \
    for (long long i = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32; i < (n); \
         i += static_cast<long long>(gridDim.x) * blockDim.x / 32)

// max_pool with neighbouring pixels in the lanes of a warp.
template <typename T>
__global__ void max_pool_wide(long long count, WINDOW_PARAMS, const T* x, T* y, int* winner, float* mask) {
    WARP_STRIDE(i, count) {
        const Place p = place_of(i, out_h, out_w, inner);
        const Span rows = pixels_of(AXIS_H, p.y), cols = pixels_of(AXIS_W, p.x);
        const int width = cols.hi - cols.lo, pixels = width * most(rows.hi - rows.lo, 0);
        float best = LOWEST;
        int at = -1;
        for (int j = threadIdx.x % 32; j < pixels; j += 32) {
            const int r = rows.lo + j / width, c = cols.lo + j % width;
            const float v = to_f(x[index_of(p, r, c, size_h, size_w, inner)]);
            if (v > best || (v == best && at < 0)) {
                best = v;
                at = r * size_w + c;
            }
        }
        const float top = warp_reduce<32>(best, Max{});
        const int none = size_h * size_w;
        const int first = warp_reduce<32>(best == top && at >= 0 ? at : none, Least{});
        if (threadIdx.x % 32 == 0) {
            at = first < none ? first : -1;
            y[i] = from_f<T>(top);
            if (winner) winner[i] = at;
            if (mask) mask[i] = static_cast<float>(at);
        }
    }
}

// ave_pool with neighbouring pixels in the lanes of a warp.
template <typename T>
__global__ void ave_pool_wide(long long count, WINDOW_PARAMS, const T* x, T* y) {
    WARP_STRIDE(i, count) {
        const Place p = place_of(i, out_h, out_w, inner);
        const Span rows = pixels_of(AXIS_H, p.y), cols = pixels_of(AXIS_W, p.x);
        const int width = cols.hi - cols.lo, pixels = width * most(rows.hi - rows.lo, 0);
        float sum = 0.f;
        for (int j = threadIdx.x % 32; j < pixels; j += 32)
            sum += to_f(x[index_of(p, rows.lo + j / width, cols.lo + j % width, size_h, size_w, inner)]);
        sum = warp_reduce<32>(sum, Sum{});
        const float area = static_cast<float>(side_of(AXIS_H, p.y)) * static_cast<float>(side_of(AXIS_W, p.x));
        if (threadIdx.x % 32 == 0) y[i] = from_f<T>(sum / area);
    }
}
