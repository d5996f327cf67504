//! How many cores there are.

/// Cores that the process may use; one where that is not known.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
