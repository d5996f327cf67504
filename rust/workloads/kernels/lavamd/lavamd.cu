// Potential and force of particles on each other within a cut-off. Space is cut into boxes of 100
// particles; one block works on one home box, with its particles and those of one box of its
// neighbourhood at a time in shared memory. A thread owns one particle of the home box and keeps adding
// to its sums in global memory, box after box.

constexpr int Particles = 100;
constexpr int Threads = 128;
constexpr int Neighbours = 26;

// A particle's half square of distance and place, or its potential and force.
struct Vector {
    double v, x, y, z;
};

struct Neighbour {
    int x, y, z;
    int number;
    long long offset;
};

struct Box {
    int x, y, z;
    int number;
    long long offset;
    int neighbours;
    Neighbour neighbour[Neighbours];
};

extern "C" __global__ void __launch_bounds__(Threads) lavamd(double alpha, int boxes, const Box *box, const Vector *places,
                                  const double *charges, Vector *forces)
{
    __shared__ Vector home[Particles];
    __shared__ Vector other[Particles];
    __shared__ double charge[Particles];

    const int b = blockIdx.x;
    if (b >= boxes)
        return;
    const double scale = 2.0 * alpha * alpha;
    const long long home_first = box[b].offset;
#pragma unroll 1
    for (int i = threadIdx.x; i < Particles; i += Threads)
        home[i] = places[home_first + i];
    __syncthreads();

    // The home box itself comes first.
    for (int k = 0; k < 1 + box[b].neighbours; ++k) {
        const int number = k == 0 ? b : box[b].neighbour[k - 1].number;
        const long long first = box[number].offset;
#pragma unroll 1
        for (int i = threadIdx.x; i < Particles; i += Threads) {
            other[i] = places[first + i];
            charge[i] = charges[first + i];
        }
        __syncthreads();

        for (int i = threadIdx.x; i < Particles; i += Threads) {
            Vector *sum = forces + home_first + i;
            for (int j = 0; j < Particles; ++j) {
                const double dot = home[i].x * other[j].x + home[i].y * other[j].y + home[i].z * other[j].z;
                const double square = home[i].v + other[j].v - dot;
                const double potential = exp(-(scale * square));
                const double strength = 2.0 * potential;
                sum->v += charge[j] * potential;
                sum->x += charge[j] * (strength * (home[i].x - other[j].x));
                sum->y += charge[j] * (strength * (home[i].y - other[j].y));
                sum->z += charge[j] * (strength * (home[i].z - other[j].z));
            }
        }
        __syncthreads();
    }
}
