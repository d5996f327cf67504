// Fast Walsh-Hadamard transform in natural order, and the product with which two transforms become
// one dyadic convolution.

// The last stages, whose partners lie inside one stretch of 2^bits elements: in shared memory, radix 4,
// with one stage of radix 2 when bits is odd. A thread owns four elements.
extern "C" __global__ void walsh_shared(float *data, int bits)
{
    extern __shared__ float stretch[];
    const int n = 1 << bits;
    const int base = blockIdx.x << bits;

    for (int i = threadIdx.x; i < n; i += blockDim.x)
        stretch[i] = data[base + i];

    for (int stride = n >> 2; stride > 0; stride >>= 2) {
        const int low = threadIdx.x & (stride - 1);
        const int i0 = ((threadIdx.x - low) << 2) + low;
        const int i1 = i0 + stride;
        const int i2 = i1 + stride;
        const int i3 = i2 + stride;
        __syncthreads();
        const float d0 = stretch[i0];
        const float d1 = stretch[i1];
        const float d2 = stretch[i2];
        const float d3 = stretch[i3];
        const float s02 = d0 + d2;
        const float t02 = d0 - d2;
        const float s13 = d1 + d3;
        const float t13 = d1 - d3;
        stretch[i0] = s02 + s13;
        stretch[i1] = s02 - s13;
        stretch[i2] = t02 + t13;
        stretch[i3] = t02 - t13;
    }
    if (bits & 1) {
        __syncthreads();
        for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
            const float a = stretch[2 * i];
            const float b = stretch[2 * i + 1];
            stretch[2 * i] = a + b;
            stretch[2 * i + 1] = a - b;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[base + i] = stretch[i];
}

// One radix-4 stage over the whole array, for strides beyond a stretch.
extern "C" __global__ void walsh_global(float *data, int stride)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int low = thread & (stride - 1);
    const int i0 = ((thread - low) << 2) + low;
    const int i1 = i0 + stride;
    const int i2 = i1 + stride;
    const int i3 = i2 + stride;
    const float d0 = data[i0];
    const float d1 = data[i1];
    const float d2 = data[i2];
    const float d3 = data[i3];
    const float s02 = d0 + d2;
    const float t02 = d0 - d2;
    const float s13 = d1 + d3;
    const float t13 = d1 - d3;
    data[i0] = s02 + s13;
    data[i1] = s02 - s13;
    data[i2] = t02 + t13;
    data[i3] = t02 - t13;
}

// a = a * b / n, element by element.
extern "C" __global__ void walsh_modulate(float *a, const float *b, int n)
{
    const int threads = gridDim.x * blockDim.x;
    const float scale = 1.0f / (float)n;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        a[i] *= b[i] * scale;
}
