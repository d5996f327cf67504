// Finite differences in the time domain, two dimensions: electric field (ex, ey) and magnetic field
// hz on staggered grids. Three launches a time step; the top row of ey is the source.

extern "C" __global__ void fdtd2d_ey(int rows, int columns, const float *source, float *ey,
                                     const float *hz, int step)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= columns)
        return;
    const int at = i * columns + j;
    if (i == 0)
        ey[at] = source[step];
    else
        ey[at] = fmaf(-0.5f, hz[at] - hz[at - columns], ey[at]);
}

// A row of ex has one element more than a row of hz.
extern "C" __global__ void fdtd2d_ex(int rows, int columns, float *ex, const float *hz)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= columns || j == 0)
        return;
    const int at = i * columns + j;
    ex[i * (columns + 1) + j] = fmaf(-0.5f, hz[at] - hz[at - 1], ex[i * (columns + 1) + j]);
}

// ey has one row more than hz.
extern "C" __global__ void fdtd2d_hz(int rows, int columns, const float *ex, const float *ey, float *hz)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= columns)
        return;
    const int at = i * columns + j;
    const int x = i * (columns + 1) + j;
    const float curl = ((ex[x + 1] - ex[x]) + ey[at + columns]) - ey[at];
    hz[at] = fmaf(-0.7f, curl, hz[at]);
}
