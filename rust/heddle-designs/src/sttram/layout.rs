//! Where each event lies in the event vector; the same numbers stand in `rtl/sttram/design.toml`. Bits 64 to
//! 119 are those of [`crate::hybrid::layout`].

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
/// Results in the queue (4 bits, a number).
pub const STAGED: usize = 128;
/// Registers per thread of the kernel (8 bits, a number).
pub const REGISTERS_PER_THREAD: usize = 136;
