// compared: bits
// Assertions that hold, and a trap that is not reached.

#include <assert.h>
__device__ __noinline__ int checked(int i, int n) {
    assert(i < n && "index");
    return i * 2;
}
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(n > 0);
    if (i >= n)
        return;
    out[i] = checked(i, n) + in[i];
    if (in[i] == 0xdeadbeef && i == 5) {
        out[i] = 1;
#ifndef HOST
        __trap();
#endif
    }
}
