// compared: bits
// A managed variable and a struct in global memory.

#ifndef HOST
__managed__ int shared_with_host = 3;
#else
static int shared_with_host = 3;
#endif
struct Bag {
    unsigned mul[7];
    unsigned char key;
};
#ifdef HOST
static Bag bag = {{1, 2, 3, 4, 5, 6, 7}, 9};
#else
__device__ Bag bag = {{1, 2, 3, 4, 5, 6, 7}, 9};
#endif
__device__ __noinline__ unsigned dig(const Bag &b, int j) { return b.mul[j] * b.key; }
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[8 * i] = in[i] * shared_with_host + dig(bag, in[i] % 7);
}
