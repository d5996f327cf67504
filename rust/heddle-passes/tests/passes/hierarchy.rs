//! Allocation of the levels of a register hierarchy: hand-made programs with their counts, and random ones against
//! the checker.

use heddle_isa::{Op, Pc, Program};
use heddle_passes::{
    Allocation, AllocationFault, Formation, Hierarchy, PassError, allocate_levels, check_allocation, form,
};
use heddle_port::{Reg, ResultLevel, SourceLevel};

use crate::builder::{alu, bra, exit, load, mov, program, read, reg, when};
use crate::random::{Random, arbitrary, structured};

const THREE: Hierarchy = Hierarchy { operand_entries: 3, last_result: false };
const WITH_LAST: Hierarchy = Hierarchy { operand_entries: 3, last_result: true };

fn allocated(program: &Program, hierarchy: Hierarchy) -> Allocation {
    let allocation = allocate_levels(program, hierarchy).expect("an allocation");
    check_allocation(program, hierarchy, &allocation).expect("each read finds its value");
    allocation
}

/// The level of each source and of each result that an instruction has.
fn levels(program: &Program, allocation: &Allocation, pc: usize) -> (Vec<SourceLevel>, Vec<ResultLevel>) {
    let (instr, levels) = (&program.instrs[pc], &allocation.levels[pc]);
    let (sources, results) = (instr.source_regs().len(), instr.dsts.len());
    (levels.sources[..sources].to_vec(), levels.results[..results].to_vec())
}

/// Reads and writes of the main register file in the program text, of all.
fn main_accesses(program: &Program, allocation: &Allocation) -> (usize, usize) {
    let (mut main, mut all) = (0, 0);
    for pc in 0..program.instrs.len() {
        let (sources, results) = levels(program, allocation, pc);
        main += sources.iter().filter(|s| matches!(s, SourceLevel::Main | SourceLevel::Fill)).count();
        main += results.iter().filter(|r| matches!(r, ResultLevel::Main | ResultLevel::Both)).count();
        all += sources.len() + results.len();
    }
    (main, all)
}

fn fault(program: &Program, hierarchy: Hierarchy, allocation: &Allocation) -> AllocationFault {
    match check_allocation(program, hierarchy, allocation) {
        Err(PassError::Allocation { kernel, fault }) if kernel == "test" => fault,
        other => panic!("{other:?}"),
    }
}

/// R1 is dead behind its read: of its write and read none reaches the main register file. R2 lives on.
#[test]
fn a_value_that_dies_in_its_strand_is_never_in_the_main_file() {
    let program = program(vec![mov(1, 7), alu(&[2], &[reg(1)]), load(3, 2), read(&[3, 2]), exit()]);
    let allocation = allocated(&program, THREE);
    assert_eq!(levels(&program, &allocation, 0).1, [ResultLevel::Operand]);
    assert_eq!(levels(&program, &allocation, 1), (vec![SourceLevel::Operand], vec![ResultLevel::Both]));
    // The address is read in the strand of its write, R2 again behind the wait for the load.
    assert_eq!(levels(&program, &allocation, 2), (vec![SourceLevel::Operand], vec![ResultLevel::Main]));
    assert_eq!(levels(&program, &allocation, 3).0, [SourceLevel::Main; 2]);
    assert_eq!(main_accesses(&program, &allocation), (4, 7));
}

#[test]
fn the_last_result_file_takes_what_arithmetic_units_pass_on() {
    let program = program(vec![mov(1, 7), alu(&[2], &[reg(1)]), alu(&[3], &[reg(2)]), load(4, 3), exit()]);
    let allocation = allocated(&program, WITH_LAST);
    assert_eq!(levels(&program, &allocation, 0).1, [ResultLevel::Last]);
    assert_eq!(levels(&program, &allocation, 1), (vec![SourceLevel::Last], vec![ResultLevel::Last]));
    // The unit that loads has no access to it.
    assert_eq!(levels(&program, &allocation, 2), (vec![SourceLevel::Last], vec![ResultLevel::Operand]));
    assert_eq!(levels(&program, &allocation, 3).0, [SourceLevel::Operand]);
    assert_eq!(main_accesses(&program, &allocation), (1, 7));
}

/// R1 is read three times: the first read fetches it.
#[test]
fn a_register_that_is_read_again_is_fetched_once() {
    let program = program(vec![read(&[1]), read(&[1]), read(&[1, 2]), exit()]);
    let allocation = allocated(&program, THREE);
    let found: Vec<_> = (0..3).map(|pc| levels(&program, &allocation, pc).0).collect();
    let operand = SourceLevel::Operand;
    assert_eq!(found, [vec![SourceLevel::Fill], vec![operand], vec![operand, SourceLevel::Main]]);
}

/// A write on each side of a branch, and one read where they meet.
#[test]
fn writes_of_both_sides_share_an_entry() {
    let program = program(vec![when(0, false, bra(3)), mov(1, 1), bra(4), mov(1, 2), read(&[1]), exit()]);
    let allocation = allocated(&program, THREE);
    for pc in [1, 3] {
        assert_eq!(levels(&program, &allocation, pc).1, [ResultLevel::Operand]);
    }
    assert_eq!(allocation.entries[1].results[0], allocation.entries[3].results[0]);
    assert_eq!(levels(&program, &allocation, 4).0, [SourceLevel::Operand]);
}

/// A guarded write leaves the value from before the strand in other lanes.
#[test]
fn a_partial_write_is_read_in_the_main_file() {
    let program = program(vec![when(0, false, mov(1, 1)), read(&[1]), exit()]);
    let allocation = allocated(&program, THREE);
    assert_eq!(main_accesses(&program, &allocation), (2, 2));
}

/// While one side waits for its load, the lanes of the other have given up what they had.
#[test]
fn what_the_other_side_waits_for_ends_the_strand() {
    let program =
        program(vec![mov(1, 1), when(0, false, bra(5)), load(2, 3), read(&[2]), bra(6), read(&[1]), exit()]);
    let allocation = allocated(&program, THREE);
    assert_eq!(levels(&program, &allocation, 0).1, [ResultLevel::Main]);
    assert_eq!(levels(&program, &allocation, 5).0, [SourceLevel::Main]);
}

/// R1 to R5 live together: R1 and R2 save three accesses over six slots, R3 to R5 two over four. Those that are written
/// first are served first.
#[test]
fn values_that_save_as_much_are_served_in_program_order() {
    let mut instrs: Vec<_> = (1..=5).map(|r| mov(r, 0)).collect();
    instrs.extend([read(&[1, 2]), read(&[3, 1]), read(&[4, 2]), read(&[5]), exit()]);
    let program = program(instrs);
    let by_entries = [1, 2, 3, 5].map(|operand_entries| {
        let allocation = allocated(&program, Hierarchy { operand_entries, last_result: false });
        main_accesses(&program, &allocation)
    });
    assert_eq!(by_entries, [(9, 12), (6, 12), (4, 12), (0, 12)]);
}

/// R2 saves three accesses over two slots, R1 three over five: R2 has the entry, and R1 until R2 is written.
#[test]
fn what_saves_most_for_a_slot_comes_first_and_a_range_is_shortened() {
    let program = program(vec![mov(1, 7), read(&[1]), mov(2, 7), read(&[2]), read(&[2]), read(&[1]), exit()]);
    let allocation = allocated(&program, Hierarchy { operand_entries: 1, last_result: false });
    assert_eq!(
        [0, 2].map(|pc| levels(&program, &allocation, pc).1[0]),
        [ResultLevel::Both, ResultLevel::Operand]
    );
    let (main, operand) = (SourceLevel::Main, SourceLevel::Operand);
    let reads = [1, 3, 4, 5].map(|pc| levels(&program, &allocation, pc).0[0]);
    assert_eq!(reads, [operand, operand, operand, main]);
}

/// A value that crosses the end of its strand: at a wait for a load, and at a backward branch.
#[test]
fn a_value_that_crosses_the_end_of_a_strand_is_found() {
    let wait = program(vec![load(2, 3), mov(1, 7), read(&[2]), read(&[1]), exit()]);
    let around = program(vec![mov(1, 7), read(&[1]), when(0, false, bra(1)), exit()]);
    for (program, writes, reads) in [(wait, 1, 3), (around, 0, 1)] {
        let mut allocation = allocated(&program, THREE);
        assert_eq!(levels(&program, &allocation, reads).0, [SourceLevel::Main]);
        allocation.levels[writes].results[0] = ResultLevel::Both;
        check_allocation(&program, THREE, &allocation).expect("a copy more is no fault");
        allocation.levels[reads].sources[0] = SourceLevel::Operand;
        let expected = AllocationFault::Absent {
            pc: Pc(reads as u32),
            slot: 0,
            register: Reg(1),
            level: SourceLevel::Operand,
            entry: 0,
        };
        assert_eq!(fault(&program, THREE, &allocation), expected);
    }
}

#[test]
fn other_faults_are_found() {
    let program =
        program(vec![mov(1, 7), mov(2, 7), read(&[1, 2]), load(3, 4), when(0, false, read(&[5])), exit()]);
    let right = allocated(&program, THREE);
    let changed = |change: &dyn Fn(&mut Allocation)| {
        let mut allocation = right.clone();
        change(&mut allocation);
        fault(&program, THREE, &allocation)
    };
    // Two values in one entry at once.
    let overtaken = changed(&|a| a.entries[1].results[0] = a.entries[0].results[0]);
    assert_eq!(overtaken, AllocationFault::Overtaken { pc: Pc(1), register: Reg(1) });
    let beyond = changed(&|a| a.entries[0].results[0] = 3);
    assert_eq!(beyond, AllocationFault::Entry { pc: Pc(0), entry: 3, entries: 3 });
    let late = changed(&|a| a.levels[3].results[0] = ResultLevel::Operand);
    assert_eq!(late, AllocationFault::LongLatency { pc: Pc(3), level: ResultLevel::Operand });
    assert!(matches!(changed(&|a| a.levels[0].results[0] = ResultLevel::Last), AllocationFault::Last { .. }));
    let partial = changed(&|a| a.levels[4].sources[0] = SourceLevel::Fill);
    assert_eq!(partial, AllocationFault::PartialFill { pc: Pc(4), slot: 0 });
    assert!(matches!(changed(&|a| a.levels.truncate(2)), AllocationFault::Coverage { .. }));
    // The main register file does not have what went to an entry alone.
    assert!(matches!(
        changed(&|a| a.levels[2].sources[0] = SourceLevel::Main),
        AllocationFault::Absent { .. }
    ));
}

#[test]
fn a_hierarchy_without_entries_is_refused() {
    let program = program(vec![exit()]);
    for operand_entries in [0, 9] {
        let hierarchy = Hierarchy { operand_entries, last_result: true };
        let expected = Err(PassError::OperandEntries { entries: operand_entries });
        assert_eq!(allocate_levels(&program, hierarchy), expected);
    }
}

/// Whether the checker refuses each read of the main register file that is made one of entry 0 instead. It does unless
/// that entry happens to have the value.
fn refuses_other_reads(program: &Program, allocation: &Allocation, hierarchy: Hierarchy) -> bool {
    let mut wrong = allocation.clone();
    for (pc, instr) in program.instrs.iter().enumerate() {
        for slot in 0..instr.source_regs().len() {
            if wrong.levels[pc].sources[slot] == SourceLevel::Main {
                wrong.levels[pc].sources[slot] = SourceLevel::Operand;
                if check_allocation(program, hierarchy, &wrong).is_ok() {
                    return false;
                }
                wrong.levels[pc].sources[slot] = SourceLevel::Main;
            }
        }
    }
    true
}

#[test]
fn random_programs_find_every_value() {
    let (mut main, mut all, mut strands, mut wrong) = (0, 0, 0, 0);
    for seed in 0..3000 {
        let mut random = Random::new(seed ^ 0x5113f);
        let base = if random.one_in(2) { structured(seed, 4) } else { arbitrary(seed, 14) };
        let mut instrs = base.instrs.clone();
        for instr in &mut instrs {
            if matches!(instr.op, Op::Alu { .. }) && random.one_in(8) {
                *instr = load(random.below(8), random.below(8));
            }
        }
        let program = program(instrs);
        let hierarchy =
            Hierarchy { operand_entries: 1 + random.below(8) as u8, last_result: random.one_in(2) };
        let allocation = allocated(&program, hierarchy);
        let (here, of) = main_accesses(&program, &allocation);
        main += here;
        all += of;
        strands += form(&program, 256, Formation::DependenceStrand).expect("strands").1.intervals.len();
        wrong += usize::from(refuses_other_reads(&program, &allocation, hierarchy));
    }
    println!("{main} of {all} accesses are of the main file, in {strands} strands");
    println!("in {wrong} of 3000 programs no other read is right");
    assert!(main < all && strands > 3000 && wrong > 2000, "{main} {all} {strands} {wrong}");
}
