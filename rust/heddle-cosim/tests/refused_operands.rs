//! Designs whose operands the units leave in most cycles compute the same values, in lock-step with their models, and
//! take longer.

use heddle_config::Override;
use heddle_cosim::{Engine, Session};
use heddle_workloads::Size;

use crate::common;

/// Loads, shared memory and barriers.
const KERNEL: &str = "scalarprod";

/// Cycles of a run whose units refuse operands in so many eighths of the cycles.
fn cycles(design: &str, engine: Engine, eighths: u32) -> u64 {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut spec = common::cosim(design, KERNEL, Size::Smoke, &folder);
    spec.engine = engine;
    spec.overrides.push(Override { key: "sm.operands_refused".into(), value: eighths.to_string() });
    let run = Session::new(spec).and_then(|mut session| session.run(&mut ()));
    run.unwrap_or_else(|error| panic!("{design} {eighths}: {error}")).cycles
}

#[test]
fn designs_wait_for_units_that_take_their_operands_late() {
    for design in common::designs() {
        let [refused, taken] =
            [(Engine::Cosim, 5), (Engine::Sim, 0)].map(|(engine, eighths)| cycles(&design, engine, eighths));
        assert!(refused > taken, "{design}: {refused} cycles, {taken} without a refusal");
    }
}
