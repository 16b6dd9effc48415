// Batch normalisation: statistics in parts (moments, then merge), one pass that normalises, and the gradients' sums in
// parts (gradient_sums, then add_parts), one pass for dx. Arrays as in channels.h; m = outer * inner.
#include "channels.h"
#include "vector.h"

// mean and sum of squared differences from it, of each part of each channel: [2, parts, channels]. A thread adds up
// differences from the first number that it meets, so that a mean far from 0 costs no digits; then each thread's
// sums are moved to the mean of the part (Chan, Golub and LeVeque, 1979).
template <typename T>
__global__ void moments(long long outer, long long channels, long long inner, long long parts, const T* x, float* made) {
    SHARED(float, slots, CHANNEL_SLOTS);
    for (long long j = blockIdx.x; j < jobs_of(channels, inner, parts); j += gridDim.x) {
        const Share share = share_of(j, outer, channels, inner, parts);
        float origin = 0.f, sum = 0.f, squares = 0.f, n = 0.f;
        walk(share, channels, inner, [&](long long at) {
            const float v = to_f(x[at]);
            if (n == 0.f) origin = v;
            const float d = v - origin;
            sum += d;
            squares += d * d;
            n += 1.f;
        });
        const float count = static_cast<float>(share.hi - share.lo);
        const float mean = sum_of_share(share, n * origin + sum, slots) / count;
        const float own = n > 0.f ? sum / n : 0.f, shift = origin + own - mean;
        const float spread = sum_of_share(share, n > 0.f ? squares - sum * own + n * shift * shift : 0.f, slots);
        if (writes(share, channels)) {
            made[share.part * channels + share.channel] = mean;
            made[(parts + share.part) * channels + share.channel] = spread;
        }
    }
}

// The moments of all parts together: mu and s = 1 / sqrt(v + eps); the state as the op defines it. With m = 0 the state stays.
__global__ void merge_moments(long long channels, long long m, long long parts, const float* made, float eps, float fraction,
                              float unbiased, float* mu, float* s, float* mean_sum, float* var_sum, float* factor) {
    GRID_STRIDE(c, channels) {
        if (m == 0) {
            mu[c] = 0.f;
            s[c] = 0.f;
            continue;
        }
        float mean = 0.f, spread = 0.f;
        for (long long part = 0; part < parts; ++part) {
            const float n = static_cast<float>(m * (part + 1) / parts - m * part / parts);
            mean += made[part * channels + c] * (n / static_cast<float>(m));
        }
        for (long long part = 0; part < parts; ++part) {
            const float n = static_cast<float>(m * (part + 1) / parts - m * part / parts);
            const float shift = made[part * channels + c] - mean;
            spread += made[(parts + part) * channels + c] + n * shift * shift;
        }
        const float v = spread / static_cast<float>(m);
        mu[c] = mean;
        s[c] = 1.f / sqrtf(v + eps);
        mean_sum[c] = mean_sum[c] * fraction + mean;
        var_sum[c] = var_sum[c] * fraction + v * unbiased;
        if (c == 0) factor[0] = factor[0] * fraction + 1.f;
    }
}

// What running sums stand for: mu = k mean and s = 1 / sqrt(k var + eps), k = 1 / factor or 0.
__global__ void running_moments(long long channels, const float* mean_sum, const float* var_sum, const float* factor,
                                float eps, float* mu, float* s) {
    GRID_STRIDE(c, channels) {
        const float k = factor[0] != 0.f ? 1.f / factor[0] : 0.f;
        mu[c] = mean_sum[c] * k;
        s[c] = 1.f / sqrtf(var_sum[c] * k + eps);
    }
}

// y = (x - mu) s w + b, and perhaps no less than 0; w and b may be null, x and y one array.
template <typename T>
__global__ void normalise(long long count, long long channels, long long inner, const T* x, T* y, const float* mu,
                          const float* s, const float* w, const float* b, int relu) {
    constexpr int K = VECTOR<T>;
    each<K>(count, (inner == 1 ? channels : inner) % K == 0 && aligned<K>(x, y), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        const long long first = channel_of(at, channels, inner);
        Vec<T, W> v = load<W>(x, at);
        for (int k = 0; k < W; ++k) {
            const long long c = inner == 1 ? first + k : first;
            float h = (to_f(v.v[k]) - mu[c]) * s[c];
            if (w) h *= w[c];
            if (b) h += b[c];
            v.v[k] = from_f<T>(relu && h <= 0.f ? 0.f : h);
        }
        store<W>(y, at, v);
    });
}

// The sums of dy and of dy h, h = (x - mu) s, of each part of each channel: [parts, channels] each.
template <typename T>
__global__ void gradient_sums(long long outer, long long channels, long long inner, long long parts, const T* x,
                              const float* mu, const float* s, const T* dy, float* plain, float* weighted) {
    SHARED(float, slots, CHANNEL_SLOTS);
    for (long long j = blockIdx.x; j < jobs_of(channels, inner, parts); j += gridDim.x) {
        const Share share = share_of(j, outer, channels, inner, parts);
        const bool there = share.channel < channels;
        const float mean = there ? mu[share.channel] : 0.f, inverse = there ? s[share.channel] : 0.f;
        float sum = 0.f, product = 0.f;
        walk(share, channels, inner, [&](long long at) {
            const float d = to_f(dy[at]);
            sum += d;
            product += d * ((to_f(x[at]) - mean) * inverse);
        });
        sum = sum_of_share(share, sum, slots);
        product = sum_of_share(share, product, slots);
        if (writes(share, channels)) {
            plain[share.part * channels + share.channel] = sum;
            weighted[share.part * channels + share.channel] = product;
        }
    }
}

// Both totals of what gradient_sums made.
__global__ void gradient_totals(long long channels, long long parts, const float* plain, const float* weighted, float* db, float* dw) {
    sum_parts(channels, parts, plain, db, false);
    sum_parts(channels, parts, weighted, dw, false);
}

// dx = w s (dy - db / m - h dw / m); w may be null, dy and dx one array. scale: 1 / m.
template <typename T>
__global__ void normalise_dx(long long count, long long channels, long long inner, const T* x, const T* dy, T* dx,
                             const float* mu, const float* s, const float* w, const float* db, const float* dw, float scale) {
    constexpr int K = VECTOR<T>;
    each<K>(count, (inner == 1 ? channels : inner) % K == 0 && aligned<K>(x, dy, dx), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        const long long first = channel_of(at, channels, inner);
        const Vec<T, W> u = load<W>(x, at);
        Vec<T, W> v = load<W>(dy, at);
        for (int k = 0; k < W; ++k) {
            const long long c = inner == 1 ? first + k : first;
            const float h = (to_f(u.v[k]) - mu[c]) * s[c];
            const float d = (to_f(v.v[k]) - (db[c] * scale + h * (dw[c] * scale))) * s[c];
            v.v[k] = from_f<T>(w ? d * w[c] : d);
        }
        store<W>(dx, at, v);
    });
}

// dx = dy s, by channel; dy and dx may be one array.
template <typename T>
__global__ void scaled(long long count, long long channels, long long inner, const float* s, const T* dy, T* dx) {
    constexpr int K = VECTOR<T>;
    each<K>(count, (inner == 1 ? channels : inner) % K == 0 && aligned<K>(dy, dx), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        const long long first = channel_of(at, channels, inner);
        Vec<T, W> v = load<W>(dy, at);
        for (int k = 0; k < W; ++k) v.v[k] = from_f<T>(to_f(v.v[k]) * s[inner == 1 ? first + k : first]);
        store<W>(dx, at, v);
    });
}
