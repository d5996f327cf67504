// compared: bits
// SIMD intrinsics on bytes and halfwords, dot products.

#ifdef HOST
static unsigned each(unsigned a, unsigned b, int (*f)(int, int)) {
    unsigned r = 0;
    for (int j = 0; j < 4; j++)
        r |= (unsigned)(f(a >> 8 * j & 255, b >> 8 * j & 255) & 255) << 8 * j;
    return r;
}
#define __vadd4(a, b) each(a, b, [](int x, int y) { return x + y; })
#define __vsub4(a, b) each(a, b, [](int x, int y) { return x - y; })
#define __vabsdiffu4(a, b) each(a, b, [](int x, int y) { return x > y ? x - y : y - x; })
#define __vmaxu4(a, b) each(a, b, [](int x, int y) { return x > y ? x : y; })
#define __vmins4(a, b) each(a, b, [](int x, int y) { return (signed char)x < (signed char)y ? x : y; })
#define __vaddus4(a, b) each(a, b, [](int x, int y) { return x + y > 255 ? 255 : x + y; })
#define __vcmpeq4(a, b) each(a, b, [](int x, int y) { return x == y ? 255 : 0; })
#define __vavgu4(a, b) each(a, b, [](int x, int y) { return (x + y + 1) >> 1; })
static int __dp4a(int a, int b, int c) {
    for (int j = 0; j < 4; j++)
        c += (signed char)(a >> 8 * j) * (signed char)(b >> 8 * j);
    return c;
}
static unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
    return c + (a & 0xffff) * (b & 255) + (a >> 16) * (b >> 8 & 255);
}
static unsigned __vadd2(unsigned a, unsigned b) { return ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16; }
#endif
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = in[i], b = in[i + 1], *o = out + 8 * i;
    o[0] = __vadd4(a, b) ^ __vsub4(a, b);
    o[1] = __vabsdiffu4(a, b);
    o[2] = __vmaxu4(a, b) + __vmins4(a, b);
    o[3] = __vaddus4(a, b);
    o[4] = __vcmpeq4(a & 0x03030303, b & 0x03030303);
    o[5] = __vavgu4(a, b);
    o[6] = __dp4a((int)a, (int)b, i);
    o[7] = __dp2a_lo(a, b, 5u) + __vadd2(a, b);
}
