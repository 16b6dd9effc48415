// Losses element by element or row by row: sigmoid cross-entropy, Euclidean, hinge, contrastive; and their gradients.
#include "loss.h"
#include "vector.h"

// s = sigmoid(x), kept unless null; the term is max(x, 0) - x t + log(1 + e^-|x|) where t does not name `ignore` (NaN: all).
template <typename T>
__global__ void sigmoid_loss(long long n, const T* x, const float* t, float* s, float* sums, int* counts, float ignore) {
    constexpr int K = VECTOR<T>;
    float total = 0.f;
    int count = 0;
    each<K>(n, aligned<K>(x, t, s), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        const Vec<T, W> u = load<W>(x, at);
        const Vec<float, W> v = load<W>(t, at);
        Vec<float, W> kept;
        for (int k = 0; k < W; ++k) {
            const float xx = to_f(u.v[k]);
            kept.v[k] = 0.5f * tanhf(0.5f * xx) + 0.5f;
            if (truncf(v.v[k]) == ignore) continue;
            total += (xx > 0.f ? xx : 0.f) - xx * v.v[k] + log1pf(expf(-fabsf(xx)));
            ++count;
        }
        if (s) store<W>(s, at, kept);
    });
    publish(total, count, sums, counts);
}

// dx = (s - t) dloss / divisor, 0 where t names `ignore`.
template <typename T>
__global__ void sigmoid_loss_dx(long long n, const float* s, const float* t, const float* divisor, const float* dloss, T* dx,
                                float ignore) {
    constexpr int K = VECTOR<T>;
    const float factor = dloss[0] / divisor[0];
    each<K>(n, aligned<K>(s, t, dx), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        const Vec<float, W> u = load<W>(s, at), v = load<W>(t, at);
        Vec<T, W> out;
        for (int k = 0; k < W; ++k) out.v[k] = from_f<T>(truncf(v.v[k]) == ignore ? 0.f : (u.v[k] - v.v[k]) * factor);
        store<W>(dx, at, out);
    });
}

// away = a - b, kept unless null; the term is away^2.
template <typename T>
__global__ void euclidean(long long n, const T* a, const float* b, float* away, float* sums, int* counts) {
    constexpr int K = VECTOR<T>;
    float total = 0.f;
    each<K>(n, aligned<K>(a, b, away), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        const Vec<T, W> u = load<W>(a, at);
        Vec<float, W> v = load<W>(b, at);
        for (int k = 0; k < W; ++k) {
            v.v[k] = to_f(u.v[k]) - v.v[k];
            total += v.v[k] * v.v[k];
        }
        if (away) store<W>(away, at, v);
    });
    publish(total, 0, sums, counts);
}

// d = scale dloss away
template <typename T>
__global__ void euclidean_dx(long long n, const float* away, const float* dloss, T* d, float scale) {
    constexpr int K = VECTOR<T>;
    const float factor = scale * dloss[0];
    each<K>(n, aligned<K>(away, d), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        const Vec<float, W> v = load<W>(away, at);
        Vec<T, W> out;
        for (int k = 0; k < W; ++k) out.v[k] = from_f<T>(factor * v.v[k]);
        store<W>(d, at, out);
    });
}

// Items [n / classes, classes]: margin = max(0, 1 - t x) with t = 1 for the label's class, -1 for the others; kept unless
// null. The term is the margin or its square.
template <typename T>
__global__ void hinge(long long n, long long classes, const T* x, const float* label, float* margins, float* sums, int* counts,
                      int squared, int* fault) {
    float total = 0.f;
    GRID_STRIDE(i, n) {
        const long long item = divide(i, classes);
        const int own = read_label(label[item], classes, NOT_A_NUMBER, fault);
        const float v = to_f(x[i]), m = 1.f + (i - item * classes == own ? -v : v);
        const float margin = own == NO_CLASS ? NOT_A_NUMBER : m < 0.f ? 0.f : m;
        if (margins) margins[i] = margin;
        total += squared ? margin * margin : margin;
    }
    publish(total, 0, sums, counts);
}

// dx = -t [margin > 0] dloss / items, or -2 t margin dloss / items
template <typename T>
__global__ void hinge_dx(long long n, long long classes, const float* margins, const float* label, const float* dloss, T* dx,
                         float items, int squared, int* fault) {
    const float factor = dloss[0] / items;
    GRID_STRIDE(i, n) {
        const long long item = divide(i, classes);
        const int own = read_label(label[item], classes, NOT_A_NUMBER, fault);
        const float m = margins[i], g = squared ? 2.f * factor * m : factor * (m > 0.f ? 1.f : m);
        dx[i] = from_f<T>(i - item * classes == own ? -g : g);
    }
}

__device__ inline bool alike(float similarity) { return truncf(similarity) != 0.f; }

// Pairs [pairs, length]: away = a - b and its square, kept unless null; the term is the square of like pairs, of unlike ones
// max(margin - distance, 0)^2 or, legacy, max(margin - square, 0). A warp takes pair after pair.
template <typename T>
__global__ void contrastive(long long pairs, long long length, const T* a, const T* b, const float* similarity, float* away,
                            float* squares, float* sums, int* counts, float margin, int legacy) {
    float total = 0.f;
    for (long long p = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) / 32; p < pairs;
         p += static_cast<long long>(gridDim.x) * blockDim.x / 32) {
        float square = 0.f;
        for (long long k = p * length + threadIdx.x % 32; k < (p + 1) * length; k += 32) {
            const float v = to_f(a[k]) - to_f(b[k]);
            if (away) away[k] = v;
            square += v * v;
        }
        square = warp_reduce<32>(square, Sum{});
        if (threadIdx.x % 32) continue;
        if (squares) squares[p] = square;
        const float left = margin - (legacy ? square : sqrtf(square)), apart = left < 0.f ? 0.f : left;
        total += alike(similarity[p]) ? square : legacy ? apart : apart * apart;
    }
    publish(total, 0, sums, counts);
}

// d = scale dloss away for like pairs; for unlike ones that times -(margin - distance) / (distance + 1e-4) or, legacy, -1,
// where something is left of the margin, else 0.
template <typename T>
__global__ void contrastive_dx(long long n, long long length, const float* away, const float* squares, const float* similarity,
                               const float* dloss, T* d, float scale, float margin, int legacy) {
    const float factor = scale * dloss[0];
    GRID_STRIDE(i, n) {
        const long long p = divide(i, length);
        const float square = squares[p], distance = sqrtf(square), left = margin - (legacy ? square : distance);
        const float rate = alike(similarity[p]) ? 1.f : left > 0.f ? (legacy ? -1.f : -left / (distance + 1e-4f)) : 0.f;
        d[i] = from_f<T>(factor * rate * away[i]);
    }
}
