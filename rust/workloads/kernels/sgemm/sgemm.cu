// C = alpha * A * B' + beta * C, column-major. A block of 16 x 8 threads makes 128 rows and 16 columns of
// C: a thread keeps one row of sixteen elements in registers, the block a tile of B in shared memory.

constexpr int TileN = 16;
constexpr int TileK = 8;
constexpr int TileM = TileN * TileK;

extern "C" __global__ void __launch_bounds__(TileM)
    sgemm(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int inner, float alpha,
          float beta)
{
    __shared__ float tile[TileK][TileN];

    const int row = blockIdx.x * TileM + threadIdx.y * TileN + threadIdx.x;
    const int column = blockIdx.y * TileN + threadIdx.x;
    float sums[TileN];
#pragma unroll
    for (int n = 0; n < TileN; ++n)
        sums[n] = 0.0f;

    for (int k0 = 0; k0 < inner; k0 += TileK) {
        tile[threadIdx.y][threadIdx.x] = b[column + (k0 + threadIdx.y) * ldb];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TileK; ++k) {
            const float left = a[row + (k0 + k) * lda];
#pragma unroll
            for (int n = 0; n < TileN; ++n)
                sums[n] = fmaf(left, tile[k][n], sums[n]);
        }
        __syncthreads();
    }
    const int first = blockIdx.y * TileN * ldc + row;
#pragma unroll
    for (int n = 0; n < TileN; ++n)
        c[first + n * ldc] = fmaf(alpha, sums[n], c[first + n * ldc] * beta);
}
