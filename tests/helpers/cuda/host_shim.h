// A GPU played by one CPU thread: what device.h takes instead of the CUDA headers when CAFFEMPI_HOST is defined.
//
// Blocks run one after another, in an order shuffled by the seed. Loop mode runs the threads of a block one after another,
// shuffled; a barrier is an error. Fibre mode gives each thread a stack of its own: it runs to its next barrier or
// warp operation, then a random thread goes on. Warps run ahead of one another at random, as far as barriers let them, so
// a missing barrier shows as wrong numbers for some seeds. Shared memory is all ones (NaN) at the start of each block.
#pragma once
#include "host_types.h"
#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <ucontext.h>
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

enum State { READY, AT_WARP, AT_BLOCK, DONE };
// Made by ucontext, once; from then on it is left and entered by _setjmp and _longjmp, which cost no call of the system. It
// runs one block's thread after another.
struct Fibre {
    jmp_buf place;
    std::unique_ptr<char[]> stack;
    bool made = false;
    State state = DONE;
    int line = 0;  // of the barrier that it waits at
};
constexpr size_t STACK = 64 << 10;

inline dim3 thread_id, block_id, block_dim, grid_dim;
inline unsigned thread = 0, block_ordinal = 0;  // linear index in the block; counts all blocks ever run
inline std::vector<unsigned char> dynamic_shared;
inline std::vector<Fibre> fibres;
inline Fibre* current = nullptr;
inline jmp_buf scheduler;
inline void (*body)(void*);  // the kernel with its arguments, which the pointer is to
inline void* body_data;
inline const char* fault = nullptr;
inline unsigned char lanes[1024][16];

inline unsigned threads() { return block_dim.x * block_dim.y * block_dim.z; }
inline void be(unsigned i) {
    thread = i;
    thread_id = {i % block_dim.x, i / block_dim.x % block_dim.y, i / block_dim.x / block_dim.y};
}
inline void leave() {  // back to the scheduler; returns when the fibre is entered again
    if (!_setjmp(current->place)) _longjmp(scheduler, 1);
}
inline void fail(const char* why) {  // leaves the fibre for good: its stack is used anew, nothing on it owns memory
    if (!current) throw std::runtime_error(why);
    fault = why;
    leave();
}
inline void wait(State at, int line) {
    if (!current) fail("a barrier or warp operation in a kernel that was started as one without");
    current->state = at;
    current->line = line;
    leave();
}
inline void fibre_main() {
    for (;;) {
        body(body_data);
        current->state = DONE;
        leave();
    }
}
inline void enter(Fibre& f) {  // runs it to where it leaves
    current = &f;
    if (!_setjmp(scheduler)) {
        if (f.made) _longjmp(f.place, 1);
        f.made = true;
        if (!f.stack) f.stack.reset(new char[STACK]);
        ucontext_t start;
        getcontext(&start);
        start.uc_stack.ss_sp = f.stack.get();
        start.uc_stack.ss_size = STACK;
        start.uc_link = nullptr;
        makecontext(&start, fibre_main, 0);
        setcontext(&start);
    }
    current = nullptr;
}
template <class T>
T shuffle(unsigned mask, T value, unsigned source) {
    static_assert(sizeof(T) <= 16);
    if (mask != 0xffffffffu) fail("a warp operation with a partial mask");
    if (source >= threads()) fail("a warp operation that reads a lane which does not exist");
    std::memcpy(lanes[thread], &value, sizeof value);
    wait(AT_WARP, 0);
    std::memcpy(&value, lanes[source], sizeof value);
    wait(AT_WARP, 0);
    return value;
}
inline void poison(void* memory, size_t size, unsigned& seen) {  // by the first thread of each block that comes by
    if (seen != block_ordinal) std::memset(memory, 0xff, size);
    seen = block_ordinal;
}

// Runs the ready threads of a warp to their next stop; lets the warp go on where all of it waits at a warp operation.
inline bool run_warp(unsigned first, Random& random) {
    const unsigned end = std::min(first + 32, threads());
    std::vector<unsigned> order;
    for (unsigned i = first; i < end; ++i)
        if (fibres[i].state == READY) order.push_back(i);
    std::shuffle(order.begin(), order.end(), random);
    for (unsigned i : order) {
        be(i);
        enter(fibres[i]);
        if (fault) throw std::runtime_error(std::exchange(fault, nullptr));
    }
    bool all = true, some = false;
    for (unsigned i = first; i < end; ++i) all = all && fibres[i].state == AT_WARP;
    for (unsigned i = first; i < end; ++i) {
        if (all) fibres[i].state = READY;
        some = some || fibres[i].state == READY;
    }
    return some;
}

// No thread is ready: ends the block, or opens the barrier that all of it waits at.
inline bool pass_barrier() {
    const unsigned n = threads();
    unsigned done = 0, at_block = 0, same = 0;
    for (unsigned i = 0; i < n; ++i) {
        done += fibres[i].state == DONE;
        at_block += fibres[i].state == AT_BLOCK;
        same += fibres[i].state == AT_BLOCK && fibres[i].line == fibres[0].line;
    }
    if (done == n) return false;
    if (done + at_block < n) throw std::runtime_error("a warp operation is not reached by every lane of its warp");
    if (at_block < n) throw std::runtime_error("__syncthreads is not reached by every thread of the block");
    if (same < n) throw std::runtime_error("threads of one block wait at different __syncthreads");
    for (unsigned i = 0; i < n; ++i) fibres[i].state = READY;
    return true;
}

inline void run_block(Random& random, bool as_fibres) {
    const unsigned n = threads();
    ++block_ordinal;
    std::fill(dynamic_shared.begin(), dynamic_shared.end(), 0xff);
    if (!as_fibres) {
        std::vector<unsigned> order(n);
        for (unsigned i = 0; i < n; ++i) order[i] = i;
        std::shuffle(order.begin(), order.end(), random);
        for (unsigned i : order) { be(i); body(body_data); }
        return;
    }
    if (fibres.size() < n) fibres.resize(n);
    for (unsigned i = 0; i < n; ++i) fibres[i].state = READY;
    do {
        for (;;) {
            std::vector<unsigned> ready;
            for (unsigned i = 0; i < n; ++i)
                if (fibres[i].state == READY && (ready.empty() || ready.back() != i / 32 * 32)) ready.push_back(i / 32 * 32);
            if (ready.empty()) break;
            const unsigned warp = ready[random() % ready.size()];
            while (run_warp(warp, random) && random() % 8) {}  // mostly the same warp again, to get far ahead
        }
    } while (pass_barrier());
}

template <class... P, size_t... I>
void launch(void (*kernel)(P...), void** args, dim3 grid, dim3 block, size_t dynamic, unsigned seed, bool as_fibres,
            std::index_sequence<I...>) {
    std::tuple<std::decay_t<P>...> values{*static_cast<std::decay_t<P>*>(args[I])...};
    auto call = [&] { std::apply(kernel, values); };
    body = [](void* data) { (*static_cast<decltype(call)*>(data))(); };
    body_data = &call;
    grid_dim = grid;
    block_dim = block;
    dynamic_shared.assign(dynamic, 0);
    Random random{seed};
    std::vector<unsigned> order(size_t(grid.x) * grid.y * grid.z);
    for (size_t i = 0; i < order.size(); ++i) order[i] = unsigned(i);
    std::shuffle(order.begin(), order.end(), random);
    for (unsigned i : order) {
        block_id = {i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y};
        run_block(random, as_fibres);
    }
}

// The host entry of a kernel: args as cuLaunchKernel takes them, dims = grid then block. Returns what went wrong, or null.
template <class... P>
const char* start(void (*kernel)(P...), void** args, const unsigned* dims, size_t dynamic, unsigned seed, int as_fibres) {
    static std::string message;
    current = nullptr;
    try {
        launch(kernel, args, {dims[0], dims[1], dims[2]}, {dims[3], dims[4], dims[5]}, dynamic, seed, as_fibres != 0,
               std::index_sequence_for<P...>{});
        return nullptr;
    } catch (const std::exception& e) {
        current = nullptr;
        for (Fibre& f : fibres) f.made = false;  // some stand in the middle of the kernel
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
#define SHARED(T, name, n)              \
    static T name[n];                   \
    static unsigned name##_block = ~0u; \
    shim::poison(name, sizeof name, name##_block)
#define DYN_SHARED(T, name) T* const name = reinterpret_cast<T*>(shim::dynamic_shared.data())
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
