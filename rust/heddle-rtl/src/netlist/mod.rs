//! A design as yosys understands it: elaborated by slang, made into flip-flops, memories and word-level cells, written
//! as a netlist, and that compiled behind the same shim as the RTL.
//!
//! What it shares with the model that Verilator builds of the RTL is the shim and Verilator's engine for the netlist:
//! assignments and flip-flops of one flat module. What SystemVerilog means (types, parameters, generate
//! blocks, functions, processes, priorities, memories) is judged by other programs.

mod files;
mod yosys;

use std::fs;
use std::path::{Path, PathBuf};

use heddle_manifest::{Elaboration, Manifest};
use verilated_runtime::build::{Lint, ModelBuild, Trace, Use, content_hash};

use self::yosys::Yosys;
use crate::error::RtlError;
use crate::model::{self, ModelLibrary};
use crate::mutants::Mutant;
use crate::shim::{Added, shim};
use crate::sources;

pub use self::yosys::NetlistError;

/// Where netlists are kept, below the root.
const FOLDER: &str = "build/netlist";

/// Rounds of loops that slang unrolls in one process at most; its own 4,000 are fewer than lines and banks of a large cache.
const UNROLL_LIMIT: u32 = 100_000;

/// From processes to cells that Verilog has operators for.
const PASSES: [&str; 7] = [
    "proc",
    "flatten",
    "opt",
    // A choice bit by bit has no operator.
    "bwmuxmap",
    // Nor has a selection by a signed index that lies outside in part: it is a shift either way, with 0 from outside.
    "chtype -set $shift t:$shiftx",
    // A vector whose bits have drivers of their own would look like a loop.
    "splitnets -driver",
    "opt_clean",
];

/// From processes to cells, without signals that nothing reads, whatever their names.
const REDUCING: [&str; 4] = ["proc", "flatten", "opt", "opt_clean -purge"];

/// Builds one elaboration of a design by way of a netlist, or finds both built, and loads it. It has neither waveforms nor
/// assertions.
///
/// # Errors
/// As [`crate::build()`], and [`RtlError::Netlist`].
pub fn build(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
    progress: &mut dyn FnMut(&str),
) -> Result<ModelLibrary, RtlError> {
    let rtl = sources::sources_hash(root, manifest)?;
    let text = text(root, manifest, elaboration, progress)?;
    let model = ModelBuild::new(&manifest.top, shim(manifest, Added::Nothing))
        .directory(root)
        .source_text(root.join(FOLDER).join(format!("{}.v", manifest.top)), text)
        .lint(Lint::Off)
        .allow("UNOPTFLAT")
        .trace(Trace::None)
        .use_for(Use::ShortRuns);
    let library = model::finish(root, manifest, elaboration, &model, progress)?;
    Ok(library.of_sources(rtl))
}

/// The netlist of one elaboration of a design, as Verilog.
///
/// # Errors
/// [`RtlError::Netlist`], and what a manifest or file that is wrong gives.
pub fn text(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
    progress: &mut dyn FnMut(&str),
) -> Result<String, RtlError> {
    let yosys = Yosys::locate(root)?;
    let top = &manifest.top;
    let of_design = without_testbench(root, manifest);
    let mut passes = read(root, manifest, elaboration, None)?;
    passes.extend(PASSES.map(str::to_owned));
    let rtl = sources::hash_of(root, manifest, &of_design)?;
    let hash = content_hash([yosys.version(), &rtl].into_iter().chain(passes.iter().map(String::as_str)));
    let kept = root.join(FOLDER).join(format!("{top}-{hash}.v"));
    if let Some(text) = files::kept(&kept)? {
        return Ok(text);
    }
    progress(&format!("making the netlist of {top}"));
    let made = files::begin(&kept)?;
    passes.push(write(root, made.path()));
    yosys.run(root, top, &passes)?;
    Ok(files::keep(made, &kept)?)
}

/// The netlist of one elaboration of a design without all that no output depends on, to be compared with that of
/// another mutant or of the design itself, which is without one. It is not kept.
///
/// # Errors
/// As [`text`], and [`RtlError::Mutant`]: the file is no source of the design, or the place not in it.
pub fn reduced(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
    mutant: Option<&Mutant>,
) -> Result<String, RtlError> {
    let yosys = Yosys::locate(root)?;
    let folder = root.join(FOLDER);
    let source = files::begin(&folder.join("mutant.sv"))?;
    let mut changed = None;
    if let Some(mutant) = mutant {
        let file = root.join(&mutant.file);
        if !without_testbench(root, manifest).contains(&file.as_path()) {
            let what = format!("the file is no source of design '{}'", manifest.name);
            return Err(RtlError::Mutant { file: mutant.file.clone(), start: mutant.start, what });
        }
        fs::write(source.path(), mutant.applied(root)?).map_err(files::failed(source.path()))?;
        changed = Some(file);
    }
    let changed = changed.as_deref().map(|file| (file, source.path()));
    let mut passes = read(root, manifest, elaboration, changed)?;
    passes.extend(REDUCING.map(str::to_owned));
    let made = files::begin(&folder.join("mutant.v"))?;
    passes.push(write(root, made.path()));
    yosys.run(root, &manifest.top, &passes)?;
    Ok(fs::read_to_string(made.path()).map_err(files::failed(made.path()))?)
}

/// What makes yosys read the sources of a design; of `changed`, the second is read in place of the first.
fn read(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
    changed: Option<(&Path, &Path)>,
) -> Result<Vec<String>, RtlError> {
    let top = &manifest.top;
    let of_design = without_testbench(root, manifest);
    let mut folders: Vec<String> =
        of_design.iter().filter_map(|path| path.parent()).map(|folder| within(root, folder)).collect();
    folders.sort();
    folders.dedup();
    let mut read = format!("read_slang --unroll-limit {UNROLL_LIMIT} --top {top}");
    for (name, value) in &manifest.of_top(elaboration)? {
        read.push_str(&format!(" -G {name}={value}"));
    }
    for folder in &folders {
        read.push_str(&format!(" -I {folder}"));
    }
    for source in of_design {
        let source = changed.filter(|(of, _)| *of == source).map_or(source, |(_, with)| with);
        read.push_str(&format!(" {}", within(root, source)));
    }
    Ok(vec![read, format!("hierarchy -check -top {top}")])
}

/// Writes the netlist.
fn write(root: &Path, path: &Path) -> String {
    format!("write_verilog -noattr {}", within(root, path))
}

/// A path as yosys has it, which runs in the root.
fn within(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// The RTL of a design: its sources without assertions, covers and what binds them.
fn without_testbench<'a>(root: &Path, manifest: &'a Manifest) -> Vec<&'a Path> {
    let testbench = root.join("testbench");
    manifest.sources.iter().map(PathBuf::as_path).filter(|source| !source.starts_with(&testbench)).collect()
}
