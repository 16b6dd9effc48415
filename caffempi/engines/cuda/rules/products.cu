// What goes with products of matrices: the bias of each row or channel, and a ReLU behind it.
#include "device.h"

// y[i] += b[i / inner % channels], then with `cut` the larger of that and 0; b may be null. One text for rows (inner 1) and for
// images with channels first.
template <typename T>
__global__ void finish(long long count, long long inner, long long channels, const float* b, int cut, T* y) {
    GRID_STRIDE(i, count) {
        float v = to_f(y[i]);
        if (b) v += b[i / inner % channels];
        y[i] = from_f<T>(cut && v < 0.f ? 0.f : v);
    }
}
