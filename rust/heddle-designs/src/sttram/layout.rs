//! Where each event lies in the event vector; the same numbers stand in `rtl/sttram/design.toml`.

/// Arrays that read (16 bits, those of bank 0 first).
pub const STT_READ: usize = 0;
/// Banks that began a write (2 bits).
pub const STT_WRITE: usize = 16;
/// A result waits or is being written (1 bit).
pub const WRITE_STALL: usize = 18;
/// A source waited for a lower one (1 bit).
pub const READ_CONFLICT: usize = 19;
/// Sources waited for results (1 bit).
pub const READ_WAIT: usize = 20;
/// Collectors allocated (16 bits).
pub const COLLECTOR_ALLOC: usize = 64;
/// Collectors emptied into an operand output register (16 bits).
pub const COLLECTOR_DISPATCH: usize = 80;
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
/// Results in the queue (4 bits, a number).
pub const STAGED: usize = 128;
/// Registers per thread of the kernel (8 bits, a number).
pub const REGISTERS_PER_THREAD: usize = 136;
