//! The paper's example (LTRF, section 4.3, listing 1 and figure 8): at most four registers an interval.

use heddle_isa::{Cmp, Operand, Program};
use heddle_passes::{bank_conflicts, check_intervals, form_intervals, interval_report};

use crate::builder::{alu, bra, exit, load, mov, program, reg, setp, shape, when};

/// Listing 1; instruction `pc` is line `pc + 1`. `p` is P0 and `q` is P1.
pub fn listing1() -> Program {
    program(vec![
        mov(0, 0x100),
        mov(1, 0x200),
        mov(2, 0),
        mov(3, 100),
        load(4, 0),
        load(5, 1),
        setp(0, Cmp::Eq, 4, 5),
        when(0, true, bra(15)),
        alu(&[0], &[reg(0), Operand::Imm(4)]),
        alu(&[1], &[reg(1), Operand::Imm(4)]),
        alu(&[2], &[reg(2), Operand::Imm(1)]),
        setp(1, Cmp::Lt, 2, 3),
        when(1, false, bra(4)),
        mov(6, 1),
        bra(16),
        mov(6, 0),
        exit(),
    ])
}

#[test]
fn intervals_are_those_of_the_paper() {
    let (cut, intervals) = form_intervals(&listing1(), 4).expect("intervals");
    check_intervals(&cut, &intervals).expect("right intervals");
    assert_eq!(
        shape(&intervals),
        [
            (vec![0, 1, 2, 3], vec![0, 1, 2, 3]),
            (vec![4, 5, 6, 7, 8, 9], vec![0, 1, 4, 5]),
            (vec![10, 11, 12, 13, 14], vec![2, 3, 6]),
            (vec![15], vec![6]),
            (vec![16], vec![]),
        ]
    );
}

#[test]
fn the_loop_block_is_cut_where_r2_no_longer_fits() {
    let (cut, _) = form_intervals(&listing1(), 4).expect("intervals");
    let firsts: Vec<u32> = cut.blocks.iter().map(|b| b.first.0).collect();
    assert_eq!(firsts, [0, 4, 8, 10, 13, 15, 16]);
    assert_eq!(cut.blocks[2].successors, [3]);
    assert_eq!(cut.blocks[3].predecessors, [2]);
    assert_eq!(cut.blocks[3].successors, [1, 4]);
    assert_eq!(cut.instrs, listing1().instrs);
}

/// Figure 8 has four banks of two registers each, R0 and R1 in bank 0. Its numbering, register r in bank
/// r / 2, is register 4 (r mod 2) + r / 2 in the numbering r mod 4.
#[test]
fn intervals_two_and_three_have_the_bank_conflict_of_figure_8() {
    let (_, intervals) = form_intervals(&listing1(), 4).expect("intervals");
    let conflicts: Vec<u32> = intervals
        .intervals
        .iter()
        .map(|i| {
            let mut set = heddle_isa::RegSet::ZERO;
            for r in i.working_set.iter_ones() {
                set.set(4 * (r % 2) + r / 2, true);
            }
            bank_conflicts(&set, 4)
        })
        .collect();
    assert_eq!(conflicts, [1, 1, 1, 0, 0]);
}

#[test]
fn the_whole_listing_is_one_interval_if_its_seven_registers_fit() {
    let (_, seven) = form_intervals(&listing1(), 7).expect("intervals");
    assert_eq!(seven.intervals.len(), 1);
    let (_, six) = form_intervals(&listing1(), 6).expect("intervals");
    assert!(six.intervals.len() > 1);
}

#[test]
fn the_report_tells_header_blocks_registers_and_conflicts() {
    let (cut, intervals) = form_intervals(&listing1(), 4).expect("intervals");
    let report = interval_report(&cut, &intervals);
    let expected = "\
interval 1
  header     pc 4 line 5  instruction 4;
  blocks     1 (pc 4..7) 2 (pc 8..9)
  length     6
  registers  4 of 4: R0 R1 R4 R5
  conflicts  0 in 16 banks
";
    assert!(report.contains(expected), "{report}");
    assert!(
        report.starts_with("kernel test: 17 instructions, 5 register-intervals of at most 4 registers\n")
    );
    assert!(report.ends_with("bank conflicts  intervals\n             0  5\n"), "{report}");
}
