// The cheapest path from the first row of a grid to every cell of the last, stepping down, down left or
// down right. A block holds a stretch of a row in shared memory and goes down several rows; with each
// row it loses one cell at either end, so the stretches of neighbouring blocks overlap.

constexpr int Block = 256;

extern "C" __global__ void pathfinder(int steps, const int *wall, const int *source, int *destination,
                                      int columns, int first_row, int border)
{
    __shared__ int now[Block];
    __shared__ int next[Block];

    const int tx = threadIdx.x;
    const int kept = Block - 2 * border;
    const int x0 = kept * blockIdx.x - border;
    const int x = x0 + tx;

    // The part of the stretch that lies on the grid.
    const int first = x0 < 0 ? -x0 : 0;
    const int last = x0 + Block - 1 > columns - 1 ? columns - 1 - x0 : Block - 1;
    const int west = max(tx - 1, first);
    const int east = min(tx + 1, last);
    const bool on_grid = tx >= first && tx <= last;

    if (x >= 0 && x < columns)
        now[tx] = source[x];
    __syncthreads();

    bool valid = false;
    for (int i = 0; i < steps; ++i) {
        valid = false;
        if (on_grid && tx >= i + 1 && tx <= Block - 2 - i) {
            valid = true;
            const int cheapest = min(min(now[west], now[tx]), now[east]);
            next[tx] = cheapest + wall[columns * (first_row + i) + x];
        }
        __syncthreads();
        if (i == steps - 1)
            break;
        if (valid)
            now[tx] = next[tx];
        __syncthreads();
    }
    if (valid)
        destination[x] = next[tx];
}
