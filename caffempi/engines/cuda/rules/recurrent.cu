// What LSTM and RNN do beside their matrix products, and lstm_unit. Cells are counted over [N, H]; arrays of gates are
// [N, 4 H] with i, f, o, g in this order; k [N] is the continuation of each stream. t: the step, from 0, of arrays over time
// [T, ...]. Sequences and what is multiplied are stored as T; products, states, cells and gates are float32.
#include "device.h"

__device__ inline float squash(float x) { return 0.5f * tanhf(0.5f * x) + 0.5f; }

// One cell forward, from the gates' inputs at x, H apart; keeps the gates at `gates`, likewise.
struct Cell {
    float c, h;
};

template <typename T>
__device__ inline Cell cell_of(const float* x, const T* u, long long size, float c0, float k, float* gates) {
    auto sum = [&](int part) { return x[part * size] + (u ? to_f(u[part * size]) : 0.f); };
    const float i = squash(sum(0)), f = k * squash(sum(1)), o = squash(sum(2)), g = tanhf(sum(3));
    if (gates) {
        gates[0] = i;
        gates[size] = f;
        gates[2 * size] = o;
        gates[3 * size] = g;
    }
    const float c = f * c0 + i * g;
    return {c, o * tanhf(c)};
}

// One cell backward: writes the gradients of the gates' inputs at dx, H apart; returns that of the cell before.
template <typename T>
__device__ inline float cell_back(const float* gates, long long size, float c0, float c, float dc, float dh, T* dx) {
    const float i = gates[0], f = gates[size], o = gates[2 * size], g = gates[3 * size], flat = tanhf(c);
    const float e = dc + dh * o * (1.f - flat * flat);
    dx[0] = from_f<T>(e * g * i * (1.f - i));
    dx[size] = from_f<T>(e * c0 * f * (1.f - f));
    dx[2 * size] = from_f<T>(dh * flat * o * (1.f - o));
    dx[3 * size] = from_f<T>(e * i * (1.f - g * g));
    return e * f;
}

// saved: the gates; may be null.
__global__ void lstm_unit(long long cells, long long size, const float* c0, const float* x, const float* k, float* c, float* h,
                          float* saved) {
    GRID_STRIDE(i, cells) {
        const long long n = i / size, at = n * 4 * size + i % size;
        const Cell made = cell_of<float>(x + at, nullptr, size, c0[i], k[n], saved ? saved + at : nullptr);
        c[i] = made.c;
        h[i] = made.h;
    }
}

__global__ void lstm_unit_grad(long long cells, long long size, const float* gates, const float* c0, const float* c,
                               const float* dc, const float* dh, float* dc0, float* dx) {
    GRID_STRIDE(i, cells) {
        const long long at = i / size * 4 * size + i % size;
        dc0[i] = cell_back(gates + at, size, c0[i], c[i], dc[i], dh[i], dx + at);
    }
}

// before[t] = k_t h_(t-1) for count = steps N H numbers, h_(-1) being h0.
template <typename T>
__global__ void carry(long long count, long long cells, long long size, const T* h, const float* h0, const float* k,
                      T* before) {
    GRID_STRIDE(i, count) before[i] = from_f<T>(k[i / size] * (i < cells ? h0[i] : to_f(h[i - cells])));
}

// to = from
__global__ void keep(long long cells, const float* from, float* to) {
    GRID_STRIDE(i, cells) to[i] = from[i];
}

// Step t of lstm: x = what the product gave. c0: the cells before. c: where the new ones go. gates: of all steps, or null.
// On the last step h and c go to h_last and c_last, else k_(t+1) h to `before`, for the next product.
template <typename T>
__global__ void lstm_step(long long cells, long long size, long long t, long long steps, const float* x, const T* u,
                          const float* k, const float* c0, float* c, float* gates, T* h, T* before, float* h_last,
                          float* c_last) {
    GRID_STRIDE(i, cells) {
        const long long n = i / size, streams = cells / size, at = n * 4 * size + i % size, now = t * 4 * cells + at;
        const Cell made = cell_of(x + at, u + now, size, c0[i], k[t * streams + n], gates ? gates + now : nullptr);
        c[i] = made.c;
        h[t * cells + i] = from_f<T>(made.h);
        if (t + 1 < steps) {
            before[i] = from_f<T>(k[(t + 1) * streams + n] * made.h);
        } else {
            h_last[i] = made.h;
            c_last[i] = made.c;
        }
    }
}

// Step t of lstm backward. back: what the product of step t + 1 gave (dh of this step, but for k), dc: likewise the
// cell's; both are not read on the last step. all_cells: [T + 1, N, H].
template <typename T>
__global__ void lstm_step_back(long long cells, long long size, long long t, long long steps, const float* gates,
                               const float* all_cells, const float* k, const T* dh, const float* back, float* dc, T* du) {
    GRID_STRIDE(i, cells) {
        const long long n = i / size, streams = cells / size, now = t * 4 * cells + n * 4 * size + i % size;
        const bool last = t + 1 == steps;
        const float d = to_f(dh[t * cells + i]) + (last ? 0.f : back[i] * k[(t + 1) * streams + n]);
        dc[i] = cell_back(gates + now, size, all_cells[t * cells + i], all_cells[(t + 1) * cells + i], last ? 0.f : dc[i], d,
                          du + now);
    }
}

// Step t of rnn, as lstm_step.
template <typename T>
__global__ void rnn_step(long long cells, long long size, long long t, long long steps, const float* x, const T* u,
                         const float* k, T* h, T* before, float* h_last) {
    GRID_STRIDE(i, cells) {
        const float made = tanhf(x[i] + to_f(u[t * cells + i]));
        h[t * cells + i] = from_f<T>(made);
        if (t + 1 < steps) before[i] = from_f<T>(k[(t + 1) * (cells / size) + i / size] * made);
        else h_last[i] = made;
    }
}

// Step t of rnn backward, as lstm_step_back.
template <typename T>
__global__ void rnn_step_back(long long cells, long long size, long long t, long long steps, const T* h, const float* k,
                              const T* dh, const float* back, T* du) {
    GRID_STRIDE(i, cells) {
        const float last = t + 1 == steps ? 0.f : back[i] * k[(t + 1) * (cells / size) + i / size];
        const float y = to_f(h[t * cells + i]);
        du[t * cells + i] = from_f<T>((to_f(dh[t * cells + i]) + last) * (1.f - y * y));
    }
}
