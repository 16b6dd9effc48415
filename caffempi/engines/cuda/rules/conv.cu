// What convolutions need beside matrix products, for up to three spatial axes (those that lack have size 1): windows of images
// as matrices (im2col) and back, biases, orders of axes. Images lie [N, C, size]; element (c, i, o) of image n of the matrix lies at n image_step + (c K + i) row_step + o, K being the kernel's
// elements and o the place: so the images' matrices lie one after another, or side by side.
#include "channels.h"
#include "vector.h"

struct Line {
    int size, out, kernel, stride, pad, dilation;
};

#define SPACE_PARAMS                                                                                                   \
    int size_d, int size_h, int size_w, int out_d, int out_h, int out_w, int kernel_d, int kernel_h, int kernel_w,    \
        int stride_d, int stride_h, int stride_w, int pad_d, int pad_h, int pad_w, int step_d, int step_h, int step_w
#define SPACE                                                                                          \
    const Line d{size_d, out_d, kernel_d, stride_d, pad_d, step_d}, h{size_h, out_h, kernel_h, stride_h, pad_h, step_h}, \
        w{size_w, out_w, kernel_w, stride_w, pad_w, step_w};                                           \
    const long long kernel = static_cast<long long>(kernel_d) * kernel_h * kernel_w

// The pixel that place o reads at offset i; outside the image where it is no index.
__device__ inline int pixel_of(Line a, int o, int i) { return o * a.stride - a.pad + i * a.dilation; }
__device__ inline bool inside(Line a, int q) { return q >= 0 && q < a.size; }

// The place that reads pixel q at offset i; -1 where there is none.
__device__ inline int reader_of(Line a, int q, int i) {
    const int at = q + a.pad - i * a.dilation;
    return at >= 0 && at % a.stride == 0 && at / a.stride < a.out ? at / a.stride : -1;
}

// count = N C out: a thread writes all offsets of one channel's place.
template <typename T>
__global__ void im2col(long long count, int channels, SPACE_PARAMS, long long image_step, long long row_step, const T* x,
                       T* cols) {
    SPACE;
    const long long places = static_cast<long long>(out_d) * out_h * out_w;
    GRID_STRIDE(i, count) {
        const long long o = i % places, plane = i / places;
        const int od = static_cast<int>(o / out_w / out_h), oh = static_cast<int>(o / out_w % out_h);
        const int ow = static_cast<int>(o % out_w);
        const T* const image = x + plane * size_d * size_h * size_w;
        T* to = cols + plane / channels * image_step + plane % channels * kernel * row_step + o;
        for (int kd = 0; kd < kernel_d; ++kd) {
            const int qd = pixel_of(d, od, kd);
            for (int kh = 0; kh < kernel_h; ++kh) {
                const int qh = pixel_of(h, oh, kh);
                const bool rows = inside(d, qd) && inside(h, qh);
                for (int kw = 0; kw < kernel_w; ++kw) {
                    const int qw = pixel_of(w, ow, kw);
                    const bool there = rows && inside(w, qw);
                    *to = there ? image[(static_cast<long long>(qd) * size_h + qh) * size_w + qw] : from_f<T>(0.f);
                    to += row_step;
                }
            }
        }
    }
}

// count = N C size: a thread adds up all that one pixel is read by.
template <typename T>
__global__ void col2im(long long count, int channels, SPACE_PARAMS, long long image_step, long long row_step, const T* cols,
                       T* x) {
    SPACE;
    const long long pixels = static_cast<long long>(size_d) * size_h * size_w;
    GRID_STRIDE(i, count) {
        const long long q = i % pixels, plane = i / pixels;
        const int qd = static_cast<int>(q / size_w / size_h), qh = static_cast<int>(q / size_w % size_h);
        const int qw = static_cast<int>(q % size_w);
        const T* from = cols + plane / channels * image_step + plane % channels * kernel * row_step;
        float sum = 0.f;
        for (int kd = 0; kd < kernel_d; ++kd) {
            const int od = reader_of(d, qd, kd);
            for (int kh = 0; kh < kernel_h; ++kh) {
                const int oh = reader_of(h, qh, kh);
                for (int kw = 0; kw < kernel_w; ++kw) {
                    const int ow = reader_of(w, qw, kw);
                    if (od >= 0 && oh >= 0 && ow >= 0)
                        sum += to_f(from[(static_cast<long long>(od) * out_h + oh) * out_w + ow]);
                    from += row_step;
                }
            }
        }
        x[i] = from_f<T>(sum);
    }
}

// [N, C, places] to [C, N, places].
template <typename T>
__global__ void swap_leading(long long count, long long images, long long channels, long long places, const T* x, T* y) {
    GRID_STRIDE(i, count) {
        const long long o = i % places, row = i / places;
        y[i] = x[(row % images * channels + row / images) * places + o];
    }
}

// y[i] += b of its channel, of [outer, channels, inner], and perhaps no less than 0; b may be null.
template <typename T>
__global__ void add_bias(long long count, long long channels, long long inner, const float* b, T* y, int relu) {
    constexpr int K = VECTOR<T>;
    each<K>(count, inner % K == 0 && aligned<K>(y), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        const float bias = b ? b[divide(at, inner) % channels] : 0.f;
        Vec<T, W> v = load<W>(y, at);
        for (int k = 0; k < W; ++k) {
            const float sum = to_f(v.v[k]) + bias;
            v.v[k] = from_f<T>(relu && sum <= 0.f ? 0.f : sum);
        }
        store<W>(y, at, v);
    });
}

// y = 0, unless it is added to.
__global__ void clear(long long count, float* y, int add) {
    GRID_STRIDE(i, count) if (!add) y[i] = 0.f;
}

// ---- Convolution in which each filter reads one channel: filter m of M = C mult reads channel m / mult. One or two spatial axes
// (a missing one has size 1). last: whether arrays lie channels last (N, H, W, C) rather than first. Weights [M, kernel] lie alike in
// both orders.

#define DEPTHWISE_PARAMS                                                                                              \
    int last, int channels, int mult, int size_h, int size_w, int out_h, int out_w, int kernel_h, int kernel_w,      \
        int stride_h, int stride_w, int pad_h, int pad_w, int step_h, int step_w

// Element (image, channel, y, x) of an array with C channels of h x w pixels.
__device__ inline long long index_in(int last, long long image, int c, int y, int x, int channels, int h, int w) {
    if (last) return ((image * h + y) * w + x) * channels + c;
    return ((image * channels + c) * h + y) * w + x;
}

struct Pixel {
    long long image;
    int c, y, x;
};

// Where element i of such an array lies.
__device__ inline Pixel pixel_at(int last, long long i, int channels, int h, int w) {
    Pixel p;
    if (last) {
        p.c = static_cast<int>(i % channels);
        i /= channels;
    }
    p.x = static_cast<int>(i % w);
    i /= w;
    p.y = static_cast<int>(i % h);
    i /= h;
    if (!last) {
        p.c = static_cast<int>(i % channels);
        i /= channels;
    }
    p.image = i;
    return p;
}

// y = sum of w x over the window + b, and perhaps no less than 0; b may be null.
template <typename T>
__global__ void depthwise(long long count, DEPTHWISE_PARAMS, const T* x, const T* w, const float* b, T* y, int relu) {
    GRID_STRIDE(i, count) {
        const Pixel p = pixel_at(last, i, channels * mult, out_h, out_w);
        const T* const filter = w + static_cast<long long>(p.c) * kernel_h * kernel_w;
        const int top = p.y * stride_h - pad_h, left = p.x * stride_w - pad_w;
        float sum = b ? b[p.c] : 0.f;
        for (int kh = 0; kh < kernel_h; ++kh) {
            const int r = top + kh * step_h;
            if (r < 0 || r >= size_h) continue;
            for (int kw = 0; kw < kernel_w; ++kw) {
                const int c = left + kw * step_w;
                if (c < 0 || c >= size_w) continue;
                const long long at = index_in(last, p.image, p.c / mult, r, c, channels, size_h, size_w);
                sum += to_f(filter[kh * kernel_w + kw]) * to_f(x[at]);
            }
        }
        y[i] = from_f<T>(relu && sum <= 0.f ? 0.f : sum);
    }
}

// dx[q] = sum of w dy over all places that read q.
template <typename T>
__global__ void depthwise_dx(long long count, DEPTHWISE_PARAMS, const T* w, const T* dy, T* dx) {
    GRID_STRIDE(i, count) {
        const Pixel p = pixel_at(last, i, channels, size_h, size_w);
        float sum = 0.f;
        for (int kh = 0; kh < kernel_h; ++kh) {
            const int r = p.y + pad_h - kh * step_h;
            if (r < 0 || r % stride_h != 0 || r / stride_h >= out_h) continue;
            for (int kw = 0; kw < kernel_w; ++kw) {
                const int c = p.x + pad_w - kw * step_w;
                if (c < 0 || c % stride_w != 0 || c / stride_w >= out_w) continue;
                for (int m = p.c * mult; m < (p.c + 1) * mult; ++m) {
                    const long long at = index_in(last, p.image, m, r / stride_h, c / stride_w, channels * mult, out_h, out_w);
                    sum += to_f(w[(static_cast<long long>(m) * kernel_h + kh) * kernel_w + kw]) * to_f(dy[at]);
                }
            }
        }
        dx[i] = from_f<T>(sum);
    }
}

// Sums of x dy by filter and element of the kernel, TAPS neighbouring elements a job, of each part of the places:
// [parts, M, kernel]. dy is read as [outer, M, inner], see channels.h. With one part the result may be added to `made`.
template <typename T, int TAPS>
__global__ void depthwise_dw(long long outer, long long inner, long long parts, DEPTHWISE_PARAMS, const T* x, const T* dy,
                             float* made, int add) {
    SHARED(float, slots, CHANNEL_SLOTS);
    const int filters = channels * mult, taps = kernel_h * kernel_w, chunks = (taps + TAPS - 1) / TAPS;
    for (long long j = blockIdx.x; j < jobs_of(filters, inner, parts) * chunks; j += gridDim.x) {
        const Share share = share_of(j / chunks, outer, filters, inner, parts);
        const int first = static_cast<int>(j % chunks) * TAPS;
        float sums[TAPS] = {};
        walk(share, filters, inner, [&](long long at) {
            const Pixel p = pixel_at(last, at, filters, out_h, out_w);
            const float d = to_f(dy[at]);
            for (int t = 0; t < TAPS; ++t) {
                const int tap = first + t;
                const int r = p.y * stride_h - pad_h + tap / kernel_w * step_h;
                const int c = p.x * stride_w - pad_w + tap % kernel_w * step_w;
                if (tap < taps && r >= 0 && r < size_h && c >= 0 && c < size_w)
                    sums[t] += d * to_f(x[index_in(last, p.image, p.c / mult, r, c, channels, size_h, size_w)]);
            }
        });
        for (int t = 0; t < TAPS; ++t) {
            if (first + t >= taps) break;
            const float sum = sum_of_share(share, sums[t], slots);
            if (writes(share, filters)) {
                const long long at = (share.part * filters + share.channel) * taps + first + t;
                made[at] = add ? made[at] + sum : sum;
            }
        }
    }
}

// The totals of what depthwise_dw made in parts.
__global__ void depthwise_total(long long n, long long parts, const float* from, float* to, int add) {
    sum_parts(n, parts, from, to, add);
}
