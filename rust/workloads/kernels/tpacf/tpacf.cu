// Two-point angular correlation: histograms of the angle between all pairs of points on a sphere. Block 0
// takes pairs of the observed points; each random set has a block for its own pairs and one for its
// pairs with the observed points. The cosine of an angle is a dot product; its bin is found by
// bisection.

constexpr int Threads = 256;
constexpr int Bins = 20;
constexpr int Copies = 128; // histograms of a block; two threads share one

// Lower edges of the bins as cosines, descending, and the end of the last.
__constant__ float edges[Bins + 1];

extern "C" __global__ void __launch_bounds__(Threads)
    tpacf(unsigned *histograms, const float *x, const float *y, const float *z, int sets, int points)
{
    __shared__ float tile_x[Threads];
    __shared__ float tile_y[Threads];
    __shared__ float tile_z[Threads];
    __shared__ unsigned counts[Bins][Copies];

    const int tid = threadIdx.x;
    const int copy = tid / 2;
    for (int i = tid; i < Bins * Copies; i += Threads)
        counts[i / Copies][i % Copies] = 0;
    __syncthreads();

    const bool own = blockIdx.x <= sets;
    // Set 0 holds the observed points.
    const int first = (own ? blockIdx.x : blockIdx.x - sets) * points;
    for (int i0 = 0; i0 < points; i0 += Threads) {
        if (i0 + tid < points) {
            tile_x[tid] = x[first + i0 + tid];
            tile_y[tid] = y[first + i0 + tid];
            tile_z[tid] = z[first + i0 + tid];
        }
        __syncthreads();
        // Of a set with itself each pair once.
        for (int j = (own ? i0 + 1 : 0) + tid; j < points; j += Threads) {
            const int other = own ? first : 0;
            const float px = x[other + j];
            const float py = y[other + j];
            const float pz = z[other + j];
            const int tile = min(Threads, points - i0);
            const int end = own ? min(j - i0, tile) : tile;
            for (int k = 0; k < end; ++k) {
                const float cosine = fmaf(px, tile_x[k], fmaf(py, tile_y[k], pz * tile_z[k]));
                int low = 0;
                int high = Bins;
                while (high > low + 1) {
                    const int middle = (low + high) / 2;
                    if (cosine >= edges[middle])
                        high = middle;
                    else
                        low = middle;
                }
                if (cosine < edges[low] && cosine >= edges[high])
                    atomicAdd(&counts[low][copy], 1);
            }
        }
        __syncthreads();
    }

    // A warp adds the copies of a bin, then of the next.
    for (int bin = tid / 32; bin < Bins; bin += Threads / 32) {
        const int lane = tid % 32;
        for (int offset = Copies / 2; offset >= 32; offset >>= 1) {
            for (int i = lane; i < offset; i += 32)
                counts[bin][i] += counts[bin][i + offset];
            __syncwarp();
        }
        for (int offset = 16; offset > 0; offset >>= 1) {
            if (lane < offset)
                counts[bin][lane] += counts[bin][lane + offset];
            __syncwarp();
        }
        if (lane == 0)
            histograms[blockIdx.x * Bins + bin] = counts[bin][0];
    }
}
