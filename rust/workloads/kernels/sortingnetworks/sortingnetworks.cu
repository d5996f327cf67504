// Sorting networks on pairs of key and value: Batcher's bitonic sort and his odd-even merge sort.
// Stretches of 1024 pairs are sorted in shared memory, one thread two pairs; comparators with a longer
// reach work on global memory.

constexpr int Stretch = 1024;
constexpr int Threads = Stretch / 2;

__device__ void compare(unsigned &key_a, unsigned &value_a, unsigned &key_b, unsigned &value_b,
                        unsigned ascending)
{
    if ((key_a > key_b) == ascending) {
        unsigned t = key_a;
        key_a = key_b;
        key_b = t;
        t = value_a;
        value_a = value_b;
        value_b = t;
    }
}

__device__ void load(unsigned *keys, unsigned *values, const unsigned *from_keys,
                     const unsigned *from_values)
{
    const unsigned at = blockIdx.x * Stretch + threadIdx.x;
    keys[threadIdx.x] = from_keys[at];
    values[threadIdx.x] = from_values[at];
    keys[threadIdx.x + Threads] = from_keys[at + Threads];
    values[threadIdx.x + Threads] = from_values[at + Threads];
}

__device__ void store(const unsigned *keys, const unsigned *values, unsigned *to_keys,
                      unsigned *to_values)
{
    const unsigned at = blockIdx.x * Stretch + threadIdx.x;
    to_keys[at] = keys[threadIdx.x];
    to_values[at] = values[threadIdx.x];
    to_keys[at + Threads] = keys[threadIdx.x + Threads];
    to_values[at + Threads] = values[threadIdx.x + Threads];
}

// Comparators of a bitonic merge of `2 * first` pairs, strides from `first` down.
__device__ void merge(unsigned *keys, unsigned *values, unsigned first, unsigned ascending)
{
    for (unsigned stride = first; stride > 0; stride >>= 1) {
        __syncthreads();
        const unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        compare(keys[at], values[at], keys[at + stride], values[at + stride], ascending);
    }
}

// Sorts arrays of `length` pairs, at most a stretch.
extern "C" __global__ void __launch_bounds__(Threads)
    bitonic_sort(unsigned *to_keys, unsigned *to_values, const unsigned *from_keys,
                 const unsigned *from_values, unsigned length, unsigned ascending)
{
    __shared__ unsigned keys[Stretch];
    __shared__ unsigned values[Stretch];
    load(keys, values, from_keys, from_values);
    for (unsigned size = 2; size < length; size <<= 1)
        merge(keys, values, size / 2, ascending ^ ((threadIdx.x & (size / 2)) != 0));
    merge(keys, values, length / 2, ascending);
    __syncthreads();
    store(keys, values, to_keys, to_values);
}

// Sorts every stretch, the odd ones the other way round, for the merges that follow.
extern "C" __global__ void __launch_bounds__(Threads)
    bitonic_stretches(unsigned *to_keys, unsigned *to_values, const unsigned *from_keys,
                      const unsigned *from_values)
{
    __shared__ unsigned keys[Stretch];
    __shared__ unsigned values[Stretch];
    load(keys, values, from_keys, from_values);
    for (unsigned size = 2; size < Stretch; size <<= 1)
        merge(keys, values, size / 2, (threadIdx.x & (size / 2)) != 0);
    merge(keys, values, Stretch / 2, blockIdx.x & 1);
    __syncthreads();
    store(keys, values, to_keys, to_values);
}

// One step of a bitonic merge whose stride is beyond a stretch.
extern "C" __global__ void bitonic_global(unsigned *keys, unsigned *values, unsigned length,
                                          unsigned size, unsigned stride, unsigned ascending)
{
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned way = ascending ^ ((thread & (length / 2 - 1) & (size / 2)) != 0);
    const unsigned at = 2 * thread - (thread & (stride - 1));
    unsigned key_a = keys[at];
    unsigned value_a = values[at];
    unsigned key_b = keys[at + stride];
    unsigned value_b = values[at + stride];
    compare(key_a, value_a, key_b, value_b, way);
    keys[at] = key_a;
    values[at] = value_a;
    keys[at + stride] = key_b;
    values[at + stride] = value_b;
}

// The rest of a merge, once its strides fit a stretch.
extern "C" __global__ void __launch_bounds__(Threads)
    bitonic_merge(unsigned *to_keys, unsigned *to_values, unsigned length, unsigned size,
                  unsigned ascending)
{
    __shared__ unsigned keys[Stretch];
    __shared__ unsigned values[Stretch];
    load(keys, values, to_keys, to_values);
    const unsigned thread = (blockIdx.x * Threads + threadIdx.x) & (length / 2 - 1);
    merge(keys, values, Stretch / 2, ascending ^ ((thread & (size / 2)) != 0));
    __syncthreads();
    store(keys, values, to_keys, to_values);
}

// Batcher's odd-even merge sort of arrays of `length` pairs, at most a stretch.
extern "C" __global__ void __launch_bounds__(Threads)
    oddeven_sort(unsigned *to_keys, unsigned *to_values, const unsigned *from_keys,
                 const unsigned *from_values, unsigned length, unsigned ascending)
{
    __shared__ unsigned keys[Stretch];
    __shared__ unsigned values[Stretch];
    load(keys, values, from_keys, from_values);
    for (unsigned size = 2; size <= length; size <<= 1) {
        unsigned stride = size / 2;
        const unsigned offset = threadIdx.x & (stride - 1);
        __syncthreads();
        const unsigned first = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        compare(keys[first], values[first], keys[first + stride], values[first + stride], ascending);
        for (stride >>= 1; stride > 0; stride >>= 1) {
            __syncthreads();
            const unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            if (offset >= stride)
                compare(keys[at - stride], values[at - stride], keys[at], values[at], ascending);
        }
    }
    __syncthreads();
    store(keys, values, to_keys, to_values);
}

// One step of an odd-even merge of `size` pairs.
extern "C" __global__ void oddeven_global(unsigned *keys, unsigned *values, unsigned size,
                                          unsigned stride, unsigned ascending)
{
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = 2 * thread - (thread & (stride - 1));
    unsigned other = at + stride;
    if (stride < size / 2) {
        // Inner steps compare with the pair a stride before; the first of each run has none.
        if ((thread & (size / 2 - 1)) < stride)
            return;
        other = at;
        at -= stride;
    }
    unsigned key_a = keys[at];
    unsigned value_a = values[at];
    unsigned key_b = keys[other];
    unsigned value_b = values[other];
    compare(key_a, value_a, key_b, value_b, ascending);
    keys[at] = key_a;
    values[at] = value_a;
    keys[other] = key_b;
    values[other] = value_b;
}
