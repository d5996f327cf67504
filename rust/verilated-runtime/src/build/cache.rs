//! Keeps the folder of built models within a bound: those that were used longest ago give way.
//!
//! A process that uses a model holds a shared lock on its library until it drops the model; a library that
//! somebody holds is never removed. The time of last use is the library's time of change.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Takes a library into use, if it is there.
pub(super) fn hold(library: &Path) -> Option<File> {
    let file = File::options().read(true).write(true).open(library).or_else(|_| File::open(library)).ok()?;
    file.lock_shared().ok()?;
    // It may have been removed between opening and locking.
    if !library.is_file() {
        return None;
    }
    // In a folder that cannot be written nothing is removed either.
    let _ = file.set_modified(SystemTime::now());
    Some(file)
}

struct Built {
    library: PathBuf,
    used: SystemTime,
    bytes: u64,
}

/// Removes models below `out` that nobody uses, the longest unused ones first, until at most `most` bytes are
/// left. What cannot be read or removed stays.
pub(super) fn trim(out: &Path, most: u64) {
    remove_left(out);
    let mut all = models(out);
    all.sort_by_key(|built| built.used);
    let mut total: u64 = all.iter().map(|built| built.bytes).sum();
    for built in all {
        if total <= most {
            return;
        }
        let Ok(file) = File::open(&built.library) else { continue };
        let Some(home) = built.library.parent() else { continue };
        if file.try_lock().is_ok() && fs::remove_dir_all(home).is_ok() {
            total -= built.bytes;
        }
    }
}

/// Removes the scratch folders of builders that were killed: nobody holds the lock of what they were to become.
fn remove_left(out: &Path) {
    for folder in fs::read_dir(out).into_iter().flatten().flatten() {
        let name = folder.file_name();
        let Some(name) = name.to_str().and_then(|name| name.strip_prefix('.')?.strip_suffix(".work")) else {
            continue;
        };
        let Ok(lock) = File::open(out.join(format!("{name}.lock"))) else { continue };
        if lock.try_lock().is_ok() {
            let _ = fs::remove_dir_all(folder.path());
        }
    }
}

fn models(out: &Path) -> Vec<Built> {
    let folders = fs::read_dir(out).into_iter().flatten().flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
    files
        .filter_map(|file| {
            let library = file.path();
            let name = file.file_name();
            let name = name.to_string_lossy();
            let data = file.metadata().ok().filter(|data| data.is_file())?;
            let used = data.modified().ok()?;
            let is_library = name.starts_with("lib") && name.ends_with(".so");
            is_library.then_some(Built { library, used, bytes: data.len() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn model(out: &Path, name: &str, age: u64) -> PathBuf {
        let home = out.join(name);
        fs::create_dir_all(&home).expect("a folder");
        let library = home.join(format!("lib{name}.so"));
        fs::write(&library, [0; 100]).expect("a file");
        let used = SystemTime::now() - Duration::from_secs(age);
        File::options().write(true).open(&library).and_then(|f| f.set_modified(used)).expect("a time");
        library
    }

    #[test]
    fn what_was_used_longest_ago_gives_way_unless_it_is_in_use() {
        let out = tempfile::tempdir().expect("a folder");
        let (old, used) = (model(out.path(), "old", 500), model(out.path(), "used", 400));
        let (young, last) = (model(out.path(), "young", 300), model(out.path(), "last", 200));
        let there = || [&old, &used, &young, &last].map(|library| library.is_file());
        trim(out.path(), 400);
        assert_eq!(there(), [true; 4]);
        let held = File::open(&used).expect("it is there");
        held.lock_shared().expect("nobody holds it");
        trim(out.path(), 250);
        assert_eq!(there(), [false, true, false, true]);
        drop(held);
        // Being held counts as a use.
        drop(hold(&used));
        trim(out.path(), 100);
        assert_eq!(there(), [false, true, false, false]);
        assert!(hold(&old).is_none());
    }

    #[test]
    fn scratch_folders_of_killed_builders_go_and_those_of_running_ones_stay() {
        let out = tempfile::tempdir().expect("a folder");
        let scratch = |name: &str| {
            let folder = out.path().join(format!(".{name}.work"));
            fs::create_dir_all(folder.join("generated")).expect("a folder");
            let lock = out.path().join(format!("{name}.lock"));
            (folder, File::create(lock).expect("a file"))
        };
        let ((killed, _), (running, lock)) = (scratch("killed"), scratch("running"));
        lock.lock().expect("nobody holds it");
        trim(out.path(), 0);
        assert!(!killed.exists() && running.exists());
    }
}
