// The dialect of all kernel texts. One text serves two compilers: NVRTC for the GPU, and a C++17 compiler with
// CAFFEMPI_HOST defined, where host_shim.h plays the GPU thread by thread. What keeps a text fit for both:
//
// Types    Storage T is float, __half or __nv_bfloat16; arithmetic is float (norms: double). Only to_f and from_f<T> convert, there are
//          no half operators. Counts and offsets are long long, so that arrays beyond 2^31 elements are safe.
// Loops    Over elements only by GRID_STRIDE: any grid covers any count. A count of 0 is the host's to skip.
// Shared   Only by SHARED and DYN_SHARED, as the first statements of a kernel. The content is undefined until written.
// Barriers Each phase either writes shared memory or reads it; a barrier lies between any two phases. All threads of the
//          block reach the same barriers the same number of times: a loop around one has bounds equal for the block.
// Warps    Only __shfl_xor_sync, __shfl_up_sync, __shfl_down_sync and __syncwarp, with all 32 lanes and mask FULL_WARP; so
//          blocks that use them are multiples of 32 threads. Reductions over a block only by reduce.h.
// Aliasing Pointers that may be one array (in-place ops) carry no __restrict__; each element is read before it is
//          written, by the same thread.
// None of  inline PTX, textures, cooperative groups, branches on __CUDA_ARCH__, atomics on floats (order is not fixed).
#pragma once

#ifdef CAFFEMPI_HOST
#include "host_shim.h"
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define SHARED(T, name, n) __shared__ T name[n]
#define DYN_SHARED(T, name)                                    \
    extern __shared__ __align__(16) unsigned char dyn_shared[]; \
    T* const name = reinterpret_cast<T*>(dyn_shared)
#endif

#ifndef CHECK_ALIGNED
#define CHECK_ALIGNED(p, bytes)  // the host stops here where an address is no multiple
#endif

#define FULL_WARP 0xffffffffu

// What maxima start from: the lowest finite float.
#define LOWEST (-3.402823466e+38f)

#define GRID_STRIDE(i, n)                                                                    \
    for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < (n); \
         i += static_cast<long long>(gridDim.x) * blockDim.x)

// i / d of numbers that are not negative: by 32 bits where both are short, which is many times as fast.
__device__ inline long long divide(long long i, long long d) {
    if (static_cast<unsigned long long>(i | d) >> 32) return i / d;
    return static_cast<unsigned>(i) / static_cast<unsigned>(d);
}

__device__ inline float to_f(float x) { return x; }
__device__ inline float to_f(__half x) { return __half2float(x); }
__device__ inline float to_f(__nv_bfloat16 x) { return __bfloat162float(x); }

template <typename T>
__device__ inline T from_f(float x);
template <>
__device__ inline float from_f<float>(float x) { return x; }
template <>
__device__ inline __half from_f<__half>(float x) { return __float2half_rn(x); }
template <>
__device__ inline __nv_bfloat16 from_f<__nv_bfloat16>(float x) { return __float2bfloat16_rn(x); }
