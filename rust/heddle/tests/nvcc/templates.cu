// compared: bits
// Templates: parameter packs, functors, recursion at compile time, traits.

template <int N> struct Poly {
    int c[N];
    __device__ int at(int x) const {
        int s = 0;
        for (int i = 0; i < N; i++)
            s = s * x + c[i];
        return s;
    }
};
template <class T> __device__ T sum(T v) { return v; }
template <class T, class... R> __device__ T sum(T v, R... r) { return v + sum<T>(r...); }
template <class T, class F> __device__ __noinline__ T twice(T v, F f) { return f(f(v)); }
struct AddThree {
    __device__ int operator()(int v) const { return v + 3; }
};
template <unsigned N> struct Fact {
    static constexpr unsigned value = N * Fact<N - 1>::value;
};
template <> struct Fact<0> {
    static constexpr unsigned value = 1;
};
template <class T> struct Traits;
template <> struct Traits<short> {
    static constexpr int bits = 16;
};
template <> struct Traits<long long> {
    static constexpr int bits = 64;
};
template <class T> __device__ __noinline__ T rotate(T v, int n) {
    return (T)((v << n) | ((v >> (Traits<T>::bits - n)) & ((T(1) << n) - 1)));
}
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Poly<4> p = {{1, 2, 3, (int)in[i]}};
    out[8 * i] = p.at(in[i] & 31);
    out[8 * i + 1] = sum<int>(1, 2, (int)in[i], i, 7);
    out[8 * i + 2] = twice<int>(in[i], AddThree());
    out[8 * i + 3] = Fact<10>::value + i;
    out[8 * i + 4] = (unsigned short)rotate<short>((short)in[i], 5);
    long long q = rotate<long long>((long long)in[i] << 20, 13);
    out[8 * i + 5] = (unsigned)q;
    out[8 * i + 6] = (unsigned)(q >> 32);
}
