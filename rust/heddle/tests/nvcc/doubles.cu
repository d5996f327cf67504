// compared: bits
// Double precision: arithmetic, roundings to integers, conversions.

extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = (int)in[i] / 1000.0, b = (in[i + 1] & 0xffff) + 0.5, *o = (double *)(out + 8 * i);
    o[0] = a * b + a / b;
    o[1] = sqrt(b) - fabs(a) + fmin(a, b) * fmax(a, -b);
    o[2] = floor(a) + ceil(b) + trunc(a) + rint(a);
    float f = (float)a;
    long long l = (long long)a;
    unsigned long long u = (unsigned long long)b;
    int t = (int)a;
    o[3] = f + (double)l + (double)u + t + fma(a, b, 1.0) + (a > b ? 1 : 2) + copysign(b, a);
}
