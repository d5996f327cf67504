//! Files of views: a view has the groups of the files that it includes, and its own.

use std::path::{Path, PathBuf};

use heddle_files::Input;
use serde::Deserialize;

use crate::enums::enumeration;
use crate::view::{Group, Names, When};
use crate::{View, WaveError};

/// Files that may include each other.
const DEPTH: usize = 8;
const VIEW: Input = Input { expected: "a view of waves", most: 1 << 20 };
const PACKAGE: Input = Input { expected: "a package of SystemVerilog", most: 1 << 20 };

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Path of the module that patterns with a dot in front lie below.
    scope: Option<String>,
    /// Where the view opens; that of the file itself, else that of one which it includes.
    #[serde(default)]
    first: Vec<String>,
    #[serde(default)]
    include: Vec<Include>,
    #[serde(default, rename = "group")]
    groups: Vec<Group>,
    #[serde(default)]
    names: Vec<Names>,
    #[serde(default)]
    when: Vec<When>,
}

/// Another file of groups.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Include {
    /// Relative to the folder of the file that includes it.
    file: PathBuf,
    /// Scope in place of the one that the file says itself; with a dot in front it lies below that of the file that
    /// includes it.
    scope: Option<String>,
}

impl View {
    /// Reads a view with the files that it includes.
    ///
    /// # Errors
    /// A file cannot be read or is not of the documented form.
    pub fn load(path: &Path) -> Result<Self, WaveError> {
        let mut view = Self { path: path.to_owned(), ..Self::default() };
        add(&mut view, path, None, 0)?;
        Ok(view)
    }
}

/// Adds what a file includes, and then its own, to a view.
fn add(view: &mut View, path: &Path, scope: Option<&str>, depth: usize) -> Result<(), WaveError> {
    let wrong = |message: String| WaveError::View { path: path.to_owned(), message };
    if depth > DEPTH {
        return Err(wrong(format!("includes go round, or are more than {DEPTH} deep")));
    }
    let text = VIEW.text(path)?;
    let file: File = toml::from_str(&text).map_err(|e| wrong(e.to_string().trim_end().to_owned()))?;
    let scope = scope.map(str::to_owned).or(file.scope);
    let below_scope = |pattern: &str| match (pattern.starts_with('.'), &scope) {
        (false, _) => Ok(pattern.to_owned()),
        (true, Some(scope)) => Ok(format!("{scope}{pattern}")),
        (true, None) => Err(wrong(format!("'{pattern}' lies below a scope, and none is given"))),
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    for include in &file.include {
        let below = include.scope.as_deref().map(below_scope).transpose()?;
        add(view, &folder.join(&include.file), below.as_deref().or(scope.as_deref()), depth + 1)?;
    }
    let absolute =
        |patterns: &[String]| patterns.iter().map(|pattern| below_scope(pattern)).collect::<Result<_, _>>();
    if !file.first.is_empty() {
        view.first = absolute(&file.first)?;
    }
    for mut when in file.when {
        when.signals = absolute(&when.signals)?;
        when.valid = below_scope(&when.valid)?;
        path.clone_into(&mut when.path);
        view.when.push(when);
    }
    for mut group in file.groups {
        group.signals = absolute(&group.signals)?;
        path.clone_into(&mut group.path);
        view.groups.push(group);
    }
    for mut names in file.names {
        names.signals = absolute(&names.signals)?;
        let package = folder.join(&names.file);
        let text = PACKAGE.text(&package)?;
        names.values = enumeration(&text, &names.type_name).ok_or_else(|| {
            wrong(format!("{} has no enumeration '{}'", package.display(), names.type_name))
        })?;
        path.clone_into(&mut names.path);
        view.names.push(names);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with files, by name.
    fn files(texts: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("temporary folder");
        for (name, text) in texts {
            std::fs::write(folder.path().join(name), text).expect("writable");
        }
        folder
    }

    fn load(folder: &tempfile::TempDir, name: &str) -> Result<View, String> {
        View::load(&folder.path().join(name)).map_err(|error| error.to_string())
    }

    const SHARED: &str = "[[group]]\nname = 'Clock'\nsignals = ['clk_i', '.u_x.busy']\n";

    #[test]
    fn groups_of_included_files_come_first_and_lie_below_the_scope_of_the_reader() {
        let own = "include = [{ file = 'shared.toml' }]\nscope = 'a_top'\n\
                   [[group]]\nname = 'Own'\nsignals = ['.state']\n";
        let on_top = "scope = 'b_top'\ninclude = [{ file = 'a.toml', scope = '.u_a' }]\n";
        let folder = files(&[("shared.toml", SHARED), ("a.toml", own), ("b.toml", on_top)]);
        for (name, scope) in [("a.toml", "a_top"), ("b.toml", "b_top.u_a")] {
            let view = load(&folder, name).expect("well formed");
            let patterns: Vec<&str> =
                view.groups.iter().flat_map(|g| &g.signals).map(String::as_str).collect();
            assert_eq!(
                patterns,
                ["clk_i", &format!("{scope}.u_x.busy"), &format!("{scope}.state")],
                "{name}"
            );
        }
    }

    #[test]
    fn events_and_times_lie_below_the_scope_too() {
        let shared = "first = ['.go']\n[[when]]\nsignals = ['.tag[*]']\nvalid = '.busy'\n";
        let own = "scope = 'a_top'\ninclude = [{ file = 'shared.toml', scope = '.u_x' }]\n";
        let folder = files(&[
            ("shared.toml", shared),
            ("a.toml", own),
            ("b.toml", &format!("first = ['.start']\n{own}")),
        ]);
        for (name, first) in [("a.toml", "a_top.u_x.go"), ("b.toml", "a_top.start")] {
            let view = load(&folder, name).expect("well formed");
            let when = &view.when[0];
            assert_eq!(
                (view.first, &when.signals[0][..], &when.valid[..]),
                (vec![first.to_owned()], "a_top.u_x.tag[*]", "a_top.u_x.busy")
            );
        }
    }

    #[test]
    fn a_misspelt_key_of_a_view_is_refused() {
        let folder = files(&[("view.toml", "[[group]]\nname = 'x'\nsignal = []\n")]);
        let message = load(&folder, "view.toml").expect_err("misspelt");
        assert!(message.contains("view.toml") && message.contains("signal"), "{message}");
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_told_with_the_file_that_it_stands_in() {
        let own = "include = [{ file = 'shared.toml' }]\nscope = 'a_top'\n";
        let folder = files(&[("shared.toml", SHARED), ("a.toml", own)]);
        let view = load(&folder, "a.toml").expect("well formed");
        let message = view.resolve(&[], 0).expect_err("there are no signals").to_string();
        assert!(
            message.contains("shared.toml: group 'Clock': pattern 'a_top.u_x.busy' matches no"),
            "{message}"
        );
    }

    #[test]
    fn includes_that_cannot_be_followed_are_refused() {
        let folder = files(&[
            ("round.toml", "include = [{ file = 'round.toml' }]\n"),
            ("missing.toml", "include = [{ file = 'nowhere.toml' }]\n"),
            ("shared.toml", SHARED),
        ]);
        for (name, expected) in
            [("round.toml", "go round"), ("missing.toml", "nowhere.toml"), ("shared.toml", "none is given")]
        {
            let message = load(&folder, name).expect_err(name);
            assert!(message.contains(expected), "{message}");
        }
    }
}
