//! Where each event lies in the event vector; the same numbers stand in `rtl/hybrid/design.toml`.

/// Arrays that read (16 bits, those of bank 0 first).
pub const STT_READ: usize = 0;
/// Banks that began a write (2 bits).
pub const STT_WRITE: usize = 16;
/// Buffers of which an entry was written back (2 bits).
pub const WRITE_BACK: usize = 18;
/// Banks to which a result went straight (2 bits).
pub const LATE_WRITE: usize = 20;
/// Buffers that took a result (2 bits).
pub const BUFFER_WRITE: usize = 22;
/// Of these, where it overwrote an entry (2 bits).
pub const BUFFER_MERGE: usize = 24;
/// Of these, where the buffer drained already (2 bits).
pub const BUFFER_APPEND: usize = 26;
/// Buffers emptied because their warp ended (2 bits).
pub const BUFFER_DROP: usize = 28;
/// Source slots read from a write buffer (6 bits).
pub const BUFFER_READ: usize = 32;
/// Source slots looked up in the control module (6 bits).
pub const RCM_READ: usize = 38;
/// A result looked up in the control module and written (1 bit).
pub const RCM_WRITE: usize = 44;
/// An activation waited (1 bit).
pub const ACTIVATION_WAIT: usize = 48;
/// An exit waited (1 bit).
pub const EXIT_WAIT: usize = 49;
/// A source waited for a lower one (1 bit).
pub const READ_CONFLICT: usize = 50;
/// A source waited for a result that is not yet written (1 bit).
pub const READ_BEHIND_RESULT: usize = 51;
/// Sources waited for a write of their bank (1 bit).
pub const READ_BEHIND_WRITE: usize = 52;
/// The oldest result waited for a wake-up (1 bit).
pub const RESULT_WAIT_POWER: usize = 53;
/// The oldest result waited for a full buffer (1 bit).
pub const RESULT_WAIT_FULL: usize = 54;
/// The oldest result waited for its bank (1 bit).
pub const RESULT_WAIT_BANK: usize = 55;
/// Class of the entries used in the active period that ends (8 bits, one a class).
pub const PERIOD: usize = 56;
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
/// Buffers whose gated entries begin to wake up (2 bits).
pub const WAKEUP: usize = 120;
/// Buffers whose gated entries are on (2 bits).
pub const UPPER_ON: usize = 122;
/// Buffers that fill (2 bits).
pub const FILLING: usize = 124;
/// Buffers that drain (2 bits).
pub const DRAINING: usize = 126;
/// Results in the queue (4 bits, a number).
pub const STAGED: usize = 128;
/// Entries of each buffer that are written back (2 numbers of 8 bits).
pub const DRAINED: usize = 136;
/// Owner of each buffer (2 numbers of 8 bits).
pub const OWNER: usize = 160;
/// Entries of each buffer (2 numbers of 8 bits).
pub const ENTRIES: usize = 176;
/// Entries of an ending warp that were not written back (64 bits, one an entry).
pub const DROPPED: usize = 192;
