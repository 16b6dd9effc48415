// Filter: the places of a batch whose selector is not zero, in order, and the items there.
#include "reduce.h"

// places[k] = the k-th place with selector != 0. One block goes over the batch.
template <typename T, int B>
__global__ void places(long long n, const T* selector, long long* places) {
    SHARED(int, slots, REDUCE_SLOTS(B));
    long long before = 0;
    for (long long first = 0; first < n; first += B) {
        const long long i = first + threadIdx.x;
        const bool kept = i < n && to_f(selector[i]) != 0.f;
        int all;
        const int place = block_scan<B>(kept, &all, slots);
        if (kept) places[before + place] = i;
        before += all;
    }
}

// y[k] = x[places[k]] for items of `size` numbers
template <typename T>
__global__ void keep(long long n, long long size, const long long* places, const T* x, T* y) {
    GRID_STRIDE(i, n) {
        const long long item = divide(i, size);
        y[i] = x[places[item] * size + (i - item * size)];
    }
}

// dx[places[k]] = dy[k] for the `kept` items, 0 elsewhere. The places rise, so that an item's is found by halving.
template <typename T>
__global__ void filter_dx(long long n, long long size, long long kept, const long long* places, const T* dy, T* dx) {
    GRID_STRIDE(i, n) {
        const long long item = divide(i, size);
        long long lo = 0, hi = kept;
        while (lo < hi) {
            const long long mid = (lo + hi) / 2;
            if (places[mid] < item) lo = mid + 1;
            else hi = mid;
        }
        dx[i] = lo < kept && places[lo] == item ? dy[lo * size + (i - item * size)] : from_f<T>(0.f);
    }
}
