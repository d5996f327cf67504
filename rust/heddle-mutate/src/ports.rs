//! The port bench as a judge: traffic that keeps the port's contract, and traffic that breaks it.

use heddle_cosim::{Check, Control, PreparedDesign, RunError, RunSpec};
use heddle_coverage::{Rules, ports};
use heddle_port::DesignError;
use heddle_portbench::{Breach, Failure, FailureKind};
use heddle_rtl::mutants::{MutantCounts, MutantLibrary};

use crate::error::MutateError;

/// The port bench with one setting and seed.
#[derive(Debug, Clone)]
pub struct PortTraffic {
    name: String,
    design: PreparedDesign,
    seed: u64,
    cycles: u64,
    /// How the traffic breaks the port's contract, if it does.
    breach: Option<Breach>,
}

/// A run of it.
pub(crate) struct Ran {
    /// What it failed with, if it failed.
    pub failed: Option<Failed>,
    /// What the run evaluated of each mutant.
    pub counts: Vec<MutantCounts>,
}

/// How a run failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failed {
    /// The check of a co-simulation that is the same.
    pub check: Check,
    /// The cycle.
    pub cycle: u64,
    /// What is wrong.
    pub what: String,
}

impl Failed {
    /// Whether the design itself tells: an assertion, or the event of a fault.
    pub(crate) fn tells(&self) -> bool {
        self.check == Check::Assertion
    }

    /// An assertion refuses the instance in its first evaluation.
    fn refused(error: &dyn std::error::Error) -> Self {
        Self { check: Check::Assertion, cycle: 0, what: error.to_string() }
    }
}

impl From<Failure> for Failed {
    fn from(Failure { cycle, kind, .. }: Failure) -> Self {
        Self { check: check_of(&kind), cycle, what: kind.to_string() }
    }
}

impl PortTraffic {
    /// The port bench for `cycles` cycles with each setting and seed, by what is elaborated, none where `cycles` is 0.
    ///
    /// What `spec` asks for comes first; then the settings that coverage has of the design, or of the variant that `spec`
    /// names; at the end of the first, traffic that breaks the contract. What `spec` sets stays so; a setting that does not go with it is left
    /// out.
    ///
    /// # Errors
    /// The design, or its rules of coverage.
    pub fn all(spec: &RunSpec, cycles: u64) -> Result<Vec<Vec<Self>>, MutateError> {
        let design = PreparedDesign::new(spec)?;
        let mut all: Vec<Vec<Self>> = vec![Vec::new()];
        if cycles == 0 {
            return Ok(all);
        }
        all[0].extend(ports::SEEDS.map(|seed| Self::new("", &design, seed, cycles)));
        let rules = Rules::load(&spec.root, &design.manifest)?;
        for (name, set) in rules.settings(&spec.root, &design.manifest)? {
            let own = name == spec.design;
            if own && set.is_empty() || !own && spec.design != design.manifest.name {
                continue;
            }
            let named = if own { String::new() } else { format!(" of {name}") };
            let named =
                set.iter().fold(named, |named, one| format!("{named} --set {}={}", one.key, one.value));
            let mut further = spec.clone();
            further.design = name;
            further.overrides.splice(0..0, set);
            let design = match PreparedDesign::new(&further) {
                Ok(design) => design,
                Err(_) if !spec.overrides.is_empty() => continue,
                Err(error) => return Err(error.into()),
            };
            let runs = ports::SEEDS.map(|seed| Self::new(&named, &design, seed, cycles));
            match all.iter_mut().find(|ports| ports[0].design.elaboration == design.elaboration) {
                Some(ports) => ports.extend(runs),
                None => all.push(runs.into()),
            }
        }
        for breach in Breach::ALL {
            let named = format!(" with {breach}");
            all[0].extend(Breach::SEEDS.map(|seed| Self {
                breach: Some(breach),
                ..Self::new(&named, &design, seed, Breach::CYCLES)
            }));
        }
        Ok(all)
    }

    fn new(setting: &str, design: &PreparedDesign, seed: u64, cycles: u64) -> Self {
        let name = format!("port bench{setting}, seed {seed}");
        Self { name, design: design.clone(), seed, cycles, breach: None }
    }

    /// The design with its setting.
    #[must_use]
    pub fn design(&self) -> &PreparedDesign {
        &self.design
    }

    /// What it is called, with its setting and seed.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Most cycles of the traffic.
    pub(crate) fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Whether the traffic breaks the port's contract.
    pub(crate) fn breaks(&self) -> bool {
        self.breach.is_some()
    }

    /// A run with the mutant at place `mutant` of the library's list, or with the design itself.
    ///
    /// # Errors
    /// It could not be made, or was interrupted.
    pub(crate) fn run(
        &self,
        library: &MutantLibrary,
        mutant: Option<usize>,
        control: &dyn Control,
    ) -> Result<Ran, MutateError> {
        if control.interrupted() {
            return Err(RunError::Interrupted { cycles: 0 }.into());
        }
        let Self { design, seed, cycles, breach, .. } = self;
        let mut rtl = match library.instance(*seed, mutant) {
            Ok(rtl) => rtl,
            Err(error) if mutant.is_some() => {
                return Ok(Ran { failed: Some(Failed::refused(&error)), counts: Vec::new() });
            }
            Err(source) => {
                return Err(MutateError::Rtl { design: design.manifest.name.clone(), source });
            }
        };
        let (config, mut model) = ports::bench(design, &rtl).map_err(RunError::usage)?;
        let ran = match breach {
            None => heddle_portbench::run(&config, &mut rtl, &mut *model, *seed, *cycles),
            // The model refuses to go on, so the design is alone with it.
            Some(breach) => heddle_portbench::run_alone(&config.breaking(*breach), &mut rtl, *seed, *cycles),
        };
        let counts = library.counts(&mut rtl).map_err(RunError::usage)?;
        Ok(Ran { failed: ran.err().map(Failed::from), counts })
    }
}

/// The check of a co-simulation that is the same as that of the port bench.
fn check_of(kind: &FailureKind) -> Check {
    match kind {
        FailureKind::Output { .. } => Check::Control,
        FailureKind::Operand { .. } => Check::Operand,
        FailureKind::Loaded { .. } => Check::Memory,
        FailureKind::Wait { .. } => Check::Hang,
        FailureKind::Design(DesignError::Rtl { .. }) | FailureKind::Fault(_) => Check::Assertion,
        FailureKind::NothingCompared => Check::Completeness,
        _ => Check::Contract,
    }
}
