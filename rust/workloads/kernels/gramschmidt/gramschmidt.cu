// Modified Gram-Schmidt: A = Q * R, one column k after the other, three launches a column.

// The norm of column k, by a single thread: the serial part of the algorithm.
extern "C" __global__ void gramschmidt_norm(int rows, int columns, const float *a, float *r, int k)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread != 0)
        return;
    float sum = 0.0f;
    for (int i = 0; i < rows; ++i)
        sum = fmaf(a[i * columns + k], a[i * columns + k], sum);
    r[k * columns + k] = sqrtf(sum);
}

// Column k of Q, one thread a row.
extern "C" __global__ void gramschmidt_column(int rows, int columns, const float *a, const float *r,
                                              float *q, int k)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        q[i * columns + k] = a[i * columns + k] / r[k * columns + k];
}

// Takes the part along column k out of every later column, one thread a column.
extern "C" __global__ void gramschmidt_rest(int rows, int columns, float *a, float *r, const float *q,
                                            int k)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j <= k || j >= columns)
        return;
    r[k * columns + j] = 0.0f;
    for (int i = 0; i < rows; ++i)
        r[k * columns + j] = fmaf(q[i * columns + k], a[i * columns + j], r[k * columns + j]);
    for (int i = 0; i < rows; ++i)
        a[i * columns + j] = fmaf(-q[i * columns + k], r[k * columns + j], a[i * columns + j]);
}
