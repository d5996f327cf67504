// Pointer chases of one thread: each load gives the address of the next, so that a load waits for the one before.
//
// What is measured is the last loop. Sixteen loads stand in its body, and its counting is done while they are under
// way. The loops before bring the links to where the last one is to find them.

#define FOUR(x) x x x x
#define SIXTEEN(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x)

// Follows a ring of links in global memory from `start`: `past` loads that go past the L1, `warm` that go through it,
// then 16 x `rounds`. `end` gets the last link.
extern "C" __global__ void __launch_bounds__(1)
chase_global(unsigned long long start, unsigned past, unsigned warm, unsigned rounds, unsigned long long *end)
{
    unsigned long long link = start;
    for (unsigned i = 0; i < past; ++i)
        asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(link));
    for (unsigned i = 0; i < warm; ++i)
        asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(link));
#pragma unroll 1
    for (unsigned i = 0; i < rounds; ++i) {
        SIXTEEN(asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(link));)
    }
    *end = link;
}

// Makes a ring of `links` links in shared memory, one a line of 128 bytes, in turn in `columns` columns of lines
// `stride` bytes apart, and follows it: `warm` loads, then 16 x `rounds`. `end` gets the offset of the last link.
extern "C" __global__ void __launch_bounds__(1)
chase_shared(unsigned links, unsigned columns, unsigned stride, unsigned warm, unsigned rounds, unsigned *end)
{
    extern __shared__ unsigned memory[];
    const unsigned base = (unsigned)__cvta_generic_to_shared(memory);
    for (unsigned i = 0; i < links; ++i) {
        const unsigned next = i + 1 < links ? i + 1 : 0;
        const unsigned at = base + i % columns * stride + i / columns * 128;
        const unsigned to = base + next % columns * stride + next / columns * 128;
        asm volatile("st.shared.u32 [%0], %1;" : : "r"(at), "r"(to) : "memory");
    }
    unsigned link = base;
    for (unsigned i = 0; i < warm; ++i)
        asm volatile("ld.shared.u32 %0, [%0];" : "+r"(link));
#pragma unroll 1
    for (unsigned i = 0; i < rounds; ++i) {
        SIXTEEN(asm volatile("ld.shared.u32 %0, [%0];" : "+r"(link));)
    }
    *end = link - base;
}
