// compared: bits
// Cooperative groups: tiles, coalesced and labelled groups, reduction, scan.

#ifdef HOST
void reference(const unsigned *in, unsigned *out, int n) {
    for (int i = 0; i < n; i++) {
        unsigned *o = out + 8 * i;
        int w = i & ~31, t = i & ~7;
        unsigned s = 0;
        for (int j = 0; j < 8; j++)
            s += in[t + j];
        o[0] = s;
        unsigned m = 0;
        for (int j = 0; j < 32; j++)
            m = max(m, in[w + j]);
        o[1] = m;
        int rank = 0, size = 0;
        for (int j = w; j < w + 32; j++)
            if (in[j] % 3 == in[i] % 3 && in[j] % 3 == 0) {
                size++;
                rank += j < i;
            }
        if (in[i] % 3 == 0) {
            o[2] = size * 100 + rank;
        }
        o[3] = i % 64 + 64 * 1000;
        unsigned x = 0;
        for (int j = 0; j <= i % 16; j++)
            x += in[(i & ~15) + j];
        o[4] = x;
        int g = 0, r = 0;
        for (int j = w; j < w + 32; j++)
            if (in[j] % 5 == in[i] % 5) {
                g++;
                r += j < i;
            }
        o[5] = g * 100 + r;
        int b = i & ~63;
        o[6] = in[b + (63 - i % 64)];
        o[7] = in[t + (i + 1) % 8] ^ (unsigned)((i % 8) | 8 << 8);
    }
}
#else
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    auto sixteen = cg::tiled_partition<16>(block);
    __shared__ unsigned sh[64];
    int i = blockIdx.x * blockDim.x + block.thread_rank();
    unsigned *o = out + 8 * i, v = in[i];
    sh[block.thread_rank()] = v;
    unsigned s = v;
    for (int d = 4; d; d >>= 1)
        s += eight.shfl_xor(s, d);
    o[0] = s;
    o[1] = cg::reduce(warp, v, cg::greater<unsigned>());
    if (v % 3 == 0) {
        auto active = cg::coalesced_threads();
        o[2] = active.size() * 100 + active.thread_rank();
    }
    o[3] = block.thread_rank() + block.size() * 1000;
    o[4] = cg::inclusive_scan(sixteen, v);
    auto same = cg::labeled_partition(warp, v % 5);
    o[5] = same.size() * 100 + same.thread_rank();
    block.sync();
    o[6] = sh[63 - block.thread_rank()];
    o[7] = eight.shfl(v, (eight.thread_rank() + 1) % 8) ^ (eight.thread_rank() | eight.size() << 8);
}
#endif
