// Element-wise sum of two vectors: one thread per element, a guard for the last block.

extern "C" __global__ void vectoradd(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
