// C = alpha * A * A' + beta * C, one thread an element of C. Threads of a warp hold neighbouring
// columns of C, so they walk along different rows of A: no two lanes share a cache line until the
// next elements of their rows are due.

extern "C" __global__ void syrk(int order, int inner, float alpha, float beta, const float *a,
                                float *c)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= order || j >= order)
        return;
    c[i * order + j] *= beta;
    for (int k = 0; k < inner; ++k)
        c[i * order + j] = fmaf(alpha * a[i * inner + k], a[j * inner + k], c[i * order + j]);
}
