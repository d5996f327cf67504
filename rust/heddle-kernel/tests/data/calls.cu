#include <math.h>
struct V { float x; double y; short s; };
__device__ __noinline__ float helper(float a, int n) { for (int i = 0; i < n; i++) { if (a > 100.f) return a; a = a * 1.5f + i; } return -a; }
__device__ __noinline__ V vec(float a, short b, V c) { V v; v.x = helper(a, 3) + c.x; v.y = c.y * a; v.s = (short)(b + c.s); return v; }
__device__ __noinline__ void store(int *p, int v) { if (v > 3) *p = v; }
__device__ __noinline__ long long fact(int n) { int loc[8] = {1, 1, 1, 1, 1, 1, 1, 1}; long long f = 1; for (int i = 1; i <= n; i++) { loc[i & 7] = i; f *= loc[(i * 3) & 7] + 1; } return f; }
extern "C" __global__ void k_calls(float *o, int *p, long long *l, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { o[i] = helper(o[i], i) + helper(o[i + 1], 2); V v; v.x = o[i]; v.y = i; v.s = i; V w = vec(o[i], (short)i, v); o[i] += w.x + w.y + w.s; store(p + i, i * 2); l[i] = fact(i) + fact(n); } }
extern "C" __global__ void k_dcalls(double*o,const double*x,int n){int i=blockIdx.x*blockDim.x+threadIdx.x; if(i<n){double v=x[i]; o[i]=sin(v)+cos(v)*exp(v)+log(v)+pow(v,2.5)+tgamma(v)+ fmod(v, 3.0);}}
extern "C" __global__ void k_switch(int *o, int n) { int i = threadIdx.x; int s = i; for (int j = 0; j < n; j++) { switch ((s + j) % 12u) { case 0: s += 3; break; case 1: s *= 5; case 2: s ^= j; break; case 3: s -= o[i + 64]; break; case 4: s = s << 2; break; case 5: o[i + 128] = s; break; case 6: s |= 9; case 7: s += j * j; break; case 8: s = ~s; break; case 9: s /= 3; break; case 10: s = s % 1000; } } o[i] = s; }
