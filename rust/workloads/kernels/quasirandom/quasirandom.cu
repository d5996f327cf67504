// Quasirandom numbers in three dimensions by a digital sequence, and their transformation to normally
// distributed ones.

constexpr int Dimensions = 3;
constexpr int Bits = 31;

// Column i of the generator matrix of each dimension.
__constant__ unsigned columns[Dimensions * Bits];

// One row of the block a dimension. Number `first + i` of the sequence is the sum modulo 2 of the columns
// that its bits select.
extern "C" __global__ void quasirandom_generate(float *out, unsigned first, unsigned count)
{
    const unsigned threads = blockDim.x * gridDim.x;
    for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += threads) {
        unsigned value = 0;
        unsigned bits = first + at;
        for (int i = 0; i < Bits; ++i, bits >>= 1) {
            if (bits & 1)
                value ^= columns[threadIdx.y * Bits + i];
        }
        out[threadIdx.y * count + at] = (float)(value + 1) * (1.0f / 2147483648.0f);
    }
}

// Quantile of the normal distribution after Moro: a rational function in the middle, a polynomial of
// log(-log) in the tails.
__device__ float quantile(float p)
{
    const float y = p - 0.5f;
    if (fabsf(y) < 0.42f) {
        const float z = y * y;
        const float up = fmaf(z, fmaf(z, fmaf(z, -25.4410604963f, 41.3911977353f), -18.6150006252f),
                              2.50662823884f);
        const float low =
            fmaf(z, fmaf(z, fmaf(z, fmaf(z, 3.13082909833f, -21.0622410182f), 23.0833674374f),
                         -8.4735109309f),
                 1.0f);
        return y * up / low;
    }
    const float tail = y > 0.0f ? 1.0f - p : p;
    const float t = logf(-logf(tail));
    float x = 3.960315187e-7f;
    x = fmaf(x, t, 2.888167364e-7f);
    x = fmaf(x, t, 3.21767881768e-5f);
    x = fmaf(x, t, 3.951896511919e-4f);
    x = fmaf(x, t, 3.8405729373609e-3f);
    x = fmaf(x, t, 2.76438810333863e-2f);
    x = fmaf(x, t, 0.1607979714918209f);
    x = fmaf(x, t, 0.9761690190917186f);
    x = fmaf(x, t, 0.3374754822726147f);
    return y < 0.0f ? -x : x;
}

extern "C" __global__ void quasirandom_normal(float *out, const float *in, unsigned count)
{
    const unsigned threads = blockDim.x * gridDim.x;
    for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += threads)
        out[at] = quantile(in[at]);
}
