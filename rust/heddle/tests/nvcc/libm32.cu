// compared: f32 1e-5
// The mathematical functions of CUDA's library in single precision.

extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = (int)(in[i] & 0xffff) / 8192.0f + 0.1f, y = (int)(in[i + 1] & 0xfff) / 1024.0f + 0.3f,
          *o = (float *)(out + 8 * i);
    o[0] = sinf(x) + cosf(x * 100) + tanf(y);
    o[1] = powf(x, y) + expf(y) + exp2f(x);
    o[2] = erff(x) + erfcf(y) + tgammaf(y) + lgammaf(x);
    o[3] = logf(x) + log2f(y) + log1pf(x) + log10f(y) + expm1f(x);
    o[4] = asinf(x / 9) + acosf(y / 9) + atanf(x) + atan2f(y, x);
    o[5] = sinhf(x / 2) + coshf(y / 2) + tanhf(x) + asinhf(x) + acoshf(x + 1) + atanhf(x / 9);
    o[6] = cbrtf(x) + hypotf(x, y) + fmodf(x, y) + remainderf(x, y);
    float ip;
    int e;
    o[7] = modff(x, &ip) + ip + frexpf(y, &e) + e + ldexpf(x, 3) + scalbnf(y, -2) + roundf(x) + (float)lrintf(y) +
           nextafterf(x, y) + fdimf(x, y) + (float)ilogbf(x);
}
