//! Verilator's runtime and our part of it, compiled once per flag set and shared by all models.

use std::fs;
use std::path::{Path, PathBuf};

use super::compile::{self, Level, Unit};
use super::key::Hasher;
use super::{BuildError, Compiler, ModelBuild, Verilator, publish};

/// Headers that a shim may include.
pub(super) const HEADERS: &[(&str, &str)] = &[
    ("capture.h", include_str!("../../cpp/capture.h")),
    ("port_words.h", include_str!("../../cpp/port_words.h")),
    ("vcd_file.h", include_str!("../../cpp/vcd_file.h")),
    ("verilated_capture.h", include_str!("../../cpp/verilated_capture.h")),
    ("verilated_instance.h", include_str!("../../cpp/verilated_instance.h")),
    ("verilated_model.h", include_str!("../../cpp/verilated_model.h")),
];

/// Our sources of the runtime.
pub(super) const SOURCES: &[(&str, &str)] = &[("capture.cpp", include_str!("../../cpp/capture.cpp"))];

/// Writes the headers below `work` and returns their folder.
pub(super) fn write_headers(work: &Path) -> Result<PathBuf, BuildError> {
    let folder = work.join("runtime");
    for (name, text) in HEADERS.iter().chain(SOURCES) {
        publish::write(&folder.join(name), text)?;
    }
    Ok(folder)
}

/// The runtime's objects, compiled if they are not there yet.
pub(super) fn objects(
    verilator: &Verilator,
    compiler: &Compiler,
    flags: &[String],
    generated: &Path,
    out: &Path,
    build: &ModelBuild,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<PathBuf>, BuildError> {
    let files = runtime_files(generated, &build.top)?;
    let mut hasher = Hasher::new();
    hasher.part(verilator.version());
    hasher.part(compiler.version());
    for flag in build.compile_flags(verilator) {
        if !flag.starts_with("-I") {
            hasher.part(flag);
        }
    }
    for flag in Level::Fast.flags() {
        hasher.part(flag);
    }
    for (name, text) in HEADERS.iter().chain(SOURCES) {
        hasher.part(name);
        hasher.part(text);
    }
    for file in &files {
        hasher.part(file);
    }
    let home = out.join(format!("runtime-{}", hasher.end()));
    let names: Vec<String> = files
        .iter()
        .map(String::as_str)
        .chain(SOURCES.iter().map(|(name, _)| *name))
        .map(|name| format!("{}.o", name.trim_end_matches(".cpp")))
        .collect();
    let objects: Vec<PathBuf> = names.iter().map(|n| home.join(n)).collect();
    if objects.iter().all(|o| o.is_file()) {
        return Ok(objects);
    }
    let _lock = publish::lock(&home.with_extension("lock"))?;
    if objects.iter().all(|o| o.is_file()) {
        return Ok(objects);
    }
    progress("compiling the Verilator runtime");
    let work = publish::Workplace::new(&home)?;
    let flags = [flags, &["-include".to_owned(), "capture.h".to_owned()]].concat();
    let include = verilator.root().join("include");
    let ours = write_headers(work.path())?;
    let units: Vec<Unit> = files
        .iter()
        .map(|file| include.join(file))
        .chain(SOURCES.iter().map(|(name, _)| ours.join(name)))
        .zip(&names)
        .map(|(source, object)| Unit {
            source,
            object: work.path().join(object),
            level: Level::Fast,
            prelude: None,
        })
        .collect();
    compile::compile_all(compiler, &flags, &units, build.jobs, "the Verilator runtime")?;
    let keep: Vec<&str> = names.iter().map(String::as_str).collect();
    work.publish_all(&keep)?;
    Ok(objects)
}

/// The runtime's source files that this model needs, as the generated makefile lists them.
fn runtime_files(generated: &Path, top: &str) -> Result<Vec<String>, BuildError> {
    let path = generated.join(format!("V{top}_classes.mk"));
    let text = fs::read_to_string(&path).map_err(|source| BuildError::Read { path, source })?;
    let mut files = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("VM_GLOBAL_FAST") || line.starts_with("VM_GLOBAL_SLOW") {
            inside = true;
            continue;
        }
        let name = line.trim().trim_end_matches('\\').trim();
        if inside && !name.is_empty() {
            files.push(format!("{name}.cpp"));
        }
        inside &= line.trim_end().ends_with('\\');
    }
    Ok(files)
}
