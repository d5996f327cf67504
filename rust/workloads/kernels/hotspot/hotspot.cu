// Thermal simulation of a chip: explicit steps of the heat equation on a grid of cells.
//
// A block loads a tile of 16 x 16 cells and advances it by several steps in shared memory before it
// writes back. Each step makes the valid part of the tile smaller by one ring (a pyramid), so the
// tiles of neighbouring blocks overlap. At the border of the chip a cell is its own neighbour.

constexpr int Tile = 16;

__device__ bool inside(int v, int low, int high)
{
    return v >= low && v <= high;
}

extern "C" __global__ void hotspot(int steps, const float *power, const float *source,
                                   float *destination, int columns, int rows, int border,
                                   float capacitance, float rx, float ry, float rz, float dt)
{
    __shared__ float now[Tile][Tile];
    __shared__ float heat[Tile][Tile];
    __shared__ float next[Tile][Tile];

    const float ambient = 80.0f;
    const float scale = dt / capacitance;
    const float gx = 1.0f / rx;
    const float gy = 1.0f / ry;
    const float gz = 1.0f / rz;

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;

    // A tile keeps Tile - 2 * border cells a side; its origin lies `border` cells outside of them.
    const int kept = Tile - 2 * border;
    const int y0 = kept * blockIdx.y - border;
    const int x0 = kept * blockIdx.x - border;
    const int y = y0 + ty;
    const int x = x0 + tx;
    const int index = columns * y + x;

    if (inside(y, 0, rows - 1) && inside(x, 0, columns - 1)) {
        now[ty][tx] = source[index];
        heat[ty][tx] = power[index];
    }
    __syncthreads();

    // The part of the tile that lies on the chip.
    const int y_first = y0 < 0 ? -y0 : 0;
    const int y_last = y0 + Tile - 1 > rows - 1 ? rows - 1 - y0 : Tile - 1;
    const int x_first = x0 < 0 ? -x0 : 0;
    const int x_last = x0 + Tile - 1 > columns - 1 ? columns - 1 - x0 : Tile - 1;

    const int north = max(ty - 1, y_first);
    const int south = min(ty + 1, y_last);
    const int west = max(tx - 1, x_first);
    const int east = min(tx + 1, x_last);

    bool valid = false;
    for (int i = 0; i < steps; ++i) {
        valid = false;
        if (inside(tx, i + 1, Tile - 2 - i) && inside(ty, i + 1, Tile - 2 - i)
            && inside(tx, x_first, x_last) && inside(ty, y_first, y_last)) {
            valid = true;
            const float t = now[ty][tx];
            const float vertical = fmaf(-2.0f, t, now[south][tx] + now[north][tx]);
            const float horizontal = fmaf(-2.0f, t, now[ty][east] + now[ty][west]);
            float flow = fmaf(vertical, gy, heat[ty][tx]);
            flow = fmaf(horizontal, gx, flow);
            flow = fmaf(ambient - t, gz, flow);
            next[ty][tx] = fmaf(scale, flow, t);
        }
        __syncthreads();
        if (i == steps - 1)
            break;
        if (valid)
            now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (valid)
        destination[index] = next[ty][tx];
}
