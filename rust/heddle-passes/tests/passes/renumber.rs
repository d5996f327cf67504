//! Renumbering: the paper's example, random programs against random walks, and faults that must be found.

use heddle_isa::{Instr, Operand, Program};
use heddle_passes::{PassError, RenumberFault, check_intervals, check_renumbering, form_intervals, renumber};
use heddle_port::Reg;

use crate::builder::{alu, exit, program, reg, successors, when};
use crate::listing1::listing1;
use crate::random::{Random, arbitrary, structured};

/// Changes every register number of an instruction.
fn map_registers(instr: &mut Instr, map: impl Fn(u32) -> u32) {
    for operand in &mut instr.srcs {
        if let Operand::Reg(r) | Operand::Pair(r) = operand {
            r.0 = map(r.0);
        }
    }
    instr.dsts.iter_mut().for_each(|r| r.0 = map(r.0));
}

/// As many registers a thread as the program names.
fn tight(mut program: Program) -> Program {
    let named = |i: &Instr| i.source_regs().iter().chain(&i.dsts).map(|r| r.0 + 1).max();
    program.num_regs = program.instrs.iter().filter_map(named).max().unwrap_or(0);
    program
}

/// Section 4.3 and figures 8 to 10: four banks of two registers, R0 and R1 in bank 0, which is register
/// 4 (r mod 2) + r / 2 where register r lies in bank r mod 4.
#[test]
fn the_example_of_the_paper_is_left_without_conflicts() {
    let mut figure8 = listing1();
    figure8.instrs.iter_mut().for_each(|i| map_registers(i, |r| 4 * (r % 2) + r / 2));
    figure8.num_regs = 8;
    let (cut, intervals) = form_intervals(&figure8, 4).expect("intervals");
    let found = renumber(&cut, &intervals, 4).expect("renumbered");
    check_renumbering(&cut, &found.program).expect("the same program");
    assert_eq!(found.before, [1, 1, 1, 0, 0]);
    assert_eq!(found.after, [0, 0, 0, 0, 0]);
    assert!(!found.kept);
}

#[test]
fn what_has_no_conflict_keeps_its_numbers() {
    let (cut, intervals) = form_intervals(&listing1(), 16).expect("intervals");
    let found = renumber(&cut, &intervals, 16).expect("renumbered");
    assert!(found.kept && found.program == cut && found.intervals == intervals);
}

#[test]
fn a_register_file_without_banks_is_an_error() {
    let (cut, intervals) = form_intervals(&listing1(), 16).expect("intervals");
    assert_eq!(renumber(&cut, &intervals, 0), Err(PassError::Banks { banks: 0 }));
}

/// What one lane reads on one random way through both programs: for each read, which write it sees.
fn walk(old: &Program, new: &Program, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut values = [[0u64; 256]; 2];
    let mut pc = 0;
    for moment in 1..400u64 {
        let executes = old.instrs[pc].guard.is_none() || random.one_in(2);
        let pair = [&old.instrs[pc], &new.instrs[pc]];
        if executes {
            let [a, b] = [0, 1]
                .map(|i| pair[i].source_regs().iter().map(|r| values[i][r.index()]).collect::<Vec<_>>());
            if a != b {
                return Err(format!("pc {pc} reads {a:?} in one and {b:?} in the other"));
            }
            for (values, instr) in values.iter_mut().zip(pair) {
                for (place, dst) in (0..).zip(&instr.dsts) {
                    values[dst.index()] = 8 * moment + place;
                }
            }
        }
        let ways = successors(&old.instrs, pc);
        // An exit, and a branch, are taken as the guard says.
        pc = match ways[..] {
            [] => return Ok(()),
            [only] => only,
            [taken, next] => {
                if executes {
                    taken
                } else {
                    next
                }
            }
            _ => unreachable!("at most two ways"),
        };
    }
    Ok(())
}

fn walks(old: &Program, new: &Program) -> Result<(), String> {
    (0..40).try_for_each(|seed| walk(old, new, seed))
}

#[test]
fn random_programs_stay_what_they_are_and_prefetch_with_fewer_conflicts() {
    let (mut changed, mut before, mut after, mut found_faults, mut accepted) = (0, 0, 0, 0, 0);
    for seed in 0..1500 {
        let mut random = Random::new(seed ^ 0xbace);
        let program = if random.one_in(2) { structured(seed, 4) } else { arbitrary(seed, 14) };
        let mut program = tight(program);
        program.num_regs += random.below(3);
        let Ok((cut, intervals)) = form_intervals(&program, 8 + random.below(9)) else { continue };
        let banks = 1 + random.below(16) as usize;
        let found = renumber(&cut, &intervals, banks).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        check_renumbering(&cut, &found.program).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        check_intervals(&found.program, &found.intervals).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        walks(&cut, &found.program).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        for (old, new) in intervals.intervals.iter().zip(&found.intervals.intervals) {
            assert!(new.working_set.count_ones() <= old.working_set.count_ones(), "seed {seed}");
        }
        assert!(found.after.iter().sum::<u32>() <= found.before.iter().sum(), "seed {seed}");
        changed += usize::from(!found.kept);
        before += found.before.iter().sum::<u32>();
        after += found.after.iter().sum::<u32>();
        // One register number changed: the checker finds it, or it makes no difference.
        let mut faulty = found.program.clone();
        let pc = random.below(u32::try_from(faulty.instrs.len()).expect("small")) as usize;
        let other = random.below(faulty.num_regs.max(1));
        let instr = &mut faulty.instrs[pc];
        match (instr.dsts.first_mut(), instr.srcs.first_mut()) {
            (Some(dst), _) if random.one_in(2) => *dst = Reg(other),
            (_, Some(Operand::Reg(r))) => *r = Reg(other),
            _ => continue,
        }
        if faulty == found.program {
            continue;
        }
        match check_renumbering(&cut, &faulty) {
            Ok(()) => {
                accepted += 1;
                walks(&cut, &faulty).unwrap_or_else(|e| panic!("seed {seed}: accepted, but {e}"));
            }
            Err(_) => found_faults += 1,
        }
    }
    println!(
        "{changed} renumbered, conflicts {before} to {after}; faults {found_faults}, accepted {accepted}"
    );
    // Colouring alone changes 469 programs and leaves 76 % of the conflicts.
    assert!(changed > 500 && 4 * after < 3 * before, "{changed} {before} {after}");
    assert!(found_faults > 300 && accepted > 0, "{found_faults} {accepted}");
}

fn fault_of(change: impl Fn(&mut Program)) -> RenumberFault {
    let two = |low: u32| alu(&[8], &[Operand::Pair(Reg(low))]);
    let writes = [0, 1, 2, 3].map(|r| alu(&[r], &[]));
    let mut instrs = writes.to_vec();
    instrs.extend([two(0), two(2), when(0, false, alu(&[4], &[reg(8)])), alu(&[5], &[reg(4)]), exit()]);
    let old = tight(program(instrs));
    let mut new = old.clone();
    check_renumbering(&old, &new).expect("the same program");
    change(&mut new);
    match check_renumbering(&old, &new) {
        Err(PassError::Renumber { fault, .. }) => fault,
        other => panic!("expected a fault: {other:?}"),
    }
}

#[test]
fn each_rule_is_checked() {
    use RenumberFault as F;
    assert_eq!(fault_of(|p| drop(p.instrs.pop())), F::Length { old: 9, new: 8 });
    assert_eq!(fault_of(|p| p.num_regs += 1), F::Registers { old: 9, new: 10 });
    assert_eq!(fault_of(|p| p.instrs[6].guard = None), F::Instruction { pc: heddle_isa::Pc(6) });
    let range = F::Range { pc: heddle_isa::Pc(7), register: Reg(9), registers: 9 };
    assert_eq!(fault_of(|p| p.instrs[7].dsts[0] = Reg(9)), range);
    let odd = |p: &mut Program| p.instrs[4].srcs[0] = Operand::Pair(Reg(1));
    assert_eq!(fault_of(odd), F::Pair { pc: heddle_isa::Pc(4), low: Reg(1) });
    // Pair 0 is read where pair 2 was, which another instruction has written.
    let found = fault_of(|p| p.instrs[5].srcs[0] = Operand::Pair(Reg(0)));
    assert!(matches!(found, F::Two { .. }), "{found}");
    // A write over a value that is still read.
    let found = fault_of(|p| p.instrs[3].dsts[0] = Reg(1));
    assert!(matches!(found, F::Write { pc: heddle_isa::Pc(3), .. }), "{found}");
}
