//! The state of a git repository.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A commit, and whether files are as in it.
pub struct State {
    /// The commit in hexadecimal.
    pub commit: String,
    /// The files asked for are as in the commit, and there are no others beside them.
    pub clean: bool,
}

/// What a git command prints in `root`; `None` where there is no git, no repository, or it fails.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        // Reading must not write the index.
        .env("GIT_OPTIONAL_LOCKS", "0")
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim_end().to_owned())
}

/// Whether `root` is the top of a repository: a copy inside of another repository is not in that one's commits.
fn is_top(root: &Path) -> bool {
    let top =
        git(root, &["rev-parse", "--show-toplevel"]).and_then(|top| Path::new(&top).canonicalize().ok());
    top.is_some() && top == root.canonicalize().ok()
}

/// The commit of the repository `root`, and whether the files in `parts` of it are clean.
pub fn state(root: &Path, parts: &[&str]) -> Option<State> {
    if !is_top(root) {
        return None;
    }
    let commit = git(root, &["rev-parse", "HEAD"])?;
    let changed = git(root, &[&["status", "--porcelain", "--"][..], parts].concat())?;
    Some(State { commit, clean: changed.is_empty() })
}

/// The files that change when another commit is checked out or made.
#[allow(dead_code, reason = "the build script has it watched; the program does not need it")]
pub fn places(root: &Path) -> Vec<PathBuf> {
    if !is_top(root) {
        return Vec::new();
    }
    let branch = git(root, &["symbolic-ref", "-q", "HEAD"]);
    let names = ["HEAD".to_owned(), "packed-refs".to_owned()].into_iter().chain(branch);
    let path = |name: String| git(root, &["rev-parse", "--git-path", &name]).map(|path| root.join(path));
    names.filter_map(path).filter(|path| path.exists()).collect()
}
