// compared: bits
// Half precision, single and packed.

#include <cuda_fp16.h>
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned short *o = (unsigned short *)(out + 8 * i);
    __half a = __float2half((int)(in[i] & 0xfff) / 64.0f - 20), b = __float2half((int)(in[i + 1] & 0xfff) / 128.0f + 1);
    o[0] = __half_as_ushort(__float2half_rn(__half2float(a) * __half2float(b)));
    o[1] = __half_as_ushort(__int2half_rn((int)(in[i] & 0x3fff) - 5000));
    o[2] = (unsigned short)__half2int_rz(a);
    o[3] = __half_as_ushort(__float2half_rz((in[i] & 0xffff) / 3.0f));
    o[4] = __half_as_ushort(__float2half_ru((in[i] & 0xffff) / 7.0f));
    o[5] = __hlt(a, b);
#ifdef HOST
    auto r = [](float v) { return __half_as_ushort(__float2half(v)); };
    float x = __half2float(a), y = __half2float(b);
    o[6] = r(x + y);
    o[7] = r(x * y);
    o[8] = r((float)((double)x * y + 2.0));
    o[9] = r(x / y);
    o[10] = r(sqrtf(y));
    o[11] = r(x < y ? x : y);
    o[12] = r(-x);
    o[13] = r(x - y);
    o[14] = r(fabsf(x));
    o[15] = r(floorf(x));
#else
    o[6] = __half_as_ushort(__hadd(a, b));
    __half2 p = __halves2half2(a, b), q = __lowhigh2highlow(p);
    p = __hmul2(p, q);
    o[7] = __half_as_ushort(__low2half(p));
    q = __hfma2(__halves2half2(a, a), __halves2half2(b, b), __float2half2_rn(2.0f));
    o[8] = __half_as_ushort(__high2half(q));
    o[9] = __half_as_ushort(__float2half(__half2float(a) / __half2float(b)));
    o[10] = __half_as_ushort(__float2half(sqrtf(__half2float(b))));
    o[11] = __half_as_ushort(__hlt(a, b) ? a : b);
    o[12] = __half_as_ushort(__hneg(a));
    o[13] = __half_as_ushort(a - b);
    o[14] = __half_as_ushort(__habs(a));
    o[15] = __half_as_ushort(hfloor(a));
#endif
}
