// k-means clustering: the table of features is turned round once, so that the lanes of a warp read
// neighbouring points of one feature; then each round finds the nearest centre of every point. The
// centres lie in constant memory; the host moves them between rounds.

constexpr int MaxCenters = 5;
constexpr int MaxFeatures = 34;

__constant__ float centers[MaxCenters * MaxFeatures];

// Point-major to feature-major.
extern "C" __global__ void kmeans_invert(const float *by_point, float *by_feature, int points, int features)
{
    const int point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point < points) {
        for (int f = 0; f < features; ++f)
            by_feature[f * points + point] = by_point[point * features + f];
    }
}

extern "C" __global__ void kmeans_assign(const float *__restrict__ by_feature, int features, int points,
                                         int clusters, int *membership)
{
    const int block = gridDim.x * blockIdx.y + blockIdx.x;
    const int point = block * blockDim.x * blockDim.y + threadIdx.x;
    if (point >= points)
        return;
    int nearest = -1;
    float shortest = 3.4e38f;
    for (int c = 0; c < clusters; ++c) {
        const int base = c * features;
        float distance = 0.0f;
        for (int f = 0; f < features; ++f) {
            const float difference = by_feature[f * points + point] - centers[base + f];
            distance = fmaf(difference, difference, distance);
        }
        if (distance < shortest) {
            shortest = distance;
            nearest = c;
        }
    }
    membership[point] = nearest;
}
