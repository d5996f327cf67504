// Equality join of two tables by hash, a partition a block: the build side goes into a table in shared
// memory by compare-and-swap, chained tuples into lists by exchange, and the probe side looks it up.

constexpr int Threads = 128;
constexpr int Slots = 512;
constexpr int Lists = 32;
constexpr unsigned None = 0xFFFFFFFF;

// Adds by compare-and-swap, from the first guess 0 on.
__device__ void add_short(unsigned short *word, unsigned short value)
{
    for (unsigned short old = 0;;) {
        const unsigned short found = atomicCAS(word, old, (unsigned short)(old + value));
        if (found == old)
            return;
        old = found;
    }
}

__device__ void add_half(unsigned short *half, unsigned short value)
{
    asm volatile("red.shared.add.noftz.f16 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(half)), "h"(value)
                 : "memory");
}

__device__ unsigned hash(unsigned key)
{
    return key * 0x9E3779B1u >> 16;
}

// Of each partition: matches, sum of the products of payloads that match, sum over the lists, what is left
// of the exchanged words with all that came out of them, tickets taken and given back, tuples by class.
struct alignas(16) Outcome {
    unsigned matches, listed;
    unsigned long long product;
    unsigned long long exchanged;
    unsigned tickets, returned;
    unsigned short classes[8];
};

// Keys of a partition's build side are different and not zero.
extern "C" __global__ void __launch_bounds__(Threads)
    hashjoin(uint4 *result, const uint2 *build, const uint2 *probe, unsigned built, unsigned probed, unsigned limit)
{
    // A slot is a key and its payload; two of them, 16 bytes, are a bucket.
    __shared__ alignas(16) unsigned long long slots[Slots];
    // A tuple of a list: its payload and the next one.
    __shared__ alignas(16) uint2 nodes[Slots / 2];
    __shared__ unsigned heads[Lists];
    __shared__ unsigned long long last;
    __shared__ Outcome outcome;
    uint4 *buckets = (uint4 *)slots;

    for (unsigned i = threadIdx.x; i < Slots / 2; i += Threads)
        buckets[i] = make_uint4(0, 0, 0, 0);
    if (threadIdx.x < Lists)
        heads[threadIdx.x] = None;
    if (threadIdx.x < sizeof(Outcome) / sizeof(uint4))
        ((uint4 *)&outcome)[threadIdx.x] = make_uint4(0, 0, 0, 0);
    if (threadIdx.x == 0)
        last = 0;
    __syncthreads();

    build += blockIdx.x * built;
    probe += blockIdx.x * probed;
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < built; i += Threads) {
        const uint2 tuple = build[i];
        const unsigned long long entry = (unsigned long long)tuple.y << 32 | tuple.x;
        unsigned at = hash(tuple.x) % Slots;
        while (atomicCAS(slots + at, 0ull, entry) != 0)
            at = (at + 1) % Slots;
        // The order of a list is that in which tuples came; what it holds is not.
        nodes[i] = make_uint2(tuple.y, atomicExch(heads + tuple.x % Lists, i));
        atomicAdd(&outcome.exchanged, atomicExch(&last, entry));
        atomicInc(&outcome.tickets, limit);
        add_short(outcome.classes + tuple.x % 4, 1);
        add_half(outcome.classes + 4 + tuple.x % 4, 0x3C00);
    }
    __syncthreads();

#pragma unroll 1
    for (unsigned i = threadIdx.x; i < probed; i += Threads) {
        const uint2 tuple = probe[i];
        unsigned at = hash(tuple.x) % Slots;
        for (;;) {
            const uint4 bucket = buckets[at / 2];
            const unsigned key = at & 1 ? bucket.z : bucket.x;
            if (key == tuple.x) {
                atomicAdd(&outcome.matches, 1u);
                atomicAdd(&outcome.product, (unsigned long long)tuple.y * (at & 1 ? bucket.w : bucket.y));
                break;
            }
            if (key == 0) {
                atomicDec(&outcome.returned, limit);
                break;
            }
            at = (at + 1) % Slots;
        }
    }
    if (threadIdx.x < Lists) {
        unsigned sum = 0;
        for (unsigned at = heads[threadIdx.x]; at != None;) {
            const uint2 node = nodes[at];
            sum += node.x;
            at = node.y;
        }
        atomicAdd(&outcome.listed, sum);
    }
    if (threadIdx.x == 0)
        atomicAdd(&outcome.exchanged, last);
    __syncthreads();

    if (threadIdx.x < sizeof(Outcome) / sizeof(uint4))
        result[blockIdx.x * (sizeof(Outcome) / sizeof(uint4)) + threadIdx.x] = ((uint4 *)&outcome)[threadIdx.x];
}
