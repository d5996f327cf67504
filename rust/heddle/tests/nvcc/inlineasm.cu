// compared: bits
// Inline assembly: scopes with own registers, labels, predicates, comments, carry chains.

#ifdef HOST
extern "C" void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = in[i], b = in[i + 1], c = in[i + 2], *o = out + 8 * i;
    o[0] = (a & b) ^ c;
    unsigned long long w = ((unsigned long long)a << 32 | b) + ((unsigned long long)b << 32 | c);
    o[1] = w;
    o[2] = w >> 32;
    o[3] = (a >> 5) & 0x7ff;
    o[4] = (b & ~(0xffu << 8)) | (a & 0xff) << 8;
    o[5] = a < b ? a + 1 : b + 2;
    o[6] = i % 64;
    unsigned s = 0;
    for (unsigned j = 0; j < (a & 7); j++)
        s += j;
    o[7] = s;
}
#else
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = in[i], b = in[i + 1], c = in[i + 2], *o = out + 8 * i, r, q;
    asm("lop3.b32 %0, %1, %2, %3, 0x6a;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    o[0] = r;
    asm volatile("{\n\t.reg .u32 t0;\n\tadd.cc.u32 %0, %2, %3;\n\taddc.u32 t0, %4, %5;\n\tmov.b32 %1, t0;\n\t}"
                 : "=r"(r), "=r"(q)
                 : "r"(b), "r"(c), "r"(a), "r"(b));
    o[1] = r;
    o[2] = q;
    asm("bfe.u32 %0, %1, 5, 11;" : "=r"(r) : "r"(a));
    o[3] = r;
    asm("bfi.b32 %0, %1, %2, 8, 8;" : "=r"(r) : "r"(a), "r"(b));
    o[4] = r;
    asm("{ .reg .pred p; // compare\n setp.lt.u32 p, %1, %2; @p add.u32 %0, %1, 1; @!p add.u32 %0, %2, 2; }"
        : "=r"(r)
        : "r"(a), "r"(b));
    o[5] = r;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(r));
    o[6] = r;
    asm volatile("{\n .reg .u32 j; .reg .pred p;\n mov.u32 j, 0; mov.u32 %0, 0;\n again_%=: setp.ge.u32 p, j, %1;\n @p "
                 "bra done_%=;\n add.u32 %0, %0, j; add.u32 j, j, 1; bra.uni again_%=;\n done_%=:\n }"
                 : "=&r"(r)
                 : "r"(a & 7));
    asm volatile("st.global.u32 [%0+28], %1;" ::"l"(o), "r"(r) : "memory");
    asm volatile("" ::: "memory");
    asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
    unsigned long long t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t));
    if (t == 0)
        o[7] = 0;
    float f;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(1.0f));
    if (f != 2.0f)
        o[7] = 9;
    unsigned short hs;
    asm("cvt.u16.u32 %0, %1;" : "=h"(hs) : "r"(a));
    if (hs != (a & 0xffff))
        o[7] = 8;
    double dv;
    asm("fma.rn.f64 %0, %1, %1, %1;" : "=d"(dv) : "d"(3.0));
    if (dv != 12.0)
        o[7] = 7;
}
#endif
