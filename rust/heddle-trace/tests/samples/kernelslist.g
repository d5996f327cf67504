MemcpyHtoD,0x00007fb52a800000,8192
kernel-1.traceg
MemcpyHtoD,0x00007fb600000000,64
kernel-2.traceg
kernel-3.traceg.xz
