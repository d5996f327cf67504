// Sum of 32-bit integers modulo 2^32. A thread adds up elements a grid apart, the block folds its sums
// in a tree in shared memory, thread 0 stores the sum of the block.

extern "C" __global__ void reduction(const unsigned *input, unsigned *output, unsigned n)
{
    extern __shared__ unsigned sums[];
    const unsigned t = threadIdx.x;

    unsigned sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        sum += input[i];
    sums[t] = sum;
    __syncthreads();

    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t == 0)
        output[blockIdx.x] = sums[0];
}
