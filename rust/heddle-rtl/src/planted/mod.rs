//! Known bugs, planted into a copy of a design to see each one found.
//!
//! `testbench/<design>/planted_bugs.toml` lists them. A bug replaces one expression that occurs
//! exactly once in its file:
//!
//! ```toml
//! [[bugs]]
//! id = "lane-dropped"
//! class = "lane mask"
//! file = "rtl/common/write_buffer.sv"         # from the root of the repository
//! original = "result_i[p].mask"
//! replacement = "result_i[p].mask & 32'hFFFF_FFF7"
//! kernel = "hotspot"                          # the workload that must find it; left out: a block bench finds it
//! expect = ["operand"]                        # the report must name one of these
//! doc = "Lane 3 of a result is never written."
//! ```
//!
//! `elaboration = "NAME"` says that only this elaboration has the expression. All other bugs of a design go into
//! one build. In the copy, the expression becomes
//! `(heddle_fault_pick(n, (original) !== (replacement)) ? (replacement) : (original))`, a DPI function of
//! the instrumented build alone, which knows the bug that the running instance has and counts how
//! often it made a difference. So two instances in one process may have different bugs, an instance
//! without one behaves as the clean design, and a bug that was never activated cannot pass as one that
//! was not found. The design's own sources stay clean.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use verilated_runtime::build::{Lint, ModelBuild, Use};

use crate::error::RtlError;
use crate::model::{self, ModelLibrary, RtlOrigin};
use crate::register_file::RtlRegisterFile;
use heddle_manifest::{Elaboration, Manifest};

const PACKAGE: &str = "heddle_fault_pkg";

/// What kind of slip a planted bug is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BugClass {
    /// A wrong grant or an unfair one.
    Arbitration,
    /// An order that must hold is broken.
    Hazard,
    /// A resource is given away twice, or never again.
    Allocation,
    /// The wrong bank, row, warp or register.
    Addressing,
    /// Lanes that should or should not take part.
    #[serde(rename = "lane mask")]
    LaneMask,
    /// A value that does not reach the place where it belongs.
    WriteBack,
    /// State that is lost or kept when a warp leaves or comes back.
    Activation,
    /// A queue that takes too much or gives too early.
    FullEmpty,
    /// The wrong entry gives way.
    Replacement,
    /// An entry goes into a wrong state.
    #[serde(rename = "state transition")]
    StateTransition,
    /// Requests of one line are mixed up or lost.
    #[serde(rename = "MSHR merge")]
    MshrMerge,
    /// A register that was written to memory is lost or comes back wrong.
    #[serde(rename = "spill and refill")]
    SpillRefill,
    /// A line is not kept although it is needed, or the wrong one is.
    Lock,
    /// A line is kept although it is not needed any more.
    Unlock,
    /// The wrong line gives way.
    #[serde(rename = "victim choice")]
    VictimChoice,
    /// Bytes of a word that should or should not take part.
    #[serde(rename = "byte mask")]
    ByteMask,
}

impl BugClass {
    /// All classes.
    pub const ALL: [Self; 16] = [
        Self::Arbitration,
        Self::Hazard,
        Self::Allocation,
        Self::Addressing,
        Self::LaneMask,
        Self::WriteBack,
        Self::Activation,
        Self::FullEmpty,
        Self::Replacement,
        Self::StateTransition,
        Self::MshrMerge,
        Self::SpillRefill,
        Self::Lock,
        Self::Unlock,
        Self::VictimChoice,
        Self::ByteMask,
    ];
}

impl fmt::Display for BugClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Arbitration => "arbitration",
            Self::Hazard => "hazard",
            Self::Allocation => "allocation",
            Self::Addressing => "addressing",
            Self::LaneMask => "lane mask",
            Self::WriteBack => "write-back",
            Self::Activation => "activation",
            Self::FullEmpty => "full-empty",
            Self::Replacement => "replacement",
            Self::StateTransition => "state transition",
            Self::MshrMerge => "MSHR merge",
            Self::SpillRefill => "spill and refill",
            Self::Lock => "lock",
            Self::Unlock => "unlock",
            Self::VictimChoice => "victim choice",
            Self::ByteMask => "byte mask",
        })
    }
}

/// One bug of a design's list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlantedBug {
    /// Name, unique in the list.
    pub id: String,
    /// Its class.
    pub class: BugClass,
    /// The file it is in, from the root of the repository.
    pub file: PathBuf,
    /// The right expression, as it stands in the file, exactly once.
    pub original: String,
    /// The wrong expression, of the same width.
    pub replacement: String,
    /// The variant of the design, `<design>-<variant>`, in which it makes a difference; unless given, the one that
    /// the whole list is tried on.
    #[serde(default)]
    pub variant: Option<String>,
    /// The elaboration that has the file's part in question; all have it when left out.
    pub elaboration: Option<String>,
    /// The workload that must find it; left out where only the random traffic of a block bench can.
    pub kernel: Option<String>,
    /// Of these, the report of the mismatch must name at least one. There are several where the place at
    /// which the bug shows first depends on the registers that the compiler chose.
    pub expect: Vec<String>,
    /// What goes wrong.
    pub doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    bugs: Vec<PlantedBug>,
}

/// Where a design's list is.
#[must_use]
pub fn list_path(root: &Path, manifest: &Manifest) -> PathBuf {
    root.join("testbench").join(&manifest.name).join("planted_bugs.toml")
}

fn read(path: &Path) -> Result<List, RtlError> {
    let text = fs::read_to_string(path).map_err(|source| RtlError::Read { path: path.to_owned(), source })?;
    toml::from_str(&text).map_err(|source| RtlError::Toml { path: path.to_owned(), source: Box::new(source) })
}

/// Reads a design's list of bugs, and behind them those of the designs that it stands on.
///
/// # Errors
/// [`RtlError::Read`], [`RtlError::Toml`], or [`RtlError::Planted`] for a name that is there twice, a
/// replacement that changes nothing, a bug that may show anywhere and an elaboration that is not there.
pub fn load(root: &Path, manifest: &Manifest) -> Result<Vec<PlantedBug>, RtlError> {
    let path = list_path(root, manifest);
    let mut list = read(&path)?;
    for base in &manifest.extends {
        // What only a variant or elaboration of the base shows cannot be tried here.
        let of_base = read(&root.join("testbench").join(base).join("planted_bugs.toml"))?;
        let here = of_base.bugs.into_iter().filter(|bug| bug.variant.is_none() && bug.elaboration.is_none());
        list.bugs.extend(here);
    }
    for (i, bug) in list.bugs.iter().enumerate() {
        let wrong =
            |what: &str| RtlError::Planted { path: path.clone(), id: bug.id.clone(), what: what.to_owned() };
        if list.bugs[..i].iter().any(|other| other.id == bug.id) {
            return Err(wrong("this id is there twice"));
        }
        if bug.original.trim().is_empty() || bug.original == bug.replacement {
            return Err(wrong("an original expression and another replacement are needed"));
        }
        if bug.expect.is_empty() || bug.expect.iter().any(|name| name.trim().is_empty()) {
            return Err(wrong("'expect' must list at least one name, and no empty one"));
        }
        if let Some(Err(unknown)) = bug.elaboration.as_deref().map(|name| manifest.elaboration(Some(name))) {
            return Err(wrong(&unknown.to_string()));
        }
    }
    if list.bugs.len() > usize::from(u16::MAX) {
        return Err(RtlError::Planted {
            path,
            id: list.bugs[usize::from(u16::MAX)].id.clone(),
            what: format!("{} bugs, at most {} are possible", list.bugs.len(), u16::MAX),
        });
    }
    Ok(list.bugs)
}

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
    let mut places: BTreeMap<PathBuf, Vec<(usize, usize)>> = BTreeMap::new();
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    for (i, bug) in bugs.iter().enumerate() {
        let wrong =
            |what: String| RtlError::Planted { path: list_path(root, manifest), id: bug.id.clone(), what };
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
        let overlaps =
            in_file.iter().find(|&&(other, from)| from < end && at < from + bugs[other].original.len());
        if let Some(&(other, _)) = overlaps {
            return Err(wrong(format!("its original overlaps with that of '{}'", bugs[other].id)));
        }
        in_file.push((i, at));
    }
    for (file, mut in_file) in places {
        // From the end, so that the places before stay right.
        in_file.sort_by_key(|&(_, at)| std::cmp::Reverse(at));
        if let Some(text) = texts.get_mut(&file) {
            for (i, at) in in_file {
                let bug = &bugs[i];
                text.replace_range(at..at + bug.original.len(), &expression(i + 1, bug));
            }
        }
    }
    Ok(texts)
}

fn expression(number: usize, bug: &PlantedBug) -> String {
    let (right, wrong) = (&bug.original, &bug.replacement);
    format!(
        "({PACKAGE}::heddle_fault_pick(16'sd{number}, (({right}) !== ({wrong}))) ? ({wrong}) : ({right}))"
    )
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
    let build = sources(model::start(root, manifest, elaboration, true)?, root, manifest, &bugs)?;
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
