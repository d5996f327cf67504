// compared: bits
// Function pointers in tables, virtual functions, pointers to members.

typedef int (*Op)(int, int);
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int sub(int a, int b) { return a - b; }
__device__ __noinline__ int mul(int a, int b) { return a * b; }
__device__ __noinline__ int xr(int a, int b) { return a ^ b; }
__device__ Op table[4] = {add, sub, mul, xr};
__constant__ Op fixed[2] = {mul, sub};
struct Shape {
    int w;
    __device__ Shape(int w) : w(w) {}
    __device__ virtual int area() const { return 0; }
    __device__ virtual int twice(int s) const { return 2 * area() + s; }
};
struct Square : Shape {
    __device__ Square(int w) : Shape(w) {}
    __device__ int area() const override { return w * w; }
};
struct Rect : Shape {
    int h;
    __device__ Rect(int w, int h) : Shape(w), h(h) {}
    __device__ int area() const override { return w * h; }
    __device__ int twice(int s) const override { return area() - s; }
};
__device__ __noinline__ int measure(const Shape *s, int v) { return s->area() + s->twice(v); }
struct Obj {
    int v;
    __device__ int get(int k) { return v + k; }
    __device__ int neg(int k) { return v - k; }
};
__device__ __noinline__ int member(Obj &o, int (Obj::*f)(int), int x) { return (o.*f)(x); }
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[8 * i] = table[in[i] & 3](i, in[i] >> 8);
    Op o = i & 1 ? add : xr;
    out[8 * i + 1] = o(in[i], 77);
    out[8 * i + 2] = fixed[i & 1](i, 3);
    Square s(i);
    Rect r(i, 3);
    const Shape *p = in[i] & 1 ? (const Shape *)&s : (const Shape *)&r;
    out[8 * i + 3] = measure(p, in[i] & 255);
    Obj b = {(int)in[i]};
    out[8 * i + 4] = member(b, i & 2 ? &Obj::get : &Obj::neg, i);
    out[8 * i + 5] = table[2] == mul;
    out[8 * i + 6] = o != add;
}
