// Gridding for magnetic resonance imaging: samples at any places of the frequency space are spread over
// a regular grid with a Kaiser-Bessel window. Samples are put into the bins of their cells, sorted by
// bin (radix sort by four bits a pass) and laid out in that order; then every cell gathers from the bins
// around it, so no two threads add to one cell.

struct Sample {
    float re, im;
    float x, y, z; // in cells
    float weight;
};

// The grid and the window.
struct Grid {
    int size_x, size_y, size_z;
    float cutoff;
    float cutoff2;
    float over_cutoff2; // 1 / cutoff2
    float beta;
};
__constant__ Grid grid;

constexpr unsigned Digits = 16;
constexpr unsigned DigitBits = 4;
constexpr unsigned SortThreads = 256;
constexpr unsigned ScanThreads = 512;
// Elements of a block of the sort and of the scan.
constexpr unsigned Tile = 1024;

// A place for index i such that strides of powers of two do not meet in one bank.
__device__ unsigned spread(unsigned i)
{
    return i + (i >> 4);
}

// Bin of each sample, and how many samples a bin has. Those that find their bin full go into one bin
// after the last, which is left to the host.
extern "C" __global__ void mri_gridding_bin(int samples, const Sample *sample, unsigned *keys, unsigned *values,
                                            unsigned *counts, unsigned room, unsigned bins)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= samples)
        return;
    const Sample s = sample[i];
    unsigned bin = ((int)s.z * grid.size_y + (int)s.y) * grid.size_x + (int)s.x;
    if (atomicAdd(counts + bin, 1) >= room) {
        atomicSub(counts + bin, 1);
        bin = bins;
    }
    keys[i] = bin;
    values[i] = i;
}

// Exclusive sums of the 256 numbers in `words`; the place after the last gets the sum of all.
__device__ void sums_of_threads(unsigned *words)
{
    const unsigned tid = threadIdx.x;
    unsigned stride = 1;
#pragma unroll 1
    for (unsigned active = SortThreads / 2; active > 0; active >>= 1, stride <<= 1) {
        __syncthreads();
        if (tid < active)
            words[spread(2 * stride * (tid + 1) - 1)] += words[spread(stride * (2 * tid + 1) - 1)];
    }
    if (tid == 0) {
        words[spread(SortThreads)] = words[spread(SortThreads - 1)];
        words[spread(SortThreads - 1)] = 0;
    }
#pragma unroll 1
    for (unsigned active = 1; active < SortThreads; active <<= 1) {
        stride >>= 1;
        __syncthreads();
        if (tid < active) {
            const unsigned left = spread(stride * (2 * tid + 1) - 1);
            const unsigned right = spread(2 * stride * (tid + 1) - 1);
            const unsigned sum = words[left];
            words[left] = words[right];
            words[right] += sum;
        }
    }
    __syncthreads();
}

// Brings four elements of each thread to the places `to` of the block and takes those at its own.
__device__ uint4 exchange(unsigned *words, uint4 value, const unsigned *to)
{
    const unsigned own = 4 * threadIdx.x;
    words[spread(to[0])] = value.x;
    words[spread(to[1])] = value.y;
    words[spread(to[2])] = value.z;
    words[spread(to[3])] = value.w;
    __syncthreads();
    value = make_uint4(words[spread(own)], words[spread(own + 1)], words[spread(own + 2)], words[spread(own + 3)]);
    __syncthreads();
    return value;
}

// Sorts each tile by one digit of the key, bit by bit, and counts its digits: digit-major, tiles within.
extern "C" __global__ void __launch_bounds__(SortThreads)
    mri_gridding_split(unsigned elements, unsigned shift, unsigned *keys, unsigned *values, unsigned *counts)
{
    __shared__ unsigned words[Tile + Tile / 16];
    __shared__ unsigned digits[Digits];

    const unsigned tid = threadIdx.x;
    const unsigned at = blockIdx.x * Tile + 4 * tid;
    if (tid < Digits)
        digits[tid] = 0;

    // What lies behind the end has the largest key and stays there.
    uint4 key = make_uint4(~0u, ~0u, ~0u, ~0u);
    uint4 value = make_uint4(0, 0, 0, 0);
    if (at + 3 < elements) {
        key = *(const uint4 *)(keys + at);
        value = *(const uint4 *)(values + at);
    } else {
        if (at < elements) {
            key.x = keys[at];
            value.x = values[at];
        }
        if (at + 1 < elements) {
            key.y = keys[at + 1];
            value.y = values[at + 1];
        }
        if (at + 2 < elements) {
            key.z = keys[at + 2];
            value.z = values[at + 2];
        }
    }

#pragma unroll 1
    for (unsigned bit = shift; bit < shift + DigitBits; ++bit) {
        // Zeros come first: a zero goes behind the zeros before it, a one behind all zeros and the ones before it.
        const unsigned zero0 = ~key.x >> bit & 1;
        const unsigned zero1 = ~key.y >> bit & 1;
        const unsigned zero2 = ~key.z >> bit & 1;
        const unsigned zero3 = ~key.w >> bit & 1;
        words[spread(tid)] = zero0 + zero1 + zero2 + zero3;
        sums_of_threads(words);
        const unsigned zeros = words[spread(SortThreads)];
        unsigned before = words[spread(tid)];
        unsigned to[4];
        to[0] = zero0 ? before : zeros + 4 * tid - before;
        before += zero0;
        to[1] = zero1 ? before : zeros + 4 * tid + 1 - before;
        before += zero1;
        to[2] = zero2 ? before : zeros + 4 * tid + 2 - before;
        before += zero2;
        to[3] = zero3 ? before : zeros + 4 * tid + 3 - before;
        __syncthreads();
        key = exchange(words, key, to);
        value = exchange(words, value, to);
    }

    const unsigned mask = Digits - 1;
    if (at + 3 < elements) {
        *(uint4 *)(keys + at) = key;
        *(uint4 *)(values + at) = value;
        atomicAdd(digits + (key.x >> shift & mask), 1);
        atomicAdd(digits + (key.y >> shift & mask), 1);
        atomicAdd(digits + (key.z >> shift & mask), 1);
        atomicAdd(digits + (key.w >> shift & mask), 1);
    } else {
        if (at < elements) {
            keys[at] = key.x;
            values[at] = value.x;
            atomicAdd(digits + (key.x >> shift & mask), 1);
        }
        if (at + 1 < elements) {
            keys[at + 1] = key.y;
            values[at + 1] = value.y;
            atomicAdd(digits + (key.y >> shift & mask), 1);
        }
        if (at + 2 < elements) {
            keys[at + 2] = key.z;
            values[at + 2] = value.z;
            atomicAdd(digits + (key.z >> shift & mask), 1);
        }
    }
    __syncthreads();
    if (tid < Digits)
        counts[tid * gridDim.x + blockIdx.x] = digits[tid];
}

// Moves the elements of each tile to where the sums of the counts say that their digit begins.
extern "C" __global__ void __launch_bounds__(SortThreads)
    mri_gridding_rearrange(unsigned elements, unsigned shift, const unsigned *keys_in, unsigned *keys_out,
                           const unsigned *values_in, unsigned *values_out, const unsigned *begins)
{
    __shared__ unsigned digit[Tile];
    __shared__ unsigned begin[Digits];

    const unsigned tid = threadIdx.x;
    const unsigned own = 4 * tid;
    const unsigned at = blockIdx.x * Tile + own;
    uint4 key = make_uint4(~0u, ~0u, ~0u, ~0u);
    uint4 value = make_uint4(0, 0, 0, 0);
    if (at + 3 < elements) {
        key = *(const uint4 *)(keys_in + at);
        value = *(const uint4 *)(values_in + at);
    } else {
        if (at < elements) {
            key.x = keys_in[at];
            value.x = values_in[at];
        }
        if (at + 1 < elements) {
            key.y = keys_in[at + 1];
            value.y = values_in[at + 1];
        }
        if (at + 2 < elements) {
            key.z = keys_in[at + 2];
            value.z = values_in[at + 2];
        }
    }
    const unsigned mask = Digits - 1;
    const uint4 mine = make_uint4(key.x >> shift & mask, key.y >> shift & mask, key.z >> shift & mask, key.w >> shift & mask);
    *(uint4 *)(digit + own) = mine;
    if (tid < Digits)
        begin[tid] = begins[tid * gridDim.x + blockIdx.x];
    __syncthreads();
    // The first of a digit in the tile says how far the tile's places are from the output's.
    const unsigned last = tid == 0 ? ~0u : digit[own - 1];
    if (mine.x != last)
        begin[mine.x] -= own;
    if (mine.y != mine.x)
        begin[mine.y] -= own + 1;
    if (mine.z != mine.y)
        begin[mine.z] -= own + 2;
    if (mine.w != mine.z)
        begin[mine.w] -= own + 3;
    __syncthreads();
    if (at < elements) {
        const unsigned to = begin[mine.x] + own;
        keys_out[to] = key.x;
        values_out[to] = value.x;
    }
    if (at + 1 < elements) {
        const unsigned to = begin[mine.y] + own + 1;
        keys_out[to] = key.y;
        values_out[to] = value.y;
    }
    if (at + 2 < elements) {
        const unsigned to = begin[mine.z] + own + 2;
        keys_out[to] = key.z;
        values_out[to] = value.z;
    }
    if (at + 3 < elements) {
        const unsigned to = begin[mine.w] + own + 3;
        keys_out[to] = key.w;
        values_out[to] = value.w;
    }
}

// Exclusive sums within tiles, and the sum of each tile.
extern "C" __global__ void __launch_bounds__(ScanThreads)
    mri_gridding_scan(unsigned elements, unsigned *data, unsigned *tiles)
{
    __shared__ unsigned words[Tile + Tile / 16 + 4];

    const unsigned tid = threadIdx.x;
    const unsigned first = blockIdx.x * Tile + tid;
    const unsigned second = first + ScanThreads;
    words[spread(tid)] = first < elements ? data[first] : 0;
    words[spread(tid + ScanThreads)] = second < elements ? data[second] : 0;
    unsigned stride = 1;
#pragma unroll 1
    for (unsigned active = ScanThreads; active > 0; active >>= 1, stride <<= 1) {
        __syncthreads();
        if (tid < active)
            words[spread(2 * stride * (tid + 1) - 1)] += words[spread(stride * (2 * tid + 1) - 1)];
    }
    if (tid == 0) {
        tiles[blockIdx.x] = words[spread(Tile - 1)];
        words[spread(Tile - 1)] = 0;
    }
#pragma unroll 1
    for (unsigned active = 1; active <= ScanThreads; active <<= 1) {
        stride >>= 1;
        __syncthreads();
        if (tid < active) {
            const unsigned left = spread(stride * (2 * tid + 1) - 1);
            const unsigned right = spread(2 * stride * (tid + 1) - 1);
            const unsigned sum = words[left];
            words[left] = words[right];
            words[right] += sum;
        }
    }
    __syncthreads();
    if (first < elements)
        data[first] = words[spread(tid)];
    if (second < elements)
        data[second] = words[spread(tid + ScanThreads)];
}

// The sums of tiles are summed in a tree: up, every `distance`-th element twice as many as threads to a
// block; then down again. Their number is a power of two.
extern "C" __global__ void mri_gridding_scan_up(unsigned *data, unsigned distance)
{
    extern __shared__ unsigned words[];

    const unsigned tid = threadIdx.x;
    const unsigned count = 2 * blockDim.x;
    const unsigned first = (blockIdx.x * count + 2 * tid + 1) * distance - 1;
    words[spread(2 * tid)] = data[first];
    words[spread(2 * tid + 1)] = data[first + distance];
    unsigned stride = 1;
    for (unsigned active = blockDim.x; active > 0; active >>= 1, stride <<= 1) {
        __syncthreads();
        if (tid < active)
            words[spread(2 * stride * (tid + 1) - 1)] += words[spread(stride * (2 * tid + 1) - 1)];
    }
    __syncthreads();
    data[first] = words[spread(2 * tid)];
    data[first + distance] = words[spread(2 * tid + 1)];
}

extern "C" __global__ void mri_gridding_scan_down(unsigned *data, unsigned distance, int top)
{
    extern __shared__ unsigned words[];

    const unsigned tid = threadIdx.x;
    const unsigned count = 2 * blockDim.x;
    const unsigned first = (blockIdx.x * count + 2 * tid + 1) * distance - 1;
    words[spread(2 * tid)] = data[first];
    words[spread(2 * tid + 1)] = data[first + distance];
    if (top && tid == blockDim.x - 1)
        words[spread(count - 1)] = 0;
    unsigned stride = count;
    for (unsigned active = 1; active < count; active <<= 1) {
        stride >>= 1;
        __syncthreads();
        if (tid < active) {
            const unsigned left = spread(stride * (2 * tid + 1) - 1);
            const unsigned right = spread(2 * stride * (tid + 1) - 1);
            const unsigned sum = words[left];
            words[left] = words[right];
            words[right] += sum;
        }
    }
    __syncthreads();
    data[first] = words[spread(2 * tid)];
    data[first + distance] = words[spread(2 * tid + 1)];
}

// Adds to each tile the sum of those before it.
extern "C" __global__ void __launch_bounds__(ScanThreads)
    mri_gridding_scan_add(unsigned elements, unsigned *data, const unsigned *tiles)
{
    __shared__ unsigned before;

    if (threadIdx.x == 0)
        before = tiles[blockIdx.x];
    __syncthreads();
    const unsigned first = blockIdx.x * Tile + threadIdx.x;
    if (first < elements)
        data[first] += before;
    if (first + ScanThreads < elements)
        data[first + ScanThreads] += before;
}

// The samples in the order of their bins, values apart from places.
extern "C" __global__ void mri_gridding_reorder(int samples, const unsigned *order, const Sample *sample,
                                                float2 *data, float4 *places)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= samples)
        return;
    const Sample s = sample[order[i]];
    data[i] = make_float2(s.re, s.im);
    places[i] = make_float4(s.x, s.y, s.z, s.weight);
}

// Modified Bessel function of the first kind, order 0: the rational function of the square of its argument
// that meets it at 18 Chebyshev nodes between 0 and 400; 4e-8 off at most.
__device__ float bessel(float v)
{
    const float z = v * v;
    float numerator = 4.6210693e-32f;
    numerator = fmaf(numerator, z, 3.2002263e-29f);
    numerator = fmaf(numerator, z, 5.260701e-26f);
    numerator = fmaf(numerator, z, 3.718276e-23f);
    numerator = fmaf(numerator, z, 2.5621722e-20f);
    numerator = fmaf(numerator, z, 1.2706118e-17f);
    numerator = fmaf(numerator, z, 5.0414787e-15f);
    numerator = fmaf(numerator, z, 1.5120798e-12f);
    numerator = fmaf(numerator, z, 3.3830022e-10f);
    numerator = fmaf(numerator, z, 5.41628e-8f);
    numerator = fmaf(numerator, z, 5.8888363e-6f);
    numerator = fmaf(numerator, z, 0.0004013815f);
    numerator = fmaf(numerator, z, 0.015097873f);
    numerator = fmaf(numerator, z, 0.24788494f);
    numerator = fmaf(numerator, z, 1.0f);
    float denominator = -4.406001e-10f;
    denominator = fmaf(denominator, z, 1.6098243e-6f);
    denominator = fmaf(denominator, z, -0.0021150012f);
    denominator = fmaf(denominator, z, 1.0f);
    return numerator / denominator;
}

constexpr int GridX = 8;
constexpr int GridY = 4;
constexpr int GridZ = 2;
constexpr int GridThreads = GridX * GridY * GridZ;
// Cells of a thread, along z.
constexpr int Cells = 4;

// A block fills 8 x 4 x 8 cells. The bins of a row lie one after the other, so it takes the samples near it
// row by row, 64 at a time.
extern "C" __global__ void __launch_bounds__(GridThreads)
    mri_gridding(const float2 *data, const float4 *places, const unsigned *starts, float2 *values, float *density)
{
    __shared__ float2 near_data[GridThreads];
    __shared__ float4 near_places[GridThreads];

    const int tid = (threadIdx.z * GridY + threadIdx.y) * GridX + threadIdx.x;
    const int rows = grid.size_y / GridY;
    const int x0 = blockIdx.x * GridX;
    const int y0 = blockIdx.y % rows * GridY;
    const int z0 = blockIdx.y / rows * (GridZ * Cells);
    const int x = x0 + threadIdx.x;
    const int y = y0 + threadIdx.y;
    const int z = z0 + threadIdx.z;

    // A sample lies up to a cell behind the begin of its bin.
    const int below = (int)ceilf(grid.cutoff);
    const int above = (int)floorf(grid.cutoff);
    const int x_first = max(x0 - below, 0);
    const int x_last = min(x0 + GridX - 1 + above, grid.size_x - 1);
    const int y_first = max(y0 - below, 0);
    const int y_last = min(y0 + GridY - 1 + above, grid.size_y - 1);
    const int z_first = max(z0 - below, 0);
    const int z_last = min(z0 + GridZ * Cells - 1 + above, grid.size_z - 1);

    float re[Cells] = {};
    float im[Cells] = {};
    float sum[Cells] = {};
    for (int bin_z = z_first; bin_z <= z_last; ++bin_z) {
        for (int bin_y = y_first; bin_y <= y_last; ++bin_y) {
            const int row = (bin_z * grid.size_y + bin_y) * grid.size_x;
            const int end = starts[row + x_last + 1];
            for (int first = starts[row + x_first]; first < end; first += GridThreads) {
                const int count = min(GridThreads, end - first);
                __syncthreads();
                if (tid < count) {
                    near_data[tid] = data[first + tid];
                    near_places[tid] = places[first + tid];
                }
                __syncthreads();
#pragma unroll 1
                for (int i = 0; i < count; ++i) {
                    const float2 value = near_data[i];
                    const float4 place = near_places[i];
                    if ((value.x == 0.0f && value.y == 0.0f) || place.w == 0.0f)
                        continue;
                    const float dx = place.x - (float)x;
                    const float dy = place.y - (float)y;
                    const float plane = fmaf(dy, dy, dx * dx);
#pragma unroll
                    for (int c = 0; c < Cells; ++c) {
                        const float dz = place.z - (float)(z + c * GridZ);
                        const float square = fmaf(dz, dz, plane);
                        if (square < grid.cutoff2) {
                            const float inside = fmaf(-square, grid.over_cutoff2, 1.0f);
                            const float share = bessel(grid.beta * sqrtf(inside)) * place.w;
                            re[c] = fmaf(share, value.x, re[c]);
                            im[c] = fmaf(share, value.y, im[c]);
                            sum[c] += share;
                        }
                    }
                }
            }
        }
    }
#pragma unroll
    for (int c = 0; c < Cells; ++c) {
        const int cell = ((z + c * GridZ) * grid.size_y + y) * grid.size_x + x;
        values[cell] = make_float2(re[c], im[c]);
        density[cell] = sum[c];
    }
}
