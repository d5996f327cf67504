// compared: bits
// Arrays in local memory that are indexed at run time and passed on.

__device__ __noinline__ void fill(int *a, int n, int s) {
    for (int j = 0; j < n; j++)
        a[j] = s + j * j;
}
__device__ __noinline__ int fold(const int (*m)[4], int r) {
    int s = 0;
    for (int j = 0; j < r; j++)
        for (int c = 0; c < 4; c++)
            s = s * 3 + m[j][c];
    return s;
}
__device__ __noinline__ void swap(short &a, short &b) {
    short t = a;
    a = b;
    b = t;
}
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a[33], m[5][4];
    fill(a, 33, in[i]);
    for (int j = 0; j < 20; j++)
        m[j / 4][j % 4] = a[(j * 7 + i) % 33];
    out[8 * i] = fold(m, 5);
    out[8 * i + 1] = a[in[i] % 33];
    short s[9];
    for (int j = 0; j < 9; j++)
        s[j] = (short)(in[i] >> j);
    for (int j = 0; j < 9; j++)
        for (int l = 0; l + 1 < 9 - j; l++)
            if (s[l] > s[l + 1])
                swap(s[l], s[l + 1]);
    for (int j = 0; j < 4; j++)
        out[8 * i + 2 + j] = s[j * 2];
    double d[3] = {1.5 * i, 2.5, in[i] * 0.25};
    out[8 * i + 6] = (unsigned)(long long)(d[i % 3] * 4);
    char txt[8] = "abcdefg";
    txt[i & 7] = 'Z';
    unsigned h = 0;
    for (int j = 0; j < 8; j++)
        h = h * 31 + txt[j];
    out[8 * i + 7] = h;
}
