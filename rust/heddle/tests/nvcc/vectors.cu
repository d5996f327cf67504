// compared: bits
// Vector types, structs by value, operators.

struct Mat {
    float m[3][3];
};
__device__ float3 operator*(const Mat &a, float3 v) {
    return make_float3(a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                       a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                       a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z);
}
struct Args {
    float s;
    float4 v;
    int i[3];
    const unsigned *p;
    unsigned char t;
    short2 h;
};
#ifdef HOST
static Args args = {2.f, {1, 2, 3, 4}, {5, 6, 7}, nullptr, 9, {-3, 4}};
#else
__device__ Args args = {2.f, {1, 2, 3, 4}, {5, 6, 7}, nullptr, 9, {-3, 4}};
#endif
__device__ __noinline__ float4 scale(Args a, float4 v) {
    return make_float4(v.x * a.s, v.y + a.v.y, v.z - a.i[1], v.w * a.t + a.h.x);
}
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 v = make_float4(in[i] & 255, in[i] >> 8 & 255, in[i] >> 16 & 255, in[i] >> 24);
    v = scale(args, v);
    Mat m = {{{1, 2, 3}, {4, (float)i, 6}, {7, 8, 9}}};
    float3 r = m * make_float3(v.x, v.y, v.z);
    float4 *o = (float4 *)(out + 8 * i);
    *o = make_float4(r.x, r.y, r.z, v.w);
    uchar4 b = ((const uchar4 *)in)[i];
    b.x += b.w;
    double2 d = {1.0 * b.x, 2.0 * b.y};
    *(double2 *)(out + 8 * i + 4) = d;
}
