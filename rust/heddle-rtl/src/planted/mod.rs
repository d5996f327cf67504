//! Known bugs, planted into a copy of a design to see each one found.
//!
//! `testbench/<folder>/planted_bugs.toml` lists those of the cells in `rtl/<folder>`, and a design has all bugs of
//! the cells that it has ([`load`]). A bug replaces one expression that occurs exactly once in its file:
//!
//! ```toml
//! [[bugs]]
//! id = "lane-dropped"
//! class = "lane mask"
//! file = "rtl/common/write_buffer.sv"         # from the root of the repository
//! original = "result_i[p].mask"
//! replacement = "result_i[p].mask & 32'hFFFF_FFF7"
//! kernel = "hotspot"                          # the workload that must find it; left out: a block bench finds it
//! expect = ["operand"]                        # what is found must name one of these
//! doc = "Lane 3 of a result is never written."
//! ```
//!
//! `elaboration = "NAME"` says that only this elaboration has the expression. All other bugs of a design go into
//! one build, several of one expression too. In the copy, the expression becomes
//! `(heddle_fault_pick(n, (original) !== (replacement)) ? (replacement) : (original))`, a DPI function of
//! the instrumented build alone, which knows the bug that the running instance has and counts how
//! often it made a difference. So two instances in one process may have different bugs, an instance
//! without one behaves as the clean design, and a bug that was never activated cannot pass as one that
//! was not found. The design's own sources stay clean.

mod class;
mod list;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use verilated_runtime::build::{Lint, ModelBuild, Use};

use crate::error::RtlError;
use crate::model::{self, ModelLibrary, RtlOrigin};
use crate::register_file::RtlRegisterFile;
use crate::shim::Added;
use heddle_manifest::{Elaboration, Manifest};

pub use class::BugClass;
pub use list::{PlantedBug, list_path, load};

const PACKAGE: &str = "heddle_fault_pkg";

/// The texts of all sources that bugs are in, with the bugs in them; bug `i` of the list has number
/// `i + 1`.
///
/// # Errors
/// [`RtlError::Planted`]: the file is no source of the design, the original does not occur exactly
/// once, or it overlaps with another bug's.
pub fn instrument(
    root: &Path,
    manifest: &Manifest,
    bugs: &[PlantedBug],
) -> Result<BTreeMap<PathBuf, String>, RtlError> {
    // By file the places of originals, and the bugs of each.
    let mut places: BTreeMap<PathBuf, BTreeMap<usize, Vec<usize>>> = BTreeMap::new();
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    for (i, bug) in bugs.iter().enumerate() {
        let wrong = |what: String| RtlError::Planted { path: bug.list.clone(), id: bug.id.clone(), what };
        let file = root.join(&bug.file);
        if !manifest.sources.contains(&file) {
            return Err(wrong(format!("{} is no source of design '{}'", bug.file.display(), manifest.name)));
        }
        if !texts.contains_key(&file) {
            let text =
                fs::read_to_string(&file).map_err(|source| RtlError::Read { path: file.clone(), source })?;
            texts.insert(file.clone(), text);
        }
        let found: Vec<usize> = texts[&file].match_indices(&bug.original).map(|(at, _)| at).collect();
        let [at] = found[..] else {
            return Err(wrong(format!(
                "'{}' occurs {} times in {}, exactly once is expected",
                bug.original,
                found.len(),
                bug.file.display()
            )));
        };
        let in_file = places.entry(file).or_default();
        let end = at + bug.original.len();
        let overlaps = in_file.iter().find_map(|(&other, numbers)| {
            let first = &bugs[*numbers.first()?];
            let apart = other >= end || at >= other + first.original.len();
            (!apart && first.original != bug.original).then_some(first)
        });
        if let Some(other) = overlaps {
            return Err(wrong(format!("its original overlaps with that of '{}'", other.id)));
        }
        in_file.entry(at).or_default().push(i);
    }
    for (file, in_file) in places {
        let Some(text) = texts.get_mut(&file) else { continue };
        // From the end, so that the places before stay right.
        for (at, numbers) in in_file.into_iter().rev() {
            let original = bugs[numbers[0]].original.clone();
            let planted =
                numbers.iter().fold(original.clone(), |rest, &i| expression(i + 1, &bugs[i], &rest));
            text.replace_range(at..at + original.len(), &planted);
        }
    }
    Ok(texts)
}

/// A bug, and `rest` where it is not the one that the instance has.
fn expression(number: usize, bug: &PlantedBug, rest: &str) -> String {
    let (right, wrong) = (&bug.original, &bug.replacement);
    format!("({PACKAGE}::heddle_fault_pick(16'sd{number}, (({right}) !== ({wrong}))) ? ({wrong}) : ({rest}))")
}

/// A design with its planted bugs, built and loaded.
#[derive(Debug, Clone)]
pub struct PlantedLibrary {
    bugs: Vec<PlantedBug>,
    library: ModelLibrary,
}

/// Builds the variant of a design that has all bugs of its list for this elaboration, or finds it built, and loads
/// it.
///
/// # Errors
/// As [`load`], [`instrument`] and [`crate::build()`].
pub fn build(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
    progress: &mut dyn FnMut(&str),
) -> Result<PlantedLibrary, RtlError> {
    let mut bugs = load(root, manifest)?;
    bugs.retain(|bug| bug.elaboration.as_ref().is_none_or(|name| *name == elaboration.name));
    let build = sources(model::start(root, manifest, elaboration, Added::Bugs)?, root, manifest, &bugs)?;
    Ok(PlantedLibrary { bugs, library: model::finish(root, manifest, elaboration, &build, progress)? })
}

/// A build with the sources of a design, `bugs` in them.
pub(crate) fn sources(
    build: ModelBuild,
    root: &Path,
    manifest: &Manifest,
    bugs: &[PlantedBug],
) -> Result<ModelBuild, RtlError> {
    let mut texts = instrument(root, manifest, bugs)?;
    let package = format!(
        "package {PACKAGE};\n  \
           import \"DPI-C\" function bit heddle_fault_pick(input shortint id, input bit differs);\n\
         endpackage\n"
    );
    let build = build.lint(Lint::Off).use_for(Use::ShortRuns);
    let mut build = build.source_text(root.join("heddle_fault_pkg.sv"), package);
    for source in &manifest.sources {
        build = match texts.remove(source) {
            Some(text) => build.source_text(source, text),
            None => build.source(source),
        };
    }
    Ok(build)
}

impl PlantedLibrary {
    /// Where the model comes from.
    #[must_use]
    pub fn origin(&self) -> &RtlOrigin {
        self.library.origin()
    }

    /// The bugs, in the list's order.
    #[must_use]
    pub fn bugs(&self) -> &[PlantedBug] {
        &self.bugs
    }

    /// Makes a register file with the bug `id`, or without one. Its
    /// [`RtlRegisterFile::activations`] tells whether the bug made a difference.
    ///
    /// # Errors
    /// [`RtlError::Planted`] for an unknown id, else as [`ModelLibrary::instance`].
    pub fn instance(&self, seed: u64, id: Option<&str>) -> Result<RtlRegisterFile, RtlError> {
        let number = match id {
            None => 0,
            Some(id) => self.number(id)?,
        };
        let mut instance = self.library.instance(seed)?;
        instance.plant(number)?;
        Ok(instance)
    }

    fn number(&self, id: &str) -> Result<u16, RtlError> {
        self.bugs.iter().position(|bug| bug.id == id).and_then(|at| u16::try_from(at + 1).ok()).ok_or_else(
            || {
                let known = self.bugs.iter().map(|b| b.id.as_str());
                let hint = heddle_suggest::hint(id, known);
                RtlError::Planted {
                    path: PathBuf::from("planted_bugs.toml"),
                    id: id.to_owned(),
                    what: format!("there is no such bug{hint}"),
                }
            },
        )
    }
}
