//! The compiler on kernels whose result depends on the order of accesses.

use heddle_config::Override;
use heddle_cosim::{Check, Compiler, Engine, ExecOptions, RunError};
use heddle_isa::{Op, Operand, Program, Space};
use heddle_port::Reg;

use super::kernel::Order;
use super::suite;

#[test]
fn kernels_that_hand_out_places_are_no_mismatch() {
    for kernel in [suite::compaction(), suite::queue(), suite::frontier()] {
        let alone = kernel.exec().unwrap_or_else(|e| panic!("{}: {e}", kernel.entry));
        assert!(alone.compiler.is_some() && alone.compiler_words_compared > 0, "{}", kernel.entry);
        for design in ["baseline", "cerf"] {
            let report = kernel.run(design, Engine::Cosim);
            let report = report.unwrap_or_else(|e| panic!("{} on {design}: {e}", kernel.entry));
            assert!(report.compiler_words_compared > 0, "{} on {design}", kernel.entry);
        }
    }
}

/// The warps of compaction come to the counter in another order on an SM than on the golden machine.
#[test]
fn a_result_that_depends_on_the_order_is_replayed() {
    for registers in [255, 10] {
        let kernel = Order { registers, ..suite::compaction() };
        for design in ["baseline", "ltrf", "cerf", "ucm"] {
            let report = kernel.run(design, Engine::Cosim).unwrap_or_else(|e| panic!("{design}: {e}"));
            assert_eq!(report.compiler, Some(Compiler::Replayed), "{design}");
            let final_memory: usize = kernel.buffers.iter().map(Vec::len).sum();
            assert!(report.compiler_words_compared > final_memory as u64, "{design}");
        }
    }
    let report = suite::register_loop(100).run("baseline", Engine::Cosim).expect("no order matters");
    assert_eq!(report.compiler, Some(Compiler::Equal));
}

/// The program that is replayed has the order that loads which begin early have.
#[test]
fn a_result_that_depends_on_the_order_is_replayed_with_loads_early() {
    let kernel = Order { early_loads: 64, ..suite::compaction() };
    for design in ["baseline", "ltrf"] {
        let report = kernel.run(design, Engine::Cosim).unwrap_or_else(|e| panic!("{design}: {e}"));
        assert_eq!(report.compiler, Some(Compiler::Replayed), "{design}");
    }
}

/// What ptxas gives is known of the kernels that ship.
#[test]
fn the_registers_of_ptxas_are_refused_for_a_kernel_of_ones_own() {
    let mut spec = suite::compaction().spec_of("baseline", Engine::Sim);
    spec.overrides.push(Override { key: "compiler.registers".to_owned(), value: "ptxas-o3".to_owned() });
    match heddle_cosim::exec(&spec, ExecOptions::default(), &mut ()) {
        Err(error @ RunError::Usage { .. }) => {
            assert!(error.to_string().contains("and not of 'compaction'"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}

/// A bug of the compiler, on a kernel whose result depends on the order: with exit code 3, at a place of the kernel.
fn is_found(name: &str, registers: u32, bug: fn(&mut Program)) {
    let kernel = Order { bug: Some(bug), registers, ..suite::compaction() };
    let engines = [kernel.exec().map(drop), kernel.run("baseline", Engine::Cosim).map(drop)];
    for (engine, outcome) in ["exec", "cosim"].into_iter().zip(engines) {
        match outcome {
            Err(RunError::Mismatch(mismatch)) => {
                assert_eq!(mismatch.check, Check::Compiler, "{name}, {engine}: {mismatch}");
                assert!(mismatch.place.source.is_some(), "{name}, {engine}: {mismatch}");
                assert!(mismatch.to_string().contains("compaction.ptx:"), "{name}, {engine}: {mismatch}");
            }
            other => panic!("{name}, {engine}: {other:?}"),
        }
    }
}

/// The place of the only instruction after `from` that `is` one.
fn find(program: &Program, from: usize, is: impl Fn(&heddle_isa::Instr) -> bool) -> usize {
    let place = program.instrs.iter().skip(from).position(is).expect("there is one");
    from + place
}

fn atomic(program: &Program) -> usize {
    find(program, 0, |i| matches!(i.op, Op::Atom { .. }))
}

#[test]
fn a_wrong_spill_slot_is_found() {
    is_found("spill slot", 10, |program| {
        let reload =
            |i: &heddle_isa::Instr| matches!(i.op, Op::Ld { space: Space::Local, ty, .. } if ty.bytes() == 4);
        let own = find(program, atomic(program), reload);
        let slot = program.instrs[own].srcs[0];
        let other = find(program, 0, |i| reload(i) && i.srcs[0] != slot);
        program.instrs[own].srcs[0] = program.instrs[other].srcs[0];
    });
}

#[test]
fn a_wrong_address_register_of_an_atomic_is_found() {
    is_found("address register", 255, |program| {
        let at = atomic(program);
        let own = program.instrs[at].srcs[0];
        let pairs = program.instrs[at..].iter().flat_map(|i| i.srcs.iter().copied());
        let other = pairs.into_iter().find(|s| matches!(s, Operand::Pair(_)) && *s != own);
        program.instrs[at].srcs[0] = other.expect("another address");
    });
}

#[test]
fn a_result_of_an_atomic_in_a_wrong_register_is_found() {
    is_found("result register", 255, |program| {
        let at = atomic(program);
        let Reg(own) = program.instrs[at].dsts[0];
        program.instrs[at].dsts[0] = Reg(if own == 0 { 1 } else { own - 1 });
    });
}

#[test]
fn a_lost_store_is_found() {
    is_found("lost store", 255, |program| {
        let store = find(program, atomic(program), |i| matches!(i.op, Op::St { space: Space::Global, .. }));
        let lost = &mut program.instrs[store];
        *lost = heddle_isa::Instr::new(Op::Nop, lost.loc);
    });
}

#[test]
fn a_wrong_guard_is_found() {
    is_found("guard", 255, |program| {
        let at = atomic(program);
        let branch = program.instrs[..at].iter().rposition(|i| i.guard.is_some()).expect("a guard");
        if let Some(guard) = &mut program.instrs[branch].guard {
            guard.negated = !guard.negated;
        }
    });
}
