//! The bugs of a design: those of its own list, and those of all cells that it has.

use std::path::{Path, PathBuf};

use heddle_files::Input;
use heddle_manifest::Manifest;
use serde::Deserialize;

use super::BugClass;
use crate::error::RtlError;

const LIST: Input = Input { expected: "a list of planted bugs", most: 1 << 20 };

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
    /// The variant of the design, by its name in the manifest, in which it makes a difference; unless given, the one
    /// that the whole list is tried on.
    #[serde(default)]
    pub variant: Option<String>,
    /// The elaboration that has the file's part in question; all have it when left out.
    pub elaboration: Option<String>,
    /// The workload that must find it; left out where only the random traffic of a block bench can.
    pub kernel: Option<String>,
    /// Of these, what is found must name at least one: check, sentence, signal and sides that differ. There are several where the place at
    /// which the bug shows first depends on the registers that the compiler chose.
    pub expect: Vec<String>,
    /// What goes wrong.
    pub doc: String,
    /// The list that it stands in.
    #[serde(skip)]
    pub list: PathBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    bugs: Vec<PlantedBug>,
    #[serde(default)]
    without: Vec<Without>,
}

/// Bugs of cells that make no difference in a design.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Without {
    ids: Vec<String>,
    /// Why they make none.
    #[serde(rename = "doc")]
    _doc: String,
}

/// Where a design's list is.
#[must_use]
pub fn list_path(root: &Path, manifest: &Manifest) -> PathBuf {
    list_of(root, &manifest.name)
}

/// Where the list of the cells in `rtl/<folder>` is.
fn list_of(root: &Path, folder: &str) -> PathBuf {
    root.join("testbench").join(folder).join("planted_bugs.toml")
}

fn read(path: &Path) -> Result<List, RtlError> {
    let text = LIST.text(path)?;
    let mut list: List = toml::from_str(&text)
        .map_err(|source| RtlError::Toml { path: path.to_owned(), source: Box::new(source) })?;
    for bug in &mut list.bugs {
        path.clone_into(&mut bug.list);
    }
    Ok(list)
}

/// Reads a design's list of bugs, and behind them those of the cells that it has: of the list of each folder that its
/// sources lie in, the bugs in files that are sources of the design. A bug of its own takes the
/// place of one of a cell with the same id, and the list's `without` names those of cells that make no difference in
/// this design. What only a variant or an elaboration shows is for the design whose list it stands in.
///
/// # Errors
/// [`RtlError::File`], [`RtlError::Toml`], or [`RtlError::Planted`] for a name that is there twice, a
/// replacement that changes nothing, a bug that may show anywhere, an elaboration that is not there, and a name under
/// `without` that no cell of the design has.
pub fn load(root: &Path, manifest: &Manifest) -> Result<Vec<PlantedBug>, RtlError> {
    let path = list_path(root, manifest);
    let List { mut bugs, without } = read(&path)?;
    let own: Vec<String> = bugs.iter().map(|bug| bug.id.clone()).collect();
    let mut of_cells = Vec::new();
    for folder in folders(root, manifest) {
        let list = list_of(root, &folder);
        if folder == manifest.name || !list.is_file() {
            continue;
        }
        of_cells.extend(read(&list)?.bugs.into_iter().filter(|bug| {
            let everywhere = bug.variant.is_none() && bug.elaboration.is_none();
            everywhere && manifest.sources.contains(&root.join(&bug.file))
        }));
    }
    let without: Vec<String> = without.into_iter().flat_map(|without| without.ids).collect();
    if let Some(id) = without.iter().find(|id| of_cells.iter().all(|bug| bug.id != **id)) {
        let hint = heddle_suggest::hint(id, of_cells.iter().map(|bug| bug.id.as_str()));
        let what = format!("'without' names it, and no cell of the design has such a bug{hint}");
        return Err(RtlError::Planted { path, id: id.clone(), what });
    }
    bugs.extend(of_cells.into_iter().filter(|bug| !own.contains(&bug.id) && !without.contains(&bug.id)));
    check(&bugs, manifest)?;
    Ok(bugs)
}

/// The folders of `rtl/` that a design has sources from, in their order.
fn folders(root: &Path, manifest: &Manifest) -> Vec<String> {
    let rtl = root.join("rtl");
    let mut folders: Vec<String> = Vec::new();
    for source in &manifest.sources {
        let folder = source.strip_prefix(&rtl).ok().and_then(|inside| inside.components().next());
        let Some(folder) = folder.map(|folder| folder.as_os_str().to_string_lossy().into_owned()) else {
            continue;
        };
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

/// Whether each of a design's bugs can be told from the others and found.
fn check(bugs: &[PlantedBug], manifest: &Manifest) -> Result<(), RtlError> {
    for (i, bug) in bugs.iter().enumerate() {
        let wrong = |what: &str| {
            Err(RtlError::Planted { path: bug.list.clone(), id: bug.id.clone(), what: what.to_owned() })
        };
        if bugs[..i].iter().any(|other| other.id == bug.id) {
            return wrong("this id is there twice");
        }
        if bug.original.trim().is_empty() || bug.original == bug.replacement {
            return wrong("an original expression and another replacement are needed");
        }
        if bug.expect.is_empty() || bug.expect.iter().any(|name| name.trim().is_empty()) {
            return wrong("'expect' must list at least one name, and no empty one");
        }
        if let Some(Err(unknown)) = bug.elaboration.as_deref().map(|name| manifest.elaboration(Some(name))) {
            return wrong(&unknown.to_string());
        }
    }
    match bugs.get(usize::from(u16::MAX)) {
        None => Ok(()),
        Some(bug) => Err(RtlError::Planted {
            path: bug.list.clone(),
            id: bug.id.clone(),
            what: format!("{} bugs, at most {} are possible", bugs.len(), u16::MAX),
        }),
    }
}
