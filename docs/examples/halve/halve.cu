// nvcc --ptx -arch=sm_75 -O3 -o halve.ptx halve.cu
// An image of half the size, one thread a pixel: between four texels the linear filter gives their mean.
extern "C" __global__ void halve(cudaTextureObject_t image, cudaSurfaceObject_t half)
{
    const int x = threadIdx.x, y = blockIdx.x;
    const float mean = tex2D<float>(image, (x + 0.5f) / blockDim.x, (y + 0.5f) / gridDim.x);
    surf2Dwrite(mean, half, 4 * x, y);
}
