// Scalar products of many pairs of vectors. A block takes a pair at a time: 1024 partial sums in shared
// memory, four a thread, which a tree adds up.

constexpr int Sums = 1024;

extern "C" __global__ void scalarprod(float *products, const float *a, const float *b, int vectors,
                                      int elements)
{
    __shared__ float sums[Sums];

    for (int vector = blockIdx.x; vector < vectors; vector += gridDim.x) {
        const int first = elements * vector;
        const int end = first + elements;
        for (int slot = threadIdx.x; slot < Sums; slot += blockDim.x) {
            float sum = 0.0f;
            for (int at = first + slot; at < end; at += Sums)
                sum = fmaf(a[at], b[at], sum);
            sums[slot] = sum;
        }
        for (int stride = Sums / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            for (int slot = threadIdx.x; slot < stride; slot += blockDim.x)
                sums[slot] += sums[stride + slot];
        }
        __syncthreads();
        if (threadIdx.x == 0)
            products[vector] = sums[0];
    }
}
