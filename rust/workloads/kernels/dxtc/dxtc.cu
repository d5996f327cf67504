// DXT1 compression of an image, one block of 64 threads for 4 x 4 pixels. The pixels are sorted along the
// principal axis of their colours. A code word of two bits a pixel that can be best gives sorted pixels
// codes in runs; the host lists all of these. Each thread takes a share of the list: it fits the two end
// colours to the code words by least squares, rounds them to 5, 6 and 5 bits and takes the error. A tree in shared
// memory finds the best of all.

constexpr int Threads = 64;
constexpr int Pixels = 16;
// The first of the list use three colours at most: `a`, `b` and one between.
constexpr int Threes = 150;
constexpr int Fours = 965;
// Of the list, so many lie in shared memory for the second pass.
constexpr int Cached = 160;
constexpr int Moments = 6;
constexpr int Iterations = 8;
constexpr unsigned Half = (1u << Pixels) - 1;

// Of each code: the share of end colour `a`, in thirds and in halves.
__constant__ float share4[4] = {3.0f, 0.0f, 2.0f, 1.0f};
__constant__ float share3[4] = {2.0f, 0.0f, 1.0f, 0.0f};
// Of each code: squares of the shares of `a` and `b` and their product, a byte each from the top.
__constant__ unsigned products4[4] = {0x090000, 0x000900, 0x040102, 0x010402};
__constant__ unsigned products3[4] = {0x040000, 0x000400, 0x010101, 0};

struct Color {
    float r, g, b;
};

__device__ Color operator+(Color x, Color y)
{
    return {x.r + y.r, x.g + y.g, x.b + y.b};
}

__device__ Color operator-(Color x, Color y)
{
    return {x.r - y.r, x.g - y.g, x.b - y.b};
}

__device__ Color operator*(Color x, float y)
{
    return {x.r * y, x.g * y, x.b * y};
}

__device__ Color add_scaled(Color sum, Color x, float y)
{
    return {fmaf(x.r, y, sum.r), fmaf(x.g, y, sum.g), fmaf(x.b, y, sum.b)};
}

__device__ float dot(Color x, Color y)
{
    return fmaf(x.b, y.b, fmaf(x.g, y.g, x.r * y.r));
}

// The packed 5, 6 and 5 bits; `color` becomes what they stand for.
__device__ unsigned quantize(Color &color)
{
    const float r = rintf(__saturatef(color.r) * 31.0f);
    const float g = rintf(__saturatef(color.g) * 63.0f);
    const float b = rintf(__saturatef(color.b) * 31.0f);
    color = {r * (1.0f / 31.0f), g * (1.0f / 63.0f), b * (1.0f / 31.0f)};
    return (unsigned)r << 11 | (unsigned)g << 5 | (unsigned)b;
}

struct Fit {
    float error;
    unsigned a, b;
    unsigned codes;
    // Place in the order in which candidates are tried; the first of equals is taken.
    int number;
};

// Error of the code words `codes` with the best end colours, up to what all code words share. Codes divide the way
// between the ends into `Steps`.
template <int Steps>
__device__ float fit(const Color *colors, Color sum, unsigned codes, unsigned &a_bits, unsigned &b_bits)
{
    const float *share = Steps == 3 ? share4 : share3;
    const unsigned *products = Steps == 3 ? products4 : products3;
    Color ax = {0.0f, 0.0f, 0.0f};
    unsigned packed = 0;
#pragma unroll
    for (int i = 0; i < Pixels; ++i) {
        const unsigned code = codes >> 2 * i & 3;
        ax = add_scaled(ax, colors[i], share[code]);
        packed += products[code];
    }
    const float aa = packed >> 16;
    const float bb = packed >> 8 & 0xff;
    const float ab = packed & 0xff;
    const Color bx = sum * (float)Steps - ax;
    const float scale = Steps / (aa * bb - ab * ab);
    Color a = (ax * bb - bx * ab) * scale;
    Color b = (bx * aa - ax * ab) * scale;
    a_bits = quantize(a);
    b_bits = quantize(b);
    const float squares = fmaf(dot(b, b), bb, dot(a, a) * aa);
    const float mixed = dot(a, b) * ab - Steps * (dot(a, ax) + dot(b, bx));
    return fmaf(2.0f, mixed, squares) * (1.0f / (Steps * Steps));
}

__device__ void swap(unsigned &x, unsigned &y)
{
    const unsigned old = x;
    x = y;
    y = old;
}

// The best of this thread's share of the list: first with four colours, then with three.
__device__ Fit best_fit(const unsigned *list, const Color *colors, Color sum, unsigned *cached)
{
    const int tid = threadIdx.x;
    Fit best = {3.4e38f, 0, 0, 0, 0};
    unsigned a, b;
    for (int i = tid; i < Fours; i += Threads) {
        const unsigned codes = list[i];
        if (i < Cached)
            cached[i] = codes;
        const float error = fit<3>(colors, sum, codes, a, b);
        if (error < best.error)
            best = {error, a, b, codes, i};
    }
    // The order of the ends says how many colours there are: a > b means four.
    if (best.a < best.b) {
        swap(best.a, best.b);
        best.codes ^= 0x55555555;
    }
    for (int i = tid; i < Threes; i += Threads) {
        const unsigned codes = cached[i];
        const float error = fit<2>(colors, sum, codes, a, b);
        if (error < best.error) {
            best = {error, a, b, codes, Fours + i};
            if (a > b) {
                swap(best.a, best.b);
                // Codes 0 and 1 change places.
                best.codes ^= ~codes >> 1 & 0x55555555;
            }
        }
    }
    return best;
}

// The number of the best candidate of all.
__device__ int first_of_best(float *errors, int *numbers)
{
    const int tid = threadIdx.x;
    for (int offset = Threads / 2; offset > 0; offset >>= 1) {
        if (tid < offset) {
            const float error = errors[tid + offset];
            const int number = numbers[tid + offset];
            if (error < errors[tid] || (error == errors[tid] && number < numbers[tid])) {
                errors[tid] = error;
                numbers[tid] = number;
            }
        }
        __syncthreads();
    }
    return numbers[0];
}

// Sum over the threads of half a warp; each gets it.
__device__ Color total(Color *sums, Color own)
{
    const int tid = threadIdx.x;
    for (int mask = Pixels / 2; mask > 0; mask >>= 1) {
        sums[tid] = own;
        __syncwarp(Half);
        own = own + sums[tid ^ mask];
        __syncwarp(Half);
    }
    sums[tid] = own;
    return own;
}

// Direction of the largest spread, by the power method on the matrix of second moments.
__device__ Color principal_axis(float (*moments)[Moments], Color apart)
{
    const int tid = threadIdx.x;
    moments[tid][0] = apart.r * apart.r;
    moments[tid][1] = apart.r * apart.g;
    moments[tid][2] = apart.r * apart.b;
    moments[tid][3] = apart.g * apart.g;
    moments[tid][4] = apart.g * apart.b;
    moments[tid][5] = apart.b * apart.b;
    __syncwarp(Half);
    for (int offset = Pixels / 2; offset > 0; offset >>= 1) {
        if (tid < offset) {
            for (int i = 0; i < Moments; ++i)
                moments[tid][i] += moments[tid + offset][i];
        }
        __syncwarp(Half);
    }
    const float *m = moments[0];
    Color axis = {1.0f, 1.0f, 1.0f};
    for (int i = 0; i < Iterations; ++i) {
        const Color turned = {dot(axis, {m[0], m[1], m[2]}), dot(axis, {m[1], m[3], m[4]}),
                              dot(axis, {m[2], m[4], m[5]})};
        const float largest = fmaxf(fmaxf(fabsf(turned.r), fabsf(turned.g)), fabsf(turned.b));
        // Pixels of one colour have no axis.
        axis = turned * (largest > 0.0f ? 1.0f / largest : 0.0f);
    }
    return axis;
}

extern "C" __global__ void __launch_bounds__(Threads)
    dxtc_compress(const unsigned *list, const unsigned *image, uint2 *result, int first)
{
    __shared__ Color colors[Pixels];
    __shared__ Color sums[Pixels];
    __shared__ float moments[Pixels][Moments];
    __shared__ float along[Pixels];
    __shared__ int ranks[Pixels];
    __shared__ unsigned cached[Cached];
    __shared__ float errors[Threads];
    __shared__ int numbers[Threads];

    const int tid = threadIdx.x;
    const int block = first + blockIdx.x;
    if (tid < Pixels) {
        const unsigned pixel = image[block * Pixels + tid];
        const Color color = {(pixel & 0xff) * (1.0f / 255.0f), (pixel >> 8 & 0xff) * (1.0f / 255.0f),
                             (pixel >> 16 & 0xff) * (1.0f / 255.0f)};
        const Color sum = total(sums, color);
        const Color axis = principal_axis(moments, color - sum * (1.0f / Pixels));
        const float own = dot(color, axis);
        along[tid] = own;
        __syncwarp(Half);
        int rank = 0;
        for (int i = 0; i < Pixels; ++i)
            rank += along[i] < own || (along[i] == own && i < tid);
        ranks[tid] = rank;
        colors[rank] = color;
    }
    __syncthreads();

    const Fit best = best_fit(list, colors, sums[0], cached);
    errors[tid] = best.error;
    numbers[tid] = best.number;
    __syncthreads();
    if (first_of_best(errors, numbers) != best.number)
        return;
    // Ends that are one colour leave but one code.
    const unsigned codes = best.a == best.b ? 0 : best.codes;
    unsigned indices = 0;
    for (int i = 0; i < Pixels; ++i)
        indices |= (codes >> 2 * ranks[i] & 3) << 2 * i;
    result[block] = make_uint2(best.a | best.b << 16, indices);
}
