//! CTAs that wait for each other, and what can never end.

use heddle_cosim::{Engine, RunError, Session};

use super::kernel::Order;
use super::suite;

const ENGINES: [Engine; 2] = [Engine::Cosim, Engine::Sim];

#[test]
fn ctas_may_wait_for_each_other() {
    for kernel in [suite::grid_barrier(6), suite::persistent(), suite::lock(), suite::queue()] {
        kernel.exec().unwrap_or_else(|e| panic!("{}: {e}", kernel.entry));
        for engine in ENGINES {
            let report = kernel.run("baseline", engine);
            report.unwrap_or_else(|e| panic!("{}, {engine:?}: {e}", kernel.entry));
        }
    }
}

/// What a run that fails with exit code 1 says.
fn message<T: std::fmt::Debug>(outcome: Result<T, RunError>) -> String {
    let error = outcome.expect_err("it cannot end");
    assert_eq!(error.exit_code(), 1, "{error}");
    error.to_string()
}

#[test]
fn a_grid_that_is_not_resident_is_stuck() {
    // The preset admits 32 CTAs.
    let kernel = suite::grid_barrier(40);
    for text in [message(kernel.exec()), message(kernel.run("baseline", Engine::Cosim))] {
        for part in
            ["stuck", "32 of a grid of 40", "polls", "grid_barrier.ptx:", "'first' + 0", "which is 0x20"]
        {
            assert!(text.contains(part), "'{part}' is not in: {text}");
        }
        for cta in 0..32 {
            assert!(text.contains(&format!("CTA {cta}, warp 0, PC ")), "{text}");
        }
    }
}

#[test]
fn a_cooperative_grid_must_be_resident() {
    let kernel = Order { cooperative: true, ..suite::grid_barrier(6) };
    kernel.exec().expect("6 CTAs are resident");
    kernel.run("baseline", Engine::Cosim).expect("6 CTAs are resident");
    let kernel = Order { cooperative: true, ..suite::grid_barrier(40) };
    for text in [
        message(kernel.exec()),
        message(kernel.run("baseline", Engine::Sim)),
        message(kernel.run("baseline", Engine::Cosim)),
    ] {
        assert!(text.contains("cooperative") && text.contains("40 CTAs"), "{text}");
    }
}

#[test]
fn the_grid_barrier_of_cooperative_groups_opens() {
    let kernel = suite::grid_sync(6);
    kernel.exec().unwrap_or_else(|e| panic!("{e}"));
    for design in ["baseline", "cerf"] {
        kernel.run(design, Engine::Cosim).unwrap_or_else(|e| panic!("{design}: {e}"));
    }
}

/// Without a golden machine beside it the SM finds out, and the golden machine says whose fault it is.
#[test]
fn the_sm_finds_out_that_it_is_stuck() {
    let text = message(suite::grid_barrier(40).run("baseline", Engine::Sim));
    assert!(text.contains("stuck") && text.contains("32 of a grid of 40"), "{text}");
}

/// Nothing in the program says that memory alone decides when the loop is left; but its rounds repeat themselves.
#[test]
fn the_sm_finds_out_that_rounds_repeat_themselves() {
    let kernel = suite::guarded();
    assert!(message(kernel.exec()).contains("stuck"));
    let mut spec = kernel.spec_of("baseline", Engine::Sim);
    let folder = tempfile::tempdir().expect("temporary folder");
    (spec.results, spec.max_cycles) = (folder.path().to_owned(), Some(2_000_000));
    let text = message(Session::new(spec).and_then(|mut session| session.run(&mut ())));
    assert!(text.contains("stuck") && text.contains("'first' + 0"), "{text}");
}

#[test]
fn lanes_of_one_warp_that_wait_for_each_other_are_an_error_of_their_own() {
    for text in [message(suite::lanes().exec()), message(suite::lanes().run("baseline", Engine::Cosim))] {
        for part in ["lanes of one warp wait for each other", "'first' + 0", "lanes.ptx:13"] {
            assert!(text.contains(part), "'{part}' is not in: {text}");
        }
    }
}

#[test]
fn what_takes_long_is_not_stuck() {
    // Fifteen million instructions of looks at one word, and fifty million of arithmetic.
    suite::timeout(2_500_000).exec().expect("it gives up in the end");
    suite::register_loop(12_500_000).exec().expect("it ends");
}

/// Looks at a word for long, and gives up, on the SM too.
#[test]
fn the_sm_does_not_give_up_a_loop_that_ends() {
    let report = suite::timeout(3000).run("baseline", Engine::Sim).expect("it gives up in the end");
    assert!(report.cycles > 300_000, "{} cycles", report.cycles);
}

#[test]
fn a_share_of_the_ctas_cannot_be_cooperative() {
    let kernel = Order { cooperative: true, ..suite::grid_barrier(6) };
    let mut spec = kernel.spec_of("baseline", Engine::Sim);
    spec.ctas = heddle_cosim::Ctas::Share;
    let error = Session::new(spec).and_then(|mut s| s.run(&mut ())).expect_err("CTA 1 would not run");
    assert!(error.to_string().contains("CTA 1 would never run"), "{error}");
    assert_eq!(error.exit_code(), 2);
}
