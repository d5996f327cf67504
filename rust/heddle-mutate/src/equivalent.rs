//! Mutants that do what the design does, with the reason of each.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use heddle_manifest::Manifest;
use serde::Deserialize;

use crate::error::MutateError;
use crate::site::Site;
use crate::verdict::{Judged, Verdict};

/// The lists of the folders that a design has cells of, `testbench/<folder>/equivalent_mutants.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Equivalents {
    #[serde(default)]
    mutants: Vec<Equivalent>,
}

/// One of them: every place of a file where the expression is replaced so, or those of them in lines of one text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Equivalent {
    file: PathBuf,
    original: String,
    replacement: String,
    /// The line as it stands in the file, without the blanks around it.
    line: Option<String>,
    /// The designs that it is true of, where others have the file too and tell the difference.
    designs: Option<Vec<String>>,
    reason: String,
    /// Where such lines are, from 1.
    #[serde(skip)]
    at: Vec<usize>,
}

impl Equivalent {
    fn is(&self, site: &Site) -> bool {
        (&self.file, &self.original, &self.replacement) == (&site.file, &site.original, &site.replacement)
            && (self.line.is_none() || self.at.contains(&site.line))
    }

    /// Whether it speaks of a design.
    fn is_of(&self, design: &str) -> bool {
        self.designs.as_ref().is_none_or(|designs| designs.iter().any(|name| name == design))
    }

    fn wrong(&self, path: &Path, what: &str) -> MutateError {
        let (file, original, replacement) = (self.file.display(), &self.original, &self.replacement);
        let what = format!("'{original}' -> '{replacement}' in {file}: {what}");
        MutateError::Data { path: path.to_owned(), what }
    }

    /// Finds its lines.
    fn locate(&mut self, root: &Path) -> Result<(), MutateError> {
        let Some(wanted) = &self.line else { return Ok(()) };
        let path = root.join(&self.file);
        let text = std::fs::read_to_string(&path).map_err(|source| MutateError::Read { path, source })?;
        let lines = text.lines().zip(1..).filter(|(line, _)| line.trim() == wanted);
        self.at = lines.map(|(_, number)| number).collect();
        Ok(())
    }
}

fn read(path: &Path) -> Result<Equivalents, MutateError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| MutateError::Read { path: path.to_owned(), source })?;
    toml::from_str(&text).map_err(|e| MutateError::Data { path: path.to_owned(), what: e.to_string() })
}

impl Equivalents {
    /// Reads the list of each folder that the sources of a design lie in, where there is one; what is in files that are
    /// no source of the design is left out.
    ///
    /// # Errors
    /// [`MutateError::Read`], or [`MutateError::Data`]: not in form, without a reason, no site of its file, or of a
    /// design that is not there.
    pub(crate) fn load(root: &Path, manifest: &Manifest, sites: &[Site]) -> Result<Self, MutateError> {
        let mut all = Self::default();
        let rtl = root.join("rtl");
        let inside = manifest.sources.iter().filter_map(|source| source.strip_prefix(&rtl).ok()?.parent());
        for folder in inside.collect::<BTreeSet<&Path>>() {
            let path = root.join("testbench").join(folder).join("equivalent_mutants.toml");
            if path.is_file() {
                let mut list = read(&path)?;
                list.check_designs(&path, root)?;
                let here = |one: &Equivalent| manifest.sources.contains(&root.join(&one.file));
                list.mutants.retain(|one| here(one) && one.is_of(&manifest.name));
                list.mutants.iter_mut().try_for_each(|one| one.locate(root))?;
                list.check(&path, sites)?;
                all.mutants.extend(list.mutants);
            }
        }
        Ok(all)
    }

    fn check(&self, path: &Path, sites: &[Site]) -> Result<(), MutateError> {
        for one in &self.mutants {
            if one.reason.trim().is_empty() {
                return Err(one.wrong(path, "a reason is needed"));
            }
            if !sites.iter().any(|site| one.is(site)) {
                return Err(one.wrong(path, "the file has no such mutant"));
            }
        }
        Ok(())
    }

    fn check_designs(&self, path: &Path, root: &Path) -> Result<(), MutateError> {
        for one in &self.mutants {
            let missing = |name: &&String| !root.join("rtl").join(name).join("design.toml").is_file();
            if let Some(name) = one.designs.iter().flatten().find(missing) {
                return Err(one.wrong(path, &format!("no design '{name}' in rtl/")));
            }
        }
        Ok(())
    }

    /// Whether a list names the mutant.
    pub(crate) fn lists(&self, site: &Site) -> bool {
        self.mutants.iter().any(|one| one.is(site))
    }

    /// A mutant that nothing found and the lists name is equivalent; a found one stays found.
    pub(crate) fn applied_to(&self, judged: Judged) -> Judged {
        let listed = self.mutants.iter().find(|one| one.is(&judged.site));
        match listed {
            Some(one) if judged.verdict.is_unfound() => {
                Judged { verdict: Verdict::Equivalent { reason: one.reason.clone() }, ..judged }
            }
            _ => judged,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        Site {
            file: "rtl/a.sv".into(),
            line: 1,
            column: 1,
            operator: "constant".into(),
            start: 0,
            end: 2,
            at: 0,
            token: "'1".into(),
            mutant: "'0".into(),
            original: "'1".into(),
            replacement: "'0".into(),
        }
    }

    fn list(original: &str, reason: &str) -> Equivalents {
        let file = "rtl/a.sv".into();
        let (original, replacement, reason) = (original.into(), "'0".into(), reason.into());
        let mutant =
            Equivalent { file, original, replacement, line: None, designs: None, reason, at: Vec::new() };
        Equivalents { mutants: vec![mutant] }
    }

    #[test]
    fn a_reason_and_a_site_are_needed() {
        let check = |original, reason| {
            let checked = list(original, reason).check(Path::new("list.toml"), &[site()]);
            checked.map_err(|error| error.to_string())
        };
        assert_eq!(check("'1", "it is so"), Ok(()));
        assert!(check("'1", " ").is_err_and(|e| e.contains("a reason is needed")));
        assert!(check("'2", "it is so").is_err_and(|e| e.contains("the file has no such mutant")));
    }

    #[test]
    fn a_design_that_is_named_is_there_and_no_other_is_spoken_of() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("rtl/osm")).expect("a folder");
        std::fs::write(folder.path().join("rtl/osm/design.toml"), "").expect("a manifest");
        let mut list = list("'1", "it is so");
        assert!(list.mutants[0].is_of("ucm"), "without a name it is true of all");
        let check = |list: &Equivalents| {
            list.check_designs(Path::new("list.toml"), folder.path()).map_err(|e| e.to_string())
        };
        list.mutants[0].designs = Some(vec!["osm".into()]);
        assert_eq!(check(&list), Ok(()));
        assert!(list.mutants[0].is_of("osm") && !list.mutants[0].is_of("ucm"));
        list.mutants[0].designs = Some(vec!["osm".into(), "osn".into()]);
        assert!(check(&list).is_err_and(|e| e.contains("no design 'osn'")));
    }

    #[test]
    fn a_line_is_one_of_its_text() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("rtl")).expect("a folder");
        std::fs::write(folder.path().join("rtl/a.sv"), "  q <= '1;\np <= '1;\n").expect("a source");
        for (line, is) in [("q <= '1;", true), ("p <= '1;", false), ("  q <= '1;", false), ("q", false)] {
            let mut list = list("'1", "it is so");
            list.mutants[0].line = Some(line.into());
            list.mutants[0].locate(folder.path()).expect("a source");
            assert_eq!(list.lists(&site()), is, "{line}");
        }
    }

    #[test]
    fn only_what_nothing_found_is_equivalent() {
        let becomes = |list: &Equivalents, verdict| {
            list.applied_to(Judged { site: site(), verdict, elaborations: 1, proved: String::new() }).verdict
        };
        let (listed, other) = (list("'1", "it is so"), list("'2", "it is so"));
        let survived = Verdict::Survived { passed: 1, active: 1 };
        let killed = Verdict::Killed { check: "operand".into(), run: "vectoradd".into(), cycle: 3 };
        assert_eq!(becomes(&listed, survived.clone()), Verdict::Equivalent { reason: "it is so".to_owned() });
        assert_eq!(becomes(&other, survived.clone()), survived);
        assert_eq!(becomes(&listed, killed.clone()), killed);
    }
}
