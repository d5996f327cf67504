//! Planted bugs of the RTL that a kernel does not find.

use heddle_cosim::{Engine, Fault, RunError, RunSpec, Session};
use heddle_isa::{Instr, Op, Program};

use super::kernel::Order;
use super::suite;

/// One warp never leaves the design, so this bug changes nothing.
const BUG: &str = "base-lost-at-deactivation";

fn spec(kernel: &Order, engine: Engine, folder: &tempfile::TempDir) -> RunSpec {
    let mut spec = kernel.spec_of("baseline", engine);
    spec.results = folder.path().to_owned();
    spec.fault = Some(Fault::new(BUG));
    spec
}

fn outcome(kernel: &Order, engine: Engine) -> RunError {
    let folder = tempfile::tempdir().expect("temporary folder");
    let run = Session::new(spec(kernel, engine, &folder)).and_then(|mut session| session.run(&mut ()));
    run.expect_err("a planted bug must not pass")
}

#[test]
fn a_bug_that_is_not_found_is_a_failure() {
    let error = outcome(&suite::timeout(3), Engine::Cosim);
    assert_eq!(error.exit_code(), 1, "{error}");
    let text = error.to_string();
    assert!(text.contains(BUG) && text.contains("not found, 0 activations"), "{text}");
    assert!(text.contains("kernel 'hotspot' finds it"), "{text}");
}

#[test]
fn a_mismatch_that_the_bug_did_not_cause_is_said_to_be_another() {
    fn lose_the_store(program: &mut Program) {
        for instr in program.instrs.iter_mut().filter(|i| matches!(i.op, Op::St { .. })) {
            *instr = Instr::new(Op::Nop, instr.loc);
        }
    }
    let kernel = Order { bug: Some(lose_the_store), ..suite::timeout(3) };
    let error = outcome(&kernel, Engine::Cosim);
    assert_eq!(error.exit_code(), 3, "{error}");
    let text = error.to_string();
    assert!(text.contains("0 activations") && text.contains("this mismatch is another one"), "{text}");
}

#[test]
fn the_cycle_model_alone_has_no_bugs_of_the_rtl() {
    let error = outcome(&suite::timeout(3), Engine::Sim);
    assert_eq!(error.exit_code(), 2, "{error}");
    assert!(error.to_string().contains("`sim` does not run"), "{error}");
}
