// Three rounds with a barrier of the whole grid between them; in each a thread adds what the thread of the next
// CTA left in the round before.
#include <cooperative_groups.h>

extern "C" __global__ void grid_sync(unsigned *words) {
    auto grid = cooperative_groups::this_grid();
    unsigned n = gridDim.x * blockDim.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned round = 0; round < 3; round++) {
        words[(round + 1) * n + i] = words[round * n + (i + blockDim.x) % n] + i;
        grid.sync();
    }
}
