// One thread of the system plays all threads of a block.
//
// Loop mode runs them one after another, shuffled; a barrier is an error. Fibre mode gives each a stack of its own: it runs to
// its next barrier or warp operation, then a random one goes on. Warps run ahead of one another at random, as far as barriers
// let them, so a missing barrier shows as wrong numbers for some seeds.
#pragma once
#include <csetjmp>
#include <memory>
#include <ucontext.h>

namespace shim {

enum State { READY, AT_WARP, AT_BLOCK, DONE };
// Made by ucontext, once; from then on it is left and entered by _setjmp and _longjmp, which cost no call of the system. It
// runs one block's thread after another.
struct Fibre {
    jmp_buf stop;
    std::unique_ptr<char[]> stack;
    bool made = false;
    State state = DONE;
    int line = 0;  // of the barrier that it waits at
};
constexpr size_t STACK = 64 << 10;

inline dim3 thread_id, block_id;
inline unsigned thread = 0, block_ordinal = 0;  // linear index in the block; counts all blocks ever run
inline std::vector<unsigned char> dynamic_shared;
inline std::vector<Fibre> fibres;
inline Fibre* current = nullptr;
inline jmp_buf scheduler;
inline const char* fault = nullptr;
inline unsigned char lane_values[1024][16];

inline unsigned char* lane(unsigned i) { return lane_values[i]; }
inline void be(unsigned i) {
    thread = i;
    thread_id = place(i, block_dim);
}
inline void leave() {  // back to the scheduler; returns when the fibre is entered again
    if (!_setjmp(current->stop)) _longjmp(scheduler, 1);
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
        if (f.made) _longjmp(f.stop, 1);
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

// Runs the blocks in that order.
inline void run_grid(const std::vector<unsigned>& order, Random& random, size_t dynamic, bool as_fibres) {
    current = nullptr;
    dynamic_shared.assign(dynamic, 0);
    try {
        for (unsigned i : order) {
            block_id = place(i, grid_dim);
            run_block(random, as_fibres);
        }
    } catch (const std::exception&) {
        current = nullptr;
        for (Fibre& f : fibres) f.made = false;  // some stand in the middle of the kernel
        throw;
    }
}

}  // namespace shim

#define SHARED(T, name, n)              \
    static T name[n];                   \
    static unsigned name##_block = ~0u; \
    shim::poison(name, sizeof name, name##_block)
#define DYN_SHARED(T, name) T* const name = reinterpret_cast<T*>(shim::dynamic_shared.data())
