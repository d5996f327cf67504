//! Why a workload does not agree, or could not be compared.

use heddle_isa::AccessError;
use heddle_workloads::{CheckFailure, WorkloadError};

use crate::driver::DriverError;

/// A workload that did not pass.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The PTX does not compile here.
    #[error("{message}")]
    Compile {
        /// The diagnostics.
        message: String,
    },
    /// The golden machine does not run it.
    #[error("golden machine, {kernel}: {message}")]
    Golden {
        /// The entry.
        kernel: String,
        /// Why.
        message: String,
    },
    /// The host code fails.
    #[error(transparent)]
    Host(#[from] WorkloadError),
    /// The copy of the GPU's memory on this side refuses an access.
    #[error(transparent)]
    Memory(#[from] AccessError),
    /// The GPU fails.
    #[error("GPU: {0}")]
    Driver(#[from] DriverError),
    /// Textures are bound, which are not made on the GPU.
    #[error("'{kernel}' reads textures or surfaces, which cannot be bound on the GPU")]
    Textures {
        /// The entry.
        kernel: String,
    },
    /// What a machine leaves is not what the workload's reference says.
    #[error("{machine}: {source}")]
    Reference {
        /// The machine.
        machine: &'static str,
        /// The difference.
        source: Box<CheckFailure>,
    },
    /// The GPU leaves other bytes.
    #[error(
        "{wrong} of {compared} bytes differ between GPU and golden machine; first: byte {offset} of \
         '{buffer}' is {gpu:#04x} on the GPU, {golden:#04x} on the golden machine"
    )]
    Differs {
        /// The buffer of the first difference.
        buffer: String,
        /// Its place in the buffer.
        offset: usize,
        /// What the GPU left.
        gpu: u8,
        /// What the golden machine left.
        golden: u8,
        /// How many differ.
        wrong: u64,
        /// How many were compared.
        compared: u64,
    },
    /// No element was compared.
    #[error("nothing was compared")]
    Nothing,
}
