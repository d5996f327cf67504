// compared: refused: 'malloc' needs a heap on the device
// new and delete.

extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {
    int i = threadIdx.x;
    unsigned *p = new unsigned[4];
    p[i & 3] = in[i];
    out[i] = p[1];
    delete[] p;
}
