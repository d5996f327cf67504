// Hashes of many pieces of a buffer, one thread a piece: MD5 (RFC 1321) and SHA-1 (RFC 3174). Pieces are chunks
// side by side, or windows of equal size that begin `step` bytes one after the other and overlap.
// A thread keeps the 64-byte block that it hashes in a column of shared memory of its own, all words
// of which lie in one bank. No thread touches another's column, so there is no barrier.

constexpr int Warp = 32;
constexpr int Threads = 128;
// All of 16 KB that launch parameters left of the shared memory of the first devices.
constexpr int SharedBytes = 16256;
// Words of a column: an equal share of the rows for each warp.
constexpr int Rows = SharedBytes / 4 / Threads;
constexpr int BlockBytes = 64;
constexpr int BlockWords = BlockBytes / 4;
// The length of the piece takes the last two words of its last block.
constexpr int LengthWord = BlockWords - 2;

__device__ unsigned rotate(unsigned x, int bits)
{
    return __funnelshift_l(x, x, bits);
}

struct Md5 {
    static constexpr int Words = 4;
    unsigned state[Words] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

    // Words are little endian, as the machine's.
    static __device__ unsigned order(unsigned word) { return word; }

    static __device__ void put_length(unsigned *column, unsigned bytes)
    {
        column[LengthWord * Warp] = bytes << 3;
        column[(LengthWord + 1) * Warp] = bytes >> 29;
    }

    __device__ void block(const unsigned *column)
    {
        // The fractions of the sines of 1 to 64, in units of 2^-32.
        constexpr unsigned Sines[64] = {
            0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a,
            0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be,
            0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
            0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
            0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8,
            0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
            0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
            0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
            0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92,
            0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
            0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
        };
        constexpr int Rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
        unsigned message[BlockWords];
#pragma unroll
        for (int i = 0; i < BlockWords; ++i)
            message[i] = column[i * Warp];
        unsigned a = state[0], b = state[1], c = state[2], d = state[3];
#pragma unroll
        for (int i = 0; i < 64; ++i) {
            unsigned mixed;
            int word;
            if (i < 16) {
                mixed = (b & c) | (~b & d);
                word = i;
            } else if (i < 32) {
                mixed = (b & d) | (c & ~d);
                word = 5 * i + 1;
            } else if (i < 48) {
                mixed = b ^ c ^ d;
                word = 3 * i + 5;
            } else {
                mixed = c ^ (b | ~d);
                word = 7 * i;
            }
            const unsigned sum = a + mixed + message[word % BlockWords] + Sines[i];
            a = d;
            d = c;
            c = b;
            b += rotate(sum, Rotations[i / 16][i % 4]);
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
    }
};

struct Sha1 {
    static constexpr int Words = 5;
    unsigned state[Words] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

    // Words are big endian.
    static __device__ unsigned order(unsigned word) { return __byte_perm(word, 0, 0x0123); }

    static __device__ void put_length(unsigned *column, unsigned bytes)
    {
        column[LengthWord * Warp] = bytes >> 29;
        column[(LengthWord + 1) * Warp] = bytes << 3;
    }

    __device__ void block(const unsigned *column)
    {
        unsigned schedule[BlockWords];
#pragma unroll
        for (int i = 0; i < BlockWords; ++i)
            schedule[i] = column[i * Warp];
        unsigned a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
#pragma unroll
        for (int i = 0; i < 80; ++i) {
            unsigned &word = schedule[i % BlockWords];
            if (i >= BlockWords)
                word = rotate(word ^ schedule[(i + 2) % BlockWords] ^ schedule[(i + 8) % BlockWords] ^
                                  schedule[(i + 13) % BlockWords],
                              1);
            unsigned mixed;
            if (i < 20)
                mixed = ((b & c) | (~b & d)) + 0x5a827999;
            else if (i < 40)
                mixed = (b ^ c ^ d) + 0x6ed9eba1;
            else if (i < 60)
                mixed = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
            else
                mixed = (b ^ c ^ d) + 0xca62c1d6;
            const unsigned sum = rotate(a, 5) + mixed + e + word;
            e = d;
            d = c;
            c = rotate(b, 30);
            b = a;
            a = sum;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
    }
};

// The column of this thread.
__device__ unsigned *own_column(unsigned *workspace)
{
    return workspace + threadIdx.x / Warp * Rows * Warp + threadIdx.x % Warp;
}

// Blocks of a piece with its padding: one byte at least, and the length.
__device__ int padded_blocks(int size)
{
    return (size + 8) / BlockBytes + 1;
}

// Fills a block that is not full: the `rest` bytes that are left of the piece, a bit, zeros. A block after
// the one with the bit has a negative rest.
template <class Hash>
__device__ void pad(unsigned *column, const unsigned char *bytes, int rest)
{
#pragma unroll 1
    for (int i = 0; i < BlockWords; ++i) {
        unsigned word = 0;
        for (int j = 0; j < 4; ++j) {
            const int at = 4 * i + j;
            const unsigned byte = at < rest ? bytes[at] : at == rest ? 0x80 : 0;
            word |= byte << 8 * j;
        }
        column[i * Warp] = Hash::order(word);
    }
}

template <class Hash>
__device__ void store(unsigned *digests, int index, const Hash &hash)
{
    for (int i = 0; i < Hash::Words; ++i)
        digests[index * Hash::Words + i] = Hash::order(hash.state[i]);
}

// Chunk `i` is bytes i * chunk to (i + 1) * chunk, the last one shorter; `chunk` is a multiple of four.
template <class Hash>
__device__ void hash_chunk(unsigned *workspace, unsigned *digests, const unsigned *input, int bytes, int chunk)
{
    const int index = blockIdx.x * Threads + threadIdx.x;
    const int begin = index * chunk;
    if (begin >= bytes)
        return;
    unsigned *column = own_column(workspace);
    const int size = min(chunk, bytes - begin);
    const int blocks = padded_blocks(size);
    const unsigned *words = input + begin / 4;
    Hash hash;
#pragma unroll 1
    for (int block = 0; block < blocks; ++block, words += BlockWords) {
        const int rest = size - block * BlockBytes;
        if (rest >= BlockBytes) {
            for (int i = 0; i < BlockWords; ++i)
                column[i * Warp] = Hash::order(words[i]);
        } else {
            pad<Hash>(column, (const unsigned char *)words, rest);
        }
        if (block == blocks - 1)
            Hash::put_length(column, size);
        hash.block(column);
    }
    store(digests, index, hash);
}

// Window `i` is the `size` bytes from i * step on, at any address, so it is read byte by byte.
template <class Hash>
__device__ void hash_window(unsigned *workspace, unsigned *digests, const unsigned char *input, int windows, int size,
                            int step)
{
    const int index = blockIdx.x * Threads + threadIdx.x;
    if (index >= windows)
        return;
    unsigned *column = own_column(workspace);
    const int blocks = padded_blocks(size);
    const unsigned char *window = input + index * step;
    Hash hash;
#pragma unroll 1
    for (int block = 0; block < blocks; ++block, window += BlockBytes) {
        const int rest = size - block * BlockBytes;
        if (rest >= BlockBytes) {
            unsigned bytes[BlockBytes];
#pragma unroll
            for (int i = 0; i < BlockBytes; ++i)
                bytes[i] = window[i];
#pragma unroll
            for (int i = 0; i < BlockWords; ++i)
                column[i * Warp] = Hash::order(bytes[4 * i] | bytes[4 * i + 1] << 8 | bytes[4 * i + 2] << 16 |
                                               bytes[4 * i + 3] << 24);
        } else {
            pad<Hash>(column, window, rest);
        }
        if (block == blocks - 1)
            Hash::put_length(column, size);
        hash.block(column);
    }
    store(digests, index, hash);
}

extern "C" __global__ void __launch_bounds__(Threads)
    storegpu_md5(unsigned *digests, const unsigned *input, int bytes, int chunk)
{
    __shared__ unsigned workspace[SharedBytes / 4];
    hash_chunk<Md5>(workspace, digests, input, bytes, chunk);
}

extern "C" __global__ void __launch_bounds__(Threads)
    storegpu_md5_overlap(unsigned *digests, const unsigned char *input, int windows, int size, int step)
{
    __shared__ unsigned workspace[SharedBytes / 4];
    hash_window<Md5>(workspace, digests, input, windows, size, step);
}

extern "C" __global__ void __launch_bounds__(Threads)
    storegpu_sha1(unsigned *digests, const unsigned *input, int bytes, int chunk)
{
    __shared__ unsigned workspace[SharedBytes / 4];
    hash_chunk<Sha1>(workspace, digests, input, bytes, chunk);
}

extern "C" __global__ void __launch_bounds__(Threads)
    storegpu_sha1_overlap(unsigned *digests, const unsigned char *input, int windows, int size, int step)
{
    __shared__ unsigned workspace[SharedBytes / 4];
    hash_window<Sha1>(workspace, digests, input, windows, size, step);
}
