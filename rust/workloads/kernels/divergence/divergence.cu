// Integer mixing with as much divergence as a warp can have.
//
// Lanes of one warp run loops of different length, leave them early, run different branches with
// different live values, and meet again. Twenty values stay live across the loops, so the working sets
// of the branches do not fit sixteen registers together. All arithmetic is modulo 2^32.

constexpr unsigned Words = 20;

__device__ unsigned rotate(unsigned v, unsigned by)
{
    return (v << (by & 31)) | (v >> ((32 - by) & 31));
}

extern "C" __global__ void divergence(const unsigned *input, unsigned *output, unsigned n,
                                      unsigned rounds)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    unsigned x = input[i];
    if ((x & 0x1f) == 7) {
        output[i] = ~x;
        return;
    }

    unsigned w[Words];
#pragma unroll
    for (unsigned k = 0; k < Words; ++k)
        w[k] = x * (2 * k + 1) + k;

    // The lanes leave this loop up to three rounds apart.
    const unsigned last = rounds + (x >> 30);
    for (unsigned r = 0; r < last; ++r) {
        // Trip count 0 to 7 by lane; the values of the lower half take part.
        const unsigned trips = x & 7;
        for (unsigned j = 0; j < trips; ++j) {
            x ^= w[0] + rotate(w[1], j);
            w[0] += w[2] ^ x;
            w[1] ^= w[3] * 5 + j;
            w[2] = rotate(w[2] + w[4], 7);
            w[3] += w[5] & x;
            w[4] ^= w[6] | j;
            w[5] += w[7];
            w[6] = rotate(w[6], x);
            w[7] ^= w[8] + w[9];
            if ((x & 0xff) < 20)
                break;
            w[8] += x >> 3;
            w[9] ^= x << 5;
        }

        if (x & 0x100) {
            // The values of the upper half take part, in a loop that depends on the lane.
            unsigned left = (x >> 9) & 3;
            do {
                w[10] += w[11] ^ x;
                w[11] = rotate(w[11], w[10]);
                w[12] ^= w[13] + left;
                w[13] += w[14] * 3;
                w[14] ^= w[15] & w[10];
                if (w[14] & 0x10) {
                    w[15] += w[16] ^ x;
                    w[16] -= w[17];
                    x += w[15];
                } else {
                    w[17] ^= w[18] >> 2;
                    w[18] += w[19] | 1;
                    w[19] = rotate(w[19], 11) ^ x;
                    x ^= w[18];
                }
            } while (left-- != 0);
        } else if (x & 0x200) {
            x = x * 0x9e3779b1u + w[0];
            w[19] ^= x;
        } else if ((x & 0x3c00) == 0) {
            w[0] += x;
        } else {
            x = rotate(x, 13) - w[10];
        }
    }

    if (x % 13 == 0) {
        output[i] = w[0] - w[10];
        return;
    }

#pragma unroll
    for (unsigned k = 0; k < Words; ++k)
        x = rotate(x, 5) ^ w[k];
    output[i] = x;
}
