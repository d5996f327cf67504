//! The hash of everything that goes into a model.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{BuildError, Compiler, ModelBuild, Verilator, runtime};

/// Collects parts; each is hashed with its length, so that parts cannot run into each other.
pub(super) struct Hasher(Sha256);

impl Hasher {
    pub(super) fn new() -> Self {
        Self(Sha256::new())
    }

    pub(super) fn part(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// 16 hexadecimal digits.
    pub(super) fn end(self) -> String {
        self.0.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect()
    }
}

pub(super) fn of(
    build: &ModelBuild,
    verilator: &Verilator,
    compiler: &Compiler,
    compile_flags: &[String],
) -> Result<String, BuildError> {
    let mut hasher = Hasher::new();
    hasher.part(verilator.version());
    hasher.part(compiler.version());
    for level in [build.level(false), build.level(true)] {
        for flag in level.flags() {
            hasher.part(flag);
        }
    }
    // Where Verilator is installed does not matter; its version does.
    let compile_flags = compile_flags.iter().filter(|f| !f.starts_with("-I"));
    for flag in compile_flags.chain(&build.verilator_flags()) {
        hasher.part(flag);
    }
    for (name, text) in runtime::HEADERS.iter().chain(runtime::SOURCES) {
        hasher.part(name);
        hasher.part(text);
    }
    hasher.part(&build.shim.name);
    hasher.part(&build.shim.text);
    sources(build, &mut hasher)?;
    for waiver in &build.waivers {
        hasher.part(build.shown(waiver).as_os_str().as_encoded_bytes());
        hasher.part(read(&build.real(waiver))?);
    }
    includes(build, &mut hasher)?;
    for folder in &build.include_dirs {
        hasher.part(build.shown(folder).as_os_str().as_encoded_bytes());
        for file in files_of(&build.real(folder))? {
            hasher.part(file.file_name().unwrap_or_default().as_encoded_bytes());
            hasher.part(read(&file)?);
        }
    }
    Ok(hasher.end())
}

/// The hash of some parts, in 16 hexadecimal digits, as models are named by it. Each part counts with its length.
pub fn content_hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Hasher::new();
    for part in parts {
        hasher.part(part);
    }
    hasher.end()
}

/// The hash of the sources alone.
pub(super) fn of_sources(build: &ModelBuild) -> Result<String, BuildError> {
    let mut hasher = Hasher::new();
    sources(build, &mut hasher)?;
    includes(build, &mut hasher)?;
    Ok(hasher.end())
}

fn sources(build: &ModelBuild, hasher: &mut Hasher) -> Result<(), BuildError> {
    for source in &build.sources {
        hasher.part(build.shown(&source.path).as_os_str().as_encoded_bytes());
        match &source.text {
            Some(text) => hasher.part(text),
            None => hasher.part(read(&build.real(&source.path))?),
        }
    }
    Ok(())
}

fn includes(build: &ModelBuild, hasher: &mut Hasher) -> Result<(), BuildError> {
    for include in &build.includes {
        hasher.part(build.shown(include).as_os_str().as_encoded_bytes());
        hasher.part(read(&build.real(include))?);
    }
    Ok(())
}

impl ModelBuild {
    /// The hash of the sources in their order, with their names, and of the single files that are included.
    ///
    /// # Errors
    /// [`BuildError::Read`].
    pub fn sources_hash(&self) -> Result<String, BuildError> {
        of_sources(self)
    }

    /// Where a path of this build lies, seen from this process.
    fn real(&self, path: &Path) -> PathBuf {
        self.directory.as_ref().map_or_else(|| path.to_owned(), |d| d.join(path))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, BuildError> {
    fs::read(path).map_err(|source| BuildError::Read { path: path.to_owned(), source })
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>, BuildError> {
    let fail = |source| BuildError::Read { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
