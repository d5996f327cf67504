//! The RTL of a run: as shipped, or with planted bugs.

use heddle_rtl::planted::{self, PlantedLibrary};
use heddle_rtl::{ModelLibrary, RtlError, RtlOrigin, RtlRegisterFile};

use crate::control::Control;
use crate::design::PreparedDesign;
use crate::error::RunError;
use crate::spec::RunSpec;

/// A built model, and the planted bug that its instances get.
pub struct RtlLibrary {
    model: Model,
    activations: Option<u64>,
    design: String,
}

enum Model {
    Shipped(ModelLibrary),
    Planted { library: PlantedLibrary, id: String },
}

impl RtlLibrary {
    /// Builds the RTL that a run asks for, or finds it built.
    ///
    /// # Errors
    /// [`RunError::Build`], or [`RunError::Usage`] for an unknown planted bug.
    pub fn build(
        spec: &RunSpec,
        design: &PreparedDesign,
        control: &mut dyn Control,
    ) -> Result<Self, RunError> {
        let failed = |e: RtlError| RunError::Build { design: spec.design.clone(), message: e.to_string() };
        let mut progress = |text: &str| control.stage(text);
        let (manifest, elaboration) = (&design.manifest, &design.elaboration);
        let model = match &spec.fault {
            None => Model::Shipped(
                heddle_rtl::build(&spec.root, manifest, elaboration, &mut progress).map_err(failed)?,
            ),
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
                Model::Planted { library, id: fault.id.clone() }
            }
        };
        Ok(Self { model, activations: None, design: spec.design.clone() })
    }

    /// Where the model comes from.
    #[must_use]
    pub fn origin(&self) -> &RtlOrigin {
        match &self.model {
            Model::Shipped(library) => library.origin(),
            Model::Planted { library, .. } => library.origin(),
        }
    }

    /// An instance in the random initial state of `seed`.
    ///
    /// # Errors
    /// [`RunError::Build`].
    pub fn instance(&self, seed: u64) -> Result<RtlRegisterFile, RunError> {
        match &self.model {
            Model::Shipped(library) => library.instance(seed),
            Model::Planted { library, id } => library.instance(seed, Some(id)),
        }
        .map_err(|e| RunError::Build { design: self.design.clone(), message: e.to_string() })
    }

    /// Keeps how often the planted bug of an instance changed a value.
    ///
    /// # Errors
    /// [`RunError::Build`] when the model cannot say.
    pub fn remember_activations(&mut self, rtl: &mut RtlRegisterFile) -> Result<(), RunError> {
        if matches!(self.model, Model::Planted { .. }) {
            let count = rtl
                .activations()
                .map_err(|e| RunError::Build { design: self.design.clone(), message: e.to_string() })?;
            self.activations = Some(count);
        }
        Ok(())
    }

    /// How often the planted bug of the last run changed a value.
    #[must_use]
    pub fn activations(&self) -> Option<u64> {
        self.activations
    }
}
