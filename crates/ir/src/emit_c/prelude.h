typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef __int128 i128;
typedef unsigned __int128 u128;
typedef char *ptr;
typedef __UINTPTR_TYPE__ uptr;
typedef __INTPTR_TYPE__ iptr;
#define UNALIGNED __attribute__((may_alias, aligned(1)))
typedef _Bool bool_u UNALIGNED;
typedef i8 i8_u UNALIGNED;
typedef u8 u8_u UNALIGNED;
typedef i16 i16_u UNALIGNED;
typedef u16 u16_u UNALIGNED;
typedef i32 i32_u UNALIGNED;
typedef u32 u32_u UNALIGNED;
typedef i64 i64_u UNALIGNED;
typedef u64 u64_u UNALIGNED;
typedef i128 i128_u UNALIGNED;
typedef u128 u128_u UNALIGNED;
typedef ptr ptr_u UNALIGNED;
typedef float float_u UNALIGNED;
typedef double double_u UNALIGNED;
#ifdef __x86_64__
typedef _Float16 f16;
typedef f16 f16_u UNALIGNED;
typedef long double x87;
typedef x87 x87_u UNALIGNED;
#endif
typedef _Float128 f128;
typedef f128 f128_u UNALIGNED;

/* Hides from the compiler where an address came from. */
static inline ptr clew_opaque(ptr p) { __asm__("" : "+r"(p)); return p; }

static inline u128 clew_get_bits(ptr p, unsigned start, unsigned width) {
  u128 v = 0;
  if (start + width <= 128) {
    unsigned n = (start + width + 7) / 8, i;
    for (i = 0; i < n; i++) v |= (u128)*(u8_u *)(p + i) << (8 * i);
    v >>= start;
  } else {
    unsigned i;
    for (i = 0; i < width; i++) v |= (u128)(*(u8_u *)(p + (start + i) / 8) >> (start + i) % 8 & 1) << i;
  }
  return width < 128 ? v & (((u128)1 << width) - 1) : v;
}
static inline i128 clew_get_signed_bits(ptr p, unsigned start, unsigned width) {
  return (i128)(clew_get_bits(p, start, width) << (128 - width)) >> (128 - width);
}
static inline void clew_set_bits(ptr p, unsigned start, unsigned width, u128 v) {
  while (width) {
    unsigned n = 8 - start < width ? 8 - start : width;
    u8 mask = (u8)(((1u << n) - 1) << start);
    *(u8_u *)p = (u8)((*(u8_u *)p & ~mask) | ((u8)(v << start) & mask));
    v >>= n; width -= n; start = 0; p++;
  }
}

static inline float clew_f32(u32 b) { float f; __builtin_memcpy(&f, &b, 4); return f; }
static inline double clew_f64(u64 b) { double f; __builtin_memcpy(&f, &b, 8); return f; }
static inline f128 clew_f128(u64 high, u64 low) {
  f128 f; u128 b = (u128)high << 64 | low; __builtin_memcpy(&f, &b, 16); return f;
}
#ifdef __x86_64__
static inline f16 clew_f16(u16 b) { f16 f; __builtin_memcpy(&f, &b, 2); return f; }
static inline x87 clew_x87(u16 high, u64 low) {
  x87 f = 0; __builtin_memcpy(&f, &low, 8); __builtin_memcpy((char *)&f + 8, &high, 2); return f;
}
#endif

static inline int clew_clz(u128 v, int width) {
  int n = (u64)(v >> 64) ? __builtin_clzll((u64)(v >> 64)) : (u64)v ? 64 + __builtin_clzll((u64)v) : 128;
  return n - (128 - width);
}
static inline int clew_ctz(u128 v, int width) {
  return (u64)v ? __builtin_ctzll((u64)v) : (u64)(v >> 64) ? 64 + __builtin_ctzll((u64)(v >> 64)) : width;
}
static inline int clew_popcount(u128 v) {
  return __builtin_popcountll((u64)v) + __builtin_popcountll((u64)(v >> 64));
}
static inline int clew_clrsb(i128 v, int width) { return clew_clz((u128)(v < 0 ? ~v : v), width) - 1; }
static inline u128 clew_bswap128(u128 v) {
  return (u128)__builtin_bswap64((u64)v) << 64 | __builtin_bswap64((u64)(v >> 64));
}

extern void clew_exit(int) __asm__("exit") __attribute__((noreturn));
