// compared: bits
// Jump tables, fall-through, a jump into a loop, gotos that make an irreducible loop.

__device__ __noinline__ int duff(int *to, const int *from, int count) {
    int k = (count + 7) / 8;
    switch (count % 8) {
    case 0:
        do {
            *to++ = *from++;
        case 7:
            *to++ = *from++;
        case 6:
            *to++ = *from++;
        case 5:
            *to++ = *from++;
        case 4:
            *to++ = *from++;
        case 3:
            *to++ = *from++;
        case 2:
            *to++ = *from++;
        case 1:
            *to++ = *from++;
        } while (--k > 0);
    }
    return count;
}
extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int s = in[i], r = 0;
    for (int j = 0; j < 10; j++) {
        switch ((unsigned)(s + j) % 14u) {
        case 0:
            r += 3;
            break;
        case 1:
            r *= 5;
            continue;
        case 2:
            r ^= j;
        case 3:
            r -= 9;
            break;
        case 4:
            r <<= 1;
            break;
        case 5:
            goto done;
        case 6:
            r |= 9;
            break;
        case 7:
            r = ~r;
            break;
        case 8:
            r /= 3;
            break;
        case 9:
            r %= 1000;
            break;
        case 10:
            r += in[j];
            break;
        case 11:
            r -= s;
            break;
        default:
            r++;
        }
        s = s * 1103515245 + 12345;
    }
done:
    out[8 * i] = r;
    int a[20], b[20];
    for (int j = 0; j < 20; j++) {
        a[j] = in[j] + i;
        b[j] = 0;
    }
    duff(b, a, 1 + (in[i] & 15));
    int t = 0;
    for (int j = 0; j < 20; j++)
        t = t * 3 + b[j];
    out[8 * i + 1] = t;
    switch (in[i] >> 24) {
    case 1:
        t = 5;
        break;
    case 17:
        t = 6;
        break;
    case 100:
        t = 7;
        break;
    case 255:
        t = 8;
        break;
    case 64:
        t = 9;
        break;
    default:
        t = 10;
    }
    out[8 * i + 2] = t;
    int x = i, c = 0;
    if (in[i] & 1)
        goto second;
first:
    x = x * 3 + 1;
    c++;
second:
    x = x ^ 5;
    if (++c < 8) {
        if (x & 4)
            goto first;
        x >>= 1;
        goto second;
    }
    out[8 * i + 3] = x + c;
}
