// Sobol's low-discrepancy sequence. A block makes a part of the vectors of one dimension and keeps that
// dimension's direction numbers in shared memory. Thread i makes the vectors i, i + stride, ... with a
// stride of a power of two, so that from one to the next only two direction numbers change.

constexpr int Directions = 32;

extern "C" __global__ void __launch_bounds__(64)
    sobolqrng(unsigned vectors, const unsigned *directions, float *out)
{
    __shared__ unsigned v[Directions];

    directions += Directions * blockIdx.y;
    out += vectors * blockIdx.y;
    if (threadIdx.x < Directions)
        v[threadIdx.x] = directions[threadIdx.x];
    __syncthreads();

    const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned stride = gridDim.x * blockDim.x;

    // The Gray code of the index selects the direction numbers of the first vector.
    unsigned gray = first ^ first >> 1;
    unsigned x = 0;
    for (int k = 0; k < __ffs(stride) - 1; ++k) {
        if (gray & 1)
            x ^= v[k];
        gray >>= 1;
    }
    if (first < vectors)
        out[first] = (float)x * (1.0f / 4294967296.0f);

    const unsigned step = v[__ffs(stride) - 2];
    for (unsigned at = first + stride; at < vectors; at += stride) {
        // The lowest zero bit of the index before, above the stride.
        x ^= step ^ v[__ffs(~((at - stride) | (stride - 1))) - 1];
        out[at] = (float)x * (1.0f / 4294967296.0f);
    }
}
