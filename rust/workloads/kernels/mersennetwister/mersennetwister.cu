// Many small Mersenne twisters, one a thread, each with a matrix and masks of its own, and the
// Box-Muller transformation of their numbers.

constexpr int State = 19;
constexpr int Middle = 9;
constexpr unsigned UpperMask = 0xFFFFFFFEu;
constexpr unsigned LowerMask = 0x1u;

struct Twister {
    unsigned matrix;
    unsigned mask_b;
    unsigned mask_c;
    unsigned seed;
};

// Number i of thread t goes to out[t + i * threads]. The state lies in local memory.
extern "C" __global__ void mersennetwister_generate(float *out, const Twister *twisters, int count)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int threads = blockDim.x * gridDim.x;
    const Twister twister = twisters[thread];
    unsigned state[State];

    state[0] = twister.seed;
    for (int i = 1; i < State; ++i)
        state[i] = 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;

    int now = 0;
    unsigned here = state[0];
    for (int i = 0; i < count; ++i) {
        const int next = now + 1 >= State ? now + 1 - State : now + 1;
        const int middle = now + Middle >= State ? now + Middle - State : now + Middle;
        const unsigned after = state[next];
        unsigned x = (here & UpperMask) | (after & LowerMask);
        x = state[middle] ^ x >> 1 ^ (x & 1 ? twister.matrix : 0);
        state[now] = x;
        here = after;
        now = next;

        x ^= x >> 12;
        x ^= x << 7 & twister.mask_b;
        x ^= x << 15 & twister.mask_c;
        x ^= x >> 18;
        out[thread + i * threads] = ((float)x + 1.0f) * (1.0f / 4294967296.0f);
    }
}

// Two uniform numbers of a thread become two normally distributed ones.
extern "C" __global__ void mersennetwister_normal(float *data, int count)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int threads = blockDim.x * gridDim.x;
    for (int i = 0; i < count; i += 2) {
        float *a = data + thread + i * threads;
        float *b = a + threads;
        const float radius = sqrtf(-2.0f * logf(*a));
        const float angle = 6.2831853071795864f * *b;
        *a = radius * __cosf(angle);
        *b = radius * __sinf(angle);
    }
}
