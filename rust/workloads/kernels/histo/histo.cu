// A histogram with many bins that saturates at 255. The input is an image of bin numbers that gather
// around their mean. A sample of it gives the range that is hot; blocks count that range in windows of
// 24576 bytes of shared memory, and the few that lie outside by atomics in global memory; a last launch
// adds the parts.

constexpr int PrescanThreads = 512;
constexpr int MainThreads = 768;
constexpr int Window = 24576;
constexpr int Rows = 16; // of the image, that a block of the second kernel maps

// Lowest and highest bin of the hot range: the mean of each block, more or less ten times its mean
// deviation.
extern "C" __global__ void __launch_bounds__(PrescanThreads)
    histo_prescan(const unsigned *input, int size, unsigned *range)
{
    __shared__ float mean[PrescanThreads];
    __shared__ float deviation[PrescanThreads];

    const int tid = threadIdx.x;
    const int stride = size / gridDim.x;
    const int first = blockIdx.x * stride + tid;
    const int end = blockIdx.x * stride + stride;
    int count = 0;
    float sum = 0.0f;
    for (int at = first; at < end; at += PrescanThreads) {
        sum += (float)input[at];
        ++count;
    }
    const float own = count ? sum / (float)count : 0.0f;
    mean[tid] = own;
    float spread = 0.0f;
    for (int at = first; at < end; at += PrescanThreads)
        spread += fabsf((float)input[at] - own);
    deviation[tid] = count ? spread / (float)count : 0.0f;
    for (int half = PrescanThreads / 2; half > 0; half >>= 1) {
        __syncthreads();
        if (tid < half) {
            mean[tid] = (mean[tid] + mean[tid + half]) * 0.5f;
            deviation[tid] = (deviation[tid] + deviation[tid + half]) * 0.5f;
        }
    }
    if (tid == 0) {
        const float reach = 10.0f * deviation[0];
        const float low = mean[0] - reach;
        atomicMin(range, low < 0.0f ? 0u : (unsigned)low);
        atomicMax(range + 1, (unsigned)(mean[0] + reach));
    }
}

// The window of a bin in the upper half of a word, its place in the window in the lower; two columns a
// thread.
extern "C" __global__ void histo_intermediates(const unsigned *input, int height, int width, int pitch,
                                               unsigned *mapped)
{
    const int row0 = blockIdx.x * Rows;
    const int column = 2 * threadIdx.x;
    for (int r = 0; r < Rows && row0 + r < height; ++r) {
        const int row = row0 + r;
        for (int c = column; c < column + 2 && c < width; ++c) {
            const unsigned bin = input[row * pitch + c];
            mapped[row * width + c] = bin / Window << 16 | bin % Window;
        }
    }
}

// Block (x, y) counts every gridDim.x-th part of the input into window y of the hot range.
extern "C" __global__ void __launch_bounds__(MainThreads)
    histo_main(const unsigned *mapped, int size, unsigned first_window, unsigned windows,
               unsigned *cold, unsigned *parts)
{
    __shared__ unsigned words[Window / 4];

    for (int i = threadIdx.x; i < Window / 4; i += MainThreads)
        words[i] = 0;
    __syncthreads();

    const unsigned window = first_window + blockIdx.y;
    for (int at = blockIdx.x * MainThreads + threadIdx.x; at < size; at += MainThreads * gridDim.x) {
        const unsigned where = mapped[at];
        const unsigned place = where & 0xFFFF;
        if (where >> 16 == window) {
            // Four counters share a word; one that is full stays full.
            const unsigned shift = 8 * (place & 3);
            unsigned *word = words + place / 4;
            unsigned old = atomicAdd(word, 0);
            while ((old >> shift & 0xFF) != 0xFF) {
                const unsigned seen = atomicCAS(word, old, old + (1u << shift));
                if (seen == old)
                    break;
                old = seen;
            }
        } else if (blockIdx.y == 0 && where >> 16 >= first_window + windows
                   || blockIdx.y == 0 && where >> 16 < first_window) {
            atomicAdd(cold + (where >> 16) * Window + place, 1);
        }
    }
    __syncthreads();
    unsigned *part = parts + (blockIdx.y * gridDim.x + blockIdx.x) * (Window / 4);
    for (int i = threadIdx.x; i < Window / 4; i += MainThreads)
        part[i] = words[i];
}

// Adds the parts of every bin, four bins a thread at a time.
extern "C" __global__ void __launch_bounds__(512)
    histo_final(unsigned first_window, unsigned windows, unsigned count, const unsigned *parts,
                const unsigned *cold, unsigned *histogram, unsigned words)
{
    const unsigned threads = gridDim.x * blockDim.x;
    for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < words; at += threads) {
        const unsigned window = at / (Window / 4);
        const uint4 own = ((const uint4 *)cold)[at];
        unsigned sum0 = own.x;
        unsigned sum1 = own.y;
        unsigned sum2 = own.z;
        unsigned sum3 = own.w;
        if (window >= first_window && window < first_window + windows) {
            const unsigned *part =
                parts + (window - first_window) * count * (Window / 4) + at % (Window / 4);
            for (unsigned i = 0; i < count; ++i, part += Window / 4) {
                const unsigned bytes = *part;
                sum0 += bytes & 0xFF;
                sum1 += bytes >> 8 & 0xFF;
                sum2 += bytes >> 16 & 0xFF;
                sum3 += bytes >> 24;
            }
        }
        histogram[at] = min(sum0, 255u) | min(sum1, 255u) << 8 | min(sum2, 255u) << 16
                        | min(sum3, 255u) << 24;
    }
}
