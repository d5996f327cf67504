// Two matrix-vector products with one matrix: x1 += A * y1 and x2 += A' * y2.
//
// In the first kernel a thread walks along a row, in the second along a column. Partial sums stay in
// global memory.

extern "C" __global__ void mvt_rows(int order, const float *a, const float *y1, float *x1)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= order)
        return;
    for (int j = 0; j < order; ++j)
        x1[i] = fmaf(a[i * order + j], y1[j], x1[i]);
}

extern "C" __global__ void mvt_columns(int order, const float *a, const float *y2, float *x2)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= order)
        return;
    for (int j = 0; j < order; ++j)
        x2[i] = fmaf(a[j * order + i], y2[j], x2[i]);
}
