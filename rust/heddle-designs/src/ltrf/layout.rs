//! Where each event lies in the event vector, as in `ltrf_pkg.sv` and the design's manifest.

/// A main bank starts to read.
pub const MAIN_BANK_READ: usize = 0;
/// A main bank starts to write.
pub const MAIN_BANK_WRITE: usize = 16;
/// A cache bank is read.
pub const CACHE_BANK_READ: usize = 32;
/// A cache bank is written.
pub const CACHE_BANK_WRITE: usize = 48;
/// A collector takes an instruction.
pub const COLLECTOR_ALLOC: usize = 64;
/// A collector hands its instruction out.
pub const COLLECTOR_DISPATCH: usize = 80;
/// A collector uses a read port of an address table.
pub const WCB_LOOKUP: usize = 96;
/// A beat crosses towards a main bank.
pub const CROSSBAR_BEAT_IN: usize = 128;
/// A beat crosses from a main bank.
pub const CROSSBAR_BEAT_OUT: usize = 144;
/// A slot's warp gets a cache bank.
pub const BANK_ALLOC: usize = 160;
/// A slot's warp gives a cache bank back.
pub const BANK_RELEASE: usize = 168;
/// A result is looked up.
pub const RESULT_LOOKUP: usize = 176;
/// A result goes to the cache.
pub const RESULT_TO_CACHE: usize = 180;
/// A result goes to the main register file.
pub const RESULT_TO_MAIN: usize = 184;
/// A warp offset is allocated.
pub const OFFSET_ALLOC: usize = 188;
/// A warp offset is released.
pub const OFFSET_RELEASE: usize = 189;
/// A prefetch starts.
pub const PREFETCH: usize = 190;
/// An activation starts.
pub const ACTIVATE: usize = 191;
/// A deactivation starts.
pub const DEACTIVATE: usize = 192;
/// An exit starts.
pub const EXIT: usize = 193;
/// A slot starts a write-back.
pub const WRITE_BACK: usize = 194;
/// A slot's transfer waits.
pub const TRANSFER_WAIT: usize = 202;
/// An operand read waits at a cache bank.
pub const CACHE_READ_CONFLICT: usize = 210;
/// A slot is in service.
pub const SLOT_SERVICE: usize = 226;
/// A fetched register becomes valid.
pub const WCB_UPDATE: usize = 234;
/// The oldest result of a queue stays.
pub const RESULT_WAIT: usize = 250;
/// A command waits.
pub const COMMAND_WAIT: usize = 254;
