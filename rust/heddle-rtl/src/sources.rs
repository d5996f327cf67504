//! The files of a design that its models are built from.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use heddle_manifest::Manifest;
use verilated_runtime::build::ModelBuild;

use crate::error::RtlError;
use crate::shim::{Added, shim};

/// The hash of a design's sources and of the files that they include, as [`crate::RtlOrigin::sources`] has it.
///
/// # Errors
/// [`RtlError::Read`] or [`RtlError::Build`].
pub fn sources_hash(root: &Path, manifest: &Manifest) -> Result<String, RtlError> {
    hash_of(root, manifest, &manifest.sources)
}

/// The same of some of its sources.
pub(crate) fn hash_of<P: AsRef<Path>>(
    root: &Path,
    manifest: &Manifest,
    sources: &[P],
) -> Result<String, RtlError> {
    let build = ModelBuild::new(&manifest.top, shim(manifest, Added::Nothing)).directory(root);
    let build = sources.iter().fold(build, |build, source| build.source(source.as_ref()));
    Ok(with_files(build, root, manifest)?.sources_hash()?)
}

/// A build with what stands beside the sources: files to be included, and lint waivers.
pub(crate) fn with_files(
    mut model: ModelBuild,
    root: &Path,
    manifest: &Manifest,
) -> Result<ModelBuild, RtlError> {
    for include in includes(manifest)? {
        model = model.include(include);
    }
    for waiver in waivers(root, manifest)? {
        model = model.waiver(waiver);
    }
    Ok(model)
}

/// A design's lint waivers, `constraints/<design>/*.vlt`, and those of the designs that it stands on.
///
/// # Errors
/// [`RtlError::Read`].
pub fn waivers(root: &Path, manifest: &Manifest) -> Result<Vec<PathBuf>, RtlError> {
    let mut files = Vec::new();
    for design in manifest.extends.iter().rev().chain([&manifest.name]) {
        let folder = root.join("constraints").join(design);
        if folder.is_dir() {
            files.extend(with_extension(&folder, "vlt")?);
        }
    }
    Ok(files)
}

/// The files to be included that lie beside the sources.
fn includes(manifest: &Manifest) -> Result<Vec<PathBuf>, RtlError> {
    let folders: BTreeSet<&Path> = manifest.sources.iter().filter_map(|source| source.parent()).collect();
    let mut files = Vec::new();
    for folder in folders {
        files.extend(with_extension(folder, "svh")?);
    }
    Ok(files)
}

fn with_extension(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, RtlError> {
    let fail = |source| RtlError::Read { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|e| e == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
