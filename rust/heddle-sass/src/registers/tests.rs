use super::of;
use crate::error::Fault;
use crate::instruction::parse;

/// Destinations and sources of an instruction.
fn registers(architecture: u32, line: &str) -> (Vec<u32>, Vec<u32>) {
    let instruction = parse(line, 0).ok().flatten().unwrap_or_else(|| panic!("{line}"));
    let found = of(&instruction, architecture).unwrap_or_else(|fault| panic!("{line}: {fault}"));
    let numbers = |list: &[heddle_port::Reg]| list.iter().map(|r| r.0).collect();
    (numbers(&found.destinations), numbers(&found.sources))
}

#[test]
fn operands_have_as_many_registers_as_the_architecture_gives_them() {
    for (architecture, line, destinations, sources) in [
        // Kepler and Maxwell: no suffix on addresses.
        (35, "LD.E.64 R4, [R2+0x8]", 4..=5, vec![2, 3]),
        (35, "DFMA R8, R4, c[0x0][0x140], R6", 8..=9, vec![4, 5, 6, 7]),
        (52, "XMAD.PSL.CBCC R0, R0.H1, R3.H1, R2", 0..=0, vec![0, 3, 2]),
        (61, "LDS.U.128 R8, [R16]", 8..=11, vec![16]),
        (52, "TEX.LZ.NODEP.T R0, R4, 0x0, 2D, 0x7", 0..=2, vec![4, 5]),
        // Volta.
        (70, "IMAD.WIDE.U32 R10, R11, R9, R10", 10..=11, vec![11, 9, 10, 11]),
        (70, "IMAD.WIDE R2, R4, R5, c[0x0][0x160]", 2..=3, vec![4, 5]),
        (70, "IADD3 R22, P0, R8, c[0x0][0x170], RZ", 22..=22, vec![8]),
        (70, "LDG.E.64.SYS R2, [R16+0x8]", 2..=3, vec![16, 17]),
        (
            70,
            "HMMA.884.F32.F32.STEP1 R8, R26.reuse.COL, R16.reuse.ROW, R8",
            8..=9,
            vec![26, 27, 16, 17, 8, 9],
        ),
        (70, "SHFL.IDX PT, R5, R0, RZ, 0x1f", 5..=5, vec![0]),
        // Turing and Ampere: `.64` on addresses, uniform registers.
        (75, "LDG.E.SYS R4, [R2.U32+UR4+0x8]", 4..=4, vec![2]),
        (80, "LDG.E.128.CONSTANT R4, [R2.64]", 4..=7, vec![2, 3]),
        (80, "HMMA.16816.F32 R4, R8.reuse, R12, R4", 4..=7, vec![8, 9, 10, 11, 12, 13, 4, 5, 6, 7]),
        (80, "IMMA.16832.S8.S8 R4, R8.ROW, R12.COL, RZ", 4..=7, vec![8, 9, 10, 11, 12, 13]),
        (80, "LDSM.16.M88.4 R8, [R3+UR4]", 8..=11, vec![3]),
        // Hopper: descriptors.
        (90, "LDG.E.64 R2, desc[UR6][R4.64+0x10]", 2..=3, vec![4, 5]),
        (90, "VIADD R3, R2, 0x1", 3..=3, vec![2]),
    ] {
        assert_eq!(registers(architecture, line), (destinations.collect(), sources), "{line}");
    }
}

#[test]
fn stores_compares_and_uniform_results_write_no_vector_register() {
    for (architecture, line, sources) in [
        (35, "ST.E.128 [R2], R8", vec![2, 3, 8, 9, 10, 11]),
        (70, "STS.64 [R9], R2", vec![9, 2, 3]),
        (70, "ISETP.GE.AND P0, PT, R4, c[0x0][0x168], PT", vec![4]),
        (70, "DSETP.GT.AND P0, PT, R4, R6, PT", vec![4, 5, 6, 7]),
        (70, "RET.ABS.NODEC R20 0x0", vec![20, 21]),
        (75, "R2UR UR4, R7", vec![7]),
        (75, "UIADD3 UR4, UR4, 0x1, URZ", vec![]),
        (80, "LDGSTS.E.BYPASS.128 [R5], [R2.64]", vec![5, 2, 3]),
        (80, "STG.E.128 [R2.64], R8", vec![2, 3, 8, 9, 10, 11]),
        (90, "RED.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R5", vec![2, 3, 5]),
        (90, "BRA.U UP0, `(.L_x_1)", vec![]),
    ] {
        assert_eq!(registers(architecture, line), (vec![], sources), "{line}");
    }
}

#[test]
fn the_accumulator_of_a_warp_group_is_counted_whole() {
    let (destinations, sources) = registers(90, "HGMMA.64x256x16.F32 R24, R4, gdesc[UR4], R24, gsb0");
    assert_eq!(destinations, (24..152).collect::<Vec<_>>());
    assert_eq!(sources, (4..8).chain(24..152).collect::<Vec<_>>());
}

/// A fetch of all four components leaves their mask out: a pair goes to each destination.
#[test]
fn a_fetch_without_a_mask_has_all_components() {
    let fetched = registers(80, "TEX.SCR.LZ R10, R8, R2, R5, 0x0, 0x58, 2D");
    assert_eq!(fetched, (vec![10, 11, 8, 9], vec![2, 5]));
}

/// The metadata of a sparse A are one register behind the accumulator.
#[test]
fn metadata_of_a_sparse_product_are_one_register() {
    let (_, sources) = registers(90, "HGMMA.SP.64x64x32.F32 R24, gdesc[UR4], R24, R2, gsb0");
    assert_eq!(sources, (24..56).chain([2]).collect::<Vec<_>>());
}

#[test]
fn a_result_that_keeps_a_half_is_a_part() {
    let part = |line| {
        let instruction = parse(line, 0).ok().flatten().expect("an instruction");
        of(&instruction, 53).unwrap_or_else(|fault| panic!("{line}: {fault}")).part
    };
    assert!(part("HADD2.MRG_H0 R0, R1, R2") && part("HMUL2.MRG_H1 R0, R1, R2"));
    assert!(!part("HADD2 R0, R1, R2"));
}

#[test]
fn what_is_not_understood_is_refused() {
    let fault = |architecture, line| {
        let instruction = parse(line, 0).ok().flatten().expect("an instruction");
        of(&instruction, architecture).expect_err("refused")
    };
    assert!(matches!(fault(70, "XMAD R0, R1, R2, R3"), Fault::UnknownOpcode { architecture: 70, .. }));
    for (architecture, line, reason) in [
        (80, "HMMA.17.F32 R4, R8, R12, R4", "shape"),
        (90, "HGMMA.F32 R4, R8, R12, R4", "shape"),
        (52, "TEX R0, R4, 0x0, 5D, 0xf", "dimension"),
        (52, "TXD R0, R4, R8, 0x0, 2D, 0xf", "not known"),
        (70, "LDG.E.128 R252, [R2]", "ends at R255"),
        (70, "IMAD.WIDE R2, R4, R5, R6, R8", "place 4"),
    ] {
        let fault = fault(architecture, line);
        assert!(matches!(&fault, Fault::Operands { .. }) && fault.to_string().contains(reason), "{fault}");
    }
}
