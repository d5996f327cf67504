//! What is made of the sample traces.

use std::sync::Arc;

use heddle_isa::{FenceLevel, Op, Operand, Pc, Space, Step, Traced, TracedAccess, TracedKind, Unit};
use heddle_port::{LaneMask, Reg};
use heddle_trace::{AddressMap, TracedKernel};

use crate::samples::{AMPERE, VOLTA, file, folder, read};

fn registers(kernel: &TracedKernel, pc: usize) -> (Vec<u32>, Vec<u32>) {
    let instr = &kernel.program.instrs[pc];
    let source = |s: &Operand| match s {
        Operand::Reg(Reg(r)) => *r,
        other => panic!("{other:?}"),
    };
    (instr.dsts.iter().map(|r| r.0).collect(), instr.srcs.iter().map(source).collect())
}

fn traced(kernel: &TracedKernel, pc: usize) -> &Traced {
    match &kernel.program.instrs[pc].op {
        Op::Traced(traced) => traced,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_volta_trace_becomes_a_program() {
    let kernel = read(VOLTA).expect("well formed");
    assert_eq!((kernel.instructions, kernel.program.instrs.len()), (23, 10));
    assert_eq!((kernel.program.num_regs, kernel.program.shared_bytes), (16, 256));
    assert_eq!(registers(&kernel, 0), (vec![1], vec![]));
    assert_eq!(registers(&kernel, 2), (vec![2, 3], vec![0, 5]));
    assert_eq!(registers(&kernel, 3), (vec![4, 5], vec![2, 3]));
    assert_eq!(registers(&kernel, 7), (vec![], vec![0, 4]));
    let load = traced(&kernel, 3);
    assert_eq!(load.access(), Some((TracedAccess::Load, Space::Global, 8)));
    assert_eq!(traced(&kernel, 7).access(), Some((TracedAccess::Store, Space::Shared, 4)));
    assert_eq!(traced(&kernel, 8).kind, TracedKind::Barrier { id: 0 });
    assert_eq!(traced(&kernel, 9).next, []);
    // The branch was followed by both places, and its own lanes were not all of the warp.
    assert_eq!(traced(&kernel, 5).next, [Pc(6), Pc(7)]);
    assert!(traced(&kernel, 5).partial && traced(&kernel, 6).partial && !load.partial);
    assert_eq!(traced(&kernel, 0).next, [Pc(1), Pc(9)]);
    let blocks: Vec<u32> = kernel.program.blocks.iter().map(|b| b.first.0).collect();
    assert_eq!(blocks, [0, 1, 6, 7, 9]);
    assert_eq!(kernel.program.blocks[1].successors, [2, 3]);
    assert_eq!(kernel.program.blocks[3].predecessors, [1, 2]);
    assert_eq!(kernel.program.source_line(Pc(3)), "0030 LDG.E.64.SYS R4, R2, line 26");
}

#[test]
fn warps_with_instructions_of_their_own_at_one_program_counter_are_followed() {
    // In the first warp the tracer's last instruction names another register.
    let text =
        VOLTA.replacen("0040 000000ff 0 ISETP.GT.AND 2 R0 R255", "0040 000000ff 0 ISETP.GT.AND 2 R2 R255", 1);
    let (_folder, path) = file(&text);
    let kernel =
        TracedKernel::read(&path, &mut Arc::new(AddressMap::default()), &mut || true).expect("well formed");
    let cta = kernel.replay().and_then(|mut r| r.cta(0)).expect("well formed");
    let at = cta.warps[1].steps[4].pc;
    assert_eq!(registers(&kernel, at.index()).1, [2], "its own");
    assert!(traced(&kernel, 3).next.contains(&at));
}

/// Instructions at one program counter differ in opcode, destination or sources; each keeps its own registers, its
/// number and what follows it, also at the next program counter, where the same ones stand.
#[test]
fn many_instructions_at_one_program_counter_are_told_apart() {
    let texts =
        ["1 R4 FADD 2 R2 R3", "1 R4 FMUL 2 R2 R3", "1 R5 FADD 2 R2 R3", "1 R4 FADD 2 R3 R2", "0 NOP 0"];
    let wanted: [(&[u32], &[u32]); 5] =
        [(&[4], &[2, 3]), (&[4], &[2, 3]), (&[5], &[2, 3]), (&[4], &[3, 2]), (&[], &[])];
    let mut text =
        "-kernel name = one\n-grid dim = (1,1,1)\n-block dim = (320,1,1)\n-nregs = 8\n-shmem = 0\n\
                    -binary version = 70\n-accelsim tracer version = 3\n#\n#BEGIN_TB\nthread block = 0,0,0\n"
            .to_owned();
    for warp in 0..10 {
        let (first, second) = (texts[warp % 5], texts[(warp + warp / 5) % 5]);
        text += &format!(
            "warp = {warp}\ninsts = 3\n0000 ffffffff {first} 0\n0010 ffffffff {second} 0\n\
             0020 ffffffff 0 EXIT 0 0\n"
        );
    }
    let (_folder, path) = file(&(text + "#END_TB\n"));
    let kernel =
        TracedKernel::read(&path, &mut Arc::new(AddressMap::default()), &mut || true).expect("well formed");
    assert_eq!(kernel.program.instrs.len(), 11, "five at each of two program counters, and the exit");
    let cta = kernel.replay().and_then(|mut r| r.cta(0)).expect("well formed");
    let pcs = |warp: usize| cta.warps[warp].steps.iter().map(|step| step.pc).collect::<Vec<_>>();
    for warp in 0..10 {
        let (first, second) = (warp % 5, (warp + warp / 5) % 5);
        let found = pcs(warp);
        assert_eq!(found, [first, 5 + second, 10].map(|pc| Pc(pc as u32)), "warp {warp}");
        for (pc, text) in [(found[0], first), (found[1], second)] {
            let (destinations, sources) = registers(&kernel, pc.index());
            assert_eq!((&*destinations, &*sources), wanted[text], "{}", texts[text]);
        }
        assert!(traced(&kernel, found[0].index()).next.contains(&found[1]), "warp {warp}");
    }
}

#[test]
fn lanes_with_gaps_have_the_addresses_of_their_numbers() {
    let text = VOLTA.replacen("0030 ffffffff", "0030 0000000a", 1);
    let (_folder, path) = file(&text);
    let kernel =
        TracedKernel::read(&path, &mut Arc::new(AddressMap::default()), &mut || true).expect("well formed");
    let cta = kernel.replay().and_then(|mut r| r.cta(0)).expect("well formed");
    assert_eq!(cta.warps[0].steps[3].mask, LaneMask(0b1010));
    let mut lanes = [0; 32];
    cta.warps[0].addresses(3).expect("a load").expand(LaneMask(0b1010), &mut lanes);
    assert_eq!(lanes[3] - lanes[1], 16, "a stride of 8 bytes, two lanes on");
}

#[test]
fn the_record_of_a_cta_has_masks_and_addresses() {
    let (_folder, path) = file(VOLTA);
    let kernel =
        TracedKernel::read(&path, &mut Arc::new(AddressMap::default()), &mut || true).expect("well formed");
    let cta = kernel.replay().and_then(|mut r| r.cta(0)).expect("well formed");
    let warp = &cta.warps[1];
    assert_eq!(warp.steps[3], Step { pc: Pc(3), mask: LaneMask(0xff), lanes: Some(0) });
    let mut lanes = [0; 32];
    warp.addresses(3).expect("a load").expand(LaneMask(0xff), &mut lanes);
    // The first page touched has the first frame; the second warp is 4096 bytes further on.
    let base = 0x1000_1000;
    assert_eq!(lanes[..8], [0, 16, 8, 16, 24, 32, 40, 48].map(|d| base + d));
    warp.addresses(6).expect("a store").expand(LaneMask(0xff), &mut lanes);
    assert_eq!((lanes[0], lanes[7]), (0x80, 0x9c));
    // CTAs can be passed over, but not asked for again.
    let mut replay = kernel.replay().expect("there");
    assert_eq!(replay.cta(1).expect("there").warps[0].steps.len(), 2);
    assert!(replay.cta(0).is_err());
}

#[test]
fn an_ampere_trace_has_wide_operands_windows_and_immediates() {
    let (_folder, path) = file(AMPERE);
    let mut map = Arc::new(AddressMap::default());
    let kernel = TracedKernel::read(&path, &mut map, &mut || true).expect("well formed");
    // The immediate stands for the second factor, so the listed register is the 64-bit addend.
    assert_eq!(registers(&kernel, 1), (vec![2, 3], vec![8, 4, 5]));
    assert_eq!(registers(&kernel, 2), (vec![4, 5], vec![4, 5, 2, 3, 6, 7]));
    assert_eq!(traced(&kernel, 2).unit(), Unit::Fp64);
    // A predicate stands before the destination of SHFL and ATOMG.
    assert_eq!(registers(&kernel, 3), (vec![8], vec![9]));
    assert_eq!(registers(&kernel, 6), (vec![11], vec![2, 3, 8]));
    assert_eq!(traced(&kernel, 6).access(), Some((TracedAccess::Atomic, Space::Global, 4)));
    assert_eq!(traced(&kernel, 7).kind, TracedKind::Fence(FenceLevel::Gpu));
    assert_eq!((map.pages(), kernel.program.local_bytes), (2, 256));
    let cta = kernel.replay().and_then(|mut r| r.cta(0)).expect("well formed");
    let mut lanes = [0; 32];
    cta.warps[0].addresses(4).expect("a load").expand(LaneMask(0xf), &mut lanes);
    assert_eq!(lanes[..4], [0xE000_0010, 0xF000_0004, 0x1000_0008, 0x1000_000c]);
    cta.warps[0].addresses(5).expect("a store").expand(LaneMask(0xf), &mut lanes);
    assert_eq!(lanes[..4], [128, 132, 136, 140]);
    cta.warps[0].addresses(6).expect("an atomic").expand(LaneMask(5), &mut lanes);
    assert_eq!((lanes[0], lanes[2]), (0x1000_0000, 0x1001_0004));
}

#[test]
fn old_versions_name_block_and_warp_in_each_line() {
    let mut cta = 0;
    let mut warp = 0;
    let old: Vec<String> = VOLTA
        .replace("tracer version = 3", "tracer version = 2")
        .lines()
        .map(|line| {
            cta += usize::from(line == "#END_TB");
            if let Some(number) = line.strip_prefix("warp = ") {
                warp = number.parse().expect("a number");
            }
            if line.starts_with('0') { format!("{cta} 0 0 {warp} {line}") } else { line.to_owned() }
        })
        .collect();
    let new = read(VOLTA).expect("well formed");
    let old = read(&old.join("\n")).expect("well formed");
    assert_eq!(old.program.instrs, new.program.instrs);
}

/// Version 5, Turing, compressed: a call and return, a divergent branch, matrix loads, two-dimensional
/// grid and block.
#[test]
fn a_compressed_turing_trace_becomes_a_program() {
    let path = folder().join("kernel-3.traceg.xz");
    let kernel =
        TracedKernel::read(&path, &mut Arc::new(AddressMap::default()), &mut || true).expect("well formed");
    assert_eq!((kernel.header.ctas(), kernel.header.warps()), (4, 2));
    assert_eq!((kernel.instructions, kernel.program.instrs.len()), (4 * 2 * 20, 20));
    // The subroutine lies behind the exit.
    let at = |opcode: &str| {
        let found = |pc: &usize| kernel.program.source_line(Pc(*pc as u32)).contains(opcode);
        (0..20).find(found).unwrap_or_else(|| panic!("no {opcode}"))
    };
    let (call, double, ret) = (at("CALL.REL"), at("DADD"), at("RET.REL"));
    assert_eq!((traced(&kernel, call).next[..]), [Pc(double as u32)]);
    assert_eq!((traced(&kernel, ret).next[..]), [Pc(at("BSYNC") as u32)]);
    assert!(at("EXIT") < double);
    assert_eq!(registers(&kernel, ret), (vec![], vec![20, 21]));
    assert_eq!(registers(&kernel, double), (vec![6, 7], vec![4, 5, 4, 5]));
    let matrix = at("LDSM");
    assert_eq!(registers(&kernel, matrix), (vec![8, 9, 10, 11], vec![9]));
    assert_eq!(traced(&kernel, matrix).access(), Some((TracedAccess::Load, Space::Shared, 16)));
    let cta = kernel.replay().and_then(|mut r| r.cta(3)).expect("well formed");
    let mut lanes = [0; 32];
    let load = cta.warps[1].steps.iter().position(|s| s.pc == Pc(at("LDG") as u32)).expect("a load");
    cta.warps[1].addresses(load).expect("a load").expand(LaneMask(u32::MAX), &mut lanes);
    assert_eq!((lanes[0], lanes[31]), (0x1000_0000 + 3 * 0x400 + 0x200, 0x1000_0e00 + 31 * 8));
}
