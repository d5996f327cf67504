// compared: bits
// Atomic operations on global and shared memory, with scopes, by compare-and-swap.

#ifdef HOST
void reference(const unsigned *in, unsigned *out, int n) {
    unsigned *o = out;
    for (int i = 0; i < n; i++) {
        unsigned v = in[i];
        o[0] += v;
        o[1] = max(o[1], v);
        int m = min((int)o[2], (int)v);
        o[2] = m;
        o[3] |= v & 0xf0f0;
        o[4] ^= v;
        o[5] = o[5] >= 100 ? 0 : o[5] + 1;
        o[6] = o[6] == 0 || o[6] > 50 ? 50 : o[6] - 1;
        unsigned long long *l = (unsigned long long *)(o + 8);
        l[0] += (unsigned long long)v << 8;
        l[1] = max(l[1], (unsigned long long)v << 20);
        float *f = (float *)(o + 12);
        f[0] += 1.5f;
        double *d = (double *)(o + 14);
        d[0] += 0.25;
        o[16 + (v & 7)]++;
        o[24] += i;
        ((float *)o)[25] += (float)i;
    }
    o[7] = n;
    o[28] = 64 * 63 / 2 * 2;
    o[29] = 0x55;
}
#else
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = in[i], *o = out;
    __shared__ unsigned s;
    __shared__ int lock;
    __shared__ unsigned long long sl;
    if (threadIdx.x == 0) {
        s = 0;
        sl = 0;
        lock = 0;
    }
    __syncthreads();
    atomicAdd(o, v);
    atomicMax(o + 1, v);
    atomicMin((int *)o + 2, (int)v);
    atomicOr(o + 3, v & 0xf0f0);
    atomicXor(o + 4, v);
    atomicInc(o + 5, 100);
    atomicDec(o + 6, 50);
    atomicAdd((unsigned long long *)(o + 8), (unsigned long long)v << 8);
    atomicMax((unsigned long long *)(o + 10), (unsigned long long)v << 20);
    atomicAdd((float *)(o + 12), 1.5f);
    atomicAdd((double *)(o + 14), 0.25);
    atomicAdd(o + 16 + (v & 7), 1u);
    atomicAdd_block(&s, threadIdx.x);
    atomicAdd_system(o + 24, i);
    unsigned old = o[7], seen;
    do {
        seen = old;
        old = atomicCAS(o + 7, seen, seen + 1);
    } while (old != seen);
    float *f = (float *)o + 25;
    int fo = __float_as_int(*(volatile float *)f), fs;
    do {
        fs = fo;
        fo = atomicCAS((int *)f, fs, __float_as_int(__int_as_float(fs) + (float)i));
    } while (fo != fs);
    atomicAdd(&sl, (unsigned long long)v);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(o + 28, s);
        atomicExch(o + 29, 0x55u);
    }
    if (threadIdx.x == 1)
        atomicAnd(o + 30, 0u);
    if (threadIdx.x == 2)
        atomicSub(o + 31, 0u);
    if (threadIdx.x == 3) {
        unsigned short *h = (unsigned short *)(o + 32);
        atomicCAS(h, (unsigned short)0, (unsigned short)0);
        atomicCAS_system(o + 34, 1u, 2u);
    }
}
#endif
