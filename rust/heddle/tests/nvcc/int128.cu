// compared: bits
// 128-bit integers: products, quotients, shifts.

__device__ __noinline__ unsigned __int128 mulw(unsigned __int128 a, unsigned __int128 b) { return a * b + 7; }
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned __int128 a = (unsigned __int128)in[i] << 70 | in[i + 1],
                      b = (unsigned __int128)in[i + 2] << 35 | in[i + 3];
    unsigned __int128 c = mulw(a, b) + (a >> (i & 127)) - (b << (i & 127)), d = a / (b | 1) + a % (b | 1);
    __int128 e = (__int128)c / -12345;
    bool less = a < b;
    unsigned *o = out + 8 * i;
    c ^= (unsigned __int128)e;
    for (int j = 0; j < 4; j++) {
        o[j] = (unsigned)(c >> (32 * j));
        o[4 + j] = (unsigned)(d >> (32 * j)) + less;
    }
}
