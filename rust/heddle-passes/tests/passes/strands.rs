//! Strands: small programs and random ones against the definition.

use heddle_isa::{Op, Pc, Program};
use heddle_passes::{
    DesignNeeds, Formation, IntervalFault, PassError, build_executable, check_intervals, check_strands, form,
    form_intervals,
};

use crate::builder::{load, program, shape, successors};
use crate::listing1::listing1;
use crate::random::{Random, arbitrary, structured};

fn strands(program: &Program, limit: u32) -> (Program, heddle_isa::Intervals) {
    let (cut, strands) = form(program, limit, Formation::Strand).expect("strands");
    check_intervals(&cut, &strands).expect("intervals");
    check_strands(&cut, &strands).expect("strands");
    (cut, strands)
}

/// Listing 1: the loads of lines 5 and 6 end strands, and so does the branch of line 13.
#[test]
fn loads_and_backward_branches_end_strands() {
    let (_, strands) = strands(&listing1(), 16);
    let pcs: Vec<Vec<usize>> = shape(&strands).into_iter().map(|(pcs, _)| pcs).collect();
    let expected: [&[usize]; 6] =
        [&[0, 1, 2, 3], &[4], &[5], &[6, 7, 8, 9, 10, 11, 12, 15], &[13, 14], &[16]];
    assert_eq!(pcs, expected);
}

#[test]
fn an_interval_that_goes_on_is_no_strand() {
    let (cut, intervals) = form_intervals(&listing1(), 16).expect("intervals");
    let found = check_strands(&cut, &intervals);
    let fault = IntervalFault::StrandGoesOn { from: Pc(4), to: Pc(5) };
    assert_eq!(found, Err(PassError::Intervals { kernel: "test".to_owned(), fault }));
    let needs = DesignNeeds { intervals: Some(16), formation: Formation::Strand, ..DesignNeeds::default() };
    let executable = build_executable(std::sync::Arc::new(cut), needs).expect("executable");
    assert_eq!(executable.intervals.expect("strands").intervals.len(), 6);
}

#[test]
fn random_programs_are_cut_into_strands() {
    let (mut loads, mut backward, mut more) = (0, 0, 0);
    for seed in 0..3000 {
        let mut random = Random::new(seed ^ 0x57a2d);
        let base = if random.one_in(2) { structured(seed, 4) } else { arbitrary(seed, 14) };
        let mut instrs = base.instrs.clone();
        for instr in &mut instrs {
            if matches!(instr.op, Op::Alu { .. }) && random.one_in(4) {
                *instr = load(random.below(8), random.below(8));
            }
        }
        let limit = 6 + random.below(12);
        let base = program(instrs);
        let (cut, strands) = strands(&base, limit);
        assert_eq!(cut.instrs, base.instrs, "seed {seed}");
        let header = |pc: usize| strands.intervals[usize::from(strands.of_pc[pc].0)].header == Pc(pc as u32);
        for (pc, instr) in cut.instrs.iter().enumerate() {
            let ways = successors(&cut.instrs, pc);
            let load = matches!(instr.op, Op::Ld { .. });
            let back = ways.iter().any(|&to| to <= pc);
            loads += usize::from(load);
            backward += usize::from(back);
            assert!(!(load || back) || ways.iter().all(|&to| header(to)), "seed {seed}, pc {pc}");
        }
        let (_, intervals) = form_intervals(&base, limit).expect("intervals");
        more += usize::from(strands.intervals.len() > intervals.intervals.len());
    }
    println!("{loads} loads, {backward} backward branches, {more} programs with more strands than intervals");
    assert!(loads > 1000 && backward > 1000 && more > 1000);
}
