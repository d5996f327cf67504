//! Where each event lies in the cache's event vector; the same numbers stand in `cache_events.sv` and, from
//! the first event of the cache on, in `design.toml`.

/// A request is taken.
pub const REQUEST: usize = 0;
/// A pass reads.
pub const READ_PASS: usize = 1;
/// A pass writes.
pub const WRITE_PASS: usize = 2;
/// A pass reads, computes and writes.
pub const ATOMIC_PASS: usize = 3;
/// The last lane of a request is served that found all it needed.
pub const HIT: usize = 4;
/// The last lane of a request is served that fetched a line.
pub const MISS: usize = 5;
/// The last lane of a request is served that waited for a line on its way.
pub const MERGED: usize = 6;
/// A pass locks lines: at least one that was not locked.
pub const LOCK: usize = 7;
/// A pass unlocks lines, at least one.
pub const UNLOCK: usize = 8;
/// A write takes a line without a fetch.
pub const WRITE_ALLOCATE: usize = 9;
/// A line that is not there is fetched.
pub const FETCH: usize = 10;
/// The missing bytes of a line that is there are fetched.
pub const FETCH_PARTIAL: usize = 11;
/// A fetched line has come.
pub const FILL: usize = 12;
/// A line leaves without a write-back.
pub const EVICT_CLEAN: usize = 13;
/// A line leaves with a write-back.
pub const EVICT_DIRTY: usize = 14;
/// The line that leaves is locked.
pub const EVICT_LOCKED: usize = 15;
/// The queue to the off-chip memory holds up the request.
pub const STALL_LOWER: usize = 16;
/// No fill number is free.
pub const STALL_FILLS: usize = 17;
/// The request needs a way, and all ways of the set wait for their fill.
pub const STALL_SET: usize = 18;
/// All lanes of a request wait for lines on their way.
pub const WAIT_LINES: usize = 19;
/// All lines of a CTA slot are dropped.
pub const RELEASE: usize = 20;
/// The release of a CTA slot waits for the queue to the off-chip memory, or for sums.
pub const STALL_RELEASE: usize = 21;
/// Index of the line that is allocated, fetched or evicted (10 bits).
pub const LINE: usize = 22;
/// Banks that are read, for a pass or for a line with dirty bytes that leaves (32 bits).
pub const BANKS_READ: usize = 32;
/// Banks that are written, by a pass or with the missing bytes of a line that has come (32 bits).
pub const BANKS_WRITTEN: usize = 64;
/// A pass writes through.
pub const THROUGH: usize = 96;
/// A request goes past the cache.
pub const PAST: usize = 97;
/// The answer to a request that went past the cache has come.
pub const RETURN: usize = 98;
/// All lines are dropped.
pub const FLUSH: usize = 99;
/// The lanes of a request are looked up in the tags.
pub const TAG_LOOKUP: usize = 100;
/// Sectors that are fetched (4 bits).
pub const FETCHED_SECTORS: usize = 101;
/// Index of the line of which sectors have come (10 bits).
pub const FILLED_LINE: usize = 105;
/// A request that goes past has to drop a copy of which sectors are on their way.
pub const STALL_COPY: usize = 115;
/// All lanes of a request that could be served lie in lines of which sums are on their way.
pub const STALL_ADDITION: usize = 116;
/// Bits of all events.
pub const BITS: usize = 117;

/// Names of the events in the manifest.
pub const NAMES: [(&str, usize); 34] = [
    ("shared_request", REQUEST),
    ("shared_read_pass", READ_PASS),
    ("shared_write_pass", WRITE_PASS),
    ("shared_atomic_pass", ATOMIC_PASS),
    ("cache_hit", HIT),
    ("cache_miss", MISS),
    ("cache_merged", MERGED),
    ("line_lock", LOCK),
    ("line_unlock", UNLOCK),
    ("write_allocate", WRITE_ALLOCATE),
    ("line_fetch", FETCH),
    ("partial_fetch", FETCH_PARTIAL),
    ("line_fill", FILL),
    ("evict_clean", EVICT_CLEAN),
    ("evict_dirty", EVICT_DIRTY),
    ("evict_locked", EVICT_LOCKED),
    ("stall_lower", STALL_LOWER),
    ("stall_fills", STALL_FILLS),
    ("stall_set", STALL_SET),
    ("wait_lines", WAIT_LINES),
    ("cta_release", RELEASE),
    ("stall_release", STALL_RELEASE),
    ("cache_line", LINE),
    ("cache_bank_read", BANKS_READ),
    ("cache_bank_write", BANKS_WRITTEN),
    ("store_through", THROUGH),
    ("request_past", PAST),
    ("return_past", RETURN),
    ("flush", FLUSH),
    ("tag_lookup", TAG_LOOKUP),
    ("fetched_sector", FETCHED_SECTORS),
    ("filled_line", FILLED_LINE),
    ("stall_copy", STALL_COPY),
    ("stall_addition", STALL_ADDITION),
];
