// One Jacobi step of Laplace's equation on a box. A block owns a column of 32 x 4 cells and goes up
// through the planes; it holds the planes below, at and above the present one in shared memory, each
// with a halo of one cell. A thread carries one cell of the column, and some also one of the halo.
// Cells at the faces of the box keep their values.

constexpr int BlockX = 32;
constexpr int BlockY = 4;
constexpr int Width = BlockX + 2;
constexpr int Plane = Width * (BlockY + 2);

extern "C" __global__ void laplace3d(int nx, int ny, int nz, const float *source, float *destination)
{
    __shared__ float cells[3 * Plane];

    const int x = blockIdx.x * BlockX + threadIdx.x;
    const int y = blockIdx.y * BlockY + threadIdx.y;
    const bool inside = x < nx && y < ny;
    const int own = Width * (threadIdx.y + 1) + threadIdx.x + 1;
    int at = x + y * nx;

    // The first threads of the block take the rows of the halo, the next ones its columns.
    const int rank = threadIdx.x + BlockX * threadIdx.y;
    int hx = -1;
    int hy = -1;
    if (rank < 2 * Width) {
        hx = rank % Width;
        hy = rank < Width ? 0 : BlockY + 1;
    } else if (rank < 2 * (Width + BlockY)) {
        hx = rank < 2 * Width + BlockY ? 0 : BlockX + 1;
        hy = (rank - 2 * Width) % BlockY + 1;
    }
    const int halo = Width * hy + hx;
    hx += blockIdx.x * BlockX - 1;
    hy += blockIdx.y * BlockY - 1;
    const bool in_halo = halo >= 0 && hx >= 0 && hx < nx && hy >= 0 && hy < ny;
    int halo_at = hx + hy * nx;

    if (inside)
        cells[own + 2 * Plane] = source[at];
    if (in_halo)
        cells[halo + 2 * Plane] = source[halo_at];

    for (int z = 0; z < nz; ++z) {
        const int next = nx * ny;
        __syncthreads();
        // Everybody moves his cells down one plane and brings the ones above.
        if (inside) {
            if (z > 0)
                cells[own] = cells[own + Plane];
            cells[own + Plane] = cells[own + 2 * Plane];
            if (z + 1 < nz)
                cells[own + 2 * Plane] = source[at + next];
        }
        if (in_halo) {
            cells[halo + Plane] = cells[halo + 2 * Plane];
            halo_at += next;
            if (z + 1 < nz)
                cells[halo + 2 * Plane] = source[halo_at];
        }
        __syncthreads();
        if (inside) {
            const float *here = cells + own + Plane;
            float value = here[0];
            if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
                const float across = here[-1] + here[1];
                const float along = here[-Width] + here[Width];
                const float up = here[-Plane] + here[Plane];
                value = ((across + along) + up) * (1.0f / 6.0f);
            }
            destination[at] = value;
        }
        at += next;
    }
}
