//! What a design is elaborated with, and where its configuration has the words that are its own.

use super::{NAME, NUM_BEATS, NUM_CACHE_BANKS, NUM_MAIN_BANKS, NUM_SLOTS};
use crate::front::Limit;
use heddle_port::{DesignError, Instance, PortConfig};

/// Rows that a main bank has at most.
const MOST_ROWS: u16 = 4096;

/// What is elaborated, and the words of the configuration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// LTRF+: dead registers are neither written back nor fetched.
    pub liveness: bool,
    /// Registers to which no result went are not written back.
    pub dirty_bits: bool,
    /// Warps that can be active at most.
    slots: usize,
    /// Main banks at each lane.
    pub lane_banks: usize,
    /// Word of the registers decoded a cycle.
    decode_width: usize,
    /// Word of the cycles for which an access occupies its main bank.
    bank_busy_cycles: usize,
    /// Word of the eighths of a cycle that it takes beyond them.
    bank_eighths: usize,
    /// Word that says whether a deactivated warp gives its slot up at once.
    early_release: usize,
}

impl Shape {
    /// # Errors
    /// [`DesignError::Instance`]: the instance lacks a parameter or a word.
    pub(super) fn of(instance: &Instance) -> Result<Self, DesignError> {
        let size = |name| instance.parameters.size(NAME, name);
        Ok(Self {
            liveness: size("liveness")? != 0,
            dirty_bits: size("dirty_bits")? != 0,
            slots: size("slots")?,
            lane_banks: (size("num_banks")? / NUM_MAIN_BANKS).max(1),
            decode_width: instance.word(NAME, "decode_width")?,
            bank_busy_cycles: instance.word(NAME, "bank_busy_cycles")?,
            bank_eighths: instance.word(NAME, "bank_eighths")?,
            early_release: instance.word(NAME, "early_release")?,
        })
    }

    /// What is configured before the first reset.
    pub(super) fn before_reset(&self) -> PortConfig {
        let mut config = PortConfig {
            bank_cycles: 1,
            crossbar_cycles: NUM_BEATS as u8,
            active_warps: 1,
            registers_per_interval: NUM_CACHE_BANKS as u8,
            ..PortConfig::default()
        };
        config.own[self.decode_width] = NUM_MAIN_BANKS as u32;
        config
    }

    /// Registers decoded a cycle.
    pub(super) fn decode_width(&self, config: &PortConfig) -> usize {
        config.own[self.decode_width] as usize
    }

    /// Cycles for which an access occupies its main bank: all of its time where none are given.
    pub(super) fn busy_cycles(&self, config: &PortConfig) -> u8 {
        match config.own[self.bank_busy_cycles] {
            0 => config.bank_cycles,
            cycles => cycles.min(config.bank_cycles.into()) as u8,
        }
    }

    /// Eighths of a cycle that an access takes beyond whole ones.
    pub(super) fn bank_eighths(&self, config: &PortConfig) -> u8 {
        config.own[self.bank_eighths] as u8
    }

    /// Whether a deactivated warp gives its slot up at once.
    pub(super) fn releases_early(&self, config: &PortConfig) -> bool {
        config.own[self.early_release] != 0
    }

    /// What a configuration must be.
    pub(super) fn limits(&self, config: &PortConfig) -> Vec<Limit> {
        let PortConfig { crossbar_cycles, active_warps, registers_per_interval, .. } = *config;
        let beats = u16::from(crossbar_cycles) >= NUM_BEATS;
        let warps = (1..=self.slots.min(NUM_SLOTS)).contains(&usize::from(active_warps));
        let banks = (1..=NUM_CACHE_BANKS as u8).contains(&registers_per_interval);
        let decode_width = config.own[self.decode_width];
        let busy_cycles = config.own[self.bank_busy_cycles];
        let busy = busy_cycles <= u32::from(config.bank_cycles);
        let eighths = config.own[self.bank_eighths];
        let columns = (1..=NUM_MAIN_BANKS as u32).contains(&decode_width);
        vec![
            Limit::access("register_file.bank_cycles", config.bank_cycles),
            Limit::eighths(eighths),
            Limit::new(
                "register_file.crossbar_cycles",
                crossbar_cycles,
                beats,
                "a register crosses in 4 beats",
            ),
            Limit::new(
                "scheduler.active_warps",
                active_warps,
                warps,
                format!("1 to {} warps fit", self.slots),
            ),
            Limit::new(
                "register_file.registers_per_interval",
                registers_per_interval,
                banks,
                "the cache has 1 to 16 banks",
            ),
            Limit::new("design.decode_width", decode_width, columns, "1 to 16 registers are decoded a cycle"),
            Limit::new(
                "design.bank_busy_cycles",
                busy_cycles,
                busy,
                format!("a bank is busy for at most the {} cycles of an access", config.bank_cycles),
            ),
            Limit::new(
                "design.bank_busy_cycles",
                busy_cycles,
                busy_cycles == 0 || eighths == 0,
                "a bank that is busy for a part of its latency has whole cycles",
            ),
            Limit::rows(config.rows_per_bank, MOST_ROWS / self.lane_banks as u16),
        ]
    }
}
