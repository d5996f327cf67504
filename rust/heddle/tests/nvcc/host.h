// What the sources of this folder use of CUDA, for a CPU, and the program around a kernel:
//
//     NAME INPUT.npy OUTPUT.npy DESCR
//
// It runs `k` for one thread after the other, or `reference` where threads work together.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <vector_functions.h>

#define HOST
#define __global__
#define __device__
#define __host__
#define __constant__
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline

struct Dimensions {
    unsigned x, y, z;
};
static Dimensions threadIdx, blockIdx, blockDim;
using std::max;
using std::min;
extern "C" __attribute__((weak)) void k(const unsigned *in, unsigned *out, int n);
__attribute__((weak)) void reference(const unsigned *in, unsigned *out, int n);

static int __popc(unsigned v) { return __builtin_popcount(v); }
static int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static int __clz(int v) { return v ? __builtin_clz(v) : 32; }
static int __clzll(long long v) { return v ? __builtin_clzll(v) : 64; }
static int __ffs(int v) { return __builtin_ffs(v); }
static int __ffsll(long long v) { return __builtin_ffsll(v); }
static unsigned __brev(unsigned v) {
    unsigned r = 0;
    for (int i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}
static unsigned long long __brevll(unsigned long long v) {
    return (unsigned long long)__brev(v) << 32 | __brev(v >> 32);
}
static int __mulhi(int a, int b) { return (long long)a * b >> 32; }
static unsigned __umulhi(unsigned a, unsigned b) { return (unsigned long long)a * b >> 32; }
static long long __mul64hi(long long a, long long b) { return (__int128)a * b >> 64; }
static unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned __int128)a * b >> 64;
}
static unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
    unsigned long long v = (unsigned long long)b << 32 | a;
    unsigned r = 0;
    for (int i = 0; i < 4; i++)
        r |= (unsigned)(v >> ((s >> (4 * i) & 7) * 8) & 255) << (8 * i);
    return r;
}
static int __float_as_int(float f) {
    int u;
    memcpy(&u, &f, 4);
    return u;
}
static float __int_as_float(int u) {
    float f;
    memcpy(&f, &u, 4);
    return f;
}
static unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
    s &= 31;
    return (((unsigned long long)hi << 32 | lo) << s) >> 32;
}
static unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
    s &= 31;
    return ((unsigned long long)hi << 32 | lo) >> s;
}
static unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned s) {
    s = s > 32 ? 32 : s;
    return ((unsigned long long)hi << 32 | lo) >> s;
}
static unsigned __sad(int a, int b, unsigned c) { return c + (a > b ? (unsigned)a - b : (unsigned)b - a); }
static unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
static int __hadd(int a, int b) { return ((long long)a + b) >> 1; }
static unsigned __uhadd(unsigned a, unsigned b) { return ((unsigned long long)a + b) >> 1; }
static int __rhadd(int a, int b) { return ((long long)a + b + 1) >> 1; }

static std::vector<unsigned> read(const char *file) {
    std::vector<unsigned> words(1024 + 32);
    FILE *f = fopen(file, "rb");
    if (!f || fread(words.data(), 4, words.size(), f) != words.size())
        exit(1);
    fclose(f);
    words.erase(words.begin(), words.begin() + 32); // the head of the file
    return words;
}

static void write(const char *file, const char *descr, const std::vector<unsigned> &words) {
    char head[129];
    const size_t elements = words.size() * 4 / (descr[2] - '0');
    snprintf(head, sizeof head, "\x93NUMPY\x01%c\x76%c{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }%*s", 0,
             0, descr, elements, 128, "");
    head[127] = '\n';
    FILE *f = fopen(file, "wb");
    if (!f || fwrite(head, 1, 128, f) != 128 || fwrite(words.data(), 4, words.size(), f) != words.size() || fclose(f))
        exit(1);
}

int main(int, char **arguments) {
    const int n = 128;
    const std::vector<unsigned> in = read(arguments[1]);
    std::vector<unsigned> out(in.size());
    blockDim = {64, 1, 1};
    if (reference)
        reference(in.data(), out.data(), n);
    else
        for (int i = 0; i < n; i++) {
            blockIdx.x = i / 64;
            threadIdx.x = i % 64;
            k(in.data(), out.data(), n);
        }
    write(arguments[2], arguments[3], out);
}
