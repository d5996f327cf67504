//! What the arguments of many commands have.

use heddle_config::Override;

use super::{Command, Emit};

impl Command {
    /// Whether it ends by itself, and in order, when it is interrupted.
    pub fn can_be_interrupted(&self) -> bool {
        match self {
            Self::Energy(_)
            | Self::Report(_)
            | Self::List(_)
            | Self::Compare(_)
            | Self::LaunchTemplate(_)
            | Self::NewDesign(_)
            | Self::CheckDesign(_)
            | Self::Doctor
            | Self::Completions(_)
            | Self::Man(_) => false,
            // Only a run that is profiled takes long and looks.
            Self::Compile(args) => args.emit == Emit::Mapping,
            Self::Cosim(_)
            | Self::Sim(_)
            | Self::Sweep(_)
            | Self::Claims(_)
            | Self::Exec(_)
            | Self::Tlp(_)
            | Self::Tolerable(_)
            | Self::BankTime(_)
            | Self::Latency(_)
            | Self::Record(_)
            | Self::Replay(_)
            | Self::Trace(_)
            | Self::Fidelity(_)
            | Self::Mutate(_)
            | Self::Coverage(_) => true,
        }
    }

    /// Whether it is to show no progress.
    pub fn quiet(&self) -> bool {
        match self {
            Self::Cosim(args) | Self::Sim(args) => args.kernel.quiet,
            Self::Sweep(args) => args.quiet,
            Self::Claims(args) => args.quiet,
            Self::Report(args) => args.quiet,
            Self::Exec(args) => args.kernel.quiet,
            Self::Tlp(args) => args.quiet,
            Self::Tolerable(args) => args.quiet,
            Self::BankTime(args) => args.quiet,
            Self::Latency(args) => args.quiet,
            Self::Record(args) => args.quiet,
            Self::Replay(args) => args.quiet,
            Self::Trace(args) => args.kernel.quiet,
            Self::Fidelity(args) => args.quiet,
            Self::Mutate(args) => args.quiet,
            Self::Coverage(args) => args.quiet,
            Self::Compile(args) => args.profile.quiet,
            Self::Energy(_)
            | Self::List(_)
            | Self::Compare(_)
            | Self::LaunchTemplate(_)
            | Self::NewDesign(_)
            | Self::CheckDesign(_)
            | Self::Doctor
            | Self::Completions(_)
            | Self::Man(_) => false,
        }
    }

    /// What `--set` changes.
    pub fn overrides(&self) -> &[Override] {
        match self {
            Self::Cosim(args) | Self::Sim(args) => &args.overrides,
            Self::Exec(args) => &args.overrides,
            Self::Tlp(args) => &args.overrides,
            Self::Tolerable(args) => &args.overrides,
            Self::BankTime(args) => &args.overrides,
            Self::Latency(args) => &args.overrides,
            Self::Record(args) => &args.overrides,
            Self::Trace(args) => &args.overrides,
            Self::Fidelity(args) => &args.overrides,
            Self::Mutate(args) => &args.overrides,
            Self::Compile(args) => &args.profile.overrides,
            Self::CheckDesign(args) => &args.overrides,
            Self::Energy(_)
            | Self::Sweep(_)
            | Self::Claims(_)
            | Self::Report(_)
            | Self::Replay(_)
            | Self::Coverage(_)
            | Self::List(_)
            | Self::Compare(_)
            | Self::LaunchTemplate(_)
            | Self::NewDesign(_)
            | Self::Doctor
            | Self::Completions(_)
            | Self::Man(_) => &[],
        }
    }
}
