// What the sources of this folder use of CUDA, for clang without headers of the toolkit.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))

// A variable whose member x is a special register.
#define SPECIAL(variable, read)                                                                                        \
    struct variable##_type {                                                                                           \
        __declspec(property(get = get)) unsigned x;                                                                    \
        __device__ static unsigned get() { return read(); }                                                            \
    };                                                                                                                 \
    extern const __device__ __attribute__((weak)) variable##_type variable

SPECIAL(threadIdx, __nvvm_read_ptx_sreg_tid_x);
SPECIAL(blockIdx, __nvvm_read_ptx_sreg_ctaid_x);
SPECIAL(blockDim, __nvvm_read_ptx_sreg_ntid_x);
