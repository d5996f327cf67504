//! What Slurm could not do.

/// Why runs cannot be put into jobs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SlurmError {
    /// A command is not there.
    #[error(
        "{program} is not there; --engine slurm needs sbatch, squeue and scancel in PATH. Without --engine the runs \
         take place on this machine"
    )]
    NotThere {
        /// The command.
        program: &'static str,
    },
    /// A command cannot be started.
    #[error("{program} does not start: {source}")]
    Start {
        /// The command.
        program: &'static str,
        /// Why.
        source: std::io::Error,
    },
    /// A command ended with an error.
    #[error("{program} failed: {message}")]
    Failed {
        /// The command.
        program: &'static str,
        /// What it said.
        message: String,
    },
    /// A command printed something else than it should.
    #[error("{program} printed '{line}'; expected {expected}")]
    Answer {
        /// The command.
        program: &'static str,
        /// What it printed.
        line: String,
        /// What was expected.
        expected: &'static str,
    },
    /// Nothing is known of the jobs.
    #[error(
        "squeue has not answered for {minutes} minutes and no run ended: {message}. The jobs may go on; --resume \
         cancels them and goes on, `scancel --name {name}` cancels them"
    )]
    Silent {
        /// How long.
        minutes: u64,
        /// What squeue said last.
        message: String,
        /// Name of the jobs.
        name: String,
    },
    /// An option that cannot stand in a line of the script.
    #[error(
        "'{option}' is no option for sbatch; expected one line that begins with -, such as --partition=short"
    )]
    Option {
        /// The option.
        option: String,
    },
}

impl SlurmError {
    /// Exit code of a process that ended so: 2 for wrong use and what is not there, 1 for what failed on the
    /// way.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NotThere { .. } | Self::Option { .. } => 2,
            Self::Start { .. } | Self::Failed { .. } | Self::Answer { .. } | Self::Silent { .. } => 1,
        }
    }
}
