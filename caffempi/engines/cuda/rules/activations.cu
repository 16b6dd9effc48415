// Activations, element by element, and their gradients; formulas as in the ops' definitions. a, b, c: the op's constants.
#include "vector.h"

// max(x, 0) + a min(x, 0). Without a slope, -inf gives 0 (0 * -inf would be NaN); NaN stays NaN.
struct Relu {
    float a, b, c;
    __device__ float operator()(float x) const {
        if (x > 0.f) return x;
        return a == 0.f && x == x ? 0.f : a * x;
    }
};
// dy where s > 0, else a dy; s has the sign of the forward's input.
struct ReluDx {
    float a, b, c;
    __device__ float operator()(float s, float dy) const { return dy * (s > 0.f ? 1.f : a); }
};

__device__ inline float sigmoid(float x) { return 0.5f * tanhf(0.5f * x) + 0.5f; }

struct Sigmoid {
    float a, b, c;
    __device__ float operator()(float x) const { return sigmoid(x); }
};
struct SigmoidDx {
    float a, b, c;
    __device__ float operator()(float y, float dy) const { return dy * (y * (1.f - y)); }
};

struct Tanh {
    float a, b, c;
    __device__ float operator()(float x) const { return tanhf(x); }
};
struct TanhDx {
    float a, b, c;
    __device__ float operator()(float y, float dy) const { return dy * (1.f - y * y); }
};

struct Elu {
    float a, b, c;
    __device__ float operator()(float x) const { return x > 0.f ? x : a * expm1f(x); }
};
// s is the output where a >= 0, else the input.
struct EluDx {
    float a, b, c;
    __device__ float operator()(float s, float dy) const {
        return dy * (s > 0.f ? 1.f : a >= 0.f ? s + a : a * expf(s));
    }
};

struct Abs {
    float a, b, c;
    __device__ float operator()(float x) const { return fabsf(x); }
};
struct AbsDx {
    float a, b, c;
    __device__ float operator()(float x, float dy) const { return dy * (x > 0.f ? 1.f : x < 0.f ? -1.f : x != x ? x : 0.f); }
};

// NaN stays NaN: both comparisons are false.
struct Clip {
    float a, b, c;
    __device__ float operator()(float x) const { return x < a ? a : x > b ? b : x; }
};
struct ClipDx {
    float a, b, c;
    __device__ float operator()(float x, float dy) const { return dy * (x >= a && x <= b ? 1.f : 0.f); }
};

struct Threshold {
    float a, b, c;
    __device__ float operator()(float x) const { return x > a ? 1.f : 0.f; }
};

struct Bnll {
    float a, b, c;
    __device__ float operator()(float x) const { return (x > 0.f || x != x ? x : 0.f) + log1pf(expf(-fabsf(x))); }
};
struct BnllDx {
    float a, b, c;
    __device__ float operator()(float x, float dy) const {
        const float t = expf(-fabsf(x));
        return dy * ((x > 0.f ? 1.f : t) / (1.f + t));
    }
};

// b e^(a x)
struct Exp {
    float a, b, c;
    __device__ float operator()(float x) const { return b * expf(a * x); }
};
struct ExpDx {
    float a, b, c;
    __device__ float operator()(float y, float dy) const { return dy * (y * a); }
};

// c ln(b + a x)
struct Log {
    float a, b, c;
    __device__ float operator()(float x) const { return c * logf(a * x + b); }
};
struct LogDx {
    float a, b, c;
    __device__ float operator()(float x, float dy) const { return dy * (c / (a * x + b)); }
};

__device__ inline float raise(float x, float power) {
    return power == 1.f ? x : power == 2.f ? x * x : power == 0.5f ? sqrtf(x) : powf(x, power);
}

// (c + b x)^a
struct Power {
    float a, b, c;
    __device__ float operator()(float x) const { return raise(b * x + c, a); }
};
struct PowerDx {
    float a, b, c;
    __device__ float operator()(float x, float dy) const { return raise(b * x + c, a - 1.f) * (a * b) * dy; }
};
// a, whatever x is
struct Always {
    float a, b, c;
    __device__ float operator()(float) const { return a; }
};

template <typename T, typename F>
__global__ void map1(long long n, const T* x, T* y, float a, float b, float c) {
    map(n, x, y, F{a, b, c});
}

template <typename T, typename F>
__global__ void map2(long long n, const T* x, const T* dy, T* dx, float a, float b, float c) {
    map(n, x, dy, dx, F{a, b, c});
}

// s = sigmoid(a x), which is kept unless `s` is null; y = x s.
template <typename T>
__global__ void swish(long long n, const T* x, T* y, float* s, float a) {
    constexpr int K = VECTOR<T>;
    each<K>(n, aligned<K>(x, y, s), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        Vec<T, W> v = load<W>(x, at);
        Vec<float, W> kept;
        for (int k = 0; k < W; ++k) {
            kept.v[k] = sigmoid(a * to_f(v.v[k]));
            v.v[k] = from_f<T>(to_f(v.v[k]) * kept.v[k]);
        }
        store<W>(y, at, v);
        if (s) store<W>(s, at, kept);
    });
}

// dx = dy (s + a y (1 - s))
template <typename T>
__global__ void swish_dx(long long n, const T* y, const float* s, const T* dy, T* dx, float a) {
    map(n, y, s, dy, dx, [=](float yy, float ss, float d) { return d * (ss + yy * a * (1.f - ss)); });
}
