//! The checker of allocations against execution: allocations of random kernels are corrupted in many
//! ways, and whatever the checker still accepts leaves the memory that the program as parsed leaves.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;

use common::execute;
use heddle_isa::{Alu, Op, Operand, Pc, Pred, PredOperand, Space};
use heddle_kernel::alloc::Allocation;
use heddle_kernel::{AllocOptions, allocate_traced, cfg, check_allocation, lower, parse};
use heddle_kernelgen::{GenOptions, generate};
use heddle_port::Reg;
use heddle_workloads::random::SplitMix64;

/// A way to corrupt the instruction at an index; `None` when it does not apply there.
type Corruption = fn(&mut Allocation, usize, &mut SplitMix64) -> Option<()>;

const CORRUPTIONS: [(&str, Corruption); 16] = [
    ("another source", |a, at, random| {
        let other = other_register(a, random);
        let source = a.program.instrs[at].srcs.iter_mut().rev().find_map(|s| match s {
            Operand::Reg(r) if *r != other => Some(r),
            _ => None,
        })?;
        *source = other;
        Some(())
    }),
    ("another pair", |a, at, random| {
        let other = Reg(other_register(a, random).0 & !1);
        let regs = a.program.num_regs;
        let pair = a.program.instrs[at].srcs.iter_mut().find_map(|s| match s {
            Operand::Pair(r) if *r != other && other.0 + 1 < regs => Some(r),
            _ => None,
        })?;
        *pair = other;
        Some(())
    }),
    ("another destination", |a, at, random| {
        let other = other_register(a, random);
        let d = a.program.instrs[at].dsts.first_mut().filter(|r| **r != other)?;
        *d = other;
        Some(())
    }),
    ("halves of a result swapped", |a, at, _| {
        let instr = &mut a.program.instrs[at];
        (instr.dsts.len() == 2).then(|| instr.dsts.swap(0, 1))
    }),
    ("two sources swapped", |a, at, _| {
        let sources = &mut a.program.instrs[at].srcs;
        match sources[..] {
            [Operand::Reg(x), Operand::Reg(y), ..] if x != y => {
                sources.swap(0, 1);
                Some(())
            }
            _ => None,
        }
    }),
    ("another predicate read", |a, at, random| {
        let other = other_predicate(a, random);
        let instr = &mut a.program.instrs[at];
        let guard = instr.guard.as_mut().map(|g| &mut g.pred);
        let source = instr.pred_srcs.iter_mut().find_map(|p| match p {
            PredOperand::Reg { pred, .. } => Some(pred),
            PredOperand::Const(_) => None,
        });
        let pred = guard.or(source).filter(|p| **p != other)?;
        *pred = other;
        Some(())
    }),
    ("another predicate written", |a, at, random| {
        let other = other_predicate(a, random);
        let pred = a.program.instrs[at].pred_dsts.first_mut().filter(|p| **p != other)?;
        *pred = other;
        Some(())
    }),
    ("the guard negated", |a, at, _| {
        a.program.instrs[at].guard.as_mut()?.negated ^= true;
        Some(())
    }),
    ("a spill store gone", |a, at, _| (spill(a, at)?).then(|| remove(a, at))),
    ("a reload gone", |a, at, _| (!spill(a, at)?).then(|| remove(a, at))),
    ("a reload from another slot", |a, at, random| (!spill(a, at)?).then(|| move_slot(a, at, random))?),
    ("a store to another slot", |a, at, random| (spill(a, at)?).then(|| move_slot(a, at, random))?),
    ("another constant", |a, at, _| {
        let instr = a.program.instrs.get_mut(at).filter(|_| a.origins[at].inserted)?;
        match (&instr.op, instr.srcs.first_mut()) {
            (
                Op::Alu { op: Alu::Mov, .. } | Op::Ld { space: Space::Param, .. },
                Some(Operand::Imm(value)),
            ) => {
                *value ^= 4;
                Some(())
            }
            _ => None,
        }
    }),
    ("an added instruction one place later", |a, at, _| {
        let added = a.program.instrs.get(at).filter(|i| a.origins[at].inserted && !cfg::ends_block(i))?;
        let next = a.program.instrs.get(at + 1)?;
        (added != next).then(|| {
            a.program.instrs.swap(at, at + 1);
            let inserted = a.origins[at].inserted;
            a.origins[at].inserted = std::mem::replace(&mut a.origins[at + 1].inserted, inserted);
        })
    }),
    ("a move gone", |a, at, _| {
        let instr = &a.program.instrs[at];
        let is_move = matches!(instr.op, Op::Alu { op: Alu::Mov, .. }) && !a.origins[at].inserted;
        is_move.then(|| remove(a, at))
    }),
    ("another target", |a, at, _| {
        let last = u32::try_from(a.program.instrs.len()).ok()?;
        match &mut a.program.instrs[at].op {
            Op::Bra { target, .. } if target.0 + 2 < last => {
                *target = target.next();
                cfg::refresh(&mut a.program);
                Some(())
            }
            _ => None,
        }
    }),
];

fn other_register(a: &Allocation, random: &mut SplitMix64) -> Reg {
    Reg(random.below(a.program.num_regs.max(1)))
}

fn other_predicate(a: &Allocation, random: &mut SplitMix64) -> Pred {
    Pred(u16::try_from(random.below(u32::from(a.program.num_preds).max(1))).unwrap_or(0))
}

/// Whether the instruction is a spill store (or a reload); `None` when it is neither.
fn spill(a: &Allocation, at: usize) -> Option<bool> {
    match a.program.instrs[at].op {
        Op::St { space: Space::Local, .. } if a.origins[at].inserted => Some(true),
        Op::Ld { space: Space::Local, .. } if a.origins[at].inserted => Some(false),
        _ => None,
    }
}

/// Makes a spill access go to another slot of the same width.
fn move_slot(a: &mut Allocation, at: usize, random: &mut SplitMix64) -> Option<()> {
    let slots: Vec<Operand> = (0..a.program.instrs.len())
        .filter(|&i| spill(a, i).is_some())
        .filter(|&i| bits(&a.program.instrs[i].op) == bits(&a.program.instrs[at].op))
        .map(|i| a.program.instrs[i].srcs[0])
        .collect();
    let other = slots[random.below(u32::try_from(slots.len()).ok()?) as usize];
    let slot = a.program.instrs[at].srcs.first_mut().filter(|s| **s != other)?;
    *slot = other;
    Some(())
}

fn bits(op: &Op) -> u32 {
    match op {
        Op::Ld { ty, .. } | Op::St { ty, .. } => ty.bits(),
        _ => 0,
    }
}

/// Removes an instruction; branches follow.
fn remove(a: &mut Allocation, at: usize) {
    a.program.instrs.remove(at);
    a.origins.remove(at);
    for instr in &mut a.program.instrs {
        if let Op::Bra { target, .. } = &mut instr.op
            && target.index() > at
        {
            *target = Pc(target.0 - 1);
        }
    }
    cfg::refresh(&mut a.program);
}

#[test]
fn what_the_checker_accepts_leaves_the_same_memory() {
    // For each way: mutants, and those rejected.
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    // Of the rejected ones that are executed: all, and those that a run shows to be wrong.
    let (mut executed, mut wrong) = (0, 0);
    for seed in 0..48 {
        let options = GenOptions { preds: 10, ..GenOptions::varied(seed) };
        let kernel = generate(seed, &options);
        let module = parse("generated.ptx", &kernel.ptx()).unwrap_or_else(|e| panic!("{e}"));
        let program = lower(&module).unwrap_or_else(|e| panic!("{e}")).remove(0);
        let good =
            allocate_traced(&program, AllocOptions { max_registers: 14 }).unwrap_or_else(|e| panic!("{e}"));
        let (expected, _) = execute(&kernel, Arc::new(program.clone()), Vec::new()).expect("a right kernel");
        let mut random = SplitMix64::new(seed, 9);
        for (what, corrupt) in CORRUPTIONS {
            for round in 0..6 {
                // A few tries to meet an instruction that this way applies to.
                let mutant = (0..200).find_map(|_| {
                    let mut bad = good.clone();
                    let at = random.below(u32::try_from(bad.program.instrs.len()).expect("small")) as usize;
                    corrupt(&mut bad, at, &mut random).map(|()| bad)
                });
                let Some(bad) = mutant else {
                    continue;
                };
                let [total, rejected] = counts.entry(what).or_default();
                *total += 1;
                if check_allocation(&program, &bad).is_err() {
                    *rejected += 1;
                    if round == 0 && seed % 4 == 0 {
                        let ran = execute(&kernel, Arc::new(bad.program), Vec::new());
                        executed += 1;
                        wrong += usize::from(
                            ran.is_err() || ran.is_ok_and(|r| r.0.regions() != expected.regions()),
                        );
                    }
                    continue;
                }
                let ran = execute(&kernel, Arc::new(bad.program), Vec::new());
                let (memory, _) = ran.unwrap_or_else(|e| panic!("seed {seed}, {what}, accepted: {e}"));
                assert!(memory.regions() == expected.regions(), "seed {seed}: '{what}' was accepted");
            }
        }
    }
    println!("{counts:?}; {wrong} of {executed} rejected mutants leave another memory");
    assert!(wrong * 2 > executed, "runs show {wrong} of {executed} rejected mutants to be wrong");
    assert_eq!(counts.len(), CORRUPTIONS.len(), "{counts:?}");
    for (what, [total, rejected]) in counts {
        assert!(total >= 20 && rejected * 2 > total, "{what}: {rejected} of {total} rejected");
    }
}
