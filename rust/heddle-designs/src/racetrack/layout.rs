//! Where each event lies in the event vector; the same numbers stand in `rtl/racetrack/design.toml`.

/// Banks that began a read (16 bits).
pub const READ: usize = 0;
/// Banks that began a write (16 bits).
pub const WRITE: usize = 16;
/// Banks that began a shift step while they were served (16 bits).
pub const SHIFT: usize = 32;
/// Banks that began a shift step while they were not served (16 bits).
pub const PRESHIFT: usize = 48;
/// Collectors allocated (16 bits).
pub const COLLECTOR_ALLOC: usize = 64;
/// Collectors emptied into an operand output register (16 bits).
pub const COLLECTOR_DISPATCH: usize = 80;
/// Banks whose write buffer took a result (16 bits).
pub const BUFFER_WRITE: usize = 96;
/// Banks whose write buffer served a read (16 bits).
pub const BUFFER_READ: usize = 112;
/// Banks whose request queue took a read (16 bits).
pub const READ_QUEUED: usize = 128;
/// Banks whose oldest read request waited (16 bits).
pub const READ_WAITS: usize = 144;
/// Result ports that accepted a result (4 bits).
pub const RESULT_ACCEPT: usize = 160;
/// Operand slots that were offered and not taken (4 bits).
pub const OPERAND_STALL: usize = 164;
/// Issue slots that were offered and not accepted (4 bits).
pub const ISSUE_STALL: usize = 168;
/// Result ports that were offered and not accepted (4 bits).
pub const RESULT_STALL: usize = 172;
/// Commands accepted, one bit a command (8 bits).
pub const COMMAND: usize = 176;
/// Results staged before the write buffers (4 bits, a number).
pub const STAGED: usize = 188;
/// Offset that lies at the ports of each bank (16 numbers of 4 bits).
pub const POSITION: usize = 192;
