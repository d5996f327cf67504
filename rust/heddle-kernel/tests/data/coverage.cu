#include <cuda_runtime.h>
#include <math.h>
__constant__ float ctab[64] = {1.f,2.f,3.f};
__constant__ int cint = 5;
__device__ int gcounter; __device__ float garr[16] = {1,2,3};
__device__ int *gptr = &gcounter;
struct P { float a; int b[3]; double d; char c; };
extern "C" __global__ void k_math(float*o,const float*x,int n){int i=blockIdx.x*blockDim.x+threadIdx.x; if(i<n){float v=x[i]; o[i]=sinf(v)+cosf(v)*expf(v)+logf(v)+powf(v,2.5f)+sqrtf(v)+rsqrtf(v)+1.f/v+fabsf(v)+fminf(v,2.f)+floorf(v)+ceilf(v)+rintf(v)+truncf(v)+tanhf(v)+erff(v)+atan2f(v,3.f)+fmodf(v,3.f)+cbrtf(v);}}
extern "C" __global__ void k_dmath(double*o,const double*x,int n){int i=blockIdx.x*blockDim.x+threadIdx.x; if(i<n){double v=x[i]; o[i]=exp(v)+log(v)+sqrt(v)+1.0/v+fabs(v)+fmin(v,2.0)+floor(v)+(double)(float)v+(double)(int)v+(double)(long long)v+ v/3.1 + rsqrt(v);}}
extern "C" __global__ void k_fast(float*o,const float*x,int n){int i=threadIdx.x; float v=x[i]; o[i]=__sinf(v)+__cosf(v)*__expf(v)+__logf(v)+__fdividef(v,3.f)+__powf(v,2.f)+__saturatef(v)+__fmaf_rz(v,v,v)+__fadd_ru(v,1.f)+__fdiv_rd(v,3.f)+__frcp_rz(v)+__fsqrt_ru(v)+copysignf(v,-1.f)+__frsqrt_rn(v);}
extern "C" __global__ void k_int(int*o,const int*x,unsigned*u,long long*l,unsigned long long*ul){int i=threadIdx.x; int v=x[i]; unsigned w=u[i]; long long q=l[i]; unsigned long long r=ul[i];
 o[i]=v/(v|1)+v%7+(int)(w/3u)+(int)(w%(w|1))+__popc(w)+__clz(v)+__ffs(v)+__brev(w)+__byte_perm(v,w,0x1234)+__mulhi(v,3)+__umulhi(w,7)+abs(v)+min(v,3)+max(v,5)+__sad(v,3,4)+__funnelshift_l(v,w,3)+__funnelshift_rc(v,w,i)+__funnelshift_r(v,w,i);
 l[i]=q/(q|1)+q%9+__popcll(r)+__clzll(q)+__ffsll(q)+(long long)__brevll(r)+__mul64hi(q,3)+(q<<(v&63))+(q>>3)+llabs(q)+llmin(q,3ll);
 ul[i]=r/(r|1)+r%9+__umul64hi(r,3)+(r>>(w&63)) + (unsigned long long)(float)v + (unsigned long long)(double)w; }
extern "C" __global__ void k_small(unsigned char*a,short*b,signed char*c,unsigned short*d,float*f){int i=threadIdx.x; a[i]=(unsigned char)(a[i]*3+c[i]); b[i]=(short)(b[i]*b[i]-d[i]); c[i]=(signed char)f[i]; d[i]=(unsigned short)(d[i]/3+ (d[i]>>2)); f[i]=(float)a[i]+(float)b[i]+(float)c[i]+d[i];}
extern "C" __global__ void k_shared(float*o,const float4*x,int2*y,double2*z){__shared__ float s[64]; __shared__ double sd[64]; extern __shared__ int dyn[]; __shared__ unsigned char by[100]; int i=threadIdx.x; float4 v=x[i]; s[i]=v.x+v.y; sd[i]=v.z; dyn[i]=i; by[i]=i; __syncthreads(); o[i]=s[63-i]+sd[(i+1)&63]+dyn[i^1]+by[(i+1)&63]; int2 q=y[i]; q.x+=1; y[i]=q; double2 w=z[i]; w.x*=2; z[i]=w; __syncwarp(); __threadfence(); __threadfence_block(); __threadfence_system();}
extern "C" __global__ void k_local(int*o,int n){int a[32]; for(int j=0;j<32;j++)a[j]=j*n; int s=0; for(int j=0;j<n;j++)s+=a[(j*7+n)&31]; o[threadIdx.x]=s;}
extern "C" __global__ void k_const(float*o,P p,int n){int i=threadIdx.x; o[i]=ctab[i&63]*cint+p.a+p.b[i%3]+p.d+p.c+garr[i&15]; gcounter=n; *gptr=3;}
extern "C" __global__ void k_atom(int*a,unsigned*u,float*f,double*d,unsigned long long*l){__shared__ int s; __shared__ unsigned su; if(threadIdx.x==0){s=0;su=0;} __syncthreads(); int i=threadIdx.x; atomicAdd(&s,i); atomicMax(&su,i); atomicAdd(a,1); atomicMin(a+1,i); atomicMax(u,7u); atomicAnd(a+2,i); atomicOr(a+3,i); atomicXor(a+4,i); a[i]=atomicExch(a+5,i); a[i+1]=atomicCAS(a+6,i,3); u[i]=atomicInc(u+1,10); u[i+1]=atomicDec(u+2,10); atomicAdd(f,1.f); atomicAdd(d,1.0); atomicAdd(l,1ull); l[i]=atomicCAS(l+1,2ull,3ull); atomicSub(a+9,i); __syncthreads(); a[10]=s+su;}
extern "C" __global__ void k_ctrl(int*o,int n){int i=threadIdx.x; int s=0; for(int j=0;j<n;j++){ if(j%3==i%3) continue; if(s>1000) break; switch((j+i)%6){case 0:s+=1;break;case 1:s*=2;break;case 2:s-=7;break;case 3:s^=i;break;case 4:s|=3;break;default:s=~s;} while(s>50) s/=2; } o[i]=s; }
extern "C" __global__ void k_vol(volatile int*p,const int*__restrict__ q,float*f){int i=threadIdx.x; p[i]=p[i+1]+__ldg(q+i)+__ldcg(q+1)+__ldcs(q+2)+__ldca(q+3); __stcg(f,1.f); __stwt(f+1,2.f); f[2]=__int_as_float(q[9]); f[3]=(float)__float_as_int(f[4]); long long c=*(long long*)q; f[5]=c; f[6]=__hiloint2double(q[1],q[2]); f[7]=warpSize + gridDim.z + blockIdx.y;}
