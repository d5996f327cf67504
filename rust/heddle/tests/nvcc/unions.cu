// compared: bits
// Unions, bit fields, packed structs, copies by bytes.

#include <string.h>
union U {
    float f;
    unsigned u;
    unsigned char b[4];
};
struct Bits {
    unsigned a : 5, b : 11, c : 16;
    int d : 7;
    long long e : 40;
    bool f : 1;
};
#pragma pack(push, 1)
struct Packed {
    char c;
    int i;
    short s;
    double d;
};
#pragma pack(pop)
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    U u;
    u.u = in[i] & 0x3fffffff;
    u.b[2] += 3;
    Bits b;
    b.a = in[i];
    b.b = in[i] >> 3;
    b.c = in[i + 1];
    b.d = in[i + 1] >> 4;
    b.e = (long long)in[i] * in[i + 1];
    b.f = in[i] & 8;
    out[8 * i] = u.u;
    out[8 * i + 1] = b.a + b.b * b.c + b.d + b.f;
    out[8 * i + 2] = (unsigned)(b.e >> 8);
    Packed p;
    p.c = (char)in[i];
    p.i = in[i + 1];
    p.s = (short)in[i + 2];
    p.d = 1.25 * i;
    unsigned char raw[sizeof(Packed)];
    memcpy(raw, &p, sizeof p);
    unsigned h = 0;
    for (unsigned j = 0; j < sizeof p; j++)
        h = h * 31 + raw[j];
    out[8 * i + 3] = h;
    memset(raw, i, 7);
    for (int j = 8; j >= 0; j--)
        raw[j + 2] = raw[j];
    int q;
    memcpy(&q, raw + 1, 4);
    bool differs = false;
    for (int j = 0; j < 4; j++)
        differs |= raw[j] != raw[j + 3];
    out[8 * i + 4] = q + differs;
}
