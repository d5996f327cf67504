// What it would cost to open a new centre: every point compares its distance to the candidate with what it
// pays at its present centre. If it would gain it marks itself as one that moves; else it adds what it
// saves its centre, which may then close.

struct Point {
    float weight;
    int center;
    float cost;
};

// Coordinates lie dimension by dimension. `savings` holds, for each point, a slot for each open centre and
// one for the points that move.
extern "C" __global__ void streamcluster(int points, int dimensions, int candidate, const Point *point,
                                         int centers, int stride, const float *coordinates,
                                         float *savings, const int *center_slot, char *moves)
{
    extern __shared__ float center[];

    if (threadIdx.x == 0) {
        for (int d = 0; d < dimensions; ++d)
            center[d] = coordinates[d * points + candidate];
    }
    __syncthreads();
    const int thread = (gridDim.x * blockIdx.y + blockIdx.x) * blockDim.x + threadIdx.x;
    if (thread >= points)
        return;
    float *own = savings + thread * stride;
    float distance = 0.0f;
    for (int d = 0; d < dimensions; ++d) {
        const float difference = coordinates[d * points + thread] - center[d];
        distance = fmaf(difference, difference, distance);
    }
    const float here = distance * point[thread].weight;
    const float now = point[thread].cost;
    if (here < now) {
        moves[thread] = 1;
        own[centers] += here - now;
    } else {
        own[center_slot[point[thread].center]] += now - here;
    }
}
