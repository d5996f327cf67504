//! The RTL of a run: as shipped, with planted bugs, with mutants, or with counters of coverage.

use std::path::{Path, PathBuf};

use heddle_rtl::covered::CoveredLibrary;
use heddle_rtl::mutants::{MutantCounts, MutantLibrary};
use heddle_rtl::planted::{self, PlantedLibrary};
use heddle_rtl::{ModelLibrary, RtlError, RtlOrigin, RtlRegisterFile};

use crate::control::Control;
use crate::design::PreparedDesign;
use crate::error::RunError;
use crate::spec::{Fault, RunSpec};

/// A built model, and the planted bug that its instances get.
pub struct RtlLibrary {
    model: Model,
    activations: Option<u64>,
    mutant_counts: Vec<MutantCounts>,
    design: String,
}

enum Model {
    Shipped(ModelLibrary),
    Planted {
        library: PlantedLibrary,
        fault: Fault,
    },
    Mutants {
        library: MutantLibrary,
        mutant: Option<usize>,
    },
    /// What an instance covered is written to `data`.
    Covered {
        library: CoveredLibrary,
        data: PathBuf,
    },
}

impl RtlLibrary {
    /// Builds the RTL that a run asks for, or finds it built; `waves` says that it is to write waveforms.
    ///
    /// # Errors
    /// [`RunError::Build`], or [`RunError::Usage`] for an unknown planted bug.
    pub fn build(
        spec: &RunSpec,
        design: &PreparedDesign,
        waves: bool,
        control: &mut dyn Control,
    ) -> Result<Self, RunError> {
        let build = if waves { heddle_rtl::build_with_waves } else { heddle_rtl::build };
        let failed = |e: RtlError| RunError::Build { design: spec.design.clone(), message: e.to_string() };
        let mut progress = |text: &str| control.stage(text);
        let (manifest, elaboration) = (&design.manifest, &design.elaboration);
        let model = match &spec.fault {
            None => Model::Shipped(build(&spec.root, manifest, elaboration, &mut progress).map_err(failed)?),
            Some(fault) => {
                let bugs = planted::load(&spec.root, manifest).map_err(failed)?;
                let Some(bug) = bugs.iter().find(|bug| bug.id == fault.id) else {
                    return Err(RunError::usage(format!(
                        "design '{}' has no planted bug '{}'{}",
                        spec.design,
                        fault.id,
                        heddle_suggest::hint(&fault.id, bugs.iter().map(|b| b.id.as_str()))
                    )));
                };
                let elaboration = match &bug.elaboration {
                    None => elaboration,
                    Some(name) => manifest.elaboration(Some(name)).map_err(|e| failed(e.into()))?,
                };
                let library =
                    planted::build(&spec.root, manifest, elaboration, &mut progress).map_err(failed)?;
                Model::Planted { library, fault: fault.clone() }
            }
        };
        Ok(Self { model, activations: None, mutant_counts: Vec::new(), design: spec.design.clone() })
    }

    /// A built model whose instances are the mutant at place `mutant`, or the design itself.
    pub fn of_mutant(spec: &RunSpec, library: MutantLibrary, mutant: Option<usize>) -> Self {
        let model = Model::Mutants { library, mutant };
        Self { model, activations: None, mutant_counts: Vec::new(), design: spec.design.clone() }
    }

    /// A built model with counters of coverage, which are written to `data` at the end of a run.
    pub fn of_covered(spec: &RunSpec, library: CoveredLibrary, data: &Path) -> Self {
        let model = Model::Covered { library, data: data.to_owned() };
        Self { model, activations: None, mutant_counts: Vec::new(), design: spec.design.clone() }
    }

    /// Whether its instances can write waveforms.
    #[must_use]
    pub fn has_waves(&self) -> bool {
        match &self.model {
            Model::Shipped(library) => library.has_waves(),
            Model::Planted { .. } => true,
            Model::Mutants { .. } | Model::Covered { .. } => false,
        }
    }

    /// Where the model comes from.
    #[must_use]
    pub fn origin(&self) -> &RtlOrigin {
        match &self.model {
            Model::Shipped(library) => library.origin(),
            Model::Covered { library, .. } => library.origin(),
            Model::Planted { library, .. } => library.origin(),
            Model::Mutants { library, .. } => library.origin(),
        }
    }

    /// The instance of SM `sm`, in a random initial state of `seed` that is its own.
    ///
    /// # Errors
    /// [`RunError::Build`].
    pub fn instance(&self, seed: u64, sm: u32) -> Result<RtlRegisterFile, RunError> {
        let seed = seed.wrapping_add(sm.into());
        match &self.model {
            Model::Shipped(library) => library.instance(seed),
            Model::Covered { library, .. } => library.instance(seed),
            Model::Planted { library, fault } => {
                let here = fault.sm.is_none_or(|faulty| faulty == sm);
                library.instance(seed, here.then_some(fault.id.as_str()))
            }
            Model::Mutants { library, mutant } => library.instance(seed, *mutant),
        }
        .map_err(|e| RunError::Build { design: self.design.clone(), message: e.to_string() })
    }

    /// Keeps how often the planted bug changed a value in the instances of a run, together, or the mutants of the last
    /// one, or what the last one covered.
    ///
    /// # Errors
    /// [`RunError::Build`] when the model cannot say.
    pub fn remember<'a>(
        &mut self,
        instances: impl IntoIterator<Item = &'a mut RtlRegisterFile>,
    ) -> Result<(), RunError> {
        self.activations = None;
        instances.into_iter().try_for_each(|rtl| self.add(rtl))
    }

    fn add(&mut self, rtl: &mut RtlRegisterFile) -> Result<(), RunError> {
        let failed = |e: heddle_port::DesignError| RunError::Build {
            design: self.design.clone(),
            message: e.to_string(),
        };
        match &self.model {
            Model::Shipped(_) => {}
            Model::Planted { .. } => {
                let before = self.activations.unwrap_or(0);
                self.activations = Some(before + rtl.activations().map_err(failed)?);
            }
            Model::Mutants { library, .. } => self.mutant_counts = library.counts(rtl).map_err(failed)?,
            Model::Covered { data, .. } => rtl.coverage_write(data).map_err(failed)?,
        }
        Ok(())
    }

    /// How often the planted bug of the last run changed a value.
    #[must_use]
    pub fn activations(&self) -> Option<u64> {
        self.activations
    }

    /// How often the expressions of the mutants were evaluated in the last run.
    pub fn into_mutant_counts(self) -> Vec<MutantCounts> {
        self.mutant_counts
    }
}
