// Images in bytes become what a net computes on. See ops/transform.py.
#include "vector.h"

// Where an element lies: image, channel, row and column; `next` goes on in the order of memory, channels last or not.
struct Pixel {
    long long image, channel, row, column;

    __device__ Pixel(long long at, long long channels, long long height, long long width, int last) {
        const long long inner = last ? channels : width, middle = last ? width : height;
        const long long rows = divide(at, inner), planes = divide(rows, middle), outer = last ? height : channels;
        image = divide(planes, outer);
        const long long a = planes - image * outer, b = rows - planes * middle, c = at - rows * inner;
        channel = last ? c : a;
        row = last ? a : b;
        column = last ? b : c;
    }

    __device__ void next(long long channels, long long height, long long width, int last) {
        if (last) {
            if (++channel < channels) return;
            channel = 0;
        }
        if (++column < width) return;
        column = 0;
        if (++row < height) return;
        row = 0;
        if (last || ++channel == channels) {
            channel = 0;
            ++image;
        }
    }
};

// y = (x - mean) scale, mirrored where places[image][2] says so. mean lies by (channel_step, row_step, column_step), which are
// 0 where it is the same everywhere; null: 0.
template <typename T>
__global__ void transform(long long n, long long channels, long long height, long long width, int last, const unsigned char* x,
                          const int* places, const float* mean, long long channel_step, long long row_step,
                          long long column_step, float scale, T* y) {
    constexpr int K = VECTOR<T>;
    each<K>(n, aligned<K>(y), [&](long long at, auto span) {
        constexpr int W = decltype(span)::value;
        Pixel p(at, channels, height, width, last);
        Vec<T, W> v;
        for (int k = 0; k < W; ++k) {
            const int* place = places + 3 * p.image;
            const long long column = place[2] ? width - 1 - p.column : p.column;
            float value = x[((p.image * channels + p.channel) * height + p.row) * width + column];
            if (mean) value -= mean[p.channel * channel_step + (place[0] + p.row) * row_step + (place[1] + column) * column_step];
            v.v[k] = from_f<T>(value * scale);
            p.next(channels, height, width, last);
        }
        store<W>(y, at, v);
    });
}
