//! Where each event lies in the event vector; the same numbers stand in `rtl/baseline/design.toml`.

/// Banks that granted a read (16 bits).
pub const BANK_READ: usize = 0;
/// Banks that granted a write (16 bits).
pub const BANK_WRITE: usize = 16;
/// Collectors allocated (16 bits).
pub const COLLECTOR_ALLOC: usize = 32;
/// Collectors emptied into an operand output register (16 bits).
pub const COLLECTOR_DISPATCH: usize = 48;
/// Banks at which a read waited for the bank or lost to another read (16 bits).
pub const READ_WAIT_BANK: usize = 64;
/// Banks at which a read waited behind a queued result (16 bits).
pub const READ_WAIT_WRITE: usize = 80;
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
/// Results in the write buffer (4 bits, a number).
pub const WRITE_LEVEL: usize = 124;
/// Collector granted at each bank (16 numbers of 4 bits, 0 without a grant).
pub const GRANTED_COLLECTOR: usize = 128;
/// Source slot granted at each bank (16 numbers of 3 bits, 0 without a grant).
pub const GRANTED_SOURCE: usize = 192;
/// Registers per thread of the kernel (8 bits, a number).
pub const REGISTERS_PER_THREAD: usize = 240;
/// Collectors in use (8 bits, a number).
pub const COLLECTORS_IN_USE: usize = 248;
