//! What can be wrong with an allocation.

use heddle_isa::Pc;

/// What the checker found wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("instruction {pc} of the allocated '{kernel}' (for {virtual_pc} of the virtual program): {fault}")]
pub struct CheckError {
    /// The kernel.
    pub kernel: String,
    /// Instruction of the allocated program.
    pub pc: Pc,
    /// Instruction of the virtual program.
    pub virtual_pc: Pc,
    /// What is wrong.
    pub fault: CheckFault,
}

/// Kinds of faults.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckFault {
    /// A read does not find the value that it should.
    #[error("{place} should hold virtual {wanted}")]
    WrongValue {
        /// What is read.
        place: String,
        /// What should be there.
        wanted: String,
    },
    /// The instruction is not the virtual one renamed.
    #[error("the instruction differs from the virtual one in its {what}")]
    Differs {
        /// The part that differs.
        what: &'static str,
    },
    /// An instruction with an effect is gone.
    #[error("an instruction with an effect is missing")]
    Missing,
    /// An inserted instruction is neither spill, reload nor recomputation.
    #[error("an inserted instruction is neither a spill, a reload nor a recomputation")]
    Inserted,
    /// An instruction behind one that leaves the block, which the way that is taken does not run.
    #[error("an instruction stands behind the one that leaves its block")]
    Behind,
    /// A register out of range, or a pair that is not aligned.
    #[error("{place} is out of range, written twice or not aligned")]
    Place {
        /// The register.
        place: String,
    },
    /// The records of origin do not ascend or do not match the program.
    #[error("the records of where instructions come from do not fit")]
    Origins,
}
