//! Files that are there whole or not at all.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::streamed::Streamed;

/// A file under a temporary name in the folder of `path`, which is made where it is not there, with the usual
/// permissions.
///
/// # Errors
/// The folder or the file cannot be made.
pub fn temporary(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    // Opened here: errors of files that the builder opens name the temporary file, which nobody asked for.
    tempfile::Builder::new().make_in(folder, |path| options.open(path))
}

/// Writes a file under a temporary name, makes it durable and renames it: a process that is killed leaves the file
/// as it was. What `path` links to is replaced, not the link, and keeps its permissions; what is there and is no
/// regular file, such as a device or a pipe, is written as it is.
///
/// # Errors
/// The folder cannot be made or the file not written.
pub fn publish(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = Streamed::new(path)?;
    file.write_all(bytes)?;
    file.publish()
}

/// Writes a file under a temporary name, makes it durable and gives it its name, unless a file has that name already:
/// of several that write the same file one is first, and its file stays. Whether this was it.
///
/// # Errors
/// The folder cannot be made or the file not written.
pub fn publish_new(path: &Path, bytes: &[u8]) -> std::io::Result<bool> {
    let mut file = temporary(path)?;
    file.as_file_mut().write_all(bytes)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(true),
        Err(refused) if refused.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(refused) => Err(refused.error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_can_be_read_by_others() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("new/report.json");
        publish(&path, b"first").expect("writable");
        publish(&path, b"2nd").expect("writable");
        assert_eq!(std::fs::read(&path).expect("there"), b"2nd");
        assert_eq!(std::fs::read_dir(folder.path().join("new")).expect("there").count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let plain = folder.path().join("plain");
            std::fs::write(&plain, b"").expect("writable");
            let mode = |p: &Path| std::fs::metadata(p).expect("there").permissions().mode();
            assert_eq!(mode(&path), mode(&plain));
        }
    }

    #[test]
    fn the_first_of_two_new_files_stays() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("runs/one.json");
        assert!(publish_new(&path, b"first").expect("writable"));
        assert!(!publish_new(&path, b"2nd").expect("writable"));
        assert_eq!(std::fs::read(&path).expect("there"), b"first");
        assert_eq!(std::fs::read_dir(folder.path().join("runs")).expect("there").count(), 1);
    }

    /// Nothing can be made below `/proc`.
    #[cfg(target_os = "linux")]
    #[test]
    fn an_error_does_not_name_the_temporary_file() {
        let path = Path::new("/proc/x.html");
        for error in [publish(path, b"x").err(), publish_new(path, b"x").err(), temporary(path).err()] {
            let said = error.expect("not writable").to_string();
            assert!(!said.contains("tmp") && !said.contains("/proc"), "{said}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "old").expect("writable");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        publish(&link, b"new").expect("writable");
        assert_eq!(std::fs::read(&file).expect("there"), b"new");
        assert!(std::fs::symlink_metadata(&link).expect("there").is_symlink());
        std::fs::remove_file(&file).expect("removed");
        publish(&link, b"again").expect("writable");
        assert_eq!(std::fs::read(&file).expect("there"), b"again");
        publish(Path::new("/dev/null"), b"gone").expect("writable");
        let full = publish(Path::new("/dev/full"), b"x").expect_err("no room");
        assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
    }
}
