//! Failures of a design behind its ports.

/// A failure inside a design.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// A configuration value that the design cannot take.
    #[error("{design} cannot have {key} = {value}: {reason}")]
    Config {
        /// Design name.
        design: &'static str,
        /// The key of the preset that gives it, whole, such as `register_file.bank_cycles`.
        key: &'static str,
        /// Its value.
        value: u64,
        /// What is allowed.
        reason: String,
    },
    /// The design cannot be made so: a parameter or event that it needs is missing or has no use.
    #[error("{design} cannot be made: {what}")]
    Instance {
        /// Design name.
        design: &'static str,
        /// What is wrong and what was expected.
        what: String,
    },
    /// The SM broke the port contract.
    #[error("{design}: port contract broken at cycle {cycle}: {what}")]
    Contract {
        /// Design name.
        design: &'static str,
        /// Cycle.
        cycle: u64,
        /// What was seen and what was expected.
        what: String,
    },
    /// A cycle model of memory did what it cannot have done.
    #[error("the model of memory errs in cycle {cycle}: {what}")]
    Model {
        /// Cycle.
        cycle: u64,
        /// What was seen and what was expected.
        what: String,
    },
    /// The cycle model of a register file handed out a value that was not the newest of its register.
    #[error("{design}: stale register at cycle {cycle}: {what}")]
    Stale {
        /// Design name.
        design: &'static str,
        /// Cycle.
        cycle: u64,
        /// The register, the version that was read and the one that was expected.
        what: String,
    },
    /// A fatal error or assertion of the verilated model.
    #[error("{design}: {message}")]
    Rtl {
        /// Design name.
        design: String,
        /// What the RTL printed.
        message: String,
    },
}
