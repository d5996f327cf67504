// Discrete cosine transform of an image in blocks of 8 x 8, forth and back, with quantisation between: by
// matrix products, one thread a coefficient; by fast transforms, one thread a row and a column of a block;
// and by fast transforms on 16-bit integers.

constexpr int N = 8;
constexpr int BlocksX = 4; // 8 x 8 blocks of a thread block in x and y, fast transforms
constexpr int BlocksY = 2;
constexpr int Stride = BlocksX * N + 1;
constexpr int ShortBlocks = 4; // in both directions, on integers
constexpr int ShortStride = ShortBlocks * N + 2;

// Row u holds the cosine of frequency u at the eight samples.
__constant__ float basis[N * N];
// Steps of the quantisation.
__constant__ short steps[N * N];

// out = basis * in * basis', or with the basis transposed.
__device__ void by_matrices(float *out, const float *in, int stride, bool inverse)
{
    __shared__ float block[N * N];
    __shared__ float half[N * N];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int at = (blockIdx.y * N + ty) * stride + blockIdx.x * N + tx;

    block[ty * N + tx] = in[at];
    __syncthreads();
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < N; ++k)
        sum = fmaf(inverse ? basis[k * N + ty] : basis[ty * N + k], block[k * N + tx], sum);
    half[ty * N + tx] = sum;
    __syncthreads();
    sum = 0.0f;
#pragma unroll
    for (int k = 0; k < N; ++k)
        sum = fmaf(half[ty * N + k], inverse ? basis[k * N + tx] : basis[tx * N + k], sum);
    out[at] = sum;
}

extern "C" __global__ void __launch_bounds__(64) dct8x8_matrix(float *out, const float *in, int stride)
{
    by_matrices(out, in, stride, false);
}

extern "C" __global__ void __launch_bounds__(64)
    dct8x8_matrix_inverse(float *out, const float *in, int stride)
{
    by_matrices(out, in, stride, true);
}

// cos(k pi / 16) / 2, and the root of an eighth for k = 4.
constexpr float C1 = 0.490392640f;
constexpr float C2 = 0.461939766f;
constexpr float C3 = 0.415734806f;
constexpr float C4 = 0.353553391f;
constexpr float C5 = 0.277785117f;
constexpr float C6 = 0.191341716f;
constexpr float C7 = 0.0975451610f;

// Eight samples, `step` apart, to eight coefficients: even ones from the sums of opposite samples, odd ones
// from their differences.
__device__ void forward(float *v, int step)
{
    const float s0 = v[0] + v[7 * step];
    const float s1 = v[step] + v[6 * step];
    const float s2 = v[2 * step] + v[5 * step];
    const float s3 = v[3 * step] + v[4 * step];
    const float d0 = v[0] - v[7 * step];
    const float d1 = v[step] - v[6 * step];
    const float d2 = v[2 * step] - v[5 * step];
    const float d3 = v[3 * step] - v[4 * step];
    const float e0 = s0 + s3;
    const float e1 = s1 + s2;
    const float f0 = s0 - s3;
    const float f1 = s1 - s2;
    v[0] = C4 * (e0 + e1);
    v[4 * step] = C4 * (e0 - e1);
    v[2 * step] = fmaf(C2, f0, C6 * f1);
    v[6 * step] = fmaf(C6, f0, -(C2 * f1));
    v[step] = fmaf(C1, d0, fmaf(C3, d1, fmaf(C5, d2, C7 * d3)));
    v[3 * step] = fmaf(C3, d0, fmaf(-C7, d1, fmaf(-C1, d2, -(C5 * d3))));
    v[5 * step] = fmaf(C5, d0, fmaf(-C1, d1, fmaf(C7, d2, C3 * d3)));
    v[7 * step] = fmaf(C7, d0, fmaf(-C5, d1, fmaf(C3, d2, -(C1 * d3))));
}

__device__ void backward(float *v, int step)
{
    const float e0 = C4 * (v[0] + v[4 * step]);
    const float e1 = C4 * (v[0] - v[4 * step]);
    const float f0 = fmaf(C2, v[2 * step], C6 * v[6 * step]);
    const float f1 = fmaf(C6, v[2 * step], -(C2 * v[6 * step]));
    const float s0 = e0 + f0;
    const float s1 = e1 + f1;
    const float s2 = e1 - f1;
    const float s3 = e0 - f0;
    const float a = v[step];
    const float b = v[3 * step];
    const float c = v[5 * step];
    const float d = v[7 * step];
    const float d0 = fmaf(C1, a, fmaf(C3, b, fmaf(C5, c, C7 * d)));
    const float d1 = fmaf(C3, a, fmaf(-C7, b, fmaf(-C1, c, -(C5 * d))));
    const float d2 = fmaf(C5, a, fmaf(-C1, b, fmaf(C7, c, C3 * d)));
    const float d3 = fmaf(C7, a, fmaf(-C5, b, fmaf(C3, c, -(C1 * d))));
    v[0] = s0 + d0;
    v[7 * step] = s0 - d0;
    v[step] = s1 + d1;
    v[6 * step] = s1 - d1;
    v[2 * step] = s2 + d2;
    v[5 * step] = s2 - d2;
    v[3 * step] = s3 + d3;
    v[4 * step] = s3 - d3;
}

// A thread block of 8 x 4 x 2 threads on 4 x 2 blocks of the image; a thread takes a column of a block and
// then a row.
template <bool Inverse>
__device__ void by_fast_transforms(float *out, const float *in, int stride)
{
    __shared__ float tile[BlocksY * N * Stride];
    const int column = threadIdx.y * N + threadIdx.x;
    const int row = threadIdx.z * N;
    const int at = (blockIdx.y * BlocksY * N + row) * stride + blockIdx.x * BlocksX * N + column;

    float *corner = tile + row * Stride + threadIdx.y * N;
    for (int i = 0; i < N; ++i)
        corner[i * Stride + threadIdx.x] = in[at + i * stride];
    __syncthreads();
    if (Inverse)
        backward(corner + threadIdx.x * Stride, 1);
    else
        forward(corner + threadIdx.x * Stride, 1);
    __syncthreads();
    if (Inverse)
        backward(corner + threadIdx.x, Stride);
    else
        forward(corner + threadIdx.x, Stride);
    for (int i = 0; i < N; ++i)
        out[at + i * stride] = corner[i * Stride + threadIdx.x];
}

extern "C" __global__ void __launch_bounds__(64) dct8x8_fast(float *out, const float *in, int stride)
{
    by_fast_transforms<false>(out, in, stride);
}

extern "C" __global__ void __launch_bounds__(64)
    dct8x8_fast_inverse(float *out, const float *in, int stride)
{
    by_fast_transforms<true>(out, in, stride);
}

// To the nearest multiple of the step, one thread a coefficient.
extern "C" __global__ void __launch_bounds__(64) dct8x8_quantize(float *plane, int stride)
{
    const int at = (blockIdx.y * N + threadIdx.y) * stride + blockIdx.x * N + threadIdx.x;
    const float step = (float)steps[threadIdx.y * N + threadIdx.x];
    plane[at] = rintf(plane[at] / step) * step;
}

// Cosines times 2^12, so that a product of a sample and a cosine fits 31 bits.
constexpr int K1 = 4017;
constexpr int K2 = 3784;
constexpr int K3 = 3406;
constexpr int K4 = 2896;
constexpr int K5 = 2276;
constexpr int K6 = 1567;
constexpr int K7 = 799;

__device__ short scaled(int v)
{
    return (short)((v + (1 << 12)) >> 13);
}

__device__ void forward(short *v, int step)
{
    const int s0 = v[0] + v[7 * step];
    const int s1 = v[step] + v[6 * step];
    const int s2 = v[2 * step] + v[5 * step];
    const int s3 = v[3 * step] + v[4 * step];
    const int d0 = v[0] - v[7 * step];
    const int d1 = v[step] - v[6 * step];
    const int d2 = v[2 * step] - v[5 * step];
    const int d3 = v[3 * step] - v[4 * step];
    v[0] = scaled(K4 * (s0 + s3 + s1 + s2));
    v[4 * step] = scaled(K4 * (s0 + s3 - s1 - s2));
    v[2 * step] = scaled(K2 * (s0 - s3) + K6 * (s1 - s2));
    v[6 * step] = scaled(K6 * (s0 - s3) - K2 * (s1 - s2));
    v[step] = scaled(K1 * d0 + K3 * d1 + K5 * d2 + K7 * d3);
    v[3 * step] = scaled(K3 * d0 - K7 * d1 - K1 * d2 - K5 * d3);
    v[5 * step] = scaled(K5 * d0 - K1 * d1 + K7 * d2 + K3 * d3);
    v[7 * step] = scaled(K7 * d0 - K5 * d1 + K3 * d2 - K1 * d3);
}

__device__ void backward(short *v, int step)
{
    const int e0 = K4 * (v[0] + v[4 * step]);
    const int e1 = K4 * (v[0] - v[4 * step]);
    const int f0 = K2 * v[2 * step] + K6 * v[6 * step];
    const int f1 = K6 * v[2 * step] - K2 * v[6 * step];
    const int a = v[step];
    const int b = v[3 * step];
    const int c = v[5 * step];
    const int d = v[7 * step];
    const int d0 = K1 * a + K3 * b + K5 * c + K7 * d;
    const int d1 = K3 * a - K7 * b - K1 * c - K5 * d;
    const int d2 = K5 * a - K1 * b + K7 * c + K3 * d;
    const int d3 = K7 * a - K5 * b + K3 * c - K1 * d;
    v[0] = scaled(e0 + f0 + d0);
    v[7 * step] = scaled(e0 + f0 - d0);
    v[step] = scaled(e1 + f1 + d1);
    v[6 * step] = scaled(e1 + f1 - d1);
    v[2 * step] = scaled(e1 - f1 + d2);
    v[5 * step] = scaled(e1 - f1 - d2);
    v[3 * step] = scaled(e0 - f0 + d3);
    v[4 * step] = scaled(e0 - f0 - d3);
}

// A thread block of 8 x 4 x 4 threads on 4 x 4 blocks of the image, in place.
template <bool Inverse>
__device__ void on_integers(short *plane, int stride)
{
    __shared__ short tile[ShortBlocks * N * ShortStride];
    const int column = threadIdx.y * N + threadIdx.x;
    const int row = threadIdx.z * N;
    const int at =
        (blockIdx.y * ShortBlocks * N + row) * stride + blockIdx.x * ShortBlocks * N + column;

    short *corner = tile + row * ShortStride + threadIdx.y * N;
    for (int i = 0; i < N; ++i)
        corner[i * ShortStride + threadIdx.x] = plane[at + i * stride];
    __syncthreads();
    if (Inverse)
        backward(corner + threadIdx.x * ShortStride, 1);
    else
        forward(corner + threadIdx.x * ShortStride, 1);
    __syncthreads();
    if (Inverse)
        backward(corner + threadIdx.x, ShortStride);
    else
        forward(corner + threadIdx.x, ShortStride);
    for (int i = 0; i < N; ++i)
        plane[at + i * stride] = corner[i * ShortStride + threadIdx.x];
}

extern "C" __global__ void __launch_bounds__(128) dct8x8_short(short *plane, int stride)
{
    on_integers<false>(plane, stride);
}

extern "C" __global__ void __launch_bounds__(128) dct8x8_short_inverse(short *plane, int stride)
{
    on_integers<true>(plane, stride);
}

extern "C" __global__ void __launch_bounds__(64) dct8x8_short_quantize(short *plane, int stride)
{
    const int at = (blockIdx.y * N + threadIdx.y) * stride + blockIdx.x * N + threadIdx.x;
    const int step = steps[threadIdx.y * N + threadIdx.x];
    const int value = plane[at];
    const int half = step / 2;
    plane[at] = (short)((value < 0 ? -((half - value) / step) : (value + half) / step) * step);
}
