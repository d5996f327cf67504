// compared: bits
// Shuffles, votes, matches and reductions of a warp.

#ifdef HOST
void reference(const unsigned *in, unsigned *out, int n) {
    for (int w = 0; w < n; w += 32) {
        unsigned odd = 0, big = 0;
        for (int l = 0; l < 32; l++) {
            odd |= (in[w + l] & 1) << l;
            big |= (unsigned)(in[w + l] > 0x80000000u) << l;
        }
        unsigned total = 0;
        for (int l = 0; l < 32; l++)
            total += in[w + l];
        unsigned scan = 0;
        for (int l = 0; l < 32; l++) {
            unsigned *o = out + 8 * (w + l);
            scan += in[w + l];
            o[0] = total;
            o[1] = scan;
            o[2] = odd;
            o[3] = (odd == ~0u) | (big != 0) << 1;
            o[4] = in[w + ((l ^ 5) & 31)] + in[w + (l & 24) + 3];
            unsigned m = 0;
            for (int j = 0; j < 32; j++)
                m |= (unsigned)((in[w + j] & 3) == (in[w + l] & 3)) << j;
            o[5] = m;
            o[6] = __builtin_popcount(odd & ((1u << l) - 1));
            unsigned half = 0;
            for (int j = l & 16; j < (l & 16) + 16; j++)
                half = half > in[w + j] ? half : in[w + j];
            o[7] = half;
        }
    }
}
#else
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x & 31;
    unsigned v = in[i], s = v, *o = out + 8 * i;
    for (int d = 16; d; d >>= 1)
        s += __shfl_xor_sync(~0u, s, d);
    o[0] = s;
    unsigned c = v;
    for (int d = 1; d < 32; d <<= 1) {
        unsigned t = __shfl_up_sync(~0u, c, d);
        if (l >= d)
            c += t;
    }
    o[1] = c;
    o[2] = __ballot_sync(~0u, v & 1);
    o[3] = __all_sync(~0u, v & 1) | __any_sync(~0u, v > 0x80000000u) << 1;
    o[4] = __shfl_sync(~0u, v, l ^ 5) + __shfl_sync(~0u, v, 3, 8);
    o[5] = __match_any_sync(~0u, v & 3);
    unsigned lower;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower));
    o[6] = __popc(o[2] & lower);
    unsigned m = v;
    for (int d = 8; d; d >>= 1)
        m = max(m, __shfl_down_sync(~0u, m, d, 16));
    o[7] = __shfl_sync(~0u, m, 0, 16);
    if (l < 16) {
        unsigned a = __activemask();
        if (__popc(a) != 16)
            o[0] = 0;
    }
    __syncwarp();
#if __CUDA_ARCH__ >= 800
    if (__reduce_add_sync(~0u, v) != s)
        o[0] = 1;
    if (__reduce_max_sync(~0u, (int)l) != 31)
        o[0] = 2;
#endif
    double dd = __shfl_sync(~0u, (double)l, 7);
    if (dd != 7.0)
        o[0] = 3;
    long long ll = __shfl_down_sync(~0u, (long long)l << 33, 1);
    if (l < 31 && ll >> 33 != l + 1)
        o[0] = 4;
}
#endif
