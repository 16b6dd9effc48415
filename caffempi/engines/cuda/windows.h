// Windows over images. An array is read as [images, H, W, inner]: NCHW with N C images and inner 1, NHWC with N images and
// inner C. Along an axis window o covers the pixels o * stride - pad ... + kernel - 1, as far as they exist.
#pragma once
#include "device.h"

struct Axis {
    int size, out, kernel, stride, pad;
};

// What every kernel over windows takes, in this order.
#define WINDOW_PARAMS                                                                                                 \
    int inner, int size_h, int size_w, int out_h, int out_w, int kernel_h, int kernel_w, int stride_h, int stride_w, \
        int pad_h, int pad_w
#define AXIS_H (Axis{size_h, out_h, kernel_h, stride_h, pad_h})
#define AXIS_W (Axis{size_w, out_w, kernel_w, stride_w, pad_w})

struct Span {
    int lo, hi;  // lo ... hi - 1
};

__device__ inline int least(int a, int b) { return a < b ? a : b; }
__device__ inline int most(int a, int b) { return a > b ? a : b; }

// The pixels of window o.
__device__ inline Span pixels_of(Axis a, int o) {
    const int start = o * a.stride - a.pad;
    return {most(start, 0), least(start + a.kernel, a.size)};
}

// The windows that pixel q lies in.
__device__ inline Span windows_of(Axis a, int q) {
    const int first = q + a.pad - a.kernel + 1;
    return {first > 0 ? (first + a.stride - 1) / a.stride : 0, least((q + a.pad) / a.stride + 1, a.out)};
}

// Pixels of window o with the padding, but without what sticks out beyond it; at least 1.
__device__ inline int side_of(Axis a, int o) {
    const int start = o * a.stride - a.pad;
    return most(least(start + a.kernel, a.size + a.pad) - start, 1);
}

// Where element i of an array [images, h, w, inner] lies.
struct Place {
    long long image;
    int y, x, c;
};

__device__ inline Place place_of(long long i, int h, int w, int inner) {
    Place p;
    p.c = 0;
    if (inner > 1) {
        p.c = static_cast<int>(i % inner);
        i /= inner;
    }
    p.x = static_cast<int>(i % w);
    i /= w;
    p.y = static_cast<int>(i % h);
    p.image = i / h;
    return p;
}

// The index of element (y, x) of the image and channel of a place, in an array [images, h, w, inner].
__device__ inline long long index_of(Place p, int y, int x, int h, int w, int inner) {
    return ((p.image * h + y) * w + x) * inner + p.c;
}
