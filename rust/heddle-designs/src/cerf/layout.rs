//! Where each event lies in the event vector; the same numbers stand in `rtl/cerf/design.toml`. Fields of
//! four bits have one bit a tag bank.

/// A row of the data banks is read.
pub const ROW_READ: usize = 0;
/// A row of the data banks is written.
pub const ROW_WRITE: usize = 4;
/// The tag bank looks something up.
pub const LOOKUP: usize = 8;
/// A dirty line is written back for a register.
pub const EVICT_FOR_REGISTER: usize = 12;
/// A dirty line is written back for a line.
pub const EVICT_FOR_LINE: usize = 16;
/// A dirty line is written back for an access that goes past.
pub const EVICT_FOR_BYPASS: usize = 20;
/// A read waited for another operation of the bank.
pub const WAIT_BANK: usize = 24;
/// A read waited behind a queued result.
pub const WAIT_WRITE: usize = 28;
/// Collectors allocated (16 bits).
pub const COLLECTOR_ALLOC: usize = 32;
/// Collectors emptied into an operand output register (16 bits).
pub const COLLECTOR_DISPATCH: usize = 48;
/// Transition inactive to reg.
pub const INACTIVE_TO_REG: usize = 64;
/// Transition cache to reg.
pub const CACHE_TO_REG: usize = 68;
/// Transition reg to inactive by a dead bit.
pub const REG_DEAD: usize = 72;
/// Transition reg to inactive by the warp's exit.
pub const REG_ENDED: usize = 76;
/// Transition inactive to cache.
pub const INACTIVE_TO_CACHE: usize = 80;
/// A clean line gives way to another.
pub const CACHE_TO_CACHE: usize = 84;
/// Transition cache to dirty.
pub const CACHE_TO_DIRTY: usize = 88;
/// A register was read that is not there.
pub const REGISTER_MISS: usize = 92;
/// Result ports that accepted a result (4 bits).
pub const RESULT_ACCEPT: usize = 96;
/// Operand slots that were offered and not taken (4 bits).
pub const OPERAND_STALL: usize = 100;
/// Issue slots that were offered and not accepted (4 bits).
pub const ISSUE_STALL: usize = 104;
/// Result ports that were offered and not accepted (4 bits).
pub const RESULT_STALL: usize = 108;
/// Commands accepted, one bit a command (8 bits).
pub const COMMAND: usize = 112;
/// A load found its line (1 bit).
pub const LOAD_HIT: usize = 120;
/// A load fetches its line (1 bit).
pub const LOAD_MISS: usize = 121;
/// A load joined the MSHR of its line (1 bit).
pub const LOAD_MERGED: usize = 122;
/// An access went past (1 bit).
pub const BYPASSED: usize = 123;
/// A store found its line (1 bit).
pub const STORE_HIT: usize = 124;
/// A store went through to L2 (1 bit).
pub const STORE_THROUGH: usize = 125;
/// A line found only registers in its set and was not kept (1 bit).
pub const FILL_REFUSED: usize = 126;
/// The oldest load or store was not carried out (1 bit).
pub const MEMORY_STALL: usize = 127;
/// A clean line is dropped by an access that goes past.
pub const CACHE_DROPPED: usize = 128;
/// Collector whose read each bank takes (4 numbers of 4 bits, 0 without one).
pub const GRANTED_COLLECTOR: usize = 132;
/// Source slot that each bank reads (4 numbers of 3 bits, 0 without one).
pub const GRANTED_SOURCE: usize = 148;
/// Results in the write buffer (4 bits, a number).
pub const WRITE_LEVEL: usize = 160;
/// Requests in the queue to L2 (4 bits, a number).
pub const LOWER_LEVEL: usize = 164;
/// Collectors in use (8 bits, a number).
pub const COLLECTORS_IN_USE: usize = 168;
/// Registers per thread of the kernel (8 bits, a number).
pub const REGISTERS_PER_THREAD: usize = 176;
/// MSHRs in use (6 bits, a number).
pub const MSHRS_IN_USE: usize = 184;
/// The flush writes a dirty line back (1 bit).
pub const FLUSHED_LINE: usize = 191;
/// Entries that hold a register (11 bits, a number).
pub const REGISTERS: usize = 192;
/// A register is spilled for a register (1 bit).
pub const SPILL_FOR_REGISTER: usize = 203;
/// A register is spilled for a line (1 bit).
pub const SPILL_FOR_LINE: usize = 204;
/// A spilled register is fetched (1 bit).
pub const REFILL_STARTED: usize = 205;
/// A spilled register has come back (1 bit).
pub const REGISTER_REFILLED: usize = 206;
/// A result waits beside its register, which is on its way (1 bit).
pub const WRITE_MERGED: usize = 207;
/// Entries that hold a line (11 bits, a number).
pub const LINES: usize = 208;
/// A read waits for a spilled register.
pub const REGISTER_AWAY: usize = 219;
/// Entry that each bank's operation concerns (4 numbers of 8 bits, 0 without one).
pub const ENTRY: usize = 224;
