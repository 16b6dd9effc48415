// The 16-bit storage types of CUDA with their conversions to and from float, rounding to nearest even.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

struct __half { uint16_t bits; };
struct __nv_bfloat16 { uint16_t bits; };

inline uint32_t float_bits(float f) { uint32_t u; std::memcpy(&u, &f, 4); return u; }
inline float bits_float(uint32_t u) { float f; std::memcpy(&f, &u, 4); return f; }
inline float __int_as_float(int i) { return bits_float(uint32_t(i)); }
inline unsigned __float_as_uint(float f) { return float_bits(f); }

inline float __bfloat162float(__nv_bfloat16 b) { return bits_float(uint32_t(b.bits) << 16); }
inline __nv_bfloat16 __float2bfloat16_rn(float f) {
    if (f != f) return {0x7fff};
    const uint32_t u = float_bits(f);
    return {uint16_t((u + 0x7fff + (u >> 16 & 1)) >> 16)};  // half up, and one less where the kept part is even
}

inline float __half2float(__half h) {
    const uint32_t sign = uint32_t(h.bits & 0x8000) << 16, exponent = h.bits >> 10 & 31, mantissa = h.bits & 1023;
    if (exponent == 31) return bits_float(sign | 0x7f800000 | mantissa << 13);
    const float size = std::ldexp(float(exponent ? mantissa + 1024 : mantissa), int(exponent ? exponent : 1) - 25);
    return sign ? -size : size;
}
inline __half __float2half_rn(float f) {
    const uint16_t sign = float_bits(f) >> 16 & 0x8000;
    const float size = std::fabs(f);
    if (f != f) return {0x7fff};
    if (size >= 65520.f) return {uint16_t(sign | 0x7c00)};  // rounds to infinity
    int exponent = -14;                                     // of the unit in which the mantissa has ten binary places
    if (size >= 6.103515625e-05f) { std::frexp(size, &exponent); --exponent; }
    const uint32_t steps = uint32_t(std::nearbyint(std::ldexp(size, 10 - exponent)));  // 0..2048, ties to even
    return {uint16_t(sign + (uint32_t(exponent + 14) << 10) + steps)};  // a carry moves on into the exponent
}
