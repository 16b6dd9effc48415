// Losses of labels under softmax or given probabilities. Predictions are [outer, classes, inner]; a place is one of
// outer * inner, with one label each. A team of 1, 32 or all threads of a block takes place after place.
#include "loss.h"
#include "vector.h"

#define FLOOR_NLL 87.3365447505531f        // -log of the smallest normal float
#define FLOOR_INFOGAIN (-46.0517018598809f)  // log 1e-20
#define SMALLEST 1e-20f

template <int TEAM, typename F>
__device__ inline float team_reduce(float v, F f, float* slots) {
    if constexpr (TEAM == 1) return v;
    else if constexpr (TEAM == 32) return warp_reduce<32>(v, f);
    else return block_reduce<LOSS_THREADS>(v, f, slots);
}

// Softmax of x at each place, to p and prob unless they are null; terms of the loss to sums and counts. term(label, row,
// log sum) gives what a thread adds for a place that counts: row points to its first class. BY_CLASS: all threads of a team
// add, not the first alone.
template <typename T, int TEAM, bool BY_CLASS, typename F>
__device__ inline void softmax_terms(long long places, long long classes, long long inner, const T* x, const float* label, float* p,
                                     T* prob, float* sums, int* counts, float ignore, int* fault, F term) {
    SHARED(float, slots, REDUCE_SLOTS(LOSS_THREADS));
    constexpr int teams = LOSS_THREADS / TEAM;
    const int lane = threadIdx.x % TEAM;
    float total = 0.f;
    int count = 0;
    for (long long place = blockIdx.x * static_cast<long long>(teams) + threadIdx.x / TEAM; place < places;
         place += static_cast<long long>(gridDim.x) * teams) {
        const long long o = divide(place, inner), start = o * classes * inner + (place - o * inner);
        const T* const row = x + start;
        float top = LOWEST, sum = 0.f;
        for (long long k = lane; k < classes; k += TEAM) top = fmaxf(top, to_f(row[k * inner]));
        top = team_reduce<TEAM>(top, Max{}, slots);
        for (long long k = lane; k < classes; k += TEAM) sum += expf(to_f(row[k * inner]) - top);
        sum = team_reduce<TEAM>(sum, Sum{}, slots);
        if (p || prob) {
            for (long long k = lane; k < classes; k += TEAM) {
                const float v = expf(to_f(row[k * inner]) - top) / sum;
                if (p) p[start + k * inner] = v;
                if (prob) prob[start + k * inner] = from_f<T>(v);
            }
        }
        if (BY_CLASS || lane == 0) {
            const int own = read_label(label[place], classes, ignore, fault);
            if (own == NO_CLASS) total += NOT_A_NUMBER;
            else if (own != IGNORED) total += term(own, row, top + logf(sum), lane);
            if (lane == 0) count += own != IGNORED;
        }
    }
    publish(total, count, sums, counts);
}

// The term is -log max(p of the label, the smallest normal float).
template <typename T, int TEAM>
__global__ void softmax_nll(long long places, long long classes, long long inner, const T* x, const float* label, float* p, T* prob,
                            float* sums, int* counts, float ignore, int* fault) {
    softmax_terms<T, TEAM, false>(places, classes, inner, x, label, p, prob, sums, counts, ignore, fault,
                                  [&](int own, const T* row, float log_sum, int) {
                                      const float v = log_sum - to_f(row[own * inner]);
                                      return v > FLOOR_NLL ? FLOOR_NLL : v;
                                  });
}

// The term is -sum of H[label, k] log max(p_k, 1e-20) over the classes k.
template <typename T, int TEAM>
__global__ void infogain(long long places, long long classes, long long inner, const T* x, const float* label, const float* h,
                         float* p, T* prob, float* sums, int* counts, float ignore, int* fault) {
    softmax_terms<T, TEAM, true>(places, classes, inner, x, label, p, prob, sums, counts, ignore, fault,
                                 [&](int own, const T* row, float log_sum, int lane) {
                                     float sum = 0.f;
                                     for (long long k = lane; k < classes; k += TEAM) {
                                         const float v = to_f(row[k * inner]) - log_sum;
                                         sum -= h[own * classes + k] * (v < FLOOR_INFOGAIN ? FLOOR_INFOGAIN : v);
                                     }
                                     return sum;
                                 });
}

// Calls f(k, class, label's class, place) for the W elements from `at` on of an array [outer, classes, inner].
template <int W, typename F>
__device__ inline void with_labels(long long at, long long classes, long long inner, const float* label, float ignore, int* fault,
                                   F f) {
    const long long row = divide(at, inner);
    long long r = at - row * inner, o = divide(row, classes), c = row - o * classes;
    for (int k = 0; k < W; ++k) {
        f(k, c, read_label(label[o * inner + r], classes, ignore, fault));
        if (++r == inner) {
            r = 0;
            if (++c == classes) {
                c = 0;
                ++o;
            }
        }
    }
}

// dx = (p - [class is the label]) dloss / divisor, 0 where the label is ignored.
template <typename T>
__global__ void softmax_nll_dx(long long n, long long classes, long long inner, const float* p, const float* label,
                               const float* divisor, const float* dloss, T* dx, float ignore, int* fault) {
    constexpr int K = VECTOR<T>;
    const float factor = dloss[0] / divisor[0];
    each<K>(n, aligned<K>(p, dx), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        const Vec<float, W> v = load<W>(p, at);
        Vec<T, W> out;
        with_labels<W>(at, classes, inner, label, ignore, fault, [&](int k, long long c, int own) {
            const float weight = own == IGNORED ? 0.f : own == NO_CLASS ? NOT_A_NUMBER : factor;
            out.v[k] = from_f<T>(weight * (v.v[k] - (c == own ? 1.f : 0.f)));
        });
        store<W>(dx, at, out);
    });
}

// totals[l] = sum of H[l, k] over k; a block takes row after row.
template <int B>
__global__ void row_totals(long long classes, const float* h, float* totals) {
    SHARED(float, slots, REDUCE_SLOTS(B));
    for (long long l = blockIdx.x; l < classes; l += gridDim.x) {
        float sum = 0.f;
        for (long long k = threadIdx.x; k < classes; k += B) sum += h[l * classes + k];
        sum = block_reduce<B>(sum, Sum{}, slots);
        if (threadIdx.x == 0) totals[l] = sum;
    }
}

// dx = (p totals[label] - H[label, class]) dloss / divisor, 0 where the label is ignored.
template <typename T>
__global__ void infogain_dx(long long n, long long classes, long long inner, const float* p, const float* label, const float* h,
                            const float* totals, const float* divisor, const float* dloss, T* dx, float ignore, int* fault) {
    constexpr int K = VECTOR<T>;
    const float factor = dloss[0] / divisor[0];
    each<K>(n, aligned<K>(p, dx), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        const Vec<float, W> v = load<W>(p, at);
        Vec<T, W> out;
        with_labels<W>(at, classes, inner, label, ignore, fault, [&](int k, long long c, int own) {
            const float g = own >= 0 ? (v.v[k] * totals[own] - h[own * classes + c]) * factor : own == IGNORED ? 0.f : NOT_A_NUMBER;
            out.v[k] = from_f<T>(g);
        });
        store<W>(dx, at, out);
    });
}

// Items [n, classes] of probabilities: the term is -log max(p of the label, 1e-20).
template <typename T>
__global__ void multinomial(long long n, long long classes, const T* p, const float* label, float* sums, int* counts, int* fault) {
    float total = 0.f;
    GRID_STRIDE(i, n) {
        const int own = read_label(label[i], classes, NOT_A_NUMBER, fault);
        if (own == NO_CLASS) {
            total += NOT_A_NUMBER;
        } else {
            const float v = to_f(p[i * classes + own]);
            total -= logf(v < SMALLEST ? SMALLEST : v);
        }
    }
    publish(total, 0, sums, counts);
}

// dp = -dloss / (items max(p, 1e-20)) at the label, else 0.
template <typename T>
__global__ void multinomial_dx(long long n, long long classes, float items, const T* p, const float* label, const float* dloss,
                               T* dx, int* fault) {
    GRID_STRIDE(i, n) {
        const long long item = divide(i, classes);
        const int own = read_label(label[item], classes, NOT_A_NUMBER, fault);
        const float v = to_f(p[i]);
        dx[i] = from_f<T>(i - item * classes == own ? -dloss[0] / (items * (v < SMALLEST ? SMALLEST : v)) : 0.f);
    }
}
