// Histograms of bytes with 256 and with 64 bins. Every block leaves a histogram of its part of the
// data; a second launch adds these up, one block a bin.

constexpr int Warp = 32;
constexpr int Warps256 = 6;
constexpr int Bins256 = 256;
constexpr int Threads64 = 64;
constexpr int Bins64 = 64;
constexpr int MergeThreads = 256;

__device__ void count_bytes(unsigned *bins, unsigned word)
{
    atomicAdd(bins + (word & 0xFF), 1);
    atomicAdd(bins + (word >> 8 & 0xFF), 1);
    atomicAdd(bins + (word >> 16 & 0xFF), 1);
    atomicAdd(bins + (word >> 24), 1);
}

// 256 bins: each of the six warps of a block counts by atomics in a histogram of its own.
extern "C" __global__ void __launch_bounds__(Warps256 *Warp)
    histogram_256(unsigned *partial, const unsigned *data, unsigned words)
{
    __shared__ unsigned counts[Warps256 * Bins256];
    unsigned *own = counts + threadIdx.x / Warp * Bins256;

    for (int i = 0; i < Bins256 / Warp; ++i)
        counts[threadIdx.x + i * Warps256 * Warp] = 0;
    __syncthreads();
    for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < words; at += blockDim.x * gridDim.x)
        count_bytes(own, data[at]);
    __syncthreads();
    for (int bin = threadIdx.x; bin < Bins256; bin += Warps256 * Warp) {
        unsigned sum = 0;
        for (int warp = 0; warp < Warps256; ++warp)
            sum += counts[bin + warp * Bins256];
        partial[blockIdx.x * Bins256 + bin] = sum;
    }
}

// Counters of one thread: a column of bytes. Four threads share a word of each row.
__device__ void count_value(unsigned char *column, unsigned value)
{
    column[value * Threads64] += 1;
}

__device__ void count_word(unsigned char *column, unsigned word)
{
    count_value(column, word >> 2 & 0x3F);
    count_value(column, word >> 10 & 0x3F);
    count_value(column, word >> 18 & 0x3F);
    count_value(column, word >> 26);
}

// 64 bins: every thread counts in bytes of its own, so a thread must not see more than 255 of them:
// `vectors` is 15 at most. Bins are the upper six bits of a byte.
extern "C" __global__ void __launch_bounds__(Threads64)
    histogram_64(unsigned *partial, const uint4 *data, unsigned total, unsigned vectors)
{
    __shared__ unsigned words[Bins64 * Threads64 / 4];
    unsigned char *counts = (unsigned char *)words;

    for (int i = 0; i < Bins64 / 4; ++i)
        words[threadIdx.x + i * Threads64] = 0;
    // Neighbouring threads take bytes of different words, so that their counters lie in different banks.
    const unsigned place = (threadIdx.x & 0x30) >> 4 | (threadIdx.x & 0x0F) << 2;
    unsigned char *column = counts + place;
    __syncthreads();

    const unsigned first = blockIdx.x * vectors * Threads64 + threadIdx.x;
    for (unsigned i = 0; i < vectors; ++i) {
        const unsigned at = first + i * Threads64;
        if (at < total) {
            const uint4 v = data[at];
            count_word(column, v.x);
            count_word(column, v.y);
            count_word(column, v.z);
            count_word(column, v.w);
        }
    }
    __syncthreads();

    // A thread adds one row; it begins at its own word, so that no two threads meet in a bank.
    const unsigned char *row = counts + threadIdx.x * Threads64;
    unsigned sum = 0;
    unsigned position = 4 * (threadIdx.x & 15);
    for (int i = 0; i < Threads64 / 4; ++i) {
        sum += row[position] + row[position + 1] + row[position + 2] + row[position + 3];
        position = (position + 4) & (Threads64 - 1);
    }
    partial[blockIdx.x * Bins64 + threadIdx.x] = sum;
}

// Adds bin `blockIdx.x` of all partial histograms.
extern "C" __global__ void __launch_bounds__(MergeThreads)
    histogram_merge(unsigned *histogram, const unsigned *partial, unsigned count, unsigned bins)
{
    __shared__ unsigned sums[MergeThreads];
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < count; i += MergeThreads)
        sum += partial[blockIdx.x + i * bins];
    sums[threadIdx.x] = sum;
    for (unsigned stride = MergeThreads / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        if (threadIdx.x < stride)
            sums[threadIdx.x] += sums[threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
        histogram[blockIdx.x] = sums[0];
}
