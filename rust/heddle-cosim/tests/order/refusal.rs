//! Whose fault it is where the golden machine refuses, in lock-step, what it did not when the program as parsed ran
//! freely: the warps come in another order on an SM.

use heddle_cosim::{Check, Engine, RunError};
use heddle_isa::{Op, Pc, Program};

use super::kernel::Order;
use super::suite;

fn fails(kernel: &Order) -> RunError {
    kernel.run("baseline", Engine::Cosim).map(drop).expect_err("the golden machine refuses")
}

#[test]
fn what_the_program_as_parsed_is_refused_in_that_order_is_the_kernels_own() {
    suite::ticket(2).run("baseline", Engine::Cosim).expect("in any order nothing is wrong");
    for (mode, what) in [(0, "of shared memory"), (1, "barrier reached by lanes")] {
        suite::ticket(mode).exec().expect("in the order of the golden machine nothing is wrong");
        let error = fails(&suite::ticket(mode));
        assert_eq!(error.exit_code(), 1, "{error}");
        let text = error.to_string();
        assert!(text.starts_with("the kernel fails: ") && text.contains(what), "{text}");
        assert!(text.contains("CTA 0, warp ") && text.contains("ticket.ptx:"), "{text}");
    }
}

/// Its lanes do not come together again where they should: what goes wrong then is no fault of the kernel.
fn lose_the_reconvergence(program: &mut Program) {
    let end = Pc(program.instrs.len() as u32 - 1);
    for instr in &mut program.instrs {
        if let Op::Bra { reconvergence, .. } = &mut instr.op {
            *reconvergence = Some(end);
        }
    }
}

#[test]
fn what_it_is_not_refused_is_a_mismatch() {
    let kernel = Order { bug: Some(lose_the_reconvergence), ..suite::ticket(2) };
    let RunError::Mismatch(mismatch) = fails(&kernel) else { panic!("{}", fails(&kernel)) };
    assert_eq!(mismatch.check, Check::Compiler, "{mismatch}");
    assert!(mismatch.what.contains("barrier reached by lanes"), "{mismatch}");
    assert!(mismatch.place.pc.is_some() && mismatch.place.source.is_some(), "{mismatch}");
}
