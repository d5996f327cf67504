//! The program with the models of other folders: a crate that has the repository's program and their crates as
//! dependencies, in a workspace of the repository's own crates.

use std::fs;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use toml::{Table, Value};

use crate::error::OutsideError;
use crate::folder::{Folder, read_toml};

/// What cargo takes at most where there is nothing to build.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is asked whether it has ended.
const POLL: Duration = Duration::from_millis(20);

/// Writes the crate `name` into the folder `program` of the tree `at`.
pub(crate) fn write(root: &Path, at: &Path, name: &str, folders: &[Folder]) -> Result<(), OutsideError> {
    publish(&at.join("Cargo.toml"), &workspace(root, folders)?)?;
    let lock = root.join("Cargo.lock");
    let lock = fs::read_to_string(&lock).map_err(|source| OutsideError::Read { path: lock, source })?;
    // What cargo adds for the folders stays as long as the repository's own versions are the same.
    if publish(&at.join("Cargo.lock.of-repository"), &lock)? || !at.join("Cargo.lock").is_file() {
        publish(&at.join("Cargo.lock"), &lock)?;
    }
    publish(&at.join("program/Cargo.toml"), &package(name, folders))?;
    publish(&at.join("program/src/main.rs"), &main(folders))?;
    Ok(())
}

/// The repository's workspace with the program as one more member. A crate of the repository that a folder's crate
/// names by its version alone is the repository's.
fn workspace(root: &Path, folders: &[Folder]) -> Result<String, OutsideError> {
    let path = root.join("Cargo.toml");
    let mut table = read_toml(&path)?;
    let wrong = |what: &str| OutsideError::Manifest { path: path.clone(), what: what.to_owned() };
    let workspace = table.get_mut("workspace").and_then(Value::as_table_mut);
    let workspace = workspace.ok_or_else(|| wrong("a workspace is expected"))?;
    let members = workspace.get_mut("members").and_then(Value::as_array_mut);
    members.ok_or_else(|| wrong("workspace.members is expected"))?.push("program".into());
    let crates = workspace.get("dependencies").and_then(Value::as_table).cloned().unwrap_or_default();
    let own = crates.into_iter().filter(|(name, from)| {
        from.get("path").is_some() && folders.iter().any(|folder| folder.dependencies.contains(name))
    });
    let patch = Table::from_iter([("crates-io".to_owned(), Value::Table(own.collect()))]);
    table.insert("patch".to_owned(), Value::Table(patch));
    Ok(table.to_string())
}

fn package(name: &str, folders: &[Folder]) -> String {
    let shared = |name: &str| (name.to_owned(), Table::from_iter([("workspace".to_owned(), true.into())]));
    let mut dependencies: Table = ["heddle", "heddle-designs", "inventory"]
        .map(shared)
        .map(|(name, from)| (name, Value::Table(from)))
        .into_iter()
        .collect();
    for (number, folder) in folders.iter().enumerate() {
        let path = folder.path.to_string_lossy().into_owned();
        let from = Table::from_iter([
            ("path".to_owned(), Value::String(path)),
            ("package".to_owned(), Value::String(folder.package.clone())),
        ]);
        dependencies.insert(format!("design_{number}"), Value::Table(from));
    }
    let package = Table::from_iter([
        ("name".to_owned(), Value::from(name)),
        ("version".to_owned(), Value::from("0.0.0")),
        ("edition".to_owned(), Value::from("2024")),
        ("publish".to_owned(), Value::from(false)),
    ]);
    Table::from_iter([
        ("package".to_owned(), Value::Table(package)),
        ("dependencies".to_owned(), Value::Table(dependencies)),
    ])
    .to_string()
}

fn main(folders: &[Folder]) -> String {
    let mut text = "//! Heddle with the models of designs outside its repository.\n\n".to_owned();
    for (number, folder) in folders.iter().enumerate() {
        text.push_str(&format!(
            "// {}: `make` makes the model from an instance.\n\
             inventory::submit! {{ heddle_designs::Entry {{ name: {:?}, make: design_{number}::make }} }}\n",
            folder.path.display(),
            folder.design
        ));
    }
    text.push_str("\nfn main() -> std::process::ExitCode {\n    heddle::with_outside_designs()\n}\n");
    text
}

/// Writes a file that is not so already; whether it was written.
fn publish(path: &Path, text: &str) -> Result<bool, OutsideError> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(false);
    }
    heddle_files::publish(path, text.as_bytes())
        .map_err(|source| OutsideError::Write { path: path.to_owned(), source })?;
    Ok(true)
}

/// Builds the crate `name` of the tree `at` without network, in a folder of its own below the target folder: what the
/// repository's own builds left there is not theirs in another workspace. On a terminal cargo says how far it is,
/// elsewhere `told` gets a line; without `told` nothing is said.
pub(crate) fn build(
    root: &Path,
    at: &Path,
    name: &str,
    folders: &[Folder],
    told: Option<&dyn Fn(&str)>,
) -> Result<PathBuf, OutsideError> {
    let paths: Vec<String> = folders.iter().map(|folder| folder.path.display().to_string()).collect();
    let paths = paths.join(", ");
    let given = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = given.unwrap_or_else(|| root.join("target")).join("outside");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(&cargo);
    command.args(["build", "--release", "--offline", "--package", name, "--manifest-path"]);
    command.arg(at.join("Cargo.toml")).arg("--target-dir").arg(&target);
    let seen = told.is_some() && std::io::stderr().is_terminal();
    if !seen {
        command.args(["--quiet", "--color", "never"]).stderr(Stdio::piped());
    }
    let ran = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().and_then(|mut process| {
        if let Some(told) = told.filter(|_| !seen)
            && is_long(&mut process, PATIENCE)?
        {
            told(&format!("building the program with the design of {paths}, which can take minutes"));
        }
        process.wait_with_output()
    });
    let ran = ran.map_err(|source| OutsideError::Start { program: cargo, source })?;
    if ran.status.success() {
        return Ok(target.join("release").join(name));
    }
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    Err(OutsideError::Build { folders: paths, said: if seen { String::new() } else { format!(":\n{said}") } })
}

/// Whether the process still runs after a time.
fn is_long(process: &mut Child, patience: Duration) -> std::io::Result<bool> {
    let begin = Instant::now();
    while begin.elapsed() < patience {
        if process.try_wait()?.is_some() {
            return Ok(false);
        }
        std::thread::sleep(POLL);
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::is_long;

    #[test]
    fn what_ends_within_the_time_is_not_long() {
        let mut ends = Command::new("true").spawn().expect("a process");
        assert!(!is_long(&mut ends, Duration::from_secs(3600)).expect("waits"));
        let mut stays = Command::new("sleep").arg("3600").spawn().expect("a process");
        let long = is_long(&mut stays, Duration::ZERO);
        stays.kill().and_then(|()| stays.wait()).expect("ends");
        assert!(long.expect("waits"));
    }
}
