//! A machine that leaves steps out puts out what one puts out that makes them all.

use super::{Machine, Still};
use crate::sttram::Sttram;
use crate::testing::{WIDTHS, command, instance, issue, issues, ready, result};
use heddle_port::{CommandOp, PortConfig, RegIn, RegOut, RegisterFile};

/// A row of numbers that are as good as random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % limit
    }
}

/// Stretches in which much, little or nothing is offered, of warp slots 0 and 1.
fn input(numbers: &mut Numbers, cycle: u64, out: &RegOut) -> RegIn {
    let one_in = [2, 8, 200][(cycle / 500 % 3) as usize];
    let mut input = ready();
    if out.issue_ready[0] && numbers.below(one_in) == 0 {
        let sources: Vec<u8> = (0..numbers.below(4)).map(|_| numbers.below(12) as u8).collect();
        input = issues(issue(cycle as u16 % 64, numbers.below(2) as u8, &sources));
    }
    input.operands_ready = [numbers.below(8) > 0; 4];
    if out.result_ready[1] && numbers.below(one_in) == 0 {
        input.result[1] = result(numbers.below(2) as u8, numbers.below(12) as u8);
    }
    if out.command_ready && numbers.below(20 * one_in) == 0 {
        input.command = command(CommandOp::WarpBase, 1, 512).command;
    }
    input
}

#[test]
fn what_is_left_out_is_what_the_steps_would_have_given() {
    for (bank_cycles, write_cycles) in [(1, 4), (2, 1), (5, 30), (9, 3)] {
        let config = PortConfig {
            bank_cycles,
            write_cycles,
            rows_per_bank: 64,
            active_warps: 1,
            ..PortConfig::default()
        };
        let mut leaves_out: Sttram = Machine::new(&instance("sttram", WIDTHS)).expect("a model");
        let mut steps = leaves_out.clone();
        let mut outs =
            [leaves_out.reset(&config), steps.reset(&config)].map(|out| out.expect("good configuration"));
        let (mut numbers, mut left_out) = (Numbers(0x9E37_79B9_7F4A_7C15), 0);
        for cycle in 0..12_000 {
            if cycle % 2_999 == 2_998 {
                outs = [leaves_out.reset(&config), steps.reset(&config)]
                    .map(|out| out.expect("good configuration"));
            }
            let input = if cycle % 2_999 == 0 {
                command(CommandOp::WarpBase, 1, 512)
            } else {
                input(&mut numbers, cycle, &outs[0])
            };
            leaves_out.step(&input, &mut outs[0]).expect("the contract is kept");
            left_out += u32::from(leaves_out.still.passed > 0);
            steps.still = Still::default();
            steps.step(&input, &mut outs[1]).expect("the contract is kept");
            assert_eq!(
                outs[0], outs[1],
                "cycle {cycle}, {bank_cycles} and {write_cycles} cycles a read and a write"
            );
        }
        assert!(left_out > 1_000, "{left_out} steps left out");
    }
}
