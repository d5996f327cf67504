// Aggregates of records by key, as a database groups them: counts, sums, extremes and bit sets of
// integers of 32 and 64 bits, and sums of double, single and half precision. Each block keeps a row a
// key in shared memory, adds its part of the records to them by atomics, and leaves the rows.

constexpr int Threads = 256;
constexpr int Keys = 24;

struct alignas(16) Row {
    unsigned count;
    int least, most;
    unsigned lowest, highest;
    unsigned all, any, parity;
    unsigned long long total;
    long long near, far;
    unsigned long long first, last;
    unsigned long long all_wide, any_wide, parity_wide;
    double sum;
    float weight;
    unsigned halves;
};

constexpr int Parts = sizeof(Row) / sizeof(uint4);

__device__ void add_halves(unsigned *word, unsigned pair)
{
    asm volatile("red.shared.add.noftz.f16x2 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(word)), "r"(pair)
                 : "memory");
}

// A record is a key, a number and a code of 64 bits, low word first.
extern "C" __global__ void __launch_bounds__(Threads)
    groupby(uint4 *result, const uint4 *records, unsigned count, unsigned each)
{
    __shared__ Row rows[Keys];
    uint4 *parts = (uint4 *)rows;

    // Rows are made and left 16 bytes at a time: the values before the first record of a key.
    for (unsigned i = threadIdx.x; i < Keys * Parts; i += Threads) {
        const unsigned ones = 0xFFFFFFFF;
        uint4 part = make_uint4(0, 0, 0, 0);
        switch (i % Parts) {
        case 0: part = make_uint4(0, 0x7FFFFFFF, 0x80000000, ones); break;
        case 1: part = make_uint4(0, ones, 0, 0); break;
        case 2: part = make_uint4(0, 0, ones, 0x7FFFFFFF); break;
        case 3: part = make_uint4(0, 0x80000000, ones, ones); break;
        case 4: part = make_uint4(0, 0, ones, ones); break;
        }
        parts[i] = part;
    }
    __syncthreads();

#pragma unroll 1
    for (unsigned i = 0; i < each; ++i) {
        const unsigned at = (blockIdx.x * each + i) * Threads + threadIdx.x;
        if (at < count) {
            const uint4 record = records[at];
            Row *row = rows + record.x;
            const int number = (int)record.y;
            const unsigned long long code = (unsigned long long)record.w << 32 | record.z;
            atomicAdd(&row->count, 1u);
            atomicMin(&row->least, number);
            atomicMax(&row->most, number);
            atomicMin(&row->lowest, record.z);
            atomicMax(&row->highest, record.z);
            atomicAnd(&row->all, record.z);
            atomicOr(&row->any, record.z);
            atomicXor(&row->parity, record.z);
            atomicAdd(&row->total, code);
            atomicMin(&row->near, (long long)code);
            atomicMax(&row->far, (long long)code);
            atomicMin(&row->first, code);
            atomicMax(&row->last, code);
            atomicAnd(&row->all_wide, code);
            atomicOr(&row->any_wide, code);
            atomicXor(&row->parity_wide, code);
            atomicAdd(&row->sum, (double)number);
            atomicAdd(&row->weight, (float)(number & 0x3F));
            // One half counts the odd numbers, the other one quarters of the multiples of four.
            add_halves(&row->halves, (number & 1 ? 0x3C00u : 0u) | (number & 3 ? 0u : 0x34000000u));
        }
    }
    __syncthreads();

    for (unsigned i = threadIdx.x; i < Keys * Parts; i += Threads)
        result[blockIdx.x * Keys * Parts + i] = parts[i];
}
