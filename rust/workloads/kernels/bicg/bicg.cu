// The two products of a step of the biconjugate gradient method: s = A' * r and q = A * p.
//
// A thread of the first kernel owns a column of A, so a warp reads whole lines; a thread of the second
// owns a row, so the lanes of a warp read from as many lines. Partial sums stay in global memory.

extern "C" __global__ void bicg_transposed(int rows, int columns, const float *a, const float *r,
                                           float *s)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= columns)
        return;
    s[j] = 0.0f;
    for (int i = 0; i < rows; ++i)
        s[j] = fmaf(a[i * columns + j], r[i], s[j]);
}

extern "C" __global__ void bicg_direct(int rows, int columns, const float *a, const float *p, float *q)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    q[i] = 0.0f;
    for (int j = 0; j < columns; ++j)
        q[i] = fmaf(a[i * columns + j], p[j], q[i]);
}
