// Fourier transforms of 256 complex points, one a block, by Stockham's radix-2 steps: once with a launch
// for every step, through global memory, and once with all steps in shared memory.

constexpr int Points = 256;
constexpr int Threads = Points / 2;
constexpr float Pi = 3.14159265358979f;

__device__ float2 times(float2 a, float2 b)
{
    return make_float2(fmaf(a.x, b.x, -(a.y * b.y)), fmaf(a.x, b.y, a.y * b.x));
}

// The butterfly of a thread in the step that joins transforms of `length` points, and the place where its
// first result goes; the second goes `length` places behind.
__device__ int step(int thread, int length, float2 &a, float2 &b)
{
    const int k = thread % length;
    const float angle = -Pi * (float)k / (float)length;
    const float2 turned = times(b, make_float2(__cosf(angle), __sinf(angle)));
    b = make_float2(a.x - turned.x, a.y - turned.y);
    a = make_float2(a.x + turned.x, a.y + turned.y);
    return thread / length * length * 2 + k;
}

extern "C" __global__ void fft_global(int length, const float2 *from, float2 *to)
{
    const int base = blockIdx.x * Points;
    float2 a = from[base + threadIdx.x];
    float2 b = from[base + threadIdx.x + Threads];
    const int place = step(threadIdx.x, length, a, b);
    to[base + place] = a;
    to[base + place + length] = b;
}

extern "C" __global__ void __launch_bounds__(Threads) fft_shared(float2 *data)
{
    __shared__ float2 points[Points];

    const int base = blockIdx.x * Points;
    float2 a = data[base + threadIdx.x];
    float2 b = data[base + threadIdx.x + Threads];
    for (int length = 1; length < Points; length *= 2) {
        const int place = step(threadIdx.x, length, a, b);
        __syncthreads();
        points[place] = a;
        points[place + length] = b;
        __syncthreads();
        a = points[threadIdx.x];
        b = points[threadIdx.x + Threads];
    }
    data[base + threadIdx.x] = a;
    data[base + threadIdx.x + Threads] = b;
}
