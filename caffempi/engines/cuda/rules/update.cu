// Updates of params over flat memory: decay, rule and step in one pass. See ops/update.py and ops/adaptive_update.py.
#include "reduce.h"
#include "vector.h"

#define UPDATE_THREADS 256

// A rule brings the memory h (and v, where it has two) up to date and returns what is subtracted from W; k: its terms.
struct Sgd {
    static constexpr int MEMORIES = 1;
    __device__ float operator()(float g, float& h, float&, float rate, const float* k) const {
        return h = rate * g + k[0] * h;
    }
};

struct Nesterov {
    static constexpr int MEMORIES = 1;
    __device__ float operator()(float g, float& h, float&, float rate, const float* k) const {
        const float old = k[0] * h;
        h = rate * g + old;
        return (1.f + k[0]) * h - old;
    }
};

struct AdaGrad {
    static constexpr int MEMORIES = 1;
    __device__ float operator()(float g, float& h, float&, float rate, const float* k) const {
        h += g * g;
        return rate * g / (sqrtf(h) + k[0]);
    }
};

struct RmsProp {
    static constexpr int MEMORIES = 1;
    __device__ float operator()(float g, float& h, float&, float rate, const float* k) const {
        h = k[0] * h + k[1] * g * g;
        return rate * g / (sqrtf(h) + k[2]);
    }
};

struct AdaDelta {
    static constexpr int MEMORIES = 2;
    __device__ float operator()(float g, float& h, float& v, float rate, const float* k) const {
        h = k[0] * h + k[1] * g * g;
        const float u = g * sqrtf(v + k[2]) / sqrtf(h + k[2]);
        v = k[0] * v + k[1] * u * u;
        return rate * u;
    }
};

struct Adam {
    static constexpr int MEMORIES = 2;
    __device__ float operator()(float g, float& h, float& v, float rate, const float* k) const {
        h = k[0] * h + k[1] * g;
        v = k[2] * v + k[3] * g * g;
        return rate * h / (sqrtf(v) + k[4]);
    }
};

__device__ inline float sign(float x) { return x > 0.f ? 1.f : x < 0.f ? -1.f : x; }

// Every in may be the array of its out. What is written for the gradient is the update value, if `keep`. With a scale of NaN
// nothing changes and the value is 0. The alarms of a block that meets what is not finite become NaN: x - x is 0 or NaN.
template <typename R>
__global__ void update(long long n, const float* w, const float* g, const float* h, const float* v, float* w_out,
                       float* g_out, float* h_out, float* v_out, const float* terms, long long alarms, const float* alarm,
                       float* alarm_out, int l1, int keep) {
    SHARED(float, slots, REDUCE_SLOTS(UPDATE_THREADS));
    const float scale = terms[0], decay = terms[1], rate = terms[2];
    float doubt = 0.f;
    each<VECTOR<float>>(n, aligned<VECTOR<float>>(w, g, h, v, w_out, g_out, h_out, v_out), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        Vec<float, W> x = load<W>(w, at), d = load<W>(g, at), first = load<W>(h, at), second = first;
        if constexpr (R::MEMORIES > 1) second = load<W>(v, at);
        for (int k = 0; k < W; ++k) {
            if (scale != scale) {
                d.v[k] = 0.f;
                continue;
            }
            doubt += d.v[k] - d.v[k];
            const float pull = l1 ? sign(x.v[k]) : x.v[k];
            d.v[k] = R{}(scale * d.v[k] + decay * pull, first.v[k], second.v[k], rate, terms + 3);
            x.v[k] -= d.v[k];
        }
        store<W>(w_out, at, x);
        store<W>(h_out, at, first);
        if constexpr (R::MEMORIES > 1) store<W>(v_out, at, second);
        if (keep) store<W>(g_out, at, d);
    });
    doubt = block_reduce<UPDATE_THREADS>(doubt, Sum{}, slots);
    if (threadIdx.x == 0) {
        for (long long i = blockIdx.x; i < alarms; i += gridDim.x) alarm_out[i] = alarm[i] + doubt;
    }
}
