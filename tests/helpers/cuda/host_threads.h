// Each thread of a block is a thread of the system, for the compiler's sanitizers.
//
// Blocks are shared out over two groups of threads that never wait for each other, so that races between blocks are seen too.
// Barriers are those of pthreads, which the sanitizer knows. A fault of the dialect ends the process.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <pthread.h>
#include <semaphore.h>
#include <thread>

namespace shim {

enum State { AT_WARP, AT_BLOCK };
constexpr unsigned GROUPS = 2;

struct Barrier {
    pthread_barrier_t barrier;
    explicit Barrier(unsigned count) { pthread_barrier_init(&barrier, nullptr, count); }
    ~Barrier() { pthread_barrier_destroy(&barrier); }
    void wait() { pthread_barrier_wait(&barrier); }
};
struct Group {
    std::unique_ptr<Barrier> block;
    std::vector<std::unique_ptr<Barrier>> warps;
    std::vector<unsigned char> dynamic_shared;
    unsigned char lanes[1024][16];
};

inline Group groups[GROUPS];
inline thread_local dim3 thread_id, block_id;
inline thread_local unsigned thread = 0, group = 0;  // linear index in the block

inline unsigned char* lane(unsigned i) { return groups[group].lanes[i]; }
inline void fail(const char* why) {
    std::fprintf(stderr, "%s\n", why);
    std::abort();
}
inline void wait(State at, int) {
    Group& g = groups[group];
    (at == AT_BLOCK ? *g.block : *g.warps[thread / 32]).wait();
}
inline void poison(void* memory, size_t size) {
    if (thread == 0) std::memset(memory, 0xff, size);
    wait(AT_BLOCK, 0);
}
inline unsigned char* dynamic() {
    auto& memory = groups[group].dynamic_shared;
    poison(memory.data(), memory.size());
    return memory.data();
}
inline const std::vector<unsigned>* order_of_blocks;

// A thread that plays thread i of a group's blocks, launch after launch. Each has semaphores of its own, so that none is ordered
// after another by anything but the kernel's barriers.
struct Worker {
    sem_t go, done;
    Worker(unsigned of, unsigned i) {
        sem_init(&go, 0, 0);
        sem_init(&done, 0, 0);
        std::thread([this, of, i] { play(of, i); }).detach();
    }
    void play(unsigned of, unsigned i) {
        group = of;
        thread = i;
        for (;;) {
            while (sem_wait(&go)) {}
            thread_id = place(i, block_dim);
            for (size_t k = of; k < order_of_blocks->size(); k += GROUPS) {
                block_id = place((*order_of_blocks)[k], grid_dim);
                body(body_data);
                wait(AT_BLOCK, 0);  // shared memory is free again
            }
            sem_post(&done);
        }
    }
};

// Runs the blocks in about that order.
inline void run_grid(const std::vector<unsigned>& order, Random&, size_t dynamic, bool) {
    static auto* const workers = new std::vector<std::unique_ptr<Worker>>[GROUPS];  // they outlive the end of main
    const unsigned n = threads(), busy = unsigned(std::min<size_t>(GROUPS, order.size()));
    order_of_blocks = &order;
    for (unsigned g = 0; g < busy; ++g) {
        groups[g].block = std::make_unique<Barrier>(n);
        groups[g].warps.clear();
        for (unsigned i = 0; i < n; i += 32) groups[g].warps.push_back(std::make_unique<Barrier>(std::min(32u, n - i)));
        groups[g].dynamic_shared.assign(dynamic, 0);
        while (workers[g].size() < n) workers[g].push_back(std::make_unique<Worker>(g, unsigned(workers[g].size())));
    }
    for (unsigned g = 0; g < busy; ++g)
        for (unsigned i = 0; i < n; ++i) sem_post(&workers[g][i]->go);
    for (unsigned g = 0; g < busy; ++g)
        for (unsigned i = 0; i < n; ++i)
            while (sem_wait(&workers[g][i]->done)) {}
}

}  // namespace shim

#define SHARED(T, name, n)              \
    static T name##_of[shim::GROUPS][n]; \
    T(&name)[n] = name##_of[shim::group]; \
    shim::poison(name, sizeof name)
#define DYN_SHARED(T, name) T* const name = reinterpret_cast<T*>(shim::dynamic())
