//! The registers that the opcode tables restore from what a line lists.

use heddle_isa::{Op, Operand, Pc, TracedKind};
use heddle_port::Reg;
use heddle_trace::{TraceError, TracedKernel};

use crate::samples::read;

/// A kernel of one thread that executes one instruction, given as the line has it from the count of
/// destinations on, and ends.
fn kernel(architecture: u32, version: u32, line: &str) -> Result<TracedKernel, TraceError> {
    let immediate = if version < 5 { "" } else { " 0" };
    read(&format!(
        "-kernel name = one\n-grid dim = (1,1,1)\n-block dim = (1,1,1)\n-nregs = 64\n-shmem = 4096\n\
         -binary version = {architecture}\n-accelsim tracer version = {version}\n#\n\
         #BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n\
         0000 00000001 {line}\n0010 00000001 0 EXIT 0 0{immediate}\n#END_TB\n"
    ))
}

/// Destination and source registers, of each part of the first instruction.
fn parts(kernel: &TracedKernel) -> Vec<(Vec<u32>, Vec<u32>)> {
    let source = |s: &Operand| match s {
        Operand::Reg(Reg(r)) => *r,
        other => panic!("{other:?}"),
    };
    let (_, first) = kernel.program.instrs.split_last().expect("the exit");
    first
        .iter()
        .map(|i| (i.dsts.iter().map(|r| r.0).collect(), i.srcs.iter().map(source).collect()))
        .collect()
}

/// Destination and source registers.
fn registers(kernel: &TracedKernel) -> (Vec<u32>, Vec<u32>) {
    let (destinations, sources): (Vec<_>, Vec<_>) = parts(kernel).into_iter().unzip();
    (destinations.concat(), sources.concat())
}

fn check(architecture: u32, version: u32, cases: &[(&str, &[u32], &[u32])]) {
    for (line, destinations, sources) in cases {
        let kernel = kernel(architecture, version, line).unwrap_or_else(|e| panic!("{line}: {e}"));
        let (found_destinations, found_sources) = registers(&kernel);
        assert_eq!(found_destinations, *destinations, "{line}");
        assert_eq!(found_sources, *sources, "{line}");
    }
}

#[test]
fn wide_operands_and_zero_registers() {
    check(
        70,
        3,
        &[
            ("1 R4 LDG.E.128.SYS 1 R2 16 1 0x7fb52a800000 0", &[4, 5, 6, 7], &[2, 3]),
            ("1 R4 LDG.E.U8.SYS 1 R2 1 2 0x7fb52a800000", &[4], &[2, 3]),
            ("1 R255 LDG.E.64.SYS 1 R255 8 0 0x7fb52a800000", &[], &[]),
            ("0 STG.E.128.SYS 2 R2 R8 16 1 0x7fb52a800000 0", &[], &[2, 3, 8, 9, 10, 11]),
            ("0 STG.E.64.SYS 2 R2 R255 8 1 0x7fb52a800000 0", &[], &[2, 3]),
            ("1 R4 LDS.U.64 1 R3 8 1 0x40 0", &[4, 5], &[3]),
            ("1 R4 DFMA 3 R6 R8 R4 0", &[4, 5], &[6, 7, 8, 9, 4, 5]),
            ("1 R4 DADD 1 R6 0", &[4, 5], &[6, 7]),
            ("0 DSETP.GEU.AND 2 R2 R255 0", &[], &[2, 3]),
            ("1 R4 F2F.F64.F32 1 R3 0", &[4, 5], &[3]),
            ("1 R3 F2F.F32.F64 1 R4 0", &[3], &[4, 5]),
            ("1 R3 F2I.U32.F64.TRUNC 1 R4 0", &[3], &[4, 5]),
            ("1 R4 I2F.F64.S64 1 R6 0", &[4, 5], &[6, 7]),
            ("1 R4 IMAD.WIDE.U32 3 R0 R5 R8 0", &[4, 5], &[0, 5, 8, 9]),
            ("1 R4 IMAD.WIDE 2 R0 R5 0", &[4, 5], &[0, 5]),
            ("1 R4 IMAD.HI.U32 3 R5 R7 R10 0", &[4], &[5, 7, 10, 11]),
            ("1 R2 CS2R 0 0", &[2, 3], &[]),
            ("1 R2 CS2R.32 0 0", &[2], &[]),
        ],
    );
    check(75, 3, &[("1 R8 LDSM.16.M88.4 1 R3 2 1 0x40 0", &[8, 9, 10, 11], &[3])]);
    check(61, 3, &[("1 R3 XMAD.MRG 3 R4 R5 R255 0", &[3], &[4, 5])]);
    check(52, 3, &[("1 R3 IADD3 3 R4 R5 R6 0", &[3], &[4, 5, 6])]);
    check(35, 3, &[("1 R4 LD.E.64 1 R2 8 1 0x7fb52a800000 0", &[4, 5], &[2, 3])]);
}

#[test]
fn predicates_and_sources_that_stand_first() {
    check(
        70,
        3,
        &[
            ("0 SHFL.IDX 4 R255 R255 R255 R255 0", &[], &[]),
            ("0 SHFL.DOWN 2 R6 R7 0", &[6], &[7]),
            ("0 LOP3.LUT 3 R4 R5 R255 0", &[4], &[5]),
            ("0 LOP3.LUT 3 R255 R5 R6 0", &[], &[5, 6]),
            ("1 R4 LOP3.LUT 3 R5 R6 R7 0", &[4], &[5, 6, 7]),
            ("0 MATCH.ALL.U64 2 R4 R6 0", &[4], &[6, 7]),
            ("1 R20 RET.REL.NODEC 0 0", &[], &[20, 21]),
            ("1 R8 CALL.REL.NOINC 0 0", &[], &[8, 9]),
            ("0 CALL.REL.NOINC 0 0", &[], &[]),
            ("1 R2 BRX 0 0", &[], &[2, 3]),
            ("1 R3 WARPSYNC 0 0", &[], &[3]),
        ],
    );
    check(61, 3, &[("1 R3 BRX 0 0", &[], &[3]), ("0 LOP.AND.NZ 2 R255 R5 0", &[], &[5])]);
}

#[test]
fn atomics_and_addresses_without_a_register() {
    check(
        80,
        5,
        &[
            (
                "0 ATOMG.E.CAS.64.STRONG.GPU 4 R10 R2 R4 R6 8 1 0x7fb52a800000 0 0",
                &[10, 11],
                &[2, 3, 4, 5, 6, 7],
            ),
            ("0 ATOMG.E.ADD.STRONG.GPU 3 R255 R2 R5 4 1 0x7fb52a800000 0 0", &[], &[2, 3, 5]),
            ("0 RED.E.ADD.STRONG.GPU 2 R2 R5 4 1 0x7fb52a800000 0 0", &[], &[2, 3, 5]),
            ("1 R5 ATOMS.CAS 3 R3 R6 R7 4 1 0x40 0 0", &[5], &[3, 6, 7]),
            ("0 ATOMS.CAST.SPIN 3 R5 R6 R7 4 1 0x40 0 0", &[], &[5, 6, 7]),
            ("1 R255 ATOMS.POPC.INC.32 1 R3 4 1 0x40 0 0", &[], &[3]),
            ("0 STG.E 1 R5 4 1 0x7fb52a800000 0 0", &[], &[5]),
            ("1 R5 LDG.E 0 4 1 0x7fb52a800000 0 0", &[5], &[]),
            ("1 R5 LDG.E 1 R3 4 1 0x7fb52a800000 0 0", &[5], &[3]),
            ("0 LDGSTS.E.BYPASS.128 2 R3 R8 16 1 0x7fb52a800000 0 0", &[], &[3, 8, 9]),
        ],
    );
}

#[test]
fn barriers_whose_number_the_trace_has() {
    let barrier = |version, line: &str| kernel(80, version, line).map(|k| k.program.instrs[0].op.clone());
    for (version, line, number) in [
        (3, "0 BAR.SYNC 0 0", 0),
        (5, "0 BAR.SYNC.DEFER_BLOCKING 0 0 0", 0),
        (5, "0 BAR.SYNC 0 0 3", 3),
        (5, "0 BAR.RED.POPC.DEFER_BLOCKING 0 0 15", 15),
    ] {
        match barrier(version, line).expect("a barrier") {
            Op::Traced(traced) => assert_eq!(traced.kind, TracedKind::Barrier { id: number }, "{line}"),
            other => panic!("{other:?}"),
        }
    }
    for (version, line, part) in [
        (5, "0 BAR.SYNC 0 0 64", "64 is no barrier, 0 to 15; where it counts threads"),
        (5, "0 BAR.SYNC 0 0 -1", "is no barrier"),
        (5, "0 BAR.ARV 0 0 64", "it has a count of threads"),
        (3, "0 BAR.ARV 0 0", "it has a count of threads"),
        (5, "1 R4 BAR.SYNC 1 R5 0 0", "in a register"),
        (5, "0 BAR.SYNC 1 R5 0 1", "in a register"),
    ] {
        let error = barrier(version, line).expect_err(line).to_string();
        assert!(error.contains("kernel-1.traceg:13:") && error.contains(part), "{line}: {error}");
    }
}

#[test]
fn what_has_more_registers_than_the_port_goes_in_parts() {
    let all = |first: u32, count: u32| (first..first + count).collect::<Vec<_>>();
    let found = |line| parts(&kernel(80, 5, line).unwrap_or_else(|e| panic!("{line}: {e}")));
    let wide = found("1 R4 HMMA.16816.F32 3 R8 R12 R4 0 0");
    assert_eq!(wide, [(vec![], vec![8, 9, 10, 11, 12, 13]), (all(4, 4), all(4, 4))]);
    let sparse = found("1 R16 HMMA.SP.16832.F32 4 R4 R8 R12 R0 0 0");
    assert_eq!(sparse, [(vec![], all(4, 6)), (vec![], all(10, 6)), (all(16, 4), vec![0])]);
    assert_eq!(found("1 R4 DMMA.884 3 R8 R10 R4 0 0").len(), 2);
    assert_eq!(found("1 R4 IMMA.8816.S8.S8 3 R0 R1 R2 0 0").len(), 1);
    // Each part goes on to the next one.
    let kernel = kernel(80, 5, "1 R4 HMMA.16816.F32 3 R8 R12 R4 0 0").expect("well formed");
    let next = |pc: usize| match &kernel.program.instrs[pc].op {
        Op::Traced(traced) => traced.next.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!((next(0), next(1), next(2)), (vec![Pc(1)], vec![Pc(2)], vec![]));
    assert_eq!((kernel.instructions, kernel.program.blocks.len()), (2, 1));
}

#[test]
fn textures_and_votes_are_operations_on_the_registers_that_the_line_names() {
    check(
        75,
        3,
        &[
            ("1 R4 TEX.SCR.LL 3 R8 R10 R12 0", &[4], &[8, 10, 12]),
            ("1 R4 TLD4.R 2 R8 R10 0", &[4], &[8, 10]),
            ("1 R4 SULD.D.2D.TRAP 1 R8 0", &[4], &[8]),
            ("1 R8 SUST.D.2D.TRAP 1 R4 0", &[], &[8, 4]),
            ("1 R4 VOTE.ANY 0 0", &[4], &[]),
            ("0 VOTE_VTG 0 0", &[], &[]),
            ("1 R4 HMMA.31416 2 R8 R12 0", &[4], &[8, 12]),
            ("1 R5 HMMA.1688.F16 3 R4 R9 R13 0", &[5, 6], &[4, 5, 9, 13, 14]),
        ],
    );
}

#[test]
fn operands_that_cannot_be_are_named() {
    for (architecture, line, part) in [
        (70, "1 R3 XMAD 3 R4 R5 R6 0", "opcode XMAD is not known for sm_70"),
        (75, "1 R4 UTMALDG 3 R4 R6 R4 0", "opcode UTMALDG is not known for sm_75"),
        (70, "1 R4 FSETP.GT.AND 1 R2 0", "it has no destination register"),
        (70, "0 STG.E.SYS 0 4 1 0x7fb52a800000 0", "it lists 0 source registers; expected 2"),
        (70, "1 R4 LDG.E.SYS 2 R2 R4 4 1 0x7fb52a800000 0", "it has at most 1"),
        (80, "0 LDGSTS.E 1 R8 4 1 0x7fb52a800000 0", "it lists 1 source registers; expected 2"),
        (
            70,
            "1 R254 LDG.E.128.SYS 1 R2 16 1 0x7fb52a800000 0",
            "R254 of 4 registers ends at R257; the last one is R254",
        ),
        (70, "1 R252 LDG.E.128.SYS 1 R2 16 1 0x7fb52a800000 0", "ends at R255; the last one is R254"),
        (70, "1 R21 RET.REL.NODEC 0 0", "R21 cannot begin"),
    ] {
        let error = kernel(architecture, 3, line).expect_err(line).to_string();
        assert!(error.contains("kernel-1.traceg:13:") && error.contains(part), "{line}: {error}");
    }
}

/// Instructions of the shipped kernels as ptxas 13.5 writes them for sm_75 and sm_80, one of each form: as the
/// tracer lists them, and the registers that nvdisasm's life ranges (`-plr`) show as written and as read. `CALL`,
/// whose ranges are those of the function, and `LDC` with an index, which the tracer does not list, are left out.
const NVDISASM: &str = include_str!("../data/sass.tsv");

#[test]
fn the_registers_are_those_of_the_disassembler() {
    let numbers = |cell: &str| -> Vec<u32> {
        cell.split_ascii_whitespace().map(|n| n.parse().expect("a register")).collect()
    };
    let mut rows = 0;
    let mut wrong = Vec::new();
    for row in NVDISASM.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [architecture, line, destinations, sources, sass] = cells[..] else { panic!("{row}") };
        let architecture = architecture.parse().expect("an architecture");
        rows += 1;
        match kernel(architecture, 5, line) {
            Err(error) => wrong.push(format!("{sass}: {error}")),
            Ok(kernel) => {
                let (found_destinations, mut found_sources) = registers(&kernel);
                found_sources.sort_unstable();
                found_sources.dedup();
                let expected = (numbers(destinations), numbers(sources));
                if (&found_destinations, &found_sources) != (&expected.0, &expected.1) {
                    wrong.push(format!("{sass}: {found_destinations:?} {found_sources:?}, not {expected:?}"));
                }
            }
        }
    }
    assert!(rows > 500);
    assert!(wrong.is_empty(), "{} of {rows}:\n{}", wrong.len(), wrong.join("\n"));
}
