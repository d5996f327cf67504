//! The units of the SM that execute instructions.

/// Class of the functional unit that executes an instruction; its latency and rate are the machine's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Integer and single-precision arithmetic, conversions, comparisons, moves, parameter and
    /// constant loads, and what lanes of a warp tell each other.
    Alu,
    /// Transcendentals, roots, reciprocals, and every division and remainder of 32 bits or fewer
    /// and of 64-bit integers.
    Sfu,
    /// Double-precision arithmetic, its division and roots included, and conversions from or to it.
    Double,
    /// Loads, stores and atomics of global, shared, local and generic space, and texture fetches.
    LoadStore,
    /// Branches, exits, barriers, fences, traps and nothing.
    Control,
}
