// C = alpha * A * B + beta * C on row-major square tiles of threads, without shared memory: each
// thread owns one element of C and leaves every partial sum in global memory, as the benchmark does.

extern "C" __global__ void gemm(int rows, int columns, int inner, float alpha, float beta,
                                const float *a, const float *b, float *c)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= columns)
        return;
    c[i * columns + j] *= beta;
    for (int k = 0; k < inner; ++k)
        c[i * columns + j] = fmaf(alpha * a[i * inner + k], b[k * columns + j], c[i * columns + j]);
}
