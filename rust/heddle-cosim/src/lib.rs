//! Co-simulation: the RTL of a design drives one SM, the cycle model shadows it, and a golden machine
//! checks every value.
//!
//! ```no_run
//! use heddle_cosim::{Engine, Kernel, RunSpec, Session};
//! use heddle_workloads::Size;
//!
//! let kernel = Kernel::Workload { name: "matrixmul".into(), size: Size::Smoke };
//! let spec = RunSpec::new(".".into(), "ltrf", kernel, Engine::Cosim);
//! let report = Session::new(spec)?.run(&mut ())?;
//! assert!(report.ok && report.operands_compared > 0);
//! # Ok::<(), heddle_cosim::RunError>(())
//! ```

mod arithmetic;
pub mod check;
mod compiler;
mod control;
mod counters;
mod design;
mod error;
mod exec;
mod kernel;
mod latency;
mod library;
mod lockstep;
mod machine;
mod made_by;
mod mapping;
mod memory_port;
mod mismatch;
mod operand_times;
mod part;
mod register_limits;
mod replay;
mod report;
mod residency;
mod rest;
mod rtl_sms;
mod sampling;
mod session;
mod spec;
mod stream;
mod timeline;
mod tlp;
mod totals;
mod trace;
mod trial;
mod unread;
mod window;

pub use arithmetic::{ArithmeticLatency, arithmetic_latencies};
pub use compiler::Compiler;
pub use control::{Control, Progress};
pub use design::PreparedDesign;
pub use error::RunError;
pub use exec::{ExecOptions, ExecReport, exec};
pub use heddle_functional::RaceRule;
pub use latency::{Hops, Latency, Path, latencies};
pub use lockstep::LaunchObserver;
pub use made_by::{Commit, MadeBy, Program, SOURCES};
pub use mismatch::{Check, Mismatch, Place, Transaction};
pub use operand_times::{OperandTimes, operand_times};
pub use part::{PartReport, Per};
pub use register_limits::{RegisterLimits, register_limits};
pub use replay::{BareRtl, Stimulus};
pub use report::{EntryDivision, RunReport, SCHEMA, SharedMemoryReport};
pub use rtl_sms::{RtlSms, RtlSmsError};
pub use sampling::{LaunchEstimate, MIN_WINDOWS, Sampled, SampledReport, Sampling, SamplingError};
pub use session::{MutantRun, Session};
pub use spec::{CheckQueue, Ctas, Engine, Fault, Kernel, MadeKernel, RunSpec, WaveFormat, WaveWindow};
pub use stream::{Functional, Streams};
pub use timeline::TimelineFile;
pub use tlp::{TlpChoice, TlpPoint, choose_tlp, with_choices};
pub use trace::write::{WrittenTrace, write_trace};
pub use trial::try_bug;
pub use unread::unread_settings;

/// Names of the designs that have a cycle model.
#[must_use]
pub fn model_names() -> Vec<&'static str> {
    heddle_designs::names()
}
