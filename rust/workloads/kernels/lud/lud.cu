// LU decomposition in place, without pivoting, in tiles of 16 x 16. For each tile of the diagonal: the
// tile itself, then the tiles to its right and below it, then all that remain.

constexpr int Tile = 16;

// Decomposes the tile at (offset, offset), one thread a row and column.
extern "C" __global__ void lud_diagonal(float *m, int order, int offset)
{
    __shared__ float tile[Tile][Tile];
    const int tx = threadIdx.x;
    float *origin = m + offset * order + offset;

    for (int i = 0; i < Tile; ++i)
        tile[i][tx] = origin[i * order + tx];
    __syncthreads();
    for (int i = 0; i < Tile - 1; ++i) {
        if (tx > i) {
            for (int j = 0; j < i; ++j)
                tile[tx][i] = fmaf(-tile[tx][j], tile[j][i], tile[tx][i]);
            tile[tx][i] /= tile[i][i];
        }
        __syncthreads();
        if (tx > i) {
            for (int j = 0; j < i + 1; ++j)
                tile[i + 1][tx] = fmaf(-tile[i + 1][j], tile[j][tx], tile[i + 1][tx]);
        }
        __syncthreads();
    }
    for (int i = 1; i < Tile; ++i)
        origin[i * order + tx] = tile[i][tx];
}

// The tile to the right of the diagonal by the first half of the block, the one below by the second.
extern "C" __global__ void lud_perimeter(float *m, int order, int offset)
{
    __shared__ float diagonal[Tile][Tile];
    __shared__ float right[Tile][Tile];
    __shared__ float down[Tile][Tile];

    const int distance = (blockIdx.x + 1) * Tile;
    float *origin = m + offset * order + offset;
    const bool is_right = threadIdx.x < Tile;
    const int lane = threadIdx.x % Tile;

    // Each half loads one half of the diagonal tile and the tile that it works on.
    const int first = is_right ? 0 : Tile / 2;
    for (int i = first; i < first + Tile / 2; ++i)
        diagonal[i][lane] = origin[i * order + lane];
    for (int i = 0; i < Tile; ++i) {
        if (is_right)
            right[i][lane] = origin[i * order + distance + lane];
        else
            down[i][lane] = origin[(distance + i) * order + lane];
    }
    __syncthreads();

    if (is_right) {
        for (int i = 1; i < Tile; ++i) {
            for (int j = 0; j < i; ++j)
                right[i][lane] = fmaf(-diagonal[i][j], right[j][lane], right[i][lane]);
        }
    } else {
        for (int i = 0; i < Tile; ++i) {
            for (int j = 0; j < i; ++j)
                down[lane][i] = fmaf(-down[lane][j], diagonal[j][i], down[lane][i]);
            down[lane][i] /= diagonal[i][i];
        }
    }
    __syncthreads();

    for (int i = 0; i < Tile; ++i) {
        if (is_right)
            origin[i * order + distance + lane] = right[i][lane];
        else
            origin[(distance + i) * order + lane] = down[i][lane];
    }
}

// Takes the product of the tile below the diagonal and the one to its right off an inner tile.
extern "C" __global__ void lud_internal(float *m, int order, int offset)
{
    __shared__ float right[Tile][Tile];
    __shared__ float down[Tile][Tile];

    const int row = offset + (blockIdx.y + 1) * Tile;
    const int column = offset + (blockIdx.x + 1) * Tile;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;

    right[ty][tx] = m[(offset + ty) * order + column + tx];
    down[ty][tx] = m[(row + ty) * order + offset + tx];
    __syncthreads();
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < Tile; ++i)
        sum = fmaf(down[ty][i], right[i][tx], sum);
    m[(row + ty) * order + column + tx] -= sum;
}
