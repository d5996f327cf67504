//! Traces written by hand, with the opcodes that compilers write for three architectures.

use std::path::PathBuf;
use std::sync::Arc;

use heddle_trace::{AddressMap, TraceError, TracedKernel};

/// Version 3, Volta: no immediates; strides; a divergent branch; shared memory and a barrier.
pub const VOLTA: &str = "\
-kernel name = _Z3addPfS_
-kernel id = 1
-grid dim = (2,1,1)
-block dim = (40,1,1)
-shmem = 256
-nregs = 16
-binary version = 70
-cuda stream id = 0
-shmem base_addr = 0x00007fb510000000
-local mem base_addr = 0x00007fb50e000000
-nvbit version = 1.5.5
-accelsim tracer version = 3
-enable lineinfo = 0

#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]

#BEGIN_TB

thread block = 0,0,0

warp = 0
insts = 10
0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 
0010 ffffffff 1 R0 S2R 0 0 
0020 ffffffff 1 R2 IMAD.WIDE 2 R0 R5 0 
0030 ffffffff 1 R4 LDG.E.64.SYS 1 R2 8 1 0x00007fb52a800000 8 
0040 ffffffff 0 ISETP.GT.AND 2 R0 R255 0 
0050 0000ffff 0 BRA 0 0 
0060 ffff0000 1 R4 FADD 2 R4 R5 0 
0070 ffffffff 0 STS 2 R0 R4 4 1 0x0000000000000000 4 
0080 ffffffff 0 BAR.SYNC 0 0 
0090 ffffffff 0 EXIT 0 0 

warp = 1
insts = 9
0000 000000ff 1 R1 IMAD.MOV.U32 2 R255 R255 0 
0010 000000ff 1 R0 S2R 0 0 
0020 000000ff 1 R2 IMAD.WIDE 2 R0 R5 0 
0030 000000ff 1 R4 LDG.E.64.SYS 1 R2 8 2 0x00007fb52a801000 16 -8 8 8 8 8 8 
0040 000000ff 0 ISETP.GT.AND 2 R0 R255 0 
0050 000000ff 0 BRA 0 0 
0070 000000ff 0 STS 2 R0 R4 4 1 0x0000000000000080 4 
0080 000000ff 0 BAR.SYNC 0 0 
0090 000000ff 0 EXIT 0 0 

#END_TB

#BEGIN_TB

thread block = 1,0,0

warp = 0
insts = 2
0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 
0090 ffffffff 0 EXIT 0 0 

warp = 1
insts = 2
0000 000000ff 1 R1 IMAD.MOV.U32 2 R255 R255 0 
0090 000000ff 0 EXIT 0 0 

#END_TB
";

/// Version 5, Turing and Ampere: immediates; generic, local and atomic accesses; source lines.
pub const AMPERE: &str = "\
-kernel name = reduce
-kernel id = 7
-grid dim = (1,1,1)
-block dim = (4,1,1)
-shmem = 0
-nregs = 12
-binary version = 80
-cuda stream id = 0
-shmem base_addr = 0x00007fb510000000
-local mem base_addr = 0x00007fb50e000000
-nvbit version = 1.7.1
-accelsim tracer version = 5
-enable lineinfo = 1

#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate

#BEGIN_TB

thread block = 0,0,0
cluster id = 0,0,0

warp = 0
insts = 9
3 0000 0000000f 1 R1 MOV 0 0 0
3 0010 0000000f 1 R2 IMAD.WIDE 2 R8 R4 0 4
4 0020 0000000f 1 R4 DFMA 3 R4 R2 R6 0 0
4 0030 0000000f 0 SHFL.BFLY 2 R8 R9 0 16
5 0040 0000000f 1 R9 LD.E 1 R2 4 0 0x00007fb510000010 0x00007fb50e000104 0x00007fb600000008 0x00007fb60000000c 0
5 0050 0000000f 0 STL 2 R1 R9 4 1 0x0000000000fffd00 4 0
6 0060 00000005 0 ATOMG.E.ADD.STRONG.GPU 3 R11 R2 R8 4 0 0x00007fb600000000 0x00007fb700000004 0
6 0070 0000000f 0 MEMBAR.SC.GPU 0 0 0
7 0080 0000000f 0 EXIT 0 0 0

#END_TB
";

/// Writes a trace into a folder of its own.
pub fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("kernel-1.traceg");
    std::fs::write(&path, text).expect("writable");
    (folder, path)
}

/// Reads a trace and replays it to the end.
pub fn read(text: &str) -> Result<TracedKernel, TraceError> {
    let (_folder, path) = file(text);
    let kernel = TracedKernel::read(&path, &mut Arc::new(AddressMap::default()), &mut || true)?;
    let mut replay = kernel.replay()?;
    let mut steps = 0;
    for cta in 0..kernel.header.ctas() {
        steps += replay.cta(cta)?.warps.iter().map(|w| w.steps.len() as u64).sum::<u64>();
    }
    assert_eq!(steps, kernel.instructions);
    Ok(kernel)
}
