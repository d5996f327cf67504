// Electrostatic potential of the atoms within a cutoff, on a lattice. Atoms are sorted into cubic bins
// of eight places, the lattice is cut into regions of 8 x 8 x 8 points. A block computes a region,
// each thread four points along y: it goes through the bins around the region, 32 of them at a time
// in shared memory. A launch computes one layer of regions. Bins outside of the box are there and empty.

constexpr int Places = 8;
constexpr int BinWords = 4 * Places;
constexpr int CachedBins = 32;
constexpr int Threads = 128;
constexpr int RegionPoints = 512;
constexpr int MostNeighbours = 1331;
constexpr float BinsPerLength = 0.25f;

// Offsets, in bins, of the bins that come near enough to a region. The host fills them in.
__constant__ int neighbour_count;
__constant__ int3 neighbours[MostNeighbours];

// What a charge at a squared distance adds to the potential, smoothed to 0 at the cutoff.
__device__ __forceinline__ void add(float &potential, float charge, float dy, float distance_xz2,
                                    float cutoff2, float inverse_cutoff2)
{
    const float distance2 = fmaf(dy, dy, distance_xz2);
    if (distance2 < cutoff2) {
        const float smoothing = fmaf(-distance2, inverse_cutoff2, 1.0f);
        potential = fmaf(charge * rsqrtf(distance2), smoothing * smoothing, potential);
    }
}

// `bins` points to the bin of the lattice's origin: x, y, z and charge of each atom, a charge of 0
// after the last one.
extern "C" __global__ void __launch_bounds__(Threads)
    cutcp(int bins_x, int bins_y, const float *bins, float spacing, float cutoff2,
          float inverse_cutoff2, float *potentials, int layer)
{
    __shared__ float cache[CachedBins * BinWords];
    __shared__ float *region;
    __shared__ int3 home;

    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (thread == 0) {
        region = potentials + ((layer * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * RegionPoints;
        // The bin of the middle of the region.
        home.x = (int)floorf((8 * blockIdx.x + 4) * spacing * BinsPerLength);
        home.y = (int)floorf((8 * blockIdx.y + 4) * spacing * BinsPerLength);
        home.z = (int)floorf((8 * layer + 4) * spacing * BinsPerLength);
    }
    const float x = (8 * blockIdx.x + threadIdx.x) * spacing;
    const float y = (8 * blockIdx.y + threadIdx.y) * spacing;
    const float z = (8 * layer + threadIdx.z) * spacing;
    const float step = 2.0f * spacing;

    float potential0 = 0.0f;
    float potential1 = 0.0f;
    float potential2 = 0.0f;
    float potential3 = 0.0f;
    for (int first = 0; first < neighbour_count; first += CachedBins) {
        const int here = min(CachedBins, neighbour_count - first);
        __syncthreads();
        // Eight threads copy a bin.
        for (int bin = thread >> 3; bin < here; bin += Threads >> 3) {
            const int3 offset = neighbours[first + bin];
            const int at = ((home.z + offset.z) * bins_y + home.y + offset.y) * bins_x + home.x + offset.x;
            for (int word = thread & 7; word < BinWords; word += 8)
                cache[bin * BinWords + word] = bins[at * BinWords + word];
        }
        __syncthreads();
#pragma unroll 1
        for (int bin = 0; bin < here; ++bin) {
#pragma unroll 1
            for (int place = 0; place < Places; ++place) {
                const float *atom = &cache[bin * BinWords + 4 * place];
                const float charge = atom[3];
                if (charge == 0.0f)
                    break;
                const float dx = atom[0] - x;
                const float dz = atom[2] - z;
                const float distance_xz2 = fmaf(dz, dz, dx * dx);
                add(potential0, charge, atom[1] - y, distance_xz2, cutoff2, inverse_cutoff2);
                add(potential1, charge, atom[1] - (y + step), distance_xz2, cutoff2, inverse_cutoff2);
                add(potential2, charge, atom[1] - (y + 2.0f * step), distance_xz2, cutoff2, inverse_cutoff2);
                add(potential3, charge, atom[1] - (y + 3.0f * step), distance_xz2, cutoff2, inverse_cutoff2);
            }
        }
    }
    region[thread] = potential0;
    region[thread + Threads] = potential1;
    region[thread + 2 * Threads] = potential2;
    region[thread + 3 * Threads] = potential3;
}
