//! Sampled runs: detailed windows between functional stretches, after SMARTS (Wunderlich and others, ISCA 2003).
//!
//! In a window the cycle model runs as always; in a stretch the resident warps go on without time, on the same registers and
//! memory, while L1, L2 and the rows of DRAM stay warm. The first cycles of a launch and its end, from where CTAs are no longer
//! replaced, are counted, and only what lies between is estimated from the windows.

mod estimate;
mod plan;
mod report;

pub use self::estimate::{LaunchSample, MIN_WINDOWS, Window};
pub use self::plan::{Sampling, SamplingError, Schedule};
pub use self::report::{LaunchEstimate, Sampled, SampledReport};
