// compared: bits
// Lambdas with captures, generic and nested ones.

template <class F> __device__ __noinline__ int apply(int a, int b, F f) { return f(a, b); }
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int bias = in[i] & 63;
    int count = 0;
    auto add = [bias](int a, int b) { return a + b + bias; };
    auto mul = [&](int a, int b) {
        count++;
        return a * b + bias;
    };
    auto generic = [](auto a, auto b) { return a < b ? a : b; };
    auto nested = [&](int x) {
        auto inner = [&](int y) {
            count += y;
            return x - y;
        };
        return inner(3) + inner(4);
    };
    int r = apply(i, 7, add) + apply(i, 5, mul) + apply(2, 3, mul);
    out[8 * i] = r;
    out[8 * i + 1] = generic(i, 40) + (int)generic(1.5f * i, 20.0f);
    out[8 * i + 2] = nested(bias);
    out[8 * i + 3] = count;
    int (*plain)(int) = [](int v) { return v * v; };
    out[8 * i + 4] = plain(i);
}
