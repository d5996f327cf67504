//! Files that are there whole or not at all.

use std::io::Write as _;
use std::path::Path;

use tempfile::NamedTempFile;

/// A file under a temporary name in the folder of `path`, with the usual permissions.
pub(crate) fn temporary(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The process's umask takes away from these, as for any file.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Writes a file under a temporary name, makes it durable and renames it.
///
/// # Errors
/// The folder cannot be made or the file not written.
pub fn publish(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = temporary(path)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
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
}
