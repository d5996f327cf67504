//! What can go wrong with a workload.

use std::path::PathBuf;

use heddle_isa::AccessError;
use heddle_isa::texture::DescriptorError;

use crate::input::InputError;
use crate::launch_file::LaunchFileError;

/// An instance that cannot be made or continued.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkloadError {
    /// No workload of that name.
    #[error("unknown kernel '{name}'{help}")]
    UnknownWorkload {
        /// What was asked for.
        name: String,
        /// Suggestion, or the names that there are.
        help: String,
    },
    /// No size of that name.
    #[error("unknown size '{name}': expected smoke, small or paper")]
    UnknownSize {
        /// What was asked for.
        name: String,
    },
    /// A launch or a check was asked for before the buffers were made.
    #[error("{workload}: set_up must come before the first launch")]
    NotSetUp {
        /// The workload.
        workload: String,
    },
    /// The host code asks for a variable that the module does not have.
    #[error("{workload}: the module has no .global variable '{name}'")]
    NoVariable {
        /// The workload.
        workload: String,
        /// The variable.
        name: String,
    },
    /// A file that a launch file wants to have written could not be.
    #[error("cannot write {}: {reason}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Memory refused an access of the host code.
    #[error("{workload}: {source}")]
    Memory {
        /// The workload.
        workload: String,
        /// Why.
        source: AccessError,
    },
    /// A texture or surface cannot be.
    #[error("{workload}: the texture or surface on '{buffer}': {source}")]
    Texture {
        /// The workload.
        workload: String,
        /// The buffer with the texels.
        buffer: String,
        /// Why.
        source: DescriptorError,
    },
    /// The launch file is wrong.
    #[error(transparent)]
    LaunchFile(#[from] LaunchFileError),
    /// An input file is wrong.
    #[error(transparent)]
    Input(#[from] InputError),
}

/// A result that is not the reference's.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckFailure {
    /// Elements differ.
    #[error(
        "{workload}: {wrong} of {total} elements of '{buffer}' differ from {with}; \
         first: element {index} is {actual}, expected {expected}"
    )]
    Differs {
        /// The workload.
        workload: String,
        /// The output buffer.
        buffer: Box<str>,
        /// Address of the first element that differs.
        address: u32,
        /// What it was compared with.
        with: Box<str>,
        /// Index of the first element that differs.
        index: usize,
        /// What memory holds there.
        actual: Box<str>,
        /// What the reference says.
        expected: Box<str>,
        /// How many elements differ.
        wrong: u64,
        /// How many were compared.
        total: u64,
    },
    /// The result does not have a property that it must have.
    #[error("{workload}: '{buffer}' {what}")]
    Property {
        /// The workload.
        workload: String,
        /// The output buffer.
        buffer: String,
        /// What is wrong with it.
        what: String,
    },
    /// The outputs were compared before the buffers were made.
    #[error("{workload}: set_up must come before the check")]
    NotSetUp {
        /// The workload.
        workload: String,
    },
    /// Memory refused to give the outputs.
    #[error("{workload}: {source}")]
    Memory {
        /// The workload.
        workload: String,
        /// Why.
        source: AccessError,
    },
}
