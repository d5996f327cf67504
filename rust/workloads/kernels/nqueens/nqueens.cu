// How many ways there are to place queens that do not attack each other. The host has filled the first
// rows; a thread goes on from one of these starts, back and forth, on a stack in shared memory.

constexpr int Threads = 96;
constexpr int Depth = 10;

// Occupied columns and diagonals of a start, one bit a column, and how often its solutions count.
extern "C" __global__ void __launch_bounds__(Threads)
    nqueens(int columns, int rows, const unsigned *columns_taken, const unsigned *left_taken,
            const unsigned *right_taken, const unsigned *weights, unsigned *solutions, int starts)
{
    __shared__ unsigned taken[Threads][Depth];
    __shared__ unsigned left[Threads][Depth];
    __shared__ unsigned right[Threads][Depth];
    __shared__ unsigned tried[Threads][Depth];
    __shared__ unsigned sums[Threads];

    const int tid = threadIdx.x;
    const int start = blockIdx.x * Threads + tid;
    const unsigned all = (1u << columns) - 1;
    unsigned found = 0;
    if (start < starts) {
        taken[tid][0] = columns_taken[start];
        left[tid][0] = left_taken[start];
        right[tid][0] = right_taken[start];
        tried[tid][0] = taken[tid][0] | left[tid][0] | right[tid][0];
        int row = 0;
        while (row >= 0) {
            if ((tried[tid][row] & all) == all) {
                --row;
                continue;
            }
            // The lowest column that is free and was not tried.
            const unsigned queen = (tried[tid][row] + 1) & ~tried[tid][row];
            tried[tid][row] |= queen;
            if (row + 1 == rows) {
                ++found;
                --row;
                continue;
            }
            taken[tid][row + 1] = taken[tid][row] | queen;
            left[tid][row + 1] = (left[tid][row] | queen) << 1;
            right[tid][row + 1] = (right[tid][row] | queen) >> 1;
            ++row;
            tried[tid][row] = taken[tid][row] | left[tid][row] | right[tid][row];
        }
        found *= weights[start];
    }
    sums[tid] = found;
    __syncthreads();
    if (tid < 32)
        sums[tid] += sums[tid + 64];
    __syncthreads();
    for (int stride = 32; stride > 0; stride >>= 1) {
        if (tid < stride)
            sums[tid] += sums[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        solutions[blockIdx.x] = sums[0];
}
