// compared: bits
// Calls of functions that take and return structs, bytes, booleans and 64-bit numbers.

struct Big {
    int a[6];
    double d;
    char c;
};
struct __align__(16) Four {
    float v[4];
};
struct Tiny {
    unsigned char b[3];
};
__device__ __noinline__ Big make(int s) {
    Big b;
    for (int i = 0; i < 6; i++)
        b.a[i] = s * i;
    b.d = s * 0.5;
    b.c = (char)s;
    return b;
}
__device__ __noinline__ int use(Big b, int i) { return b.a[i] + (int)b.d + b.c; }
__device__ __noinline__ void change(Big &b) {
    b.a[2] += 100;
    b.d *= 2;
}
__device__ __noinline__ Four four(float x) {
    Four f = {{x, x + 1, x + 2, x + 3}};
    return f;
}
__device__ __noinline__ Tiny tiny(Tiny t, unsigned char k) {
    t.b[0] += k;
    t.b[1] ^= k;
    t.b[2] -= t.b[0];
    return t;
}
__device__ __noinline__ bool even(int x) { return (x & 1) == 0; }
__device__ __noinline__ signed char narrow(short s, unsigned char u) { return (signed char)(s + u); }
__device__ __noinline__ long long wide(int a, long long b, double c, float d, short e, bool f) {
    return a + b + (long long)c + (long long)d + e + f;
}
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Big b = make(in[i] & 0xfff);
    out[8 * i] = use(b, i % 6);
    change(b);
    out[8 * i + 1] = use(b, 2);
    Four f = four((float)(in[i] & 255));
    out[8 * i + 2] = (unsigned)(f.v[0] + f.v[i & 3] * 4);
    Tiny t = {{(unsigned char)in[i], (unsigned char)(in[i] >> 8), (unsigned char)i}};
    t = tiny(t, (unsigned char)(in[i] >> 16));
    out[8 * i + 3] = t.b[0] | t.b[1] << 8 | t.b[2] << 16;
    out[8 * i + 4] = even(in[i]) ? 11 : 22;
    out[8 * i + 5] = narrow((short)in[i], (unsigned char)(in[i] >> 20));
    long long w = wide(i, (long long)in[i] << 8, 2.75 * i, 1.5f, (short)in[i], in[i] & 4);
    out[8 * i + 6] = (unsigned)w;
    out[8 * i + 7] = (unsigned)(w >> 32);
}
