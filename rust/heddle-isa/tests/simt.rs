//! The reconvergence stack, by hand and against threads that run one by one.

use heddle_isa::{Pc, SimtStack};
use heddle_port::LaneMask;

const ALL: LaneMask = LaneMask(0xff);

/// A little control-flow graph: what each instruction does.
#[derive(Clone, Copy)]
enum Code {
    /// Goes on.
    Step,
    /// Lanes in which the counter decides so go to the target.
    Branch {
        bit: u32,
        target: u32,
        join: Option<u32>,
    },
    /// Lanes in which the counter decides so end.
    Exit {
        bit: u32,
    },
    End,
}

/// Scatters the counter, so that no lane stays in a loop for ever.
fn decides(counter: u32, bit: u32) -> bool {
    counter.wrapping_mul(0x9e37_79b9) >> (8 + bit) & 1 != 0
}

/// Runs a warp and returns, lane by lane, the instructions executed; a lane's counter grows by its
/// lane number plus one at each instruction.
fn warp(code: &[Code], lanes: LaneMask) -> (Vec<Vec<u32>>, usize) {
    let mut stack = SimtStack::new(lanes);
    let mut trace = vec![Vec::new(); 32];
    let mut counter = [0u32; 32];
    let mut deepest = 0;
    for _ in 0..10_000 {
        if stack.is_done() {
            return (trace, deepest);
        }
        deepest = deepest.max(stack.depth());
        let (pc, mask) = (stack.pc(), stack.mask());
        assert!(!mask.is_empty());
        let mut set = [0; 8];
        for lane in mask.lanes() {
            trace[lane].push(pc.0);
            counter[lane] += lane as u32 + 1;
            for (bit, set) in set.iter_mut().enumerate() {
                *set |= u32::from(decides(counter[lane], bit as u32)) << lane;
            }
        }
        match code[pc.index()] {
            Code::Step => stack.advance(),
            Code::Branch { bit, target, join } => {
                stack.branch(LaneMask(set[bit as usize]), Pc(target), join.map(Pc));
            }
            Code::Exit { bit } => stack.exit(LaneMask(set[bit as usize]) & mask),
            Code::End => stack.exit(mask),
        }
    }
    panic!("the warp does not end");
}

/// The same for a thread on its own.
fn thread(code: &[Code], lane: u32) -> Vec<u32> {
    let (mut pc, mut trace, mut counter) = (0u32, Vec::new(), 0u32);
    loop {
        trace.push(pc);
        counter += lane + 1;
        pc = match code[pc as usize] {
            Code::Branch { bit, target, .. } if decides(counter, bit) => target,
            Code::Exit { bit } if decides(counter, bit) => return trace,
            Code::End => return trace,
            _ => pc + 1,
        };
    }
}

fn branch(bit: u32, target: u32, join: u32) -> Code {
    Code::Branch { bit, target, join: Some(join) }
}

#[test]
fn if_else_reconverges() {
    let mut stack = SimtStack::new(ALL);
    stack.branch(LaneMask(0x0f), Pc(5), Some(Pc(8)));
    assert_eq!((stack.pc(), stack.mask(), stack.depth()), (Pc(5), LaneMask(0x0f), 3));
    let pending: Vec<_> = stack.pending_pcs().collect();
    assert_eq!(pending, [(Pc(5), LaneMask(0x0f)), (Pc(1), LaneMask(0xf0)), (Pc(8), ALL)]);
    for _ in 5..8 {
        stack.advance();
    }
    assert_eq!((stack.pc(), stack.mask()), (Pc(1), LaneMask(0xf0)));
    stack.branch(LaneMask(0xf0), Pc(8), Some(Pc(8)));
    assert_eq!((stack.pc(), stack.mask(), stack.depth()), (Pc(8), ALL, 1));
    stack.exit(ALL);
    assert!(stack.is_done());
}

#[test]
fn exits_in_a_branch_leave_the_others() {
    let mut stack = SimtStack::new(ALL);
    stack.branch(LaneMask(0x0f), Pc(5), Some(Pc(8)));
    stack.exit(LaneMask(0x03));
    assert_eq!((stack.pc(), stack.mask()), (Pc(6), LaneMask(0x0c)));
    stack.exit(LaneMask(0x0c));
    assert_eq!((stack.pc(), stack.mask()), (Pc(1), LaneMask(0xf0)));
    assert_eq!(stack.live(), LaneMask(0xf0));
}

#[test]
fn a_loop_does_not_grow_the_stack() {
    // 0: body; 1: lanes leave one after the other; 2: end.
    let code = [Code::Step, branch(4, 0, 2), Code::End];
    let (trace, deepest) = warp(&code, LaneMask::ALL);
    assert!(deepest <= 2, "depth {deepest}");
    for lane in 0..32 {
        assert_eq!(trace[lane as usize], thread(&code, lane));
    }
}

#[test]
fn every_lane_takes_the_path_of_its_thread() {
    let programs: [&[Code]; 4] = [
        // Nested ifs that share their join.
        &[branch(0, 4, 6), branch(1, 3, 6), Code::Step, Code::Step, branch(2, 6, 6), Code::Step, Code::End],
        // A loop with a break and a guarded exit.
        &[
            Code::Step,
            branch(3, 5, 5),
            Code::Exit { bit: 6 },
            Code::Step,
            branch(5, 0, 5),
            Code::Step,
            Code::End,
        ],
        // A branch whose paths meet only at the exit.
        &[
            Code::Branch { bit: 0, target: 3, join: None },
            Code::Step,
            Code::End,
            branch(1, 5, 5),
            Code::Step,
            Code::End,
        ],
        // A loop in a loop.
        &[Code::Step, Code::Step, branch(1, 1, 3), branch(4, 0, 4), Code::End],
    ];
    for (number, code) in programs.iter().enumerate() {
        for lanes in [LaneMask::ALL, LaneMask(0x0f0f_1111), LaneMask(1)] {
            let (trace, _) = warp(code, lanes);
            for lane in lanes.lanes() {
                assert_eq!(trace[lane], thread(code, lane as u32), "program {number}, lane {lane}");
            }
        }
    }
}
