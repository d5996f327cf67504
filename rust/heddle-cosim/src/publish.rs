//! Files that are there whole or not at all.

use std::io::Write as _;
use std::path::Path;

/// Writes a file under a temporary name and renames it.
///
/// # Errors
/// The folder cannot be made or the file not written.
pub fn publish(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
