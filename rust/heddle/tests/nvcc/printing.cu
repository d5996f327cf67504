// compared: bits
// printf in a kernel, which prints nothing here.

#include <stdio.h>
#ifdef HOST
static int silent(const char *, ...) { return 0; }
#define printf silent
#endif
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (in[i] % 7 == 0)
        printf("thread %d has %u, %f, %s, %lld\n", i, in[i], (double)in[i] * 0.5, "text", (long long)in[i]);
    if (i == 0)
        printf("plain\n");
    out[i] = in[i] * 3 + 1;
}
