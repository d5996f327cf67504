// Textures and surfaces by handle: in parameters, and in a struct.
struct Scaled {
    cudaTextureObject_t image;
    float scale;
};

extern "C" __global__ void images(cudaTextureObject_t ramp, Scaled scaled, cudaSurfaceObject_t out, float *sum)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const float2 v = tex2D<float2>(scaled.image, x + 0.5f, y + 0.5f);
    const int r = tex1Dfetch<int>(ramp, y * 32 + x);
    surf2Dwrite(make_float4(v.x, v.y * scaled.scale, 1.0f, (float)r), out, x * 16, y);
    sum[y * 32 + x] = v.x + v.y;
}
