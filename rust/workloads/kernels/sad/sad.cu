// Sums of absolute differences for motion estimation: every block of 4 x 4 pixels of a frame is held
// against the 33 x 33 places around it in the reference frame; the sums of the larger shapes of a
// macroblock, up to 16 x 16, are added up from those of the smaller ones.
//
// The sums of a block are a plane of `Plane` numbers of 16 bits, one a place. The planes of a shape lie
// together, macroblock after macroblock: 16x16, 16x8, 8x16, 8x8, 8x4, 4x8, 4x4 (width x height).

constexpr int Range = 16;
constexpr int Side = 2 * Range + 1;
constexpr int Places = Side * Side;
constexpr int Plane = 1096;
constexpr int Pairs = Plane / 2;

constexpr int Threads = 61;
constexpr int PerThread = 18;
// Places that a thread compares at once; a line of places is a multiple of it.
constexpr int AtOnce = 3;

// Planes of a macroblock before those of a shape.
constexpr int Before16x8 = 1;
constexpr int Before8x16 = 3;
constexpr int Before8x8 = 5;
constexpr int Before8x4 = 9;
constexpr int Before4x8 = 17;
constexpr int Before4x4 = 25;

// A block a 4 x 4 block. The reference frame is continued by `Range` pixels on each side.
extern "C" __global__ void __launch_bounds__(Threads)
    sad_4x4(unsigned short *sums, const unsigned short *frame, const unsigned short *__restrict__ reference,
            int macroblocks_x, int macroblocks_y)
{
    __shared__ unsigned short own[16];

    const int width = 16 * macroblocks_x;
    const int x = 4 * blockIdx.x;
    const int y = 4 * blockIdx.y;
    const int tid = threadIdx.x;
    if (tid < 16)
        own[tid] = frame[(y + tid / 4) * width + x + tid % 4];
    __syncthreads();

    const int macroblock = (blockIdx.y >> 2) * macroblocks_x + (blockIdx.x >> 2);
    const int part = (blockIdx.y & 3) * 4 + (blockIdx.x & 3);
    unsigned short *plane =
        sums + (Before4x4 * macroblocks_x * macroblocks_y + 16 * macroblock + part) * Plane;
    const int pitch = width + 2 * Range;
    const unsigned short *corner = reference + y * pitch + x;
    const int first = tid * PerThread;
    const int end = min(first + PerThread, Places);
    for (int place = first; place < end; place += AtOnce) {
        const unsigned short *at = corner + place / Side * pitch + place % Side;
        int pixel[4][AtOnce + 3];
#pragma unroll
        for (int row = 0; row < 4; ++row) {
#pragma unroll
            for (int column = 0; column < AtOnce + 3; ++column)
                pixel[row][column] = at[row * pitch + column];
        }
        int sum[AtOnce] = {};
#pragma unroll
        for (int row = 0; row < 4; ++row) {
#pragma unroll
            for (int column = 0; column < 4; ++column) {
                const int value = own[4 * row + column];
#pragma unroll
                for (int i = 0; i < AtOnce; ++i)
                    sum[i] += abs(pixel[row][column + i] - value);
            }
        }
#pragma unroll
        for (int i = 0; i < AtOnce; ++i)
            plane[place + i] = sum[i];
    }
}

// A block a macroblock, a warp one of its 8 x 8 blocks. A word holds the sums of two places: no half
// ever overflows into the other.
extern "C" __global__ void __launch_bounds__(128) sad_8x8(unsigned *sums, int macroblocks_x, int macroblocks_y)
{
    const int all = macroblocks_x * macroblocks_y;
    const int macroblock = blockIdx.y * macroblocks_x + blockIdx.x;
    const int row = threadIdx.y >> 1;
    const int column = threadIdx.y & 1;
    const unsigned *in = sums + (Before4x4 * all + 16 * macroblock + 8 * row + 2 * column) * Pairs;
    unsigned *out8x4 = sums + (Before8x4 * all + 8 * macroblock + 4 * row + column) * Pairs;
    unsigned *out4x8 = sums + (Before4x8 * all + 8 * macroblock + 4 * row + 2 * column) * Pairs;
    unsigned *out8x8 = sums + (Before8x8 * all + 4 * macroblock + 2 * row + column) * Pairs;
    for (int at = threadIdx.x; at < (Places + 1) / 2; at += 32) {
        const unsigned upper_left = in[at];
        const unsigned upper_right = in[at + Pairs];
        const unsigned lower_left = in[at + 4 * Pairs];
        const unsigned lower_right = in[at + 5 * Pairs];
        const unsigned upper = upper_left + upper_right;
        const unsigned lower = lower_left + lower_right;
        out8x4[at] = upper;
        out8x4[at + 2 * Pairs] = lower;
        out4x8[at] = upper_left + lower_left;
        out4x8[at + Pairs] = upper_right + lower_right;
        out8x8[at] = upper + lower;
    }
}

// A block a macroblock.
extern "C" __global__ void __launch_bounds__(32) sad_16x16(unsigned *sums, int macroblocks_x, int macroblocks_y)
{
    const int all = macroblocks_x * macroblocks_y;
    const int macroblock = blockIdx.y * macroblocks_x + blockIdx.x;
    const unsigned *in = sums + (Before8x8 * all + 4 * macroblock) * Pairs;
    unsigned *out16x8 = sums + (Before16x8 * all + 2 * macroblock) * Pairs;
    unsigned *out8x16 = sums + (Before8x16 * all + 2 * macroblock) * Pairs;
    unsigned *out16x16 = sums + macroblock * Pairs;
    for (int at = threadIdx.x; at < (Places + 1) / 2; at += 32) {
        const unsigned upper_left = in[at];
        const unsigned upper_right = in[at + Pairs];
        const unsigned lower_left = in[at + 2 * Pairs];
        const unsigned lower_right = in[at + 3 * Pairs];
        const unsigned upper = upper_left + upper_right;
        const unsigned lower = lower_left + lower_right;
        out16x8[at] = upper;
        out16x8[at + Pairs] = lower;
        out8x16[at] = upper_left + lower_left;
        out8x16[at + Pairs] = upper_right + lower_right;
        out16x16[at] = upper + lower;
    }
}
