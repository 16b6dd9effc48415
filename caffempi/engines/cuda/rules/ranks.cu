// Ranks along an axis: the largest of [outer, among, inner], and whether a label's score is among the best.
#include "loss.h"

// A number that orders as (value, place) does: NaN above all, equal values by place.
__device__ inline unsigned long long rank_of(float value, long long place) {
    unsigned bits = __float_as_uint(value == 0.f ? 0.f : value);
    bits = value != value ? ~0u : bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return static_cast<unsigned long long>(bits) << 32 | static_cast<unsigned>(place);
}

// The top_k largest of each row, one after the other: their places (mode 0), values (1), or both, places first (2), to y
// [outer, 1 or 2, top_k, inner]. A block takes row after row.
template <typename T, int B>
__global__ void largest(long long rows, long long among, long long inner, long long top_k, const T* x, float* y, int mode) {
    SHARED(unsigned long long, slots, REDUCE_SLOTS(B));
    for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
        const long long o = divide(row, inner), r = row - o * inner;
        const T* const first = x + o * among * inner + r;
        float* const out = y + o * top_k * inner * (mode == 2 ? 2 : 1) + r;
        unsigned long long before = ~0ull;
        for (long long k = 0; k < top_k; ++k) {
            unsigned long long best = 0;
            for (long long j = threadIdx.x; j < among; j += B) {
                const unsigned long long rank = rank_of(to_f(first[j * inner]), j);
                if ((k == 0 || rank < before) && rank > best) best = rank;
            }
            before = block_reduce<B>(best, Max{}, slots);
            if (threadIdx.x) continue;
            const long long place = static_cast<unsigned>(before);
            const float value = to_f(first[place * inner]);
            out[k * inner] = mode == 1 ? value : static_cast<float>(place);
            if (mode == 2) out[(top_k + k) * inner] = value;
        }
    }
}

// Whether fewer than top_k other classes of a place have a score that is not below that of its label: hit[place] is 1, else
// 0, -1 where the label is ignored; the class of the label is kept. TEAM threads (1 or 32) a place.
template <typename T, int TEAM>
__global__ void hits(long long places, long long classes, long long inner, long long top_k, const T* x, const float* label,
                     int* hit, int* of, float* sums, int* counts, float ignore, int* fault) {
    const int lane = threadIdx.x % TEAM;
    float total = 0.f;
    int count = 0;
    for (long long place = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) / TEAM; place < places;
         place += static_cast<long long>(gridDim.x) * blockDim.x / TEAM) {
        const long long o = divide(place, inner);
        const T* const row = x + o * classes * inner + (place - o * inner);
        const int own = read_label(label[place], classes, ignore, fault);
        const float score = own >= 0 ? to_f(row[own * inner]) : 0.f;
        int rivals = 0;
        for (long long k = lane; own >= 0 && k < classes; k += TEAM) rivals += k != own && !(to_f(row[k * inner]) < score);
        if constexpr (TEAM > 1) rivals = warp_reduce<TEAM>(rivals, Sum{});
        if (lane) continue;
        const bool good = own >= 0 && rivals < top_k;
        total += own == NO_CLASS ? NOT_A_NUMBER : good ? 1.f : 0.f;
        count += own != IGNORED;
        if (hit) {
            hit[place] = good;
            of[place] = own;
        }
    }
    publish(total, count, sums, counts);
}

// accuracy[c] = hits / places of class c, 0 where there are none; a block takes class after class.
template <int B>
__global__ void by_class(long long places, long long classes, const int* hit, const int* of, float* accuracy) {
    SHARED(int, slots, REDUCE_SLOTS(B));
    for (long long c = blockIdx.x; c < classes; c += gridDim.x) {
        int hits = 0, all = 0;
        for (long long i = threadIdx.x; i < places; i += B) {
            const bool here = of[i] == c;
            all += here;
            hits += here && hit[i];
        }
        hits = block_reduce<B>(hits, Sum{}, slots);
        all = block_reduce<B>(all, Sum{}, slots);
        if (threadIdx.x == 0) accuracy[c] = all ? static_cast<float>(hits) / static_cast<float>(all) : 0.f;
    }
}
