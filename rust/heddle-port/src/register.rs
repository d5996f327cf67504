//! The register port: issue, operands out, results in, control, status and events.
//!
//! Timing: all outputs of a design are registered. In cycle `t` the SM sees the outputs of cycle `t`
//! and drives the inputs of cycle `t`; the clock edge that ends the cycle ([`RegisterFile::step`])
//! yields the outputs of cycle `t + 1`. A transfer happens in a cycle in which valid and ready of its
//! slot are both high. A payload means something only under its valid.

use crate::bits::port_struct;
use crate::error::DesignError;
use crate::memory::MemorySide;
use crate::{
    DESIGN_WORDS, EVENT_BITS, INTERVAL_BITS, NUM_DESTINATIONS, NUM_LANES, NUM_REGS, NUM_SOURCES, REG_BITS,
    TAG_BITS, WARP_BITS,
};

/// Most issue, operand or result slots that any preset has.
pub const MAX_PORT_WIDTH: usize = 4;

/// 32 lanes of one 32-bit register.
pub type LaneData = [u32; NUM_LANES];

port_struct! {
    /// Configuration inputs, read when reset is released: they hold in the first cycle after it, and no longer.
    pub struct PortConfig: "config_t" {
        /// Cycles one access occupies a bank of the main register file (1 or more).
        bank_cycles: u8 => 8,
        /// Cycles one register takes through the crossbar to the main register file.
        crossbar_cycles: u8 => 8,
        /// Warps that may be active at once.
        active_warps: u8 => 8,
        /// Register-cache banks in use.
        registers_per_interval: u8 => 8,
        /// Warp registers that one main-register-file bank holds.
        rows_per_bank: u16 => 16,
        /// Cycles a write occupies a bank whose writes are slower than its reads (1 or more).
        write_cycles: u8 => 8,
        /// Cycles one shift step occupies a racetrack bank; 0 stands for as many ports as domains, which
        /// only a cycle model has.
        shift_cycles: u8 => 8,
        /// Racetrack banks that wait shift towards their next request.
        preshift: bool => 1,
        /// Cycles until a part of a write buffer that was switched off can be used.
        wakeup_cycles: u8 => 8,
        /// Ways of a set, where registers and lines share one memory.
        ways: u8 => 8,
        /// There, registers give way as lines do, and are spilled (CERF's LRU-fair).
        fair: bool => 1,
        /// log2 of the KB in use of a cache that holds shared memory.
        cache_size_log2: u8 => 8,
        /// Reads that unlock a line of that cache after a write; 0: writes do not lock.
        reads_to_unlock: u8 => 8,
        /// Cycles from the handshake of a request that hits at once in that cache to its response.
        hit_latency: u8 => 8,
        /// The design's own parameters, in the order of its manifest.
        own: [u32; DESIGN_WORDS] => 32,
    }
}

port_struct! {
    /// One instruction offered to the design for operand collection.
    ///
    /// Only instructions with at least one register source or destination are offered. `tag` is
    /// unique among the instructions between issue and their last result.
    pub struct Issue: "issue_t" {
        /// The slot holds an instruction.
        valid: bool => 1,
        /// Identifies the instruction.
        tag: u16 => TAG_BITS,
        /// Hardware warp slot.
        warp: u8 => WARP_BITS,
        /// Lanes that execute it.
        mask: u32 => 32,
        /// Which source slots are in use, one bit a slot.
        source_valid: u8 => NUM_SOURCES,
        /// Source registers; a 64-bit value takes two slots.
        source: [u8; NUM_SOURCES] => REG_BITS,
        /// Which destination slots are in use, one bit a slot.
        destination_valid: u8 => NUM_DESTINATIONS,
        /// Destination registers.
        destination: [u8; NUM_DESTINATIONS] => REG_BITS,
        /// Sources that no lane on any pending path reads again.
        dead: u8 => NUM_SOURCES,
        /// Placement of each source in a software-managed hierarchy: [`SourceLevel`](crate::SourceLevel).
        source_placement: [u8; NUM_SOURCES] => 2,
        /// Placement of each destination in a software-managed hierarchy: [`ResultLevel`](crate::ResultLevel).
        destination_placement: [u8; NUM_DESTINATIONS] => 2,
    }
}

port_struct! {
    /// An instruction whose operands are all collected; the data is [`OperandData`].
    pub struct Operands: "operands_t" {
        /// The slot holds an instruction.
        valid: bool => 1,
        /// The tag given at issue.
        tag: u16 => TAG_BITS,
    }
}

port_struct! {
    /// One register result; the data is [`RegIn::result_data`].
    ///
    /// Accepted for any warp at any time. The write takes effect at its handshake: every read
    /// issued later sees it.
    pub struct ResultWrite: "result_t" {
        /// The slot holds a result.
        valid: bool => 1,
        /// The tag given at issue.
        tag: u16 => TAG_BITS,
        /// Hardware warp slot.
        warp: u8 => WARP_BITS,
        /// Architectural register written.
        register: u8 => REG_BITS,
        /// Lanes written.
        mask: u32 => 32,
        /// Last result of the instruction.
        last: bool => 1,
    }
}

/// What a [`Command`] asks for. The numbers are `command_op_e` of the SystemVerilog package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CommandOp {
    /// A kernel begins; `value` is its registers per thread.
    KernelStart = 0,
    /// `value` is the first warp register of warp slot `warp`.
    WarpBase = 1,
    /// Entry `index` of the loadable mapping table becomes `value`.
    MapEntry = 2,
    /// The warp becomes active (and has its working set fetched again, where the design has one).
    Activate = 3,
    /// The warp becomes inactive. No operand read of the warp may be outstanding.
    Deactivate = 4,
    /// The warp has ended; its registers are dead. Nothing of the warp may be outstanding.
    Exit = 5,
    /// The working set of interval `interval` is `vector`. No operand read of the warp may be
    /// outstanding.
    Prefetch = 6,
}

impl CommandOp {
    /// All commands, by number.
    pub const ALL: [Self; 7] = [
        Self::KernelStart,
        Self::WarpBase,
        Self::MapEntry,
        Self::Activate,
        Self::Deactivate,
        Self::Exit,
        Self::Prefetch,
    ];

    /// The command with the given number, if there is one.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

port_struct! {
    /// A control command; every accepted command is answered by one [`Done`].
    pub struct Command: "command_t" {
        /// A command is offered.
        valid: bool => 1,
        /// A [`CommandOp`] by number.
        op: u8 => 3,
        /// Hardware warp slot.
        warp: u8 => WARP_BITS,
        /// Register-interval of a prefetch.
        interval: u16 => INTERVAL_BITS,
        /// Index of a mapping table entry, or of a block of them.
        index: u16 => 16,
        /// Registers per thread, warp base or mapping value.
        value: u16 => 16,
        /// Power gating on, read at kernel start.
        gating: bool => 1,
        /// Working set of a prefetch, bit r for register r; or a block of 32 mapping table entries of
        /// 8 bits, the first one lowest.
        vector: [u32; NUM_REGS / 32] => 32,
    }
}

port_struct! {
    /// A command has been carried out.
    pub struct Done: "done_t" {
        /// An event is present.
        valid: bool => 1,
        /// The [`CommandOp`] by number.
        op: u8 => 3,
        /// Hardware warp slot.
        warp: u8 => WARP_BITS,
        /// Register-interval of a prefetch.
        interval: u16 => INTERVAL_BITS,
    }
}

port_struct! {
    /// Level status for the scheduler.
    pub struct Status: "status_t" {
        /// By main-register-file bank, 32 a word: occupied or draining.
        bank_busy: [u32; crate::MAX_BANKS / 32] => 32,
    }
}

/// One bit per counted event in this cycle; which bits mean what is data in the design's manifest.
pub type Events = [u32; EVENT_BITS / 32];

/// What the SM drives in one cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RegIn {
    /// Issue slots.
    pub issue: [Issue; MAX_PORT_WIDTH],
    /// Ready of the operand slots.
    pub operands_ready: [bool; MAX_PORT_WIDTH],
    /// Result slots.
    pub result: [ResultWrite; MAX_PORT_WIDTH],
    /// Data of the result slots.
    pub result_data: [LaneData; MAX_PORT_WIDTH],
    /// Control command.
    pub command: Command,
}

impl RegIn {
    /// Whether an instruction, a result or a command is offered.
    #[inline]
    #[must_use]
    pub fn offers(&self) -> bool {
        let issues = self.issue.iter().fold(false, |any, issue| any | issue.valid);
        let results = self.result.iter().fold(false, |any, result| any | result.valid);
        issues | results | self.command.valid
    }
}

/// What a design drives in one cycle, without operand data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RegOut {
    /// Slot i is accepted if valid, whatever the other slots hold.
    pub issue_ready: [bool; MAX_PORT_WIDTH],
    /// Instructions with all operands collected.
    pub operands: [Operands; MAX_PORT_WIDTH],
    /// Slot i is accepted if valid, whatever the other slots hold.
    pub result_ready: [bool; MAX_PORT_WIDTH],
    /// A command offered in this cycle is accepted.
    pub command_ready: bool,
    /// A command carried out.
    pub done: Done,
    /// Status levels.
    pub status: Status,
    /// Event pulses.
    pub events: Events,
}

/// Operand data of the operand slots of one cycle, by slot and source; meaningful under the slot's
/// valid and the instruction's `source_valid`, in the instruction's active lanes.
pub type OperandData = [[LaneData; NUM_SOURCES]; MAX_PORT_WIDTH];

/// How many slots of each port a design instance has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortWidths {
    /// Issue and operand slots.
    pub issue: usize,
    /// Result slots.
    pub result: usize,
}

/// A register-file design behind the port, one clock cycle at a time.
///
/// Implemented by the Rust cycle models (without data) and by the verilated RTL.
pub trait RegisterFile {
    /// Puts the design into its reset state and returns the outputs of the first cycle.
    ///
    /// # Errors
    /// The design's own failure: a configuration that it does not take, or a fatal error of the RTL.
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError>;

    /// One clock edge: takes the inputs of a cycle, whose outputs `out` holds as the step before or the reset left them, and
    /// returns there the outputs of the next.
    ///
    /// # Errors
    /// A contract violation that the design noticed, or a fatal error of the RTL.
    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError>;

    /// The memory port, of a design that holds L1 data too.
    fn memory_side(&mut self) -> Option<&mut dyn MemorySide> {
        None
    }

    /// Whether its state says of registers what follows from each instruction and result of their warps, such as whether
    /// they live or where their newest value is. Then no instruction of a warp may be carried out past the port.
    fn follows_every_instruction(&self) -> bool {
        false
    }
}

impl<T: RegisterFile + ?Sized> RegisterFile for Box<T> {
    fn memory_side(&mut self) -> Option<&mut dyn MemorySide> {
        (**self).memory_side()
    }

    fn follows_every_instruction(&self) -> bool {
        (**self).follows_every_instruction()
    }

    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        (**self).reset(config)
    }

    #[inline]
    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        (**self).step(input, out)
    }
}

/// A register file that holds the data.
pub trait RegisterData: RegisterFile {
    /// Operand data of the current cycle's operand slots.
    fn operand_data(&self) -> &OperandData;
}
