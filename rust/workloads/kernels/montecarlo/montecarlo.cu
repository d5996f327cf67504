// European call options by simulation: the same normally distributed samples for all options, the sum of
// the payoffs and of their squares. Either a block an option, or several blocks and a second launch.

constexpr int Sums = 256;

struct Option {
    float spot;
    float strike;
    float drift;
    float spread;
};

struct Moments {
    float sum;
    float squares;
};

// Normal quantile after Moro of the centre of each of `count` equal intervals.
extern "C" __global__ void montecarlo_samples(float *samples, int count)
{
    const int threads = blockDim.x * gridDim.x;
    const float width = 1.0f / (float)count;
    for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += threads) {
        const float p = ((float)at + 0.5f) * width;
        const float y = p - 0.5f;
        float x;
        if (fabsf(y) < 0.42f) {
            const float z = y * y;
            const float up = fmaf(
                z, fmaf(z, fmaf(z, -25.4410604963f, 41.3911977353f), -18.6150006252f), 2.50662823884f);
            const float low = fmaf(
                z, fmaf(z, fmaf(z, fmaf(z, 3.13082909833f, -21.0622410182f), 23.0833674374f),
                        -8.4735109309f),
                1.0f);
            x = y * up / low;
        } else {
            const float tail = y > 0.0f ? 1.0f - p : p;
            const float t = logf(-logf(tail));
            x = 3.960315187e-7f;
            x = fmaf(x, t, 2.888167364e-7f);
            x = fmaf(x, t, 3.21767881768e-5f);
            x = fmaf(x, t, 3.951896511919e-4f);
            x = fmaf(x, t, 3.8405729373609e-3f);
            x = fmaf(x, t, 2.76438810333863e-2f);
            x = fmaf(x, t, 0.1607979714918209f);
            x = fmaf(x, t, 0.9761690190917186f);
            x = fmaf(x, t, 0.3374754822726147f);
            x = y < 0.0f ? -x : x;
        }
        samples[at] = x;
    }
}

__device__ void add_path(const Option &option, float sample, Moments &moments)
{
    const float end = option.spot * __expf(fmaf(option.spread, sample, option.drift)) - option.strike;
    const float payoff = end > 0.0f ? end : 0.0f;
    moments.sum += payoff;
    moments.squares = fmaf(payoff, payoff, moments.squares);
}

// Adds the moments of all threads of the block into those of thread 0.
__device__ void reduce(Moments *moments)
{
    for (int stride = Sums / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        for (int at = threadIdx.x; at < stride; at += blockDim.x) {
            moments[at].sum += moments[at + stride].sum;
            moments[at].squares += moments[at + stride].squares;
        }
    }
}

// One block an option.
extern "C" __global__ void montecarlo_option(Moments *results, const Option *options,
                                             const float *samples, int count)
{
    __shared__ Moments moments[Sums];
    const Option option = options[blockIdx.x];
    for (int slot = threadIdx.x; slot < Sums; slot += blockDim.x) {
        Moments own = {0.0f, 0.0f};
        for (int at = slot; at < count; at += Sums)
            add_path(option, samples[at], own);
        moments[slot] = own;
    }
    reduce(moments);
    if (threadIdx.x == 0)
        results[blockIdx.x] = moments[0];
}

// Several blocks an option: every thread leaves its moments in global memory.
extern "C" __global__ void montecarlo_parts(Moments *parts, const Option *options, const float *samples,
                                            int count)
{
    const Option option = options[blockIdx.y];
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    Moments own = {0.0f, 0.0f};
    for (int at = thread; at < count; at += threads)
        add_path(option, samples[at], own);
    parts[blockIdx.y * threads + thread] = own;
}

extern "C" __global__ void montecarlo_reduce(Moments *results, const Moments *parts, int count)
{
    __shared__ Moments moments[Sums];
    const Moments *option = parts + blockIdx.x * count;
    for (int slot = threadIdx.x; slot < Sums; slot += blockDim.x) {
        Moments own = {0.0f, 0.0f};
        for (int at = slot; at < count; at += Sums) {
            own.sum += option[at].sum;
            own.squares += option[at].squares;
        }
        moments[slot] = own;
    }
    reduce(moments);
    if (threadIdx.x == 0)
        results[blockIdx.x] = moments[0];
}
