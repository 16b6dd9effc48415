// Philox4x32-10: the numbers that the definitions draw, bit for bit. Source: Salmon, Moraes, Dror, Shaw, SC 2011.
#pragma once
#include "device.h"

struct Draw {
    unsigned v[4];
};

// The four numbers of elements 4 block .. 4 block + 3. rng: key (2 words), ordinal of the run (low word, high word).
__device__ inline Draw philox(unsigned long long block, const unsigned* rng) {
    unsigned c0 = static_cast<unsigned>(block), c1 = static_cast<unsigned>(block >> 32), c2 = rng[2], c3 = rng[3];
    unsigned k0 = rng[0], k1 = rng[1];
    for (int round = 0; round < 10; ++round) {
        const unsigned long long p0 = 0xD2511F53ull * c0, p1 = 0xCD9E8D57ull * c2;
        c0 = static_cast<unsigned>(p1 >> 32) ^ c1 ^ k0;
        c2 = static_cast<unsigned>(p0 >> 32) ^ c3 ^ k1;
        c1 = static_cast<unsigned>(p1);
        c3 = static_cast<unsigned>(p0);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return {{c0, c1, c2, c3}};
}
