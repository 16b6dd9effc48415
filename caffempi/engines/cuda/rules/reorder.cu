// Between layouts: numbers stored otherwise, and the two orders of an image's axes, [n, rows, columns] turned to
// [n, columns, rows]: with rows the channels and columns the places it is NCHW to NHWC.
#include "vector.h"

#define TILE 32
#define TILE_ROWS 8

template <typename S, typename D>
__global__ void convert(long long n, const S* x, D* y) {
    constexpr int K = VECTOR<S> < VECTOR<D> ? VECTOR<S> : VECTOR<D>;
    each<K>(n, aligned<K>(x, y), [&](long long at, auto width) {
        constexpr int W = decltype(width)::value;
        const Vec<S, W> v = load<W>(x, at);
        Vec<D, W> out;
        for (int k = 0; k < W; ++k) out.v[k] = from_f<D>(to_f(v.v[k]));
        store<W>(y, at, out);
    });
}

// A block of TILE * TILE_ROWS threads takes tile after tile through shared memory, so that both sides are read and written
// along the rows.
template <typename S, typename D>
__global__ void turn(long long n, long long rows, long long columns, const S* x, D* y) {
    SHARED(float, tile, TILE * (TILE + 1));
    const long long across = (columns + TILE - 1) / TILE, down = (rows + TILE - 1) / TILE;
    const int lane = threadIdx.x % TILE, first = threadIdx.x / TILE;
    for (long long t = blockIdx.x; t < n * across * down; t += gridDim.x) {
        const long long image = t / (across * down), r0 = t / across % down * TILE, c0 = t % across * TILE;
        for (int r = first; r < TILE; r += TILE_ROWS) {
            if (r0 + r < rows && c0 + lane < columns) {
                tile[r * (TILE + 1) + lane] = to_f(x[(image * rows + r0 + r) * columns + c0 + lane]);
            }
        }
        __syncthreads();  // the tile is there before it is read
        for (int c = first; c < TILE; c += TILE_ROWS) {
            if (c0 + c < columns && r0 + lane < rows) {
                y[(image * columns + c0 + c) * rows + r0 + lane] = from_f<D>(tile[lane * (TILE + 1) + c]);
            }
        }
        __syncthreads();  // all have read before the next tile is written
    }
}
