//! The timing of each path and the special cases, as docs/designs/hybrid.md states them.

mod buffers;
mod counters;
mod paths;
mod refused;

use super::Buffered;
use crate::testing::{self, issues, ready, result};
use heddle_port::{CommandOp, PortConfig, RegIn};

type Bench = testing::Bench<Buffered>;

fn config() -> PortConfig {
    PortConfig {
        bank_cycles: 1,
        write_cycles: 4,
        rows_per_bank: 64,
        active_warps: 1,
        wakeup_cycles: 3,
        ..PortConfig::default()
    }
}

fn command(op: CommandOp, warp: u8) -> RegIn {
    testing::command(op, warp, 0)
}

fn issue(warp: u8, tag: u16, sources: &[u8]) -> RegIn {
    issues(testing::issue(tag, warp, sources))
}

/// Warp slots 0 to 7 with 64 registers each, none of them active.
fn fresh(config: &PortConfig, gating: bool) -> Bench {
    let mut bench = Bench::new(config);
    let mut start = testing::command(CommandOp::KernelStart, 0, 64);
    start.command.gating = gating;
    bench.step(&start);
    for warp in 0..8 {
        let base = u16::from(warp % 2) * 512 + u16::from(warp / 2) * 64;
        bench.step(&testing::command(CommandOp::WarpBase, warp, base));
    }
    bench
}

impl Bench {
    /// Sends a command and waits for its answer; returns the cycles from the handshake to the answer.
    fn command(&mut self, op: CommandOp, warp: u8) -> u32 {
        assert!(self.out.command_ready);
        self.step(&command(op, warp));
        for cycles in 1..2000 {
            if self.out.done.valid {
                assert_eq!((self.out.done.op, self.out.done.warp), (op as u8, warp));
                return cycles;
            }
            assert!(!self.out.command_ready, "a command that waits keeps others out");
            self.step(&ready());
        }
        panic!("no answer");
    }

    /// Results of a warp, which then becomes inactive.
    fn leave(&mut self, warp: u8, registers: impl IntoIterator<Item = u8>) {
        self.write(warp, registers);
        self.command(CommandOp::Deactivate, warp);
    }

    /// Results for the registers of a warp, one after the other, until all are written somewhere.
    fn write(&mut self, warp: u8, registers: impl IntoIterator<Item = u8>) {
        for register in registers {
            let mut input = ready();
            input.result[0] = result(warp, register);
            while !self.out.result_ready[0] {
                self.step(&ready());
            }
            self.step(&input);
        }
        self.step(&ready());
        while self.event("staged_results") != 0 {
            self.step(&ready());
        }
    }

    /// Cycles from the issue of an instruction to its operands.
    fn read(&mut self, warp: u8, sources: &[u8]) -> u32 {
        self.step(&issue(warp, 9, sources));
        for cycles in 1..2000 {
            if self.out.operands.iter().any(|o| o.valid && o.tag == 9) {
                return cycles;
            }
            self.step(&ready());
        }
        panic!("no operands");
    }

    fn active(warp: u8) -> Self {
        let mut bench = fresh(&config(), false);
        bench.command(CommandOp::Activate, warp);
        bench
    }
}
