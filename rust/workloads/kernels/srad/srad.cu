// Speckle-reducing anisotropic diffusion, one step in two launches: the diffusion coefficient of every
// pixel from its gradients and the variation of the speckle, then the divergence of the flow. A block
// works on a tile of 16 x 16 pixels in shared memory; the rims of the neighbouring tiles come in
// arrays of their own. Rows and columns are multiples of the tile.

constexpr int Tile = 16;

// Writes the coefficients and the four differences of each pixel to its neighbours. A pixel at the
// border of the image is its own neighbour there.
extern "C" __global__ void __launch_bounds__(Tile *Tile)
    srad_coefficients(float *east_d, float *west_d, float *north_d, float *south_d, const float *image,
                      float *coefficients, int columns, float speckle)
{
    __shared__ float tile[Tile][Tile];
    __shared__ float result[Tile][Tile];
    __shared__ float north[Tile][Tile];
    __shared__ float south[Tile][Tile];
    __shared__ float east[Tile][Tile];
    __shared__ float west[Tile][Tile];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int corner = columns * Tile * blockIdx.y + Tile * blockIdx.x;
    const int at = corner + columns * ty + tx;

    const int above = blockIdx.y == 0 ? corner + tx : corner + tx - columns;
    const int below =
        blockIdx.y == gridDim.y - 1 ? corner + columns * (Tile - 1) + tx : corner + columns * Tile + tx;
    north[ty][tx] = image[above];
    south[ty][tx] = image[below];
    __syncthreads();

    const int row = corner + columns * ty;
    west[ty][tx] = image[blockIdx.x == 0 ? row : row - 1];
    east[ty][tx] = image[blockIdx.x == gridDim.x - 1 ? row + Tile - 1 : row + Tile];
    __syncthreads();

    tile[ty][tx] = image[at];
    __syncthreads();

    const float centre = tile[ty][tx];
    float n, s, w, e;
    if (ty == 0) {
        n = north[ty][tx] - centre;
        s = tile[ty + 1][tx] - centre;
    } else if (ty == Tile - 1) {
        n = tile[ty - 1][tx] - centre;
        s = south[ty][tx] - centre;
    } else {
        n = tile[ty - 1][tx] - centre;
        s = tile[ty + 1][tx] - centre;
    }
    if (tx == 0) {
        w = west[ty][tx] - centre;
        e = tile[ty][tx + 1] - centre;
    } else if (tx == Tile - 1) {
        w = tile[ty][tx - 1] - centre;
        e = east[ty][tx] - centre;
    } else {
        w = tile[ty][tx - 1] - centre;
        e = tile[ty][tx + 1] - centre;
    }

    // Constants are doubles, as in the suite, and so is what they are multiplied with.
    const float gradient = (n * n + s * s + w * w + e * e) / (centre * centre);
    const float laplacian = (n + s + w + e) / centre;
    const float numerator = 0.5 * gradient - (1.0 / 16.0) * (laplacian * laplacian);
    const float root = 1.0 + 0.25 * laplacian;
    const float variation = numerator / (root * root);
    const float excess = (variation - speckle) / (speckle * (1.0f + speckle));
    const float c = 1.0 / (1.0 + excess);
    if (c < 0.0f)
        result[ty][tx] = 0.0f;
    else if (c > 1.0f)
        result[ty][tx] = 1.0f;
    else
        result[ty][tx] = c;
    __syncthreads();

    coefficients[at] = result[ty][tx];
    east_d[at] = e;
    west_d[at] = w;
    south_d[at] = s;
    north_d[at] = n;
}

// Adds the divergence of the flow to the image.
extern "C" __global__ void __launch_bounds__(Tile *Tile)
    srad_update(const float *east_d, const float *west_d, const float *north_d, const float *south_d,
                float *image, const float *coefficients, int columns, float lambda)
{
    __shared__ float south[Tile][Tile];
    __shared__ float east[Tile][Tile];
    __shared__ float tile[Tile][Tile];
    __shared__ float result[Tile][Tile];
    __shared__ float pixels[Tile][Tile];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int corner = columns * Tile * blockIdx.y + Tile * blockIdx.x;
    const int at = corner + columns * ty + tx;

    pixels[ty][tx] = image[at];
    __syncthreads();
    const int below =
        blockIdx.y == gridDim.y - 1 ? corner + columns * (Tile - 1) + tx : corner + columns * Tile + tx;
    south[ty][tx] = coefficients[below];
    __syncthreads();
    const int row = corner + columns * ty;
    east[ty][tx] = coefficients[blockIdx.x == gridDim.x - 1 ? row + Tile - 1 : row + Tile];
    __syncthreads();
    tile[ty][tx] = coefficients[at];
    __syncthreads();

    const float c = tile[ty][tx];
    float c_south, c_east;
    if (ty == Tile - 1)
        c_south = south[ty][tx];
    else
        c_south = tile[ty + 1][tx];
    if (tx == Tile - 1)
        c_east = east[ty][tx];
    else
        c_east = tile[ty][tx + 1];

    const float divergence = c * north_d[at] + c_south * south_d[at] + c * west_d[at] + c_east * east_d[at];
    result[ty][tx] = pixels[ty][tx] + 0.25 * lambda * divergence;
    __syncthreads();
    image[at] = result[ty][tx];
}
