// compared: bits
// Static and dynamic shared memory: bitonic sort, scan, barriers that count and vote.

#ifdef HOST
void reference(const unsigned *in, unsigned *out, int n) {
    for (int b = 0; b < n; b += 64) {
        unsigned v[64];
        for (int i = 0; i < 64; i++)
            v[i] = in[b + i];
        std::sort(v, v + 64);
        unsigned run = 0, c = 0, all = 1, any = 0;
        for (int i = 0; i < 64; i++) {
            c += in[b + i] % 3 == 0;
            all &= in[b + i] > 5;
            any |= in[b + i] % 64 == 1;
        }
        for (int i = 0; i < 64; i++) {
            unsigned *o = out + 8 * (b + i);
            run += in[b + i];
            o[0] = v[i];
            o[1] = run;
            o[2] = c;
            o[3] = all | any << 1;
            o[4] = in[b + 63 - i] & 0xffff;
            double d = (double)(in[b + (i ^ 1)]) * 0.5;
            memcpy(o + 6, &d, 8);
        }
    }
}
#else
extern __shared__ unsigned char pool[];
template <class T> struct Guard {
    T *v;
    __device__ Guard(T *p) : v(p) {}
    __device__ T &operator[](int j) { return v[j]; }
};
__device__ __noinline__ void sort(unsigned *v) {
    for (int s = 2; s <= 64; s *= 2)
        for (int d = s / 2; d; d /= 2) {
            __syncthreads();
            int j = threadIdx.x, p = j ^ d;
            if (p > j) {
                bool up = !(j & s);
                if ((v[j] > v[p]) == up) {
                    unsigned t = v[j];
                    v[j] = v[p];
                    v[p] = t;
                }
            }
        }
    __syncthreads();
}
extern "C" __global__ void __launch_bounds__(64) k(const unsigned *in, unsigned *out, int n) {
    unsigned *a = (unsigned *)pool;
    double *d = (double *)(pool + 256);
    unsigned short *h = (unsigned short *)(pool + 256 + 512);
    __shared__ unsigned b[2][64];
    __shared__ struct {
        char c;
        double d[2];
        short s;
    } mix;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    unsigned *o = out + 8 * i, v = in[i];
    Guard<unsigned> g(a);
    g[t] = v;
    d[t] = v * 0.5;
    h[t] = (unsigned short)v;
    if (!t) {
        mix.c = 'q';
        mix.d[1] = 2;
        mix.s = 4;
    }
    sort(a);
    o[0] = a[t];
    int w = 0;
    b[0][t] = v;
    for (int s = 1; s < 64; s *= 2) {
        __syncthreads();
        b[1 - w][t] = b[w][t] + (t >= s ? b[w][t - s] : 0);
        w = 1 - w;
    }
    __syncthreads();
    o[1] = b[w][t];
    o[2] = __syncthreads_count(v % 3 == 0);
    o[3] = (__syncthreads_and(v > 5) ? 1 : 0) | (__syncthreads_or(v % 64 == 1) ? 2 : 0);
    o[4] = h[63 - t];
    *(double *)(o + 6) = d[t ^ 1];
    if (mix.d[1] * mix.s + mix.c != 8 + 'q')
        o[0] = 0;
}
#endif
