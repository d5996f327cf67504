//! The C++ files that Verilator wrote, as units for the compiler.
//!
//! To begin a unit, which means to read the precompiled header, takes the compiler a third of a second, as long as most of
//! these files take. So files that are compiled fast are compiled several at once; where the code has to be fast, one alone.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use super::compile::{Level, Unit};
use super::{BuildError, publish};

/// Bytes of the files of a unit, if they are several: from here on there are more units than compiler jobs twice over.
const LEAST: u64 = 1 << 18;
/// The same, at most, for the sake of the compiler's memory.
const MOST: u64 = 1 << 22;

/// A file, and its bytes.
struct File {
    path: PathBuf,
    bytes: u64,
}

/// The units of the C++ files in `generated`, the largest first, so that jobs end together. `level` says how far a file is
/// optimised; files that are gathered are named by new ones below `work`.
///
/// # Errors
/// [`BuildError::Read`], [`BuildError::Write`].
pub(super) fn of_generated(
    generated: &Path,
    work: &Path,
    jobs: usize,
    level: impl Fn(&str) -> Level,
) -> Result<Vec<Unit>, BuildError> {
    let mut files = files(generated)?;
    // By name among equals, for the same link order.
    files.sort_by_key(|file| (Reverse(file.bytes), file.path.clone()));
    let mut units: Vec<(u64, Unit)> = Vec::new();
    for own in Level::ALL {
        let of_level = files.iter().filter(|file| level(&name(&file.path)) == own);
        for (number, files) in gathered(of_level.collect(), own, jobs).into_iter().enumerate() {
            let source = match files[..] {
                [file] => file.path.clone(),
                _ => written(&files, &work.join("units").join(format!("{}{number}.cpp", own.name())))?,
            };
            let unit = Unit { object: source.with_extension("o"), source, level: own, prelude: None };
            units.push((files.iter().map(|file| file.bytes).sum(), unit));
        }
    }
    units.sort_by_key(|(bytes, unit)| (Reverse(*bytes), unit.source.clone()));
    Ok(units.into_iter().map(|(_, unit)| unit).collect())
}

fn files(generated: &Path) -> Result<Vec<File>, BuildError> {
    let fail = |source| BuildError::Read { path: generated.to_owned(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(generated).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|e| e == "cpp") {
            let bytes = fs::metadata(&path).map_or(0, |m| m.len());
            files.push(File { path, bytes });
        }
    }
    Ok(files)
}

/// A file's name without its extension.
fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Files of one level by unit: each goes to the first that has room.
fn gathered(files: Vec<&File>, level: Level, jobs: usize) -> Vec<Vec<&File>> {
    let all: u64 = files.iter().map(|file| file.bytes).sum();
    let room = match level {
        Level::Fast => 0,
        Level::Quick | Level::Once => (all / (2 * jobs.max(1)) as u64).clamp(LEAST, MOST),
    };
    let mut units: Vec<(u64, Vec<&File>)> = Vec::new();
    for file in files {
        match units.iter_mut().find(|(bytes, _)| bytes + file.bytes <= room) {
            Some((bytes, unit)) => {
                *bytes += file.bytes;
                unit.push(file);
            }
            None => units.push((file.bytes, vec![file])),
        }
    }
    units.into_iter().map(|(_, unit)| unit).collect()
}

/// A file that includes others.
fn written(files: &[&File], path: &Path) -> Result<PathBuf, BuildError> {
    let include = |file: &&File| format!("#include \"{}.cpp\"\n", name(&file.path));
    publish::write(path, &files.iter().map(include).collect::<String>())?;
    Ok(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{File, LEAST, Level, MOST, gathered};

    /// Bytes of the files of each unit.
    fn units(bytes: &[u64], level: Level, jobs: usize) -> Vec<Vec<u64>> {
        let files: Vec<File> = bytes.iter().map(|&bytes| File { path: "a.cpp".into(), bytes }).collect();
        let units = gathered(files.iter().collect(), level, jobs);
        units.into_iter().map(|unit| unit.into_iter().map(|file| file.bytes).collect()).collect()
    }

    #[test]
    fn small_files_are_gathered_and_large_ones_stay_alone() {
        assert_eq!(units(&[100, 20, 3], Level::Quick, 2), [[100, 20, 3]], "below the least");
        assert_eq!(units(&[100, 20, 3], Level::Fast, 2), [[100], [20], [3]], "each alone");
        let large = 2 * MOST;
        assert_eq!(units(&[large, LEAST, LEAST], Level::Once, 1), [vec![large], vec![LEAST, LEAST]]);
        let scaled = |unit: &[u64]| unit.iter().map(|n| n * LEAST).collect::<Vec<_>>();
        let units = units(&scaled(&[4, 3, 2, 2, 1]), Level::Quick, 1);
        assert_eq!(units, [scaled(&[4, 2]), scaled(&[3, 2, 1])], "half of all at most");
    }
}
