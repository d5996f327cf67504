//! The units of the SM that execute instructions.

/// Class of the functional unit that executes an instruction; its latency and rate are the machine's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Integer arithmetic, conversions, moves, comparisons, parameter and constant loads, and votes.
    Int,
    /// Integer multiplication, alone or with an addition.
    IntMultiply,
    /// Single- and half-precision arithmetic and comparisons.
    Fp32,
    /// Transcendentals, roots, reciprocals, and every division and remainder of 32 bits or fewer
    /// and of 64-bit integers.
    Sfu,
    /// Double-precision arithmetic, its division and roots included, and conversions from or to it.
    Fp64,
    /// Matrix instructions.
    Tensor,
    /// What lanes of a warp read of each other's registers.
    Exchange,
    /// Loads, stores and atomics of global, shared, local and generic space, and texture fetches.
    LoadStore,
    /// Branches, calls and what else says where lanes go on.
    Branch,
    /// Exits, barriers, fences, traps and what has no effect.
    Control,
}
