//! A repository with the fixture design in it, below Cargo's folder for test output.

use std::fs;
use std::path::{Path, PathBuf};

/// Lays the fixture out once more (what was built in it stays) and returns its root.
pub fn fixture(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let repository = here.join("../..");
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    copy(&repository.join("rust/heddle-rtl/tests/fixture"), &root);
    let common = root.join("rtl/common");
    fs::create_dir_all(&common).expect("a folder");
    let package = "rtl/common/heddle_port_pkg.sv";
    copy_file(&repository.join(package), &root.join(package));
    let tools = root.join("build/tools");
    if !tools.exists() {
        fs::create_dir_all(root.join("build")).expect("a folder");
        let real =
            fs::canonicalize(repository.join("build/tools")).expect("scripts/tools.sh fetches the tools");
        // Another test may have made the same link in the meantime.
        let _ = std::os::unix::fs::symlink(real, &tools);
    }
    root
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the fixture") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            copy_file(&entry.path(), &target);
        }
    }
}

/// Tests run at once: a file that is there already must not be empty for a moment.
fn copy_file(from: &Path, to: &Path) {
    let text = fs::read(from).expect("the fixture");
    if fs::read(to).is_ok_and(|old| old == text) {
        return;
    }
    let thread = format!("{:?}", std::thread::current().id());
    let fresh = to.with_extension(format!("{}-{thread}", std::process::id()));
    fs::write(&fresh, text).expect("a copy");
    fs::rename(&fresh, to).expect("a copy");
}
