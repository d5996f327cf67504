//! Files that are written piece by piece and are there whole or not at all.

use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use crate::identity::target;
use crate::publish::temporary;

/// A file that gets its name once everything is in it; dropped before, it leaves nothing.
///
/// What the path links to is replaced, not the link, and keeps its permissions; what is there and is no regular file,
/// such as a device or a pipe, is written as it is.
#[derive(Debug)]
pub struct Streamed(Place);

#[derive(Debug)]
enum Place {
    /// A file, its temporary name, the name that it gets, and the permissions of what has that name.
    New(BufWriter<File>, TempPath, PathBuf, Option<Permissions>),
    /// A device or a pipe.
    There(BufWriter<File>),
}

impl Streamed {
    /// Begins the file; its folder is made where it is not there.
    ///
    /// # Errors
    /// The folder or the file cannot be made.
    pub fn new(path: &Path) -> io::Result<Self> {
        let target = target(path).ok_or_else(|| io::Error::other("its links lead in a circle"))?;
        let there = std::fs::metadata(&target).ok();
        Ok(Self(match there {
            Some(there) if !there.is_file() => {
                Place::There(BufWriter::new(File::options().write(true).open(&target)?))
            }
            there => {
                let permissions = there.map(|there| there.permissions());
                let (file, name) = temporary(&target)?.into_parts();
                Place::New(BufWriter::new(file), name, target, permissions)
            }
        }))
    }

    /// Makes the file durable and gives it its name: a process that is killed leaves what was there as it was.
    ///
    /// # Errors
    /// The last bytes cannot be written, or the file cannot have its name.
    pub fn publish(self) -> io::Result<()> {
        match self.0 {
            Place::New(writer, name, target, permissions) => {
                let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
                if let Some(permissions) = permissions {
                    file.set_permissions(permissions)?;
                }
                file.sync_all()?;
                name.persist(&target)?;
                Ok(())
            }
            Place::There(mut writer) => writer.flush(),
        }
    }
}

impl Write for Streamed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Place::New(writer, ..) => writer.write(bytes),
            Place::There(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Place::New(writer, ..) => writer.flush(),
            Place::There(writer) => writer.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_its_name_once_it_is_whole() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("new/timeline.json");
        let mut file = Streamed::new(&path).expect("made");
        file.write_all(b"whole").expect("written");
        assert!(!path.exists());
        file.publish().expect("published");
        assert_eq!(std::fs::read(&path).expect("there"), b"whole");
        let mut left = Streamed::new(&path).expect("made");
        left.write_all(b"half").expect("written");
        drop(left);
        assert_eq!(std::fs::read(&path).expect("there"), b"whole");
        assert_eq!(std::fs::read_dir(folder.path().join("new")).expect("there").count(), 1);
    }
}
