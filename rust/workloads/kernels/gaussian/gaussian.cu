// Gaussian elimination without pivoting: for each column t the multipliers of the rows below, then the
// update of these rows.

// The multiplier of every row below t.
extern "C" __global__ void gaussian_multipliers(float *m, const float *a, int order, int t)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= order - 1 - t)
        return;
    const int row = x + t + 1;
    m[order * row + t] = a[order * row + t] / a[order * t + t];
}

// Takes the multiple of row t off every row below, right-hand side included.
extern "C" __global__ void gaussian_rows(const float *m, float *a, float *b, int order, int t)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= order - 1 - t || y >= order - t)
        return;
    const int row = x + t + 1;
    const int column = y + t;
    const float factor = m[order * row + t];
    a[order * row + column] = fmaf(-factor, a[order * t + column], a[order * row + column]);
    if (y == 0)
        b[row] = fmaf(-factor, b[t], b[row]);
}
