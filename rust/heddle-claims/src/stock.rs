//! What there is: designs, technologies, experiments and computed measures that claims can name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use heddle_cosim::RunError;
use heddle_energy::Technology;
use heddle_experiments::{Catalog, Experiment, Scale};
use heddle_manifest::Manifest;

use crate::claim::{Need, NeedKind};
use crate::computed;
use crate::error::ClaimError;

/// Folder of the repository with the experiments.
const EXPERIMENTS: &str = "experiments";
/// Folder of results that commands take by themselves.
const RESULTS: &str = "results";

/// What claims can name, read from a repository.
#[derive(Debug)]
pub struct Stock {
    root: PathBuf,
    catalog: Catalog,
    designs: Vec<String>,
    technologies: BTreeMap<String, Technology>,
    experiments: BTreeMap<String, Experiment>,
    scale: Scale,
    /// Folder of the results, where commands are to name it.
    results: Option<PathBuf>,
}

impl Stock {
    /// That of the repository of `catalog`; all experiments at a scale.
    ///
    /// # Errors
    /// A manifest, a technology or an experiment that cannot be read.
    pub fn load(catalog: Catalog, scale: Scale) -> Result<Self, ClaimError> {
        let root = catalog.root().to_owned();
        let manifests = Manifest::load_all(&root).map_err(RunError::usage)?;
        let designs = manifests.iter().map(Manifest::called).collect();
        let mut technologies = BTreeMap::new();
        for name in Technology::names(&root) {
            let technology = Technology::load(&root, &name)?;
            technologies.insert(name, technology);
        }
        let mut experiments = BTreeMap::new();
        for path in toml_files(&root.join(EXPERIMENTS))? {
            let experiment = Experiment::load(&path, &catalog, scale)?;
            experiments.insert(experiment.id.clone(), experiment);
        }
        Ok(Self { root, catalog, designs, technologies, experiments, scale, results: None })
    }

    /// The same; commands name the folder of results, unless it is the one that they take by themselves.
    #[must_use]
    pub fn with_results(self, folder: &Path) -> Self {
        Self { results: (folder != Path::new(RESULTS)).then(|| folder.to_owned()), ..self }
    }

    /// The repository.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The scale of the experiments.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The experiments by name.
    #[must_use]
    pub fn experiments(&self) -> &BTreeMap<String, Experiment> {
        &self.experiments
    }

    /// The technologies by name.
    #[must_use]
    pub fn technologies(&self) -> &BTreeMap<String, Technology> {
        &self.technologies
    }

    /// The catalog of measures.
    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// All names of a kind.
    pub(crate) fn names(&self, kind: NeedKind) -> Vec<&str> {
        match kind {
            NeedKind::Design => self.designs.iter().map(String::as_str).collect(),
            NeedKind::Experiment => self.experiments.keys().map(String::as_str).collect(),
            NeedKind::Technology => self.technologies.keys().map(String::as_str).collect(),
            NeedKind::Measure => computed::names().collect(),
        }
    }

    /// Whether something is there.
    pub(crate) fn has(&self, need: &Need) -> bool {
        self.names(need.kind).contains(&need.name.as_str())
    }

    /// The command that runs an experiment.
    #[must_use]
    pub fn command(&self, experiment: &str) -> String {
        let into = self.results.as_ref().map(|folder| format!(" --results '{}'", folder.display()));
        let into = into.unwrap_or_default();
        format!("heddle sweep {EXPERIMENTS}/{experiment}.toml --resume --scale {}{into}", self.scale)
    }
}

/// The TOML files of a folder, in order.
pub fn toml_files(folder: &Path) -> Result<Vec<PathBuf>, ClaimError> {
    let fail = |source| ClaimError::Folder { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}
