//! A design on top of another: its manifest says only what it has more or otherwise.

use std::path::{Path, PathBuf};

use heddle_files::Input;
use toml::{Table, Value};

use crate::error::ManifestError;

/// Designs that may stand on each other.
const DEPTH: usize = 8;
pub(crate) const MANIFEST: Input = Input { expected: "a design's manifest", most: 1 << 20 };

/// The table of the manifest in folder `inside` of `root`, with what it takes from the designs that it stands on, and
/// their names, the nearest first.
pub(crate) fn whole(root: &Path, inside: &Path) -> Result<(Table, Vec<String>), ManifestError> {
    let mut bases = Vec::new();
    let table = merged(root, inside, &mut bases)?;
    Ok((table, bases))
}

fn merged(root: &Path, inside: &Path, bases: &mut Vec<String>) -> Result<Table, ManifestError> {
    let path = root.join(inside).join("design.toml");
    let own = read(&path)?;
    let Some(base) = own.get("design").and_then(|design| design.get("extends")).cloned() else {
        return Ok(own);
    };
    let invalid = |what: String| ManifestError::Invalid { path: path.clone(), what };
    let Some(base) = base.as_str().map(str::to_owned) else {
        return Err(invalid("design.extends is no name of a design".to_owned()));
    };
    if bases.len() == DEPTH || inside.ends_with(&base) || bases.contains(&base) {
        return Err(invalid(format!("design.extends = '{base}' goes round, or is more than {DEPTH} deep")));
    }
    let beside = Path::new("rtl").join(&base);
    if !root.join(&beside).join("design.toml").is_file() {
        return Err(invalid(format!("design.extends = '{base}', and there is no such design")));
    }
    bases.push(base.clone());
    let below = merged(root, &beside, bases)?;
    Ok(on_top(below, own, &base))
}

fn read(path: &Path) -> Result<Table, ManifestError> {
    let text = MANIFEST.text(path)?;
    toml::from_str(&text)
        .map_err(|source| ManifestError::Toml { path: path.to_owned(), source: Box::new(source) })
}

/// What `own` says on top of `below`: lists of both, the base's first; of tables the own values in place of the
/// base's; variants, tests and the version of the ports are its own alone.
fn on_top(mut below: Table, own: Table, base: &str) -> Table {
    below.remove("variants");
    below.remove("tests");
    if let Some(Value::Table(design)) = below.get_mut("design") {
        design.remove("port");
    }
    if let Some(Value::Array(sources)) = below.get_mut("design").and_then(|d| d.get_mut("sources")) {
        for source in sources {
            if let Some(path) = source.as_str() {
                *source = Value::String(moved(base, path));
            }
        }
    }
    for (key, value) in own {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(there)), Value::Table(own)) => {
                for (key, value) in own {
                    match (there.get_mut(&key), value) {
                        (Some(Value::Array(list)), Value::Array(own)) if key == "sources" => list.extend(own),
                        (_, value) => {
                            there.insert(key, value);
                        }
                    }
                }
            }
            (Some(Value::Array(there)), Value::Array(own)) if key != "elaborations" => {
                let name = |value: &Value| value.get("name").and_then(Value::as_str).map(str::to_owned);
                for value in own {
                    match there.iter_mut().find(|other| name(other).is_some() && name(other) == name(&value))
                    {
                        Some(other) => *other = value,
                        None => there.push(value),
                    }
                }
            }
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
    below
}

/// A path of the base's manifest, as one of a manifest in a folder beside it.
fn moved(base: &str, path: &str) -> String {
    PathBuf::from("..").join(base).join(path).to_string_lossy().into_owned()
}
