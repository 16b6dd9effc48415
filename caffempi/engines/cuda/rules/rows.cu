// Rows of a table picked by index, and the sums of what comes back to each row; no atomics, so that bits repeat.
#include "loss.h"

// y[i] = table[index[i]]; NaN and a fault where that is no row.
template <typename T>
__global__ void rows(long long n, long long width, long long rows, const float* table, const float* index, T* y, int* fault) {
    GRID_STRIDE(i, n) {
        const long long place = divide(i, width);
        const int row = read_label(index[place], rows, NOT_A_NUMBER, fault);
        y[i] = from_f<T>(row == NO_CLASS ? NOT_A_NUMBER : table[row * width + (i - place * width)]);
    }
}

// keys[i] = index[i] and i in one number, so that sorted keys have equal indices together, in the order of i. Within
// chunks of B keys they are put where they belong in the sorted chunk: a key's place is how many are smaller.
template <int B>
__global__ void sort_chunks(long long n, long long rows, const float* index, unsigned long long* keys, int* fault) {
    SHARED(unsigned long long, chunk, B);
    for (long long first = blockIdx.x * static_cast<long long>(B); first < n; first += static_cast<long long>(gridDim.x) * B) {
        const long long i = first + threadIdx.x;
        unsigned long long key = ~0ull;
        if (i < n) {
            const int row = read_label(index[i], rows, NOT_A_NUMBER, fault);
            key = static_cast<unsigned long long>(row == NO_CLASS ? 0x7fffffff : row) << 32 | static_cast<unsigned>(i);
        }
        chunk[threadIdx.x] = key;
        __syncthreads();  // all keys of the chunk are there before any is compared
        int smaller = 0;
        for (int k = 0; k < B; ++k) smaller += chunk[k] < key;
        if (i < n) keys[first + smaller] = key;
        __syncthreads();  // all have compared before the next chunk comes
    }
}

// Merges neighbouring sorted runs of `run` keys: a key's place is its own in its run and how many of the other run are
// smaller.
template <int B>
__global__ void merge(long long n, long long run, const unsigned long long* from, unsigned long long* to) {
    GRID_STRIDE(i, n) {
        const long long first = divide(i, 2 * run) * 2 * run, half = first + run;
        const bool left = i < half;
        const long long other = left ? half : first, end = left ? (half + run < n ? half + run : n) : half;
        const unsigned long long key = from[i];
        long long lo = other < n ? other : n, hi = end;
        while (lo < hi) {
            const long long mid = (lo + hi) / 2;
            if (from[mid] < key) lo = mid + 1;
            else hi = mid;
        }
        const long long smaller = lo - (other < n ? other : n);
        to[left ? i + smaller : i - run + smaller] = key;
    }
}

// dtable[r] += the sum of dy[i] over the keys (r, i) in order. The block that comes to a run's first key does the run.
template <typename T>
__global__ void sum_runs(long long n, long long width, long long rows, const unsigned long long* keys, const T* dy, float* dtable) {
    for (long long k = blockIdx.x; k < n; k += gridDim.x) {
        const unsigned long long row = keys[k] >> 32;
        if ((k > 0 && keys[k - 1] >> 32 == row) || row >= static_cast<unsigned long long>(rows)) continue;
        for (long long c = threadIdx.x; c < width; c += blockDim.x) {
            float sum = 0.f;
            for (long long j = k; j < n && keys[j] >> 32 == row; ++j) sum += to_f(dy[(keys[j] & 0xffffffffull) * width + c]);
            dtable[row * width + c] += sum;
        }
    }
}

// y = 0, unless it is added to.
template <int B>
__global__ void clear(long long n, float* y, int add) {
    if (add) return;
    GRID_STRIDE(i, n) y[i] = 0.f;
}
