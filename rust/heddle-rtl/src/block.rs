//! One block of a design alone, for a bench that drives its ports directly.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use heddle_manifest::Manifest;
use verilated_runtime::build::{ModelBuild, Shim, Trace};
use verilated_runtime::{Instance, Library, Options};

use crate::error::RtlError;
use crate::planted::{self, PlantedBug};
use crate::{model, sources};

/// What every block's adapter inherits; it stands before the block's own shim.
const ADAPTER: &str = include_str!("../cpp/block_adapter.h");

/// A module of a design, the files that it is made of, and the shim that moves its ports.
///
/// The shim is C++ with a `struct Adapter : heddle::BlockAdapter`; there are some in `testbench/`.
#[derive(Debug, Clone)]
pub struct Block {
    root: PathBuf,
    /// That of the design, with the block's top and files.
    manifest: Manifest,
    shim: PathBuf,
    parameters: Vec<(String, i64)>,
}

impl Block {
    /// Module `module` of the design of `manifest` in the repository at `root`, with the shim at path `shim` from
    /// there. Of the design's files it has those that it is made of, without assertions.
    ///
    /// # Errors
    /// [`RtlError::Block`]: no file of the design is called after the module; or one cannot be read.
    pub fn new(root: &Path, manifest: &Manifest, module: &str, shim: &str) -> Result<Self, RtlError> {
        let sources = files_of(root, manifest, module)?;
        if sources.is_empty() {
            return Err(RtlError::Block { design: manifest.name.clone(), module: module.to_owned() });
        }
        let manifest = Manifest { top: module.to_owned(), sources, ..manifest.clone() };
        Ok(Self { root: root.to_owned(), manifest, shim: root.join(shim), parameters: Vec::new() })
    }

    /// Adds a file, by its path from the root, such as assertions with their binds.
    #[must_use]
    pub fn source(mut self, path: &str) -> Self {
        self.manifest.sources.push(self.root.join(path));
        self
    }

    /// Puts a module around the block that becomes its top.
    #[must_use]
    pub fn inside(mut self, top: &str, path: &str) -> Self {
        self.manifest.top = top.to_owned();
        self.source(path)
    }

    /// Sets a parameter of the module.
    #[must_use]
    pub fn parameter(mut self, name: &str, value: i64) -> Self {
        self.parameters.push((name.to_owned(), value));
        self
    }

    /// Builds the block as it is, or finds it built, and loads it.
    ///
    /// # Errors
    /// A file that cannot be read, or [`RtlError::Build`].
    pub fn build(&self) -> Result<Library, RtlError> {
        let mut build = self.start(false)?;
        for source in &self.manifest.sources {
            build = build.source(source);
        }
        self.finish(&build)
    }

    /// Builds the block with those of `bugs` that lie in its files.
    ///
    /// # Errors
    /// As [`Self::build`], and [`planted::instrument`].
    pub fn build_planted(&self, mut bugs: Vec<PlantedBug>) -> Result<PlantedBlock, RtlError> {
        bugs.retain(|bug| self.manifest.sources.contains(&self.root.join(&bug.file)));
        let build = planted::sources(self.start(true)?, &self.root, &self.manifest, &bugs)?;
        Ok(PlantedBlock { library: self.finish(&build)?, bugs })
    }

    fn start(&self, faults: bool) -> Result<ModelBuild, RtlError> {
        let fail = |source| RtlError::Read { path: self.shim.clone(), source };
        let shim = fs::read_to_string(&self.shim).map_err(fail)?;
        let name = self.shim.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let top = &self.manifest.top;
        let text = format!(
            "#include \"V{top}.h\"\n#define HEDDLE_FAULTS {}\n#line 1 \"block_adapter.h\"\n{ADAPTER}\n#line 1 \
             \"{name}\"\n{shim}",
            u8::from(faults)
        );
        let mut build = ModelBuild::new(top, Shim::new(name, text))
            .directory(&self.root)
            .allow("SYMRSVDWORD")
            .use_for(model::use_for())
            .trace(Trace::None);
        build = sources::with_files(build, &self.root, &self.manifest)?;
        for (name, value) in &self.parameters {
            build = build.parameter(name, value);
        }
        Ok(build)
    }

    fn finish(&self, build: &ModelBuild) -> Result<Library, RtlError> {
        let built = model::built(&self.root, build, &mut |stage| println!("{stage}"))?;
        Ok(Library::open(&built.library)?)
    }
}

/// The file of a module and those of all modules and packages that it names, in the manifest's order; none where
/// the design has no such module.
fn files_of(root: &Path, manifest: &Manifest, module: &str) -> Result<Vec<PathBuf>, RtlError> {
    let rtl = root.join("rtl");
    let files: Vec<&PathBuf> = manifest.sources.iter().filter(|source| source.starts_with(&rtl)).collect();
    let stem = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let own = files.iter().position(|file| stem(file) == module);
    let mut needed = vec![false; files.len()];
    let mut open: Vec<usize> = own.into_iter().collect();
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut needed[at], true) {
            continue;
        }
        let text = fs::read_to_string(files[at])
            .map_err(|source| RtlError::Read { path: files[at].clone(), source })?;
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        let words: BTreeSet<&str> =
            code.flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_')).collect();
        open.extend((0..files.len()).filter(|&other| words.contains(stem(files[other]).as_str())));
    }
    Ok(files.into_iter().zip(needed).filter(|(_, needed)| *needed).map(|(file, _)| file.clone()).collect())
}

/// A block with its planted bugs.
#[derive(Debug, Clone)]
pub struct PlantedBlock {
    library: Library,
    bugs: Vec<PlantedBug>,
}

impl PlantedBlock {
    /// The bugs that instances can have.
    #[must_use]
    pub fn bugs(&self) -> &[PlantedBug] {
        &self.bugs
    }

    /// An instance in the random state of `seed` with a bug of [`Self::bugs`] by its place, or without.
    ///
    /// # Errors
    /// [`RtlError::Run`].
    pub fn instance(&self, seed: u64, bug: Option<usize>) -> Result<Instance, RtlError> {
        let mut instance = self.library.instance(&Options { seed, ..Options::default() })?;
        instance.control(1, bug.map_or(0, |place| place as u64 + 1))?;
        Ok(instance)
    }
}

/// How often the planted bug of an instance made a difference.
///
/// # Errors
/// [`RtlError::Run`]: the block was built without planted bugs.
pub fn activations(instance: &mut Instance) -> Result<u64, RtlError> {
    Ok(instance.control(2, 0)?)
}
