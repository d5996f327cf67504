// compared: bits
// Module variables with initial values: pointers to each other, strings, structs, constants.

struct Node {
    int v;
    const Node *next;
};
__device__ int base = 17;
__device__ const Node third = {3, nullptr};
__device__ const Node second = {20, &third};
__device__ Node first = {100, &second};
__constant__ float coef[5] = {1.f, -2.f, 0.5f, 1e-3f, 1e10f};
__constant__ struct {
    char c;
    double d;
    short s[3];
} mix = {'x', 2.5, {1, -2, 3}};
__device__ unsigned char bytes[7] = {1, 2, 3, 255, 0, 6, 7};
__device__ const char *names[3] = {"one", "three", "eleven"};
__device__ double grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ int zeros[10];
__device__ int *where = &zeros[3];
__device__ long long big = -5000000000ll;
__device__ short half = -7;
__device__ bool flag = true;
__device__ __noinline__ int length(const char *s) {
    int n = 0;
    while (s[n])
        n++;
    return n;
}
__device__ __noinline__ int walk(const Node *p) {
    int s = 0;
    for (; p; p = p->next)
        s = s * 2 + p->v;
    return s;
}
__device__ __noinline__ int prime(int k) {
    static const unsigned char P[8] = {2, 3, 5, 7, 11, 13, 17, 19};
    return P[k & 7];
}
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned *o = out + 8 * i;
    o[0] = walk(&first) + base;
    o[1] = (unsigned)(int)(coef[i % 5] * 1000 < 1e6f ? coef[i % 5] * 1000 : 5.f);
    o[2] = mix.c + (int)(mix.d * 2) + mix.s[i % 3];
    o[3] = bytes[in[i] % 7] + length(names[in[i] % 3]) * 10;
    o[4] = (unsigned)(grid[i & 1][i % 3] * 8) + zeros[i % 10] + (unsigned)(where - zeros) + half + flag;
    o[5] = (unsigned)(big >> 3);
    o[6] = prime(in[i]) + names[i % 3][0];
}
