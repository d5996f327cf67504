// Global alignment of two sequences (Needleman and Wunsch). The matrix of scores is filled in tiles of
// 16 x 16 along anti-diagonals: tiles of one anti-diagonal are independent, and inside a tile so are
// its cells of one anti-diagonal.

constexpr int Tile = 16;

// Fills the tile at tile column bx and tile row by; the first row and column of the matrix are given.
__device__ void fill_tile(const int *similarity, int *score, int columns, int penalty, int bx, int by)
{
    __shared__ int cells[Tile + 1][Tile + 1];
    __shared__ int gain[Tile][Tile];

    const int tx = threadIdx.x;
    // Cell (0, 0) of the tile, and the corner up and left of it.
    const int origin = (by * Tile + 1) * columns + bx * Tile + 1;
    const int corner = origin - columns - 1;

    if (tx == 0)
        cells[0][0] = score[corner];
    for (int y = 0; y < Tile; ++y)
        gain[y][tx] = similarity[origin + y * columns + tx];
    cells[tx + 1][0] = score[corner + (tx + 1) * columns];
    cells[0][tx + 1] = score[corner + tx + 1];
    __syncthreads();

    for (int diagonal = 0; diagonal < 2 * Tile - 1; ++diagonal) {
        const int y = diagonal - tx;
        if (y >= 0 && y < Tile) {
            const int match = cells[y][tx] + gain[y][tx];
            const int left = cells[y + 1][tx] - penalty;
            const int up = cells[y][tx + 1] - penalty;
            cells[y + 1][tx + 1] = max(max(match, left), up);
        }
        __syncthreads();
    }
    for (int y = 0; y < Tile; ++y)
        score[origin + y * columns + tx] = cells[y + 1][tx + 1];
}

// Anti-diagonals that grow: `count` tiles, from the top right end of the diagonal on.
extern "C" __global__ void nw_upper(const int *similarity, int *score, int columns, int penalty,
                                    int count)
{
    const int bx = blockIdx.x;
    fill_tile(similarity, score, columns, penalty, bx, count - 1 - bx);
}

// Anti-diagonals that shrink, in a matrix of `tiles` tiles a side.
extern "C" __global__ void nw_lower(const int *similarity, int *score, int columns, int penalty,
                                    int count, int tiles)
{
    const int bx = blockIdx.x + tiles - count;
    const int by = tiles - 1 - blockIdx.x;
    fill_tile(similarity, score, columns, penalty, bx, by);
}
