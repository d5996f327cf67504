// C = A * B in tiles that a block stages through shared memory. Matrices are row-major; their sides
// are multiples of the tile. Every product is accumulated by one fused multiply-add, k ascending.

constexpr int Tile = 16;

extern "C" __global__ void matrixmul(float *c, const float *a, const float *b, int width_a,
                                     int width_b)
{
    __shared__ float tile_a[Tile][Tile];
    __shared__ float tile_b[Tile][Tile];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * Tile + ty;
    const int column = blockIdx.x * Tile + tx;

    float sum = 0.0f;
    for (int k0 = 0; k0 < width_a; k0 += Tile) {
        tile_a[ty][tx] = a[row * width_a + k0 + tx];
        tile_b[ty][tx] = b[(k0 + ty) * width_b + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < Tile; ++k)
            sum = fmaf(tile_a[ty][k], tile_b[k][tx], sum);
        __syncthreads();
    }
    c[row * width_b + column] = sum;
}
