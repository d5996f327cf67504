//! What breaks the contract, and configurations that the design does not have.

use super::{Bench, command, config, fresh, issue};
use crate::hybrid::Buffered;
use crate::testing::{self, ready, result};
use heddle_port::{CommandOp, DesignError, PortConfig, RegIn, RegisterFile};

#[test]
fn a_broken_contract_is_reported() {
    let broken = |bench: &mut Bench, input: &RegIn, text: &str| {
        let error = bench.model.step(input, &mut bench.out).expect_err(text);
        assert!(matches!(error, DesignError::Contract { .. }));
        assert!(error.to_string().contains(text), "{error}");
    };
    broken(&mut Bench::active(0), &command(CommandOp::Activate, 1), "while another warp is");
    broken(&mut Bench::active(0), &issue(1, 3, &[0]), "is not active");
    let mut start = command(CommandOp::KernelStart, 0);
    start.command.value = 65;
    broken(&mut fresh(&config(), false), &start, "65 registers");
    let mut bench = fresh(&config(), false);
    let mut base = command(CommandOp::WarpBase, 3);
    base.command.value = 100;
    bench.step(&base);
    let mut input = ready();
    input.result[0] = result(3, 0);
    broken(&mut bench, &input, "odd ones 512 to 1023");
}

#[test]
fn bad_configurations_are_refused() {
    for (config, key) in [
        (PortConfig { bank_cycles: 0, ..config() }, "register_file.bank_cycles"),
        (PortConfig { write_cycles: 0, ..config() }, "register_file.write_cycles"),
        (PortConfig { rows_per_bank: 128, ..config() }, "register_file.rows_per_bank"),
        (PortConfig { active_warps: 8, ..config() }, "scheduler.active_warps"),
        (PortConfig { wakeup_cycles: 0, ..config() }, "register_file.wakeup_cycles"),
    ] {
        match testing::model::<Buffered>(testing::WIDTHS).reset(&config) {
            Err(DesignError::Config { key: k, .. }) => assert_eq!(k, key),
            other => panic!("{key}: {other:?}"),
        }
    }
}
