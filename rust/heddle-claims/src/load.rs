//! The claims of a repository.

use std::collections::BTreeMap;
use std::path::Path;

use heddle_files::Input;

use crate::check::Check;
use crate::claim::Paper;
use crate::error::ClaimError;
use crate::file::Text;
use crate::stock::{Stock, toml_files};

/// Folder of the repository with the claims.
const FOLDER: &str = "claims";
/// The claims of a paper have some kilobytes.
const FILE: Input = Input { expected: "claims in TOML", most: 1 << 20 };

/// The claims of all papers, in the order of their files' names.
///
/// # Errors
/// [`ClaimError::Read`], [`ClaimError::Folder`], or [`ClaimError::At`] with the place and what was expected.
pub fn load(stock: &Stock) -> Result<Vec<Paper>, ClaimError> {
    load_from(stock, &stock.root().join(FOLDER))
}

/// The claims of the files of a folder, in the order of their names.
///
/// # Errors
/// As [`load`].
pub fn load_from(stock: &Stock, folder: &Path) -> Result<Vec<Paper>, ClaimError> {
    let mut papers = Vec::new();
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for path in toml_files(folder)? {
        let text = FILE.text(&path)?;
        papers.push(read(stock, &path, &text, &mut seen)?);
    }
    Ok(papers)
}

/// The claims of a file, none of which has the name of one in `seen`.
fn read(
    stock: &Stock,
    path: &Path,
    text: &str,
    seen: &mut BTreeMap<String, String>,
) -> Result<Paper, ClaimError> {
    let text = Text { path, text };
    let file = text.parse()?;
    let paper = Check { text, stock }.paper(&file)?;
    for claim in &file.claim {
        if let Some(other) = seen.insert(claim.id.get_ref().clone(), paper.id.clone()) {
            let message = format!("claim '{}' is one of {other} already", claim.id.get_ref());
            return Err(text.wrong(claim.id.span(), message));
        }
    }
    Ok(paper)
}

/// The paper, or the one claim, that is called `name`.
///
/// # Errors
/// [`ClaimError::Unknown`].
pub fn only(papers: Vec<Paper>, name: &str) -> Result<Vec<Paper>, ClaimError> {
    let unknown = unknown(&papers, name, true);
    let mut chosen = Vec::new();
    for mut paper in papers {
        if paper.id != name {
            paper.claims.retain(|claim| claim.id == name);
        }
        if !paper.claims.is_empty() {
            chosen.push(paper);
        }
    }
    if chosen.is_empty() { Err(unknown) } else { Ok(chosen) }
}

/// That no paper, with `claims` no claim either, is called `name`, and what was perhaps meant: the paper whose claims begin
/// with it, else the nearest name.
pub fn unknown(papers: &[Paper], name: &str, claims: bool) -> ClaimError {
    let prefix = format!("{name}-");
    let begun = papers.iter().find(|paper| paper.claims.iter().any(|claim| claim.id.starts_with(&prefix)));
    let hint = begun.map_or_else(
        || {
            let of = |paper: &Paper| paper.claims.iter().filter(|_| claims).map(|c| c.id.clone()).collect();
            let named = |paper: &Paper| -> Vec<String> { [vec![paper.id.clone()], of(paper)].concat() };
            let known: Vec<String> = papers.iter().flat_map(named).collect();
            heddle_suggest::hint_or_list(name, known.iter().map(String::as_str))
        },
        |paper| format!("; claims that begin with '{prefix}' are of paper '{}'", paper.id),
    );
    let what = if claims { "claim or paper" } else { "paper with claims" };
    ClaimError::Unknown { what, name: name.to_owned(), hint }
}
