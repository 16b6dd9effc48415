// A GPU played by the CPU: what device.h takes instead of the CUDA headers when CAFFEMPI_HOST is defined.
//
// Blocks run in an order shuffled by the seed. Shared memory is all ones (NaN) at the start of each block. The threads of a
// block are played by host_fibres.h, or with CAFFEMPI_THREADS by host_threads.h.
#pragma once
#include "host_types.h"
#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#define __global__ static
#define __device__
#define __forceinline__ inline
#define __restrict__
#define __launch_bounds__(...)

struct dim3 { unsigned x, y, z; };

namespace shim {

// Small random numbers (SplitMix, 64 bits), as std::shuffle takes them; <random> would double the time to compile.
struct Random {
    using result_type = uint32_t;
    uint64_t state;
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return ~0u; }
    uint32_t operator()() {
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return uint32_t(z >> 32);
    }
};

inline dim3 block_dim, grid_dim;
inline void (*body)(void*);  // the kernel with its arguments, which the pointer is to
inline void* body_data;

inline unsigned threads() { return block_dim.x * block_dim.y * block_dim.z; }
inline dim3 place(unsigned i, dim3 of) { return {i % of.x, i / of.x % of.y, i / of.x / of.y}; }

}  // namespace shim

#ifdef CAFFEMPI_THREADS
#include "host_threads.h"
#else
#include "host_fibres.h"
#endif

namespace shim {

template <class T>
T shuffle(unsigned mask, T value, unsigned source) {
    static_assert(sizeof(T) <= 16);
    if (mask != 0xffffffffu) fail("a warp operation with a partial mask");
    if (source >= threads()) fail("a warp operation that reads a lane which does not exist");
    std::memcpy(lane(thread), &value, sizeof value);
    wait(AT_WARP, 0);
    std::memcpy(&value, lane(source), sizeof value);
    wait(AT_WARP, 0);
    return value;
}

template <class... P, size_t... I>
void launch(void (*kernel)(P...), void** args, dim3 grid, dim3 block, size_t dynamic, unsigned seed, bool as_fibres,
            std::index_sequence<I...>) {
    const std::tuple<std::decay_t<P>...> values{*static_cast<std::decay_t<P>*>(args[I])...};
    auto call = [&] { std::apply(kernel, values); };
    body = [](void* data) { (*static_cast<decltype(call)*>(data))(); };
    body_data = &call;
    grid_dim = grid;
    block_dim = block;
    Random random{seed};
    std::vector<unsigned> order(size_t(grid.x) * grid.y * grid.z);
    for (size_t i = 0; i < order.size(); ++i) order[i] = unsigned(i);
    std::shuffle(order.begin(), order.end(), random);
    run_grid(order, random, dynamic, as_fibres);
}

// The host entry of a kernel: args as cuLaunchKernel takes them, dims = grid then block. Returns what went wrong, or null.
template <class... P>
const char* start(void (*kernel)(P...), void** args, const unsigned* dims, size_t dynamic, unsigned seed, int as_fibres) {
    static std::string message;
    try {
        launch(kernel, args, {dims[0], dims[1], dims[2]}, {dims[3], dims[4], dims[5]}, dynamic, seed, as_fibres != 0,
               std::index_sequence_for<P...>{});
        return nullptr;
    } catch (const std::exception& e) {
        message = e.what();
        return message.c_str();
    }
}

// One word a parameter: kind and size, as NumPy writes dtypes; p before a pointer's pointee; b2 is bfloat16.
template <class T>
std::string word() {
    if constexpr (std::is_void_v<T>) return "v";
    else if constexpr (std::is_pointer_v<T>) return "p" + word<std::remove_cv_t<std::remove_pointer_t<T>>>();
    else if constexpr (std::is_same_v<T, __half>) return "f2";
    else if constexpr (std::is_same_v<T, __nv_bfloat16>) return "b2";
    else if constexpr (std::is_floating_point_v<T>) return "f" + std::to_string(sizeof(T));
    else return (std::is_signed_v<T> ? "i" : "u") + std::to_string(sizeof(T));
}
template <class... P>
const char* signature(void (*)(P...)) {
    static const std::string text = ((word<std::decay_t<P>>() + " ") + ... + "");
    return text.c_str();
}

}  // namespace shim

#define threadIdx (shim::thread_id)
#define blockIdx (shim::block_id)
#define blockDim (shim::block_dim)
#define gridDim (shim::grid_dim)
#define CHECK_ALIGNED(p, bytes) \
    do { if (reinterpret_cast<uintptr_t>(p) % (bytes)) shim::fail("a vector at an address that is no multiple of its size"); } while (0)
#define __syncthreads() shim::wait(shim::AT_BLOCK, __LINE__)
#define __syncwarp() shim::wait(shim::AT_WARP, 0)

template <class T>
T __shfl_xor_sync(unsigned mask, T v, int bits) { return shim::shuffle(mask, v, shim::thread ^ unsigned(bits)); }
template <class T>
T __shfl_down_sync(unsigned mask, T v, int by) {
    const unsigned to = shim::thread % 32 + unsigned(by);
    return shim::shuffle(mask, v, to < 32 ? shim::thread + unsigned(by) : shim::thread);
}
template <class T>
T __shfl_up_sync(unsigned mask, T v, int by) {
    const unsigned lane = shim::thread % 32;
    return shim::shuffle(mask, v, lane >= unsigned(by) ? shim::thread - unsigned(by) : shim::thread);
}
