// compared: bits
// Division, bits, multiply-high, byte permutation and funnel shifts of all widths.

extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = in[i], b = in[i + 1], c = in[i + 2];
    int s = a, t = b;
    unsigned long long l = (unsigned long long)a << 32 | b;
    long long m = (long long)l;
    unsigned *o = out + 8 * i;
    o[0] = s / (t | 1) + s % (t | 1) + a / (b | 1) + a % (b | 1) + s / 7 + a / 10 + s % 1000 + __popc(a) + __clz(b) +
           __ffs(c) + __brev(a);
    o[1] = __mulhi(s, t) + __umulhi(a, b) + __byte_perm(a, b, 0x6240) + __sad(s, t, c) + __usad(a, b, c) +
           __funnelshift_l(a, b, c) + __funnelshift_r(a, b, c) + __funnelshift_rc(a, b, c & 63);
    long long q = m / (long long)(c | 1) + m % (long long)(c | 1) + (long long)(l / (c | 1)) + (long long)(l % 12345) +
                  __popcll(l) + __clzll(m) + __ffsll(m) + (long long)__brevll(l) + __mul64hi(m, s) +
                  (long long)__umul64hi(l, a);
    o[2] = q;
    o[3] = q >> 32;
    q = (m << (c & 63)) ^ (m >> (b & 63)) ^ (long long)(l >> (a & 63));
    o[4] = q;
    o[5] = q >> 32;
    o[6] = __hadd(s, t) + __uhadd(a, b) + __rhadd(s, t) + (unsigned)min(s, t) + max(a, b) + abs(s >> 1);
    short h = (short)a;
    signed char d = (signed char)b;
    unsigned char u = (unsigned char)c;
    unsigned short v = (unsigned short)(a >> 7);
    h = h * d + u;
    v = v / (u | 1) - h;
    d = d >> 2;
    u = (unsigned char)(u << 3) | d;
    o[7] = (unsigned short)h | (unsigned)v << 16;
    o[7] += d * 3 + u;
}
