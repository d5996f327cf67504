// European call options on a binomial tree, one block an option. A thread carries sixteen neighbouring
// nodes of the present level in registers; the node that it needs from its right neighbour passes
// through shared memory.

constexpr int Threads = 128;
constexpr int Nodes = 16;

struct Option {
    float spot;
    float strike;
    float step; // volatility times the root of a time step
    float up;   // discounted probability of a step up
    float down; // and of one down
};

__device__ float payoff(const Option &option, int node, int steps)
{
    const float value = option.spot * expf(option.step * (float)(2 * node - steps)) - option.strike;
    return value > 0.0f ? value : 0.0f;
}

extern "C" __global__ void __launch_bounds__(Threads)
    binomialoptions(const Option *options, float *prices, int steps)
{
    __shared__ float exchange[Threads + 1];

    const int tid = threadIdx.x;
    const Option option = options[blockIdx.x];
    float value[Nodes + 1];
#pragma unroll
    for (int i = 0; i < Nodes; ++i)
        value[i] = payoff(option, tid * Nodes + i, steps);
    if (tid == 0)
        exchange[Threads] = payoff(option, Threads * Nodes, steps);

    // Level i has nodes 0 to i - 1; a thread all of whose nodes are beyond has nothing left to do.
    const int last = max(0, tid * Nodes - 1);
    for (int i = steps; i > 0; --i) {
        exchange[tid] = value[0];
        __syncthreads();
        value[Nodes] = exchange[tid + 1];
        __syncthreads();
        if (i > last) {
#pragma unroll
            for (int j = 0; j < Nodes; ++j)
                value[j] = fmaf(option.up, value[j + 1], option.down * value[j]);
        }
    }
    if (tid == 0)
        prices[blockIdx.x] = value[0];
}
