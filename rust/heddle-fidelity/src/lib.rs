//! How far the machine is from others: micro-traces that isolate one mechanism each, with the cycles that a reference
//! simulator takes for them and those that follow from published figures of the hardware.
//!
//! [`all`] makes the traces, [`measure`] runs them on a design's cycle model, and [`judge`] holds the cycles against
//! the references ([`references`]) with the limits of [`Limits`]. Presets without references are held to [`bounds`] that follow from
//! their keys. `docs/fidelity.md` has the method and the results.

mod bounds;
mod code;
mod error;
mod judgement;
mod limits;
mod measure;
mod reference;
mod stalls;
mod trace;
mod traces;

pub use bounds::{Bound, REFERENCES_OF, bounds, chosen_bounds, hold};
pub use code::{Access, Code, Line};
pub use error::FidelityError;
pub use judgement::{Judged, Judgement, Verdict, judge};
pub use limits::{Beyond, Limits, MEAN};
pub use measure::{Folder, Measured, Setting, measure, run};
pub use reference::{Reference, distance, references};
pub use stalls::{MEANT_SHARE, Meant, meant};
pub use trace::{Place, SHARED_BASE, Trace};
pub use traces::{all, chosen};
