// Moving data: joining and cutting along an axis, repeating, windows, fills. Elements travel in units U of 1 to 16 bytes,
// the largest that all runs and offsets are multiples of; all counts here are in units. Arrays are plain bytes (void).
#include "vector.h"

#define PARTS 8

using U1 = unsigned char;
using U2 = unsigned short;
using U4 = unsigned;
using U8 = Vec<unsigned, 2>;
using U16 = Vec<unsigned, 4>;

template <typename U>
__device__ inline const U* units(const void* p) {
    CHECK_ALIGNED(p, sizeof(U));
    return static_cast<const U*>(p);
}
template <typename U>
__device__ inline U* units(void* p) {
    CHECK_ALIGNED(p, sizeof(U));
    return static_cast<U*>(p);
}

// Rows of `length` in the whole, of run_k in part k, which lies from start_k on in each; blocks along y take a part each.
// To the whole (JOIN) or from it.
template <typename U, bool JOIN>
__global__ void parts(long long outer, long long length, void* whole, void* p0, void* p1, void* p2, void* p3, void* p4, void* p5,
                      void* p6, void* p7, long long n0, long long n1, long long n2, long long n3, long long n4, long long n5,
                      long long n6, long long n7, long long s0, long long s1, long long s2, long long s3, long long s4,
                      long long s5, long long s6, long long s7) {
    void* const ps[PARTS] = {p0, p1, p2, p3, p4, p5, p6, p7};
    const long long runs[PARTS] = {n0, n1, n2, n3, n4, n5, n6, n7}, starts[PARTS] = {s0, s1, s2, s3, s4, s5, s6, s7};
    void* p = p0;
    long long run = n0, start = s0;
#pragma unroll
    for (int k = 1; k < PARTS; ++k) {
        if (blockIdx.y == static_cast<unsigned>(k)) {
            p = ps[k];
            run = runs[k];
            start = starts[k];
        }
    }
    U* const part = units<U>(p);
    U* const all = units<U>(whole) + start;
    GRID_STRIDE(i, outer * run) {
        const long long row = divide(i, run), at = row * length + (i - row * run);
        if (JOIN) all[at] = part[i];
        else part[i] = all[at];
    }
}

// y [blocks, tiles, size] = x [blocks, size]
template <typename U>
__global__ void tile(long long n, long long tiles, long long size, const void* x, void* y) {
    const U* const from = units<U>(x);
    U* const to = units<U>(y);
    GRID_STRIDE(i, n) {
        const long long row = divide(i, size);
        to[i] = from[divide(row, tiles) * size + (i - row * size)];
    }
}

// dx [blocks, size] = the sum over tiles of dy [blocks, tiles, size]; here counts are of elements.
template <typename T>
__global__ void tile_dx(long long n, long long tiles, long long size, const T* dy, T* dx) {
    GRID_STRIDE(i, n) {
        const long long row = divide(i, size);
        const T* const first = dy + row * tiles * size + (i - row * size);
        float sum = 0.f;
        for (long long t = 0; t < tiles; ++t) sum += to_f(first[t * size]);
        dx[i] = from_f<T>(sum);
    }
}

// y = a window of x. Of each of `levels` axes, the innermost first, `shape` has: the length in y, how far neighbours lie
// apart in x, where the window starts in x.
template <typename U>
__global__ void window(long long n, long long levels, const long long* shape, const void* x, void* y) {
    const U* const from = units<U>(x);
    U* const to = units<U>(y);
    GRID_STRIDE(i, n) {
        long long left = i, at = 0;
        for (int k = 0; k < levels; ++k) {
            const long long next = divide(left, shape[3 * k]);
            at += (left - next * shape[3 * k] + shape[3 * k + 2]) * shape[3 * k + 1];
            left = next;
        }
        to[i] = from[at];
    }
}

// dx = dy in the window, 0 around it. `shape`: the length in dx, the length in dy, where the window starts.
template <typename U>
__global__ void window_dx(long long n, long long levels, const long long* shape, const void* dy, void* dx) {
    const U* const from = units<U>(dy);
    U* const to = units<U>(dx);
    GRID_STRIDE(i, n) {
        long long left = i, at = 0, apart = 1;
        bool inside = true;
        for (int k = 0; k < levels; ++k) {
            const long long next = divide(left, shape[3 * k]);
            const long long place = left - next * shape[3 * k] - shape[3 * k + 2];
            inside = inside && place >= 0 && place < shape[3 * k + 1];
            at += place * apart;
            apart *= shape[3 * k + 1];
            left = next;
        }
        to[i] = inside ? from[at] : U{};
    }
}

template <typename U>
__global__ void zero(long long n, void* y) {
    U* const to = units<U>(y);
    GRID_STRIDE(i, n) to[i] = U{};
}
template <typename U>
__global__ void copy(long long n, const void* x, void* y) {
    const U* const from = units<U>(x);
    U* const to = units<U>(y);
    GRID_STRIDE(i, n) to[i] = from[i];
}
// What is kept as float, as elements of y.
template <typename T>
__global__ void cast(long long n, const float* x, T* y) {
    GRID_STRIDE(i, n) y[i] = from_f<T>(x[i]);
}
