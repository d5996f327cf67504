// Merge sort of pairs of key and value. Stretches of 1024 pairs are sorted in shared memory; then sorted
// segments are merged two by two: samples of both segments cut the merge into intervals of at most 128
// pairs from either side, which blocks merge on their own.

constexpr unsigned Stretch = 1024;
constexpr unsigned Sample = 128;

// How many of the `length` keys at `keys` are below `key`, or not above it: `length` has at most the bits
// of `power`, a power of two.
template <bool Inclusive>
__device__ unsigned rank(unsigned key, const unsigned *keys, unsigned length, unsigned power)
{
    if (length == 0)
        return 0;
    unsigned position = 0;
    for (; power > 0; power >>= 1) {
        const unsigned next = min(position + power, length);
        const unsigned other = keys[next - 1];
        if (Inclusive ? other <= key : other < key)
            position = next;
    }
    return position;
}

__device__ unsigned next_power(unsigned x)
{
    return 1u << (32 - __clz(x - 1));
}

__device__ unsigned samples(unsigned elements)
{
    return (elements + Sample - 1) / Sample;
}

extern "C" __global__ void __launch_bounds__(Stretch / 2)
    mergesort_shared(unsigned *to_keys, unsigned *to_values, const unsigned *from_keys,
                     const unsigned *from_values)
{
    __shared__ unsigned keys[Stretch];
    __shared__ unsigned values[Stretch];
    const unsigned tid = threadIdx.x;
    const unsigned at = blockIdx.x * Stretch + tid;
    keys[tid] = from_keys[at];
    values[tid] = from_values[at];
    keys[tid + Stretch / 2] = from_keys[at + Stretch / 2];
    values[tid + Stretch / 2] = from_values[at + Stretch / 2];

    // Equal keys of the left run go before those of the right one.
    for (unsigned stride = 1; stride < Stretch; stride <<= 1) {
        const unsigned local = tid & (stride - 1);
        unsigned *run_keys = keys + 2 * (tid - local);
        unsigned *run_values = values + 2 * (tid - local);
        __syncthreads();
        const unsigned key_a = run_keys[local];
        const unsigned value_a = run_values[local];
        const unsigned key_b = run_keys[local + stride];
        const unsigned value_b = run_values[local + stride];
        const unsigned place_a = rank<false>(key_a, run_keys + stride, stride, stride) + local;
        const unsigned place_b = rank<true>(key_b, run_keys, stride, stride) + local;
        __syncthreads();
        run_keys[place_a] = key_a;
        run_values[place_a] = value_a;
        run_keys[place_b] = key_b;
        run_values[place_b] = value_b;
    }
    __syncthreads();
    to_keys[at] = keys[tid];
    to_values[at] = values[tid];
    to_keys[at + Stretch / 2] = keys[tid + Stretch / 2];
    to_values[at + Stretch / 2] = values[tid + Stretch / 2];
}

// Where every 128th key of either segment would lie in the other one.
extern "C" __global__ void mergesort_sample_ranks(unsigned *ranks_a, unsigned *ranks_b,
                                                  const unsigned *keys, unsigned stride, unsigned total,
                                                  unsigned threads)
{
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= threads)
        return;
    const unsigned i = thread & (stride / Sample - 1);
    const unsigned segment = (thread - i) * (2 * Sample);
    keys += segment;
    ranks_a += segment / Sample;
    ranks_b += segment / Sample;
    const unsigned length_b = min(stride, total - segment - stride);
    if (i < samples(stride)) {
        ranks_a[i] = i * Sample;
        ranks_b[i] = rank<false>(keys[i * Sample], keys + stride, length_b, next_power(length_b));
    }
    if (i < samples(length_b)) {
        ranks_b[stride / Sample + i] = i * Sample;
        ranks_a[stride / Sample + i] =
            rank<true>(keys[stride + i * Sample], keys, stride, next_power(stride));
    }
}

// The ranks of both segments' samples in one ascending list: the ends of the intervals.
extern "C" __global__ void mergesort_merge_ranks(unsigned *limits, const unsigned *ranks, unsigned stride,
                                                 unsigned total, unsigned threads)
{
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= threads)
        return;
    const unsigned i = thread & (stride / Sample - 1);
    const unsigned segment = (thread - i) * (2 * Sample);
    ranks += (thread - i) * 2;
    limits += (thread - i) * 2;
    const unsigned samples_a = samples(stride);
    const unsigned samples_b = samples(min(stride, total - segment - stride));
    if (i < samples_a) {
        const unsigned place = rank<false>(ranks[i], ranks + samples_a, samples_b, next_power(samples_b)) + i;
        limits[place] = ranks[i];
    }
    if (i < samples_b) {
        const unsigned own = ranks[samples_a + i];
        limits[rank<true>(own, ranks, samples_a, next_power(samples_a)) + i] = own;
    }
}

// Merges one interval of both segments.
extern "C" __global__ void __launch_bounds__(Sample)
    mergesort_intervals(unsigned *to_keys, unsigned *to_values, const unsigned *from_keys,
                        const unsigned *from_values, const unsigned *limits_a, const unsigned *limits_b,
                        unsigned stride, unsigned total)
{
    __shared__ unsigned keys[2 * Sample];
    __shared__ unsigned values[2 * Sample];
    __shared__ unsigned first_a, first_b, length_a, length_b, first_out;

    const unsigned tid = threadIdx.x;
    const unsigned interval = blockIdx.x & (2 * stride / Sample - 1);
    const unsigned segment = (blockIdx.x - interval) * Sample;
    from_keys += segment;
    from_values += segment;
    to_keys += segment;
    to_values += segment;

    if (tid == 0) {
        const unsigned whole_b = min(stride, total - segment - stride);
        const unsigned intervals = samples(stride) + samples(whole_b);
        const bool last = interval + 1 >= intervals;
        first_a = limits_a[blockIdx.x];
        first_b = limits_b[blockIdx.x];
        length_a = (last ? stride : limits_a[blockIdx.x + 1]) - first_a;
        length_b = (last ? whole_b : limits_b[blockIdx.x + 1]) - first_b;
        first_out = first_a + first_b;
    }
    __syncthreads();
    if (tid < length_a) {
        keys[tid] = from_keys[first_a + tid];
        values[tid] = from_values[first_a + tid];
    }
    if (tid < length_b) {
        keys[Sample + tid] = from_keys[stride + first_b + tid];
        values[Sample + tid] = from_values[stride + first_b + tid];
    }
    __syncthreads();

    unsigned key_a, value_a, place_a, key_b, value_b, place_b;
    if (tid < length_a) {
        key_a = keys[tid];
        value_a = values[tid];
        place_a = rank<false>(key_a, keys + Sample, length_b, Sample) + tid;
    }
    if (tid < length_b) {
        key_b = keys[Sample + tid];
        value_b = values[Sample + tid];
        place_b = rank<true>(key_b, keys, length_a, Sample) + tid;
    }
    __syncthreads();
    if (tid < length_a) {
        keys[place_a] = key_a;
        values[place_a] = value_a;
    }
    if (tid < length_b) {
        keys[place_b] = key_b;
        values[place_b] = value_b;
    }
    __syncthreads();
    for (unsigned i = tid; i < length_a + length_b; i += Sample) {
        to_keys[first_out + i] = keys[i];
        to_values[first_out + i] = values[i];
    }
}
