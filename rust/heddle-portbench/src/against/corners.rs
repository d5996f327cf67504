//! Configurations under which two RTLs are held against each other.

use std::collections::BTreeMap;
use std::fmt;

use heddle_port::PortConfig;

use crate::Rng;

/// A configuration of the port, and how many registers threads have at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corner {
    /// Configuration inputs.
    pub port: PortConfig,
    /// Most registers of a thread.
    pub registers: usize,
}

impl fmt::Display for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, up to {} registers", self.port, self.registers)
    }
}

/// Corners that change one thing alone, after the plain one; several values change together where one means
/// nothing without the other.
const ALONE: [fn(&mut Corner); 22] = [
    |_| (),
    |c| c.port.bank_cycles = 2,
    |c| c.port.bank_cycles = 3,
    |c| c.port.bank_cycles = 7,
    |c| c.port.write_cycles = 4,
    |c| (c.port.write_cycles, c.port.wakeup_cycles) = (30, 40),
    |c| c.port.shift_cycles = 3,
    |c| (c.port.preshift, c.port.shift_cycles) = (true, 2),
    |c| c.port.preshift = true,
    |c| (c.port.bank_cycles, c.port.write_cycles, c.port.shift_cycles) = (3, 5, 4),
    |c| c.port.crossbar_cycles = 9,
    |c| c.port.active_warps = 1,
    |c| c.port.active_warps = 3,
    |c| c.port.active_warps = 64,
    |c| c.port.registers_per_interval = 5,
    |c| c.port.rows_per_bank -= 27,
    |c| c.port.fair = true,
    |c| (c.port.fair, c.registers) = (true, 4),
    |c| c.registers = 8,
    |c| c.port.reads_to_unlock = 0,
    |c| (c.port.cache_size_log2, c.port.hit_latency) = (0, 4),
    |c| (c.port.reads_to_unlock, c.port.cache_size_log2) = (15, 1),
];

/// Corners for an elaboration with these parameters: one thing alone, then `drawn` in which everything is
/// drawn. Some of them are none for a design, which refuses them.
#[must_use]
pub fn corners(
    parameters: &BTreeMap<String, i64>,
    active_warps: Option<u8>,
    seed: u64,
    drawn: usize,
) -> Vec<Corner> {
    let parameter = |name: &str, default: u16| -> u16 {
        parameters.get(name).and_then(|&value| u16::try_from(value).ok()).unwrap_or(default)
    };
    let sets = parameter("Sets", 1).max(1);
    let plain = Corner {
        port: PortConfig {
            bank_cycles: 1,
            crossbar_cycles: 4,
            active_warps: active_warps.unwrap_or(8),
            registers_per_interval: 16,
            rows_per_bank: parameter("RowsPerBank", 128),
            write_cycles: 1,
            shift_cycles: 1,
            preshift: false,
            wakeup_cycles: 1,
            ways: parameter("Ways", 4).min(255) as u8,
            fair: false,
            cache_size_log2: 3 + sets.ilog2() as u8,
            reads_to_unlock: 1,
            hit_latency: 28,
            own: [0; heddle_port::DESIGN_WORDS],
        },
        registers: heddle_port::NUM_REGS,
    };
    let mut all: Vec<Corner> = ALONE
        .iter()
        .map(|change| {
            let mut corner = plain;
            change(&mut corner);
            corner
        })
        .collect();
    let mut rng = Rng::new(seed);
    all.extend((0..drawn).map(|_| {
        let mut corner = draw(&mut rng, plain);
        corner.port.active_warps = active_warps.unwrap_or(corner.port.active_warps);
        corner
    }));
    all
}

fn draw(rng: &mut Rng, plain: Corner) -> Corner {
    let mut one_of = |values: &[u8]| values[rng.below(values.len())];
    let mut corner = plain;
    let port = &mut corner.port;
    port.bank_cycles = one_of(&[1, 1, 1, 2, 3, 5]);
    port.crossbar_cycles = one_of(&[1, 2, 4, 9]);
    port.active_warps = one_of(&[1, 3, 6, 8]);
    port.registers_per_interval = one_of(&[5, 11, 16]);
    port.write_cycles = one_of(&[1, 2, 4, 9]);
    port.shift_cycles = one_of(&[1, 2, 5]);
    port.wakeup_cycles = one_of(&[1, 4, 20]);
    port.cache_size_log2 = one_of(&[0, 1, 3]).min(plain.port.cache_size_log2);
    port.reads_to_unlock = one_of(&[0, 1]);
    port.hit_latency = one_of(&[4, 28, 40]);
    port.preshift = one_of(&[0, 1]) == 1;
    port.fair = one_of(&[0, 1]) == 1;
    corner.registers = [4, 16, 96][usize::from(one_of(&[0, 1, 2]))];
    corner
}
